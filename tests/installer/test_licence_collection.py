"""Protects that nothing is passed on without its licence: a part without a text or an owner ends the build."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from core.packaging import licences as shown
from installer import licences
from installer.licences import LicenceError


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of made-up distributions: one with a licence, one with none."""
    for name, files in {
        "kind": {"kind/__init__.py": "", "kind-1.0.dist-info/licenses/LICENSE": "BE KIND"},
        "bare": {"bare/__init__.py": ""},
    }.items():
        info = {f"{name}-1.0.dist-info/METADATA": f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n"}
        held = files | info
        record = "".join(f"{file},,\n" for file in [*held, f"{name}-1.0.dist-info/RECORD"])
        for file, text in (held | {f"{name}-1.0.dist-info/RECORD": record}).items():
            path = tmp_path / "site" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site"), *sys.path])
    return tmp_path / "site"


def test_a_distributions_own_text_is_taken(site: Path) -> None:
    part = licences.distribution_part("kind")
    assert (part.name, part.version, part.text) == ("kind", "1.0", "BE KIND")


def test_a_distribution_without_a_text_ends_the_build(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LicenceError, match="bare"):
        licences.distribution_part("bare")
    monkeypatch.setitem(licences._NOTICES, "bare", ("Copyright someone.", ()))
    with pytest.raises(LicenceError, match="bare"):
        licences.distribution_part("bare")
    monkeypatch.setitem(licences._NOTICES, "bare", ("Copyright someone.", (licences.TEXTS / "MIT.txt",)))
    assert "Permission is hereby granted" in licences.distribution_part("bare").text


def test_a_file_of_no_known_part_ends_the_build(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licences, "DISTRIBUTIONS", ("kind",))
    monkeypatch.setattr(licences, "_BUILDERS", ())
    known = ("kind/x.so", str(site / "kind" / "x.so"), "BINARY")
    elsewhere = ("app/x", str(site.parent / "app" / "x.py"), "PYMODULE")
    licences.check_owners([known, elsewhere, ("frozen", "", "PYMODULE")], site)
    with pytest.raises(LicenceError, match="bare"):
        licences.check_owners([known, ("bare", str(site / "bare" / "__init__.py"), "PYMODULE")], site)


def test_a_library_of_the_system_brings_its_packages_copyright(tmp_path: Path) -> None:
    (tmp_path / "libgood1").mkdir()
    (tmp_path / "libgood1" / "copyright").write_text("GOOD")
    good, bad = Path("/usr/lib/libgood.so.1"), Path("/usr/lib/libbad.so.1")
    owners = {str(good): "libgood1 3-1"}
    (part,) = licences.system_parts([good], lambda path: owners.get(path, ""), tmp_path)
    assert (part.name, part.version, part.text) == ("libgood1", "3-1", "GOOD")
    with pytest.raises(LicenceError, match=r"libbad\.so\.1"):
        licences.system_parts([good, bad], lambda path: owners.get(path, ""), tmp_path)


def test_the_models_and_word_lists_bring_their_cards() -> None:
    root = licences.ROOT / "resources"
    names = {part.name: part for part in licences.model_parts(root / "models")}
    assert all("terms:" in part.text and "texts:" in part.licence for part in names.values())
    assert len(names) == 2
    assert "WordNet" in licences.lexicon_part(root / "lexicons").text


def test_every_stored_text_belongs_to_a_part() -> None:
    used = {path for _said, files in licences._NOTICES.values() for path in files}
    assert all(path.is_file() for path in used)
    assert set(licences.TEXTS.glob("*.txt")) <= used


def test_what_is_collected_is_what_the_window_reads(tmp_path: Path) -> None:
    parts = [shown.Part("A b/c", "1", "MIT", "TEXT ä"), shown.Part("Evenhand", "2", "Apache-2.0", "OURS")]
    shown.write_parts(parts, tmp_path)
    assert shown.load_parts(tmp_path) == parts[::-1]
    assert [row["file"] for row in json.loads((tmp_path / shown.INDEX).read_text())] == [
        "A-b-c.txt",
        "Evenhand.txt",
    ]
