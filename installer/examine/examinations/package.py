"""The package itself: what it needs, what it leaves behind, and the archive that runs from anywhere."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from installer.examine.clean_root import USER
from installer.examine.failing import check
from installer.examine.inside import HOME
from installer.examine.stage import COMMAND, Stage

_CACHES = ("usr/share/applications/mimeinfo.cache", "usr/share/mime/packages", "usr/share/mime/globals2")
_MB = 1_000_000


def clean(stage: Stage) -> str:
    """What the package asks for is enough, and brings no Python to the system."""
    check(not stage.root.pythons(), f"there is a Python in the root: {', '.join(stage.root.pythons())}")
    size = sum(
        path.lstat().st_size for path in (stage.root.path / "opt" / COMMAND).rglob("*") if path.is_file()
    )
    weight = stage.package.stat().st_size
    fonts = sorted(name for name in stage.root.packages() if name.startswith("font"))
    return (
        f"package {weight / _MB:.0f} MB, installed {size / _MB:.0f} MB; {len(stage.root.packages())} packages in "
        f"the root, of them fonts: {', '.join(fonts) or 'none'}; no Python"
    )


def removal(stage: Stage) -> str:
    """Removing takes everything of the package away, and nothing of the person's; so does purging it at once."""
    stage.put("kept.md", b"A draft of my own.\n")
    stage.inside.run("mkdir", "--parents", f".local/share/{COMMAND}")
    stage.put(f".local/share/{COMMAND}/mine.txt", b"mine\n")
    mine = _state(stage.root.home)
    for deed in ("remove", "purge"):
        stage.root.as_root("apt-get", deed, "--yes", COMMAND)
        check(_state(stage.root.home) == mine, f"apt-get {deed} changed files in the home")
        left = stage.root.named(COMMAND)
        check(not left, f"apt-get {deed} leaves {', '.join(left)}")
        naming = [place for place in _CACHES if _names_it(stage.root.path / place)]
        check(not naming, f"after apt-get {deed} it is still named in {', '.join(naming)}")
        if deed == "remove":
            stage.root.install_file(stage.package)
    return f"nothing of the package is left; {len(mine)} files in the home are as they were"


def archive(stage: Stage) -> str:
    """The archive runs from a folder with a space in its name that cannot be written."""
    packed = stage.archive
    assert packed is not None
    place = stage.root.home / "My programs"
    place.mkdir()
    subprocess.run(["tar", "--zstd", "-xf", str(packed), "-C", str(place)], check=True)
    found = [path for path in place.glob(f"*/{COMMAND}") if path.is_file()]
    check(len(found) == 1, f"the archive has no program {COMMAND} in its folder")
    stage.root.mount(str(place), f"home/{USER}/My programs", "--bind", "-o", "ro")
    stage.put("harbour.md", b"The legendary architect of the plan spoke.\n")
    command = f"{HOME}/{found[0].relative_to(stage.root.home)}"
    said = stage.inside.run(command, "check", f"{HOME}/harbour.md")
    check(said.code == 1 and "legendary" in said.out, f"check ended with {said.code}: {said.err.strip()}")
    with stage.window(f"{HOME}/harbour.md", command=command) as program:
        stage.person.await_window("harbour.md — Evenhand")
        stage.person.await_underlines()
        stage.picture("window")
        stage.leave(program)
    return f"{packed.name} runs from {command}, which cannot be written"


def _state(home: Path) -> dict[str, str]:
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in home.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def _names_it(place: Path) -> bool:
    files = place.rglob("*") if place.is_dir() else [place]
    return any(COMMAND in path.read_text(errors="replace") for path in files if path.is_file())
