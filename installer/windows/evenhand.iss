; The installer for Windows. build.ps1 gives the version: /DVersion=...
; Drafts, versions and models lie in the person's own data folder: removing the program leaves them.
#ifndef Version
  #error Run installer\windows\build.ps1, which knows the version.
#endif

[Setup]
AppId={{8E0C6E54-6C0B-4B63-9B0B-6B2E6E1B7D51}
AppName=Evenhand
AppVersion={#Version}
AppPublisher=Evenhand
DefaultDirName={autopf}\Evenhand
DefaultGroupName=Evenhand
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2/max
SolidCompression=yes
LicenseFile=..\..\LICENSE
OutputDir=..\..\dist
OutputBaseFilename=evenhand-{#Version}-windows-x86_64
SetupIconFile=..\..\build\package\prepared\icons\evenhand.ico
UninstallDisplayIcon={app}\evenhand.exe
WizardStyle=modern

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; What an older version brought and this one does not.
Type: filesandordirs; Name: "{app}\_internal"
Type: filesandordirs; Name: "{app}\wheels"

[Files]
Source: "..\..\build\package\dist\evenhand\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Evenhand"; Filename: "{app}\evenhand.exe"
Name: "{autodesktop}\Evenhand"; Filename: "{app}\evenhand.exe"; Tasks: desktopicon

[Registry]
Root: HKA; Subkey: "Software\Classes\Applications\evenhand.exe"; ValueType: string; ValueName: "FriendlyAppName"; ValueData: "Evenhand"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Applications\evenhand.exe\shell\open\command"; ValueType: string; ValueData: """{app}\evenhand.exe"" ""%1"""
#define Document(str Suffix) \
  "Root: HKA; Subkey: ""Software\Classes\Applications\evenhand.exe\SupportedTypes""; ValueType: string; ValueName: """ + Suffix + """; ValueData: """""
#emit Document(".txt")
#emit Document(".text")
#emit Document(".md")
#emit Document(".markdown")
#emit Document(".mdown")
#emit Document(".mkd")
#emit Document(".mdx")
#emit Document(".qmd")
#emit Document(".rmd")
#emit Document(".wiki")
#emit Document(".wikitext")
#emit Document(".mediawiki")
#emit Document(".html")
#emit Document(".htm")
#emit Document(".xhtml")
#emit Document(".docx")
#emit Document(".odt")

[Run]
Filename: "{app}\evenhand.exe"; Description: "{cm:LaunchProgram,Evenhand}"; Flags: nowait postinstall skipifsilent
