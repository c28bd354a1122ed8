"""The system dependencies of the frozen program: shared libraries that it uses but does not include.

``python -m installer.dependencies FOLDER`` prints each library, its Debian package, and the files that use it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libgcc_s.so.1": "libgcc-s1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}
"""Shared libraries of the system that the program may use, and the Debian package of each."""

OPTIONAL = ("platformthemes/libqgtk3.so", "printsupport/libcupsprintersupport.so")
"""Optional Qt plugins, whose libraries are no dependencies."""

_C_LIBRARY = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|resolv))\.so\.\d+")
_NEEDED = re.compile(r"^\s*NEEDED\s+(\S+)$", re.MULTILINE)
_GLIBC = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
_MAGIC = b"\x7fELF"


class UnknownLibraryError(Exception):
    """The program uses libraries that it does not include and whose package is not known."""


def elf_files(folder: Path) -> list[Path]:
    """All programs and shared libraries below ``folder``, without links."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                if file.read(4) == _MAGIC:
                    found.append(path)
    return found


def needed_libraries(folder: Path) -> dict[str, list[str]]:
    """Each library that is used but not in ``folder``, with the names of the files that use it."""
    files = elf_files(folder)
    here = {path.name for path in folder.rglob("*")}
    users = defaultdict(list)
    for path in files:
        if path.as_posix().endswith(OPTIONAL):
            continue
        for name in _NEEDED.findall(dump("-p", path)):
            if name not in here and not _C_LIBRARY.fullmatch(name):
                users[name].append(path.name)
    return dict(users)


def debian_dependencies(folder: Path) -> list[str]:
    """The Debian packages on which the program in ``folder`` depends, sorted. Raises UnknownLibraryError."""
    users = needed_libraries(folder)
    unknown = sorted(set(users) - set(PACKAGES))
    if unknown:
        names = ", ".join(f"{name} (used by {users[name][0]})" for name in unknown)
        raise UnknownLibraryError(
            f"Neither in the program nor in the table of packages: {names}. Install it here so that it is included "
            "(installer.parts.FROM_SYSTEM), or name its package (installer.dependencies.PACKAGES)."
        )
    major, minor = glibc(folder)
    return sorted({f"libc6 (>= {major}.{minor})", *(PACKAGES[name] for name in users)})


def glibc(folder: Path) -> tuple[int, int]:
    """The oldest version of the C library that has all symbols used."""
    versions = [
        (int(major), int(minor))
        for path in elf_files(folder)
        for major, minor in _GLIBC.findall(dump("-p", path))
    ]
    return max(versions, default=(2, 17))


def dump(option: str, path: Path) -> str:
    """The output of ``objdump`` for a file."""
    return subprocess.run(["objdump", option, str(path)], capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print the dependencies."""
    folder = Path(sys.argv[1])
    for name, users in sorted(needed_libraries(folder).items()):
        print(f"{name:28} {PACKAGES.get(name, '?'):22} {', '.join(sorted(set(users))[:4])}")
    print("C library: {}.{} or newer".format(*glibc(folder)))


if __name__ == "__main__":
    main()
