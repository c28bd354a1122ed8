"""The sizes of the parts of a frozen program: ``python -m installer.sizes FOLDER``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

_MIN_BYTES = 100_000


def part_sizes(folder: Path) -> dict[str, int]:
    """Bytes of each part of the program in ``folder``, largest first; links count as 0."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            found[_part(path.relative_to(folder).as_posix())] += path.stat().st_size
    return dict(found.most_common())


def _part(place: str) -> str:
    inside = place.removeprefix("_internal/")
    top, _, rest = inside.partition("/")
    if top == "resources":
        return "/".join(inside.split("/")[: 3 if "/models/" in inside else 2])
    if top == "PySide6" or top.startswith(("libpyside", "shiboken", "libshiboken")):
        return "PySide6/Qt" if rest.startswith("Qt/") else "PySide6, bindings"
    if top.endswith(".libs"):
        return top.removesuffix(".libs")
    if top.startswith(("python3", "libpython", "base_library")):
        return "Python"
    return top if rest or top == place else "other libraries"


def main() -> None:
    """Print the sizes in MB, small parts on one line."""
    found = part_sizes(Path(sys.argv[1]))
    small = sum(size for size in found.values() if size < _MIN_BYTES)
    for part, size in found.items():
        if size >= _MIN_BYTES:
            print(f"{size / 1e6:8.1f} MB  {part}")
    print(f"{small / 1e6:8.1f} MB  all smaller ones")
    print(f"{sum(found.values()) / 1e6:8.1f} MB  together")


if __name__ == "__main__":
    main()
