"""``python -m installer.vscode OUT.vsix``: pack the extension. Needs npm, which fetches the node modules."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from installer.project import ROOT, epoch, facts
from installer.vscode import vsix

BUILD = ROOT / "build" / "vscode"


def main(argv: Sequence[str] | None = None) -> int:
    """Pack the extension; returns 0, or 2 after an error message."""
    parser = argparse.ArgumentParser(
        prog="python -m installer.vscode", description="Pack the extension for VS Code."
    )
    parser.add_argument("out", type=Path, metavar="OUT.vsix", help="the file to write")
    out: Path = parser.parse_args(argv).out
    npm = shutil.which("npm")
    if npm is None:
        print("There is no npm. Install Node.js 20 or newer.", file=sys.stderr)
        return 2
    try:
        modules = fetch_modules(npm)
        out.parent.mkdir(parents=True, exist_ok=True)
        vsix.write(vsix.contents(modules, facts()), out, epoch=epoch())
    except subprocess.CalledProcessError as error:
        print(f"npm has failed (exit status {error.returncode}); see above.", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"The extension cannot be packed: {error}.", file=sys.stderr)
        return 2
    print(f"{out} ({out.stat().st_size / 1e3:.0f} KB)")
    return 0


def fetch_modules(npm: str) -> Path:
    """Install what ``package-lock.json`` names into the build folder; returns ``node_modules``."""
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(vsix.SOURCE / name, BUILD / name)
    options = ("--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run((npm, "ci", *options), check=True, cwd=BUILD)
    return BUILD / "node_modules"


if __name__ == "__main__":
    sys.exit(main())
