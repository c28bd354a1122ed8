"""Protects the Debian package: what it asks for, where it lies, and that every format that opens is announced."""

from __future__ import annotations

import gzip
import hashlib
import io
import tarfile
from configparser import ConfigParser
from email.parser import HeaderParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.packaging.licences import Part
from installer.archive import Member
from installer.linux import deb
from installer.macos import document_types
from installer.project import ROOT, Facts, facts

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
ABOUT = Facts("evenhand", "1.2.3", "An editor.", "Apache-2.0")


@pytest.fixture
def members(tmp_path: Path) -> list[Member]:
    """What would be installed of a made-up program."""
    for name in ("evenhand", "_internal/lib.so", "wheels/evenhand.whl"):
        path = tmp_path / "program" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(bytes(2000))
    icons = tmp_path / "icons"
    icons.mkdir()
    for name in ("evenhand.svg", *(f"evenhand-{size}.png" for size in deb.ICONS)):
        (icons / name).write_bytes(b"x")
    return deb.contents(tmp_path / "program", icons, "terms", ABOUT)


def test_the_control_file_says_what_dpkg_must_know() -> None:
    said = HeaderParser().parsestr(
        deb.control(ABOUT, depends=["libc6 (>= 2.35)", "zlib1g"], installed_bytes=2049)
    )
    assert (said["Package"], said["Version"], said["Architecture"]) == ("evenhand", "1.2.3", "amd64")
    assert said["Installed-Size"] == "3"
    assert said["Depends"] == "libc6 (>= 2.35), zlib1g"
    first, *rest = said["Description"].splitlines()
    assert 0 < len(first) < 80
    assert rest
    assert all(line.startswith(" ") and len(line) <= 80 for line in rest)


def test_everything_lies_in_opt_or_where_the_desktop_looks(members: list[Member]) -> None:
    names = {member.name for member in members}
    assert {"opt/evenhand/evenhand", "opt/evenhand/wheels/evenhand.whl", "usr/bin/evenhand"} <= names
    assert all(name.startswith(("opt/evenhand/", "usr/share/", "usr/bin/")) for name in names)
    assert (
        next(member.link for member in members if member.name == "usr/bin/evenhand")
        == "/opt/evenhand/evenhand"
    )


def test_no_script_runs_and_nothing_of_a_person_is_touched(members: list[Member]) -> None:
    head = deb.control_archive(members, about=ABOUT, depends=["libc6"], epoch=1_700_000_000)
    assert head == deb.control_archive(members, about=ABOUT, depends=["libc6"], epoch=1_700_000_000)
    with tarfile.open(fileobj=io.BytesIO(gzip.decompress(head))) as archive:
        assert archive.getnames() == ["./control", "./md5sums"]


def test_the_checksums_name_every_file(members: list[Member]) -> None:
    lines = dict(line.split("  ")[::-1] for line in deb.checksums(members).splitlines())
    assert set(lines) == {member.name for member in members if not member.link}
    assert lines["usr/share/doc/evenhand/copyright"] == hashlib.md5(b"terms").hexdigest()


def test_the_copyright_file_names_the_parts_and_ends_in_the_licence() -> None:
    parts = [Part("Evenhand", "1.2.3", "Apache-2.0", "THE TERMS"), Part("Qt", "6", "LGPL-3.0-only", "long")]
    said = deb.copyright_text(ABOUT, parts)
    assert "Qt 6  LGPL-3.0-only" in said
    assert said.endswith("THE TERMS")


def test_the_menu_entry_opens_every_format() -> None:
    entry = ConfigParser(interpolation=None, strict=True)
    entry.optionxform = str  # type: ignore[assignment, method-assign]
    entry.read(deb.HERE / "evenhand.desktop", encoding="utf-8")
    said = entry["Desktop Entry"]
    assert said["Exec"] == "evenhand %f"
    assert said["Icon"] == "evenhand"
    media_types = {one for spec in FORMATS.values() for one in spec.media_types}
    assert set(said["MimeType"].rstrip(";").split(";")) == media_types
    for name in ("GenericName", "Comment", "Keywords"):
        assert said[f"{name}[de]"] != said[name]


def test_wikitext_is_announced_by_all_its_suffixes() -> None:
    (kind,) = ElementTree.parse(deb.HERE / "evenhand.xml").getroot()
    spec = FORMATS[Format.WIKITEXT]
    assert kind.get("type") == spec.media_types[0]
    globs = {one.get("pattern") for one in kind.findall(f"{MIME}glob")}
    assert globs == {f"*{suffix}" for suffix in spec.suffixes}


def test_macos_and_windows_announce_the_same_suffixes() -> None:
    announced = {suffix for spec in FORMATS.values() for suffix in spec.suffixes}
    kinds = document_types.plist()["CFBundleDocumentTypes"]
    assert {f".{suffix}" for kind in kinds for suffix in kind["CFBundleTypeExtensions"]} == announced
    script = (ROOT / "installer" / "windows" / "evenhand.iss").read_text(encoding="utf-8")
    assert {line.split('"')[1] for line in script.splitlines() if line.startswith("#emit")} == announced


def test_the_manual_names_the_commands() -> None:
    said = (deb.HERE / "evenhand.1").read_text(encoding="utf-8")
    assert all(command in said for command in ("check", "rewrite", "models", "train"))
    assert facts().name == "evenhand"
