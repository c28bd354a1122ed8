"""The package itself: its dependencies, what it leaves behind, and the portable archive."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

from installer.examine.clean_root import USER
from installer.examine.context import COMMAND, Context
from installer.examine.results import check
from installer.examine.sandbox import HOME

_CACHES = ("usr/share/applications/mimeinfo.cache", "usr/share/mime/packages", "usr/share/mime/globals2")
_MB = 1_000_000


def clean(context: Context) -> str:
    """The dependencies of the package are sufficient and include no Python."""
    check(not context.root.pythons(), f"there is a Python in the root: {', '.join(context.root.pythons())}")
    size = sum(
        path.lstat().st_size for path in (context.root.path / "opt" / COMMAND).rglob("*") if path.is_file()
    )
    weight = context.package.stat().st_size
    fonts = sorted(name for name in context.root.packages() if name.startswith("font"))
    return (
        f"package {weight / _MB:.0f} MB, installed {size / _MB:.0f} MB; {len(context.root.packages())} packages in "
        f"the root, of them fonts: {', '.join(fonts) or 'none'}; no Python"
    )


def removal(context: Context) -> str:
    """Removing or purging the package removes all of its files and none of the user's."""
    context.write("kept.md", b"A draft of my own.\n")
    context.sandbox.run("mkdir", "--parents", f".local/share/{COMMAND}")
    context.write(f".local/share/{COMMAND}/mine.txt", b"mine\n")
    mine = _state(context.root.home)
    for action in ("remove", "purge"):
        context.root.as_root("apt-get", action, "--yes", COMMAND)
        check(_state(context.root.home) == mine, f"apt-get {action} changed files in the home")
        left = context.root.named(COMMAND)
        check(not left, f"apt-get {action} leaves {', '.join(left)}")
        naming = [place for place in _CACHES if _mentions_it(context.root.path / place)]
        check(not naming, f"after apt-get {action} it is still named in {', '.join(naming)}")
        if action == "remove":
            context.root.install_file(context.package)
    return f"nothing of the package is left; {len(mine)} files in the home are unchanged"


def archive(context: Context) -> str:
    """The portable archive runs from a read-only folder with a space in its name."""
    packed = context.archive
    assert packed is not None
    place = context.root.home / "My programs"
    place.mkdir()
    subprocess.run(["tar", "--zstd", "-xf", str(packed), "-C", str(place)], check=True)
    found = [path for path in place.glob(f"*/{COMMAND}") if path.is_file()]
    check(len(found) == 1, f"the archive has no program {COMMAND} in its folder")
    context.root.mount(str(place), f"home/{USER}/My programs", "--bind", "-o", "ro")
    context.write("harbour.md", b"The legendary architect of the plan spoke.\n")
    command = f"{HOME}/{found[0].relative_to(context.root.home)}"
    result = context.sandbox.run(command, "check", f"{HOME}/harbour.md")
    check(
        result.code == 1 and "legendary" in result.out,
        f"check ended with {result.code}: {result.err.strip()}",
    )
    with context.window(f"{HOME}/harbour.md", command=command) as program:
        context.user.await_window("harbour.md — Evenhand")
        context.user.await_underlines()
        context.screenshot("window")
        context.quit(program)
    return f"{packed.name} runs from {command}, which is read-only"


def _state(home: Path) -> dict[str, str]:
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in home.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def _mentions_it(place: Path) -> bool:
    files = place.rglob("*") if place.is_dir() else [place]
    return any(COMMAND in path.read_text(errors="replace") for path in files if path.is_file())
