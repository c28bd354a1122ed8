"""Protects the package's Depends: a library that is neither inside nor in the table is never forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest

from installer import dependencies, sizes

SAID = {
    "evenhand": "  NEEDED  libz.so.1\n  NEEDED  libc.so.6\n  NEEDED  libown.so.1\n  0x0 0x00 05 GLIBC_2.9\n",
    "libown.so.1": "  NEEDED  libX11.so.6\n  0x0 0x00 06 GLIBC_2.34\n  NEEDED ld-linux-x86-64.so.2\n",
    "libqgtk3.so": "  NEEDED  libgtk-3.so.0\n",
}


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A made-up program of two files, a theme of Qt and a text."""
    for name in ("evenhand", "_internal/libown.so.1", "_internal/platformthemes/libqgtk3.so"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\x7fELF")
    (tmp_path / "README.txt").write_text("NEEDED libnothing.so.1")
    monkeypatch.setattr(dependencies, "dump", lambda _option, path: SAID[path.name])
    return tmp_path


def test_what_is_not_inside_becomes_a_package(program: Path) -> None:
    assert dependencies.debian_dependencies(program) == ["libc6 (>= 2.34)", "libx11-6", "zlib1g"]


def test_an_unknown_library_ends_the_build(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SAID, "libown.so.1", "  NEEDED  libstrange.so.7\n")
    with pytest.raises(
        dependencies.UnknownLibraryError, match=r"libstrange\.so\.7 \(used by libown\.so\.1\)"
    ):
        dependencies.debian_dependencies(program)


def test_parts_are_weighed_once_each(program: Path) -> None:
    (program / "_internal" / "link.so").symlink_to("libown.so.1")
    (program / "_internal" / "numpy").mkdir()
    (program / "_internal" / "numpy" / "a.so").write_bytes(bytes(1000))
    (program / "_internal" / "numpy.libs").mkdir()
    (program / "_internal" / "numpy.libs" / "b.so").write_bytes(bytes(500))
    found = sizes.part_sizes(program)
    assert next(iter(found.items())) == ("numpy", 1500)
    assert sum(found.values()) == 1500 + 3 * 4 + len("NEEDED libnothing.so.1")
