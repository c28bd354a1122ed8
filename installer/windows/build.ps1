# Builds dist\evenhand-VERSION-windows-x86_64.exe, on Windows with Python 3.11 or newer (py) and Inno Setup 6.
#   powershell -ExecutionPolicy Bypass -File installer\windows\build.ps1
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Checked([string] $program, [string[]] $arguments) {
    & $program @arguments
    if ($LASTEXITCODE -ne 0) { throw "$program failed with $LASTEXITCODE." }
}

$python = "build\venv\Scripts\python.exe"
if (-not (Test-Path $python)) { Invoke-Checked "py" @("-3", "-m", "venv", "build\venv") }
Invoke-Checked $python @("-m", "pip", "install", "--quiet", "-e", ".[package]")
Invoke-Checked $python @("-m", "installer.build")
$version = & $python -c "from installer.project import facts; print(facts().version)"

$compiler = Get-Command "iscc" -ErrorAction SilentlyContinue
$iscc = if ($compiler) { $compiler.Source } else { "${env:ProgramFiles(x86)}\Inno Setup 6\ISCC.exe" }
if (-not (Test-Path $iscc)) { throw "Inno Setup 6 is not installed. Install it, then run this again." }
New-Item -ItemType Directory -Force "dist" | Out-Null
Invoke-Checked $iscc @("/Qp", "/DVersion=$version", "installer\windows\evenhand.iss")

$made = Get-Item "dist\evenhand-$version-windows-x86_64.exe"
$hash = (Get-FileHash -Algorithm SHA256 $made).Hash.ToLowerInvariant()
[IO.File]::WriteAllText((Join-Path (Get-Location) "dist\SHA256SUMS"), "$hash  $($made.Name)`n")
Write-Host "Made $made"
