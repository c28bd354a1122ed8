"""Protects the extension for VS Code: what is packed, and that its settings are those of the language server."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.server.client_settings import STEPS, read_settings
from core.server.resident_engine import CheckOptions
from core.server.served_text import format_of_language
from core.types import ALL_KINDS
from installer.project import ROOT, facts
from installer.vscode import vsix
from installer.vscode.__main__ import main

EPOCH = 1_700_000_000
PACKAGE = json.loads((vsix.SOURCE / "package.json").read_text(encoding="utf-8"))
SCHEMA = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """A stand-in for the node modules that npm installs."""
    folder = tmp_path / "node_modules"
    for name in (
        "vscode-languageclient/lib/node/main.js",
        "vscode-languageclient/lib/node/main.d.ts",
        "vscode-languageclient/lib/node/main.js.map",
        "vscode-languageclient/package.json",
        "vscode-languageclient/License.txt",
        "vscode-languageclient/README.md",
        "semver/LICENSE",
        "semver/bin/semver.js",
        ".package-lock.json",
    ):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (folder / ".bin").mkdir()
    (folder / ".bin" / "semver").symlink_to("../semver/bin/semver.js")
    return folder


@pytest.fixture
def packed(modules: Path, tmp_path: Path) -> zipfile.ZipFile:
    """The extension as it is packed."""
    vsix.write(vsix.contents(modules, facts()), tmp_path / "x.vsix", epoch=EPOCH)
    return zipfile.ZipFile(tmp_path / "x.vsix")


def test_what_runs_and_all_licences_are_packed_and_nothing_else(packed: zipfile.ZipFile) -> None:
    assert packed.testzip() is None
    assert sorted(packed.namelist()) == [
        "[Content_Types].xml",
        "extension.vsixmanifest",
        "extension/LICENSE.txt",
        "extension/README.md",
        "extension/extension.js",
        "extension/node_modules/semver/LICENSE",
        "extension/node_modules/semver/bin/semver.js",
        "extension/node_modules/vscode-languageclient/License.txt",
        "extension/node_modules/vscode-languageclient/lib/node/main.js",
        "extension/node_modules/vscode-languageclient/package.json",
        "extension/package.json",
    ]
    assert packed.read("extension/LICENSE.txt") == (ROOT / "LICENSE").read_bytes()
    packed.close()


def test_the_manifest_names_the_version_of_the_project_and_files_that_are_there(
    packed: zipfile.ZipFile,
) -> None:
    manifest = ElementTree.fromstring(packed.read("extension.vsixmanifest"))
    identity = manifest.find(f"{SCHEMA}Metadata/{SCHEMA}Identity")
    assert identity is not None
    assert (identity.get("Id"), identity.get("Publisher")) == (PACKAGE["name"], PACKAGE["publisher"])
    version = json.loads(packed.read("extension/package.json"))["version"]
    assert identity.get("Version") == version == facts().version
    assets = [one.get("Path") for one in manifest.iter(f"{SCHEMA}Asset")]
    assert "extension/package.json" in assets
    assert set(assets) <= {*packed.namelist()}
    packed.close()


def test_every_file_has_a_type(packed: zipfile.ZipFile) -> None:
    types = ElementTree.fromstring(packed.read("[Content_Types].xml"))
    known = {one.get("Extension") or one.get("PartName") for one in types}
    for name in packed.namelist():
        if name != "[Content_Types].xml":
            assert {Path(name).suffix, f"/{name}"} & known, name
    packed.close()


def test_the_same_files_give_the_same_bytes(modules: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one.vsix", tmp_path / "two.vsix"]
    for path in paths:
        (modules / "semver" / "LICENSE").touch()
        vsix.write(vsix.contents(modules, facts()), path, epoch=EPOCH)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_the_settings_are_those_that_the_server_reads() -> None:
    said = PACKAGE["contributes"]["configuration"]["properties"]
    assert set(said) == {
        f"evenhand.{name}" for name in ("path", "kinds", "sensitivity", "quotations", "packs")
    }
    assert said["evenhand.kinds"]["items"]["enum"] == [*ALL_KINDS]
    assert (said["evenhand.sensitivity"]["minimum"], said["evenhand.sensitivity"]["maximum"]) == (
        -STEPS,
        STEPS,
    )
    defaults = {name.partition(".")[2]: one["default"] for name, one in said.items()}
    assert read_settings(defaults) == (CheckOptions(), [])


def test_a_workspace_cannot_choose_the_program() -> None:
    assert PACKAGE["contributes"]["configuration"]["properties"]["evenhand.path"]["scope"] == "machine"


def test_it_starts_for_the_languages_that_it_offers_to_the_server() -> None:
    script = (vsix.SOURCE / "extension.js").read_text(encoding="utf-8")
    listed = re.search(r"LANGUAGES = (\[[^\]]*\])", script)
    assert listed is not None
    languages = json.loads(listed[1])
    assert PACKAGE["activationEvents"] == [f"onLanguage:{one}" for one in languages]
    assert all(format_of_language(one, "") for one in languages)


def test_the_lock_file_names_no_host() -> None:
    lock = (vsix.SOURCE / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in lock
    for name, wanted in PACKAGE["dependencies"].items():
        assert json.loads(lock)["packages"][f"node_modules/{name}"]["version"] == wanted


def test_without_npm_it_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main([str(tmp_path / "x.vsix")]) == 2
    assert capsys.readouterr().err == "There is no npm. Install Node.js 20 or newer.\n"
    assert not [*tmp_path.iterdir()]
