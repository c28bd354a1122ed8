"""Protects what goes into the frozen program: all that the rooms ask for, and of Qt only what the window uses."""

from __future__ import annotations

import ast
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from installer import licences, parts
from installer.project import ROOT

QT = "PySide6/Qt/plugins"
BLOCKED = """
import importlib, pkgutil, sys

class Wall:
    def find_spec(self, name, path=None, target=None):
        if any(name == out or name.startswith(f"{out}.") for out in left_out):
            raise ModuleNotFoundError(f"{name} is left out", name=name)

left_out = sys.argv[1].split(",")
sys.meta_path.insert(0, Wall())
for room in ("app", "core"):
    for module in pkgutil.walk_packages([room], f"{room}."):
        importlib.import_module(module.name)
import pyqtgraph, tokenizers, ctranslate2, onnxruntime
from PySide6.QtWidgets import QApplication
application = QApplication([])
chart = pyqtgraph.PlotWidget()
chart.plot([1, 2], [3, 4])
"""


def asked_for() -> set[str]:
    """Every module that a file of the rooms imports, those inside functions too."""
    found = set()
    for room in ("app", "core", "resources"):
        for path in (ROOT / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def places(entries: list[parts.Entry]) -> list[str]:
    return [place for place, _source, _kind in parts.select_entries(entries, ["de"])]


def test_no_package_imports_an_excluded_module() -> None:
    # The door asks whether training is here, and starts another Python where it is not.
    asked = {name for name in asked_for() if not name.startswith("training")}
    assert "PySide6.QtWidgets" in asked
    wrong = {name for name in asked for out in parts.EXCLUDED if name == out or name.startswith(f"{out}.")}
    assert not wrong


def test_every_module_and_a_chart_do_without_what_is_left_out() -> None:
    command = [sys.executable, "-c", BLOCKED, ",".join(parts.EXCLUDED)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_resource_comes_along_and_no_source() -> None:
    found = {Path(file).relative_to(ROOT).as_posix(): folder for file, folder in parts.data(ROOT)}
    assert {
        "resources/models/reader/reader.onnx",
        "resources/models/rewriter/model.bin",
        "resources/lexicons/cues.tsv",
        "resources/translations/de/LC_MESSAGES/evenhand.mo",
        "resources/report/report.css",
        "resources/samples/sample.md",
        "resources/icons/app.svg",
        "resources/ideology_classifiers.json",
        "CHANGELOG.md",
        "docs/usage.md",
        "docs/pictures/window.png",
    } <= set(found)
    assert all(folder == str(Path(file).parent.as_posix()) for file, folder in found.items())
    assert not [name for name in found if name.endswith((".py", ".po", ".pyc"))]


@pytest.mark.parametrize(
    ("place", "stays"),
    [
        (f"{QT}/platforms/libqxcb.so", True),
        (f"{QT}/platforms/libqwayland.so", True),
        (f"{QT}/platforms/libqoffscreen.so", True),
        ("PySide6/plugins/platforms/qwindows.dll", True),
        (f"{QT}/platforms/libqcocoa.dylib", True),
        (f"{QT}/platforms/libqeglfs.so", False),
        (f"{QT}/tls/libqopensslbackend.so", False),
        (f"{QT}/sqldrivers/libqsqlite.so", False),
        (f"{QT}/platforminputcontexts/libqtvirtualkeyboardplugin.so", False),
        (f"{QT}/platformthemes/libqxdgdesktopportal.so", True),
        (f"{QT}/imageformats/libqsvg.so", True),
        (f"{QT}/printsupport/libcupsprintersupport.so", True),
        ("PySide6/Qt/lib/libQt6PrintSupport.so.6", True),
        (f"{QT}/imageformats/libqpdf.so", False),
        ("PySide6/Qt/translations/qtbase_de.qm", True),
        ("PySide6/Qt/translations/qtbase_fr.qm", False),
        ("PySide6/Qt/translations/assistant_de.qm", False),
        ("PySide6/Qt/lib/libQt6Widgets.so.6", True),
        ("PySide6/Qt/lib/libQt6Quick.so.6", False),
        ("PySide6/Qt6Pdf.dll", False),
        ("PySide6\\Qt6Core.dll", True),
        ("PySide6/QtWidgets.abi3.so", True),
        ("PySide6/Qt/lib/libicudata.so.73", True),
        ("pyqtgraph/Qt/__init__.pyi", False),
        ("evenhand.egg-info/SOURCES.txt", False),
    ],
)
def test_of_qt_only_what_is_used_comes_along(place: str, stays: bool) -> None:
    assert (places([(place, "/venv/lib/x", "BINARY")]) == [place]) is stays


@pytest.mark.parametrize(
    ("source", "stays"),
    [
        ("/usr/lib/x86_64-linux-gnu/libssl.so.3", True),
        ("/usr/lib/x86_64-linux-gnu/libxcb-cursor.so.0", True),
        ("/usr/lib/x86_64-linux-gnu/libpython3.11.so.1.0", True),
        ("/usr/lib/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so", True),
        ("/usr/lib/x86_64-linux-gnu/libgtk-3.so.0", False),
        ("/lib/x86_64-linux-gnu/libreadline.so.8", False),
        ("/usr/lib/x86_64-linux-gnu/libstdc++.so.6", False),
        ("/usr/lib/x86_64-linux-gnu/libxcb.so.1", False),
    ],
)
def test_the_systems_own_libraries_are_left_to_the_system(source: str, stays: bool) -> None:
    assert bool(places([(Path(source).name, source, "BINARY")])) is stays


@pytest.mark.parametrize(
    ("system", "programs"),
    [
        ("linux", {"evenhand": True}),
        ("win32", {"evenhand": False, "evenhand-console": True}),
        ("darwin", {"evenhand": False}),
    ],
)
def test_one_spec_serves_every_system(
    system: str, programs: dict[str, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run with stand-ins for what PyInstaller gives a spec: which programs it makes, with a console or not."""
    made: dict[str, bool] = {}
    collected: list[Any] = []

    class Found:
        def __init__(self, scripts: list[str], **told: Any) -> None:
            assert Path(scripts[0]).is_file()
            assert told["excludes"] == list(parts.EXCLUDED)
            assert {(module, module) for module in parts.WITH_DATA} <= set(told["datas"])
            self.scripts, self.pure = scripts, [("app", "x", "PYMODULE")]
            self.binaries = [("libQt6Quick.so.6", "/venv/x", "BINARY"), ("ok.so", "/venv/ok.so", "BINARY")]
            self.datas: list[parts.Entry] = []

    def program(
        *_parts: Any, name: str, console: bool, upx: bool, exclude_binaries: bool, **_told: Any
    ) -> str:
        assert exclude_binaries
        assert not upx
        made[name] = console
        return name

    hooks = type(sys)("PyInstaller.utils.hooks")
    hooks.collect_submodules = lambda name: [name]  # type: ignore[attr-defined]
    hooks.collect_data_files = lambda name: [(name, name)]  # type: ignore[attr-defined]
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, type(sys)(name))
    monkeypatch.setitem(sys.modules, "PyInstaller.utils.hooks", hooks)
    monkeypatch.setattr(licences, "collect", lambda *_: None)
    monkeypatch.setattr(parts, "metadata", list)
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("EVENHAND_PREPARED", str(tmp_path))
    given = {
        "SPECPATH": str(ROOT / "installer"),
        "Analysis": Found,
        "PYZ": lambda pure: pure,
        "EXE": program,
        "COLLECT": lambda *told, name, upx: collected.append((told, name, upx)),
        "BUNDLE": lambda *_told, name, **_more: collected.append(name),
    }
    runpy.run_path(str(ROOT / "installer" / "evenhand.spec"), init_globals=given)
    assert made == programs
    (told, name, upx), *bundle = collected
    assert (name, upx) == ("evenhand", False)
    assert [("ok.so", "/venv/ok.so", "BINARY")] in told
    assert bundle == (["Evenhand.app"] if system == "darwin" else [])
