"""Protects working on several drafts: another window is another process, empty, and a failure is said."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtTest import QTest
from windows import Make

from app import entry
from app.main_window.new_window import NOT_STARTED, open_new_window


def started(monkeypatch: pytest.MonkeyPatch, *, works: bool = True) -> list[list[str]]:
    """The programs that are started from now on."""
    found: list[list[str]] = []

    def start(process: QProcess) -> bool:
        found.append([process.program(), *process.arguments()])
        return works

    monkeypatch.setattr("app.main_window.new_window.start", start)
    return found


def test_keys_open_another_window(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    found = started(monkeypatch)
    window = make()
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(window.ui.editor, Qt.Key.Key_N, keys)
    assert found == [[sys.executable, "-P", "-m", "app.entry", "--new"]]
    assert window.ui.message_bar.text == ""


def test_a_failure_is_said(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    started(monkeypatch, works=False)
    window = make()
    window.ui.actions["new_window"].trigger()
    assert window.ui.message_bar.text == NOT_STARTED


def test_the_packaged_program_starts_itself(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    found = started(monkeypatch)
    window = make()
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    window.ui.actions["new_window"].trigger()
    assert found == [[sys.executable, "--new"]]


def test_a_file_is_named_so_that_no_name_is_an_option(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = started(monkeypatch)
    monkeypatch.chdir(tmp_path)
    assert open_new_window(Path("--new"))
    assert found == [[sys.executable, "-P", "-m", "app.entry", "--", str(tmp_path / "--new")]]
    assert not open_new_window(tmp_path / "odd\udcff.md"), "Qt would pass on another name"
    assert len(found) == 1


def test_the_new_window_is_asked_to_be_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[list[str], bool]] = []
    start = ModuleType("app.start")
    start.run = lambda paths, *, empty=False: calls.append((paths, empty)) or 0  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "app.start", start)
    monkeypatch.setattr("app.start", start, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert entry.main(["--new"]) == 0
    assert entry.main([]) == 0
    assert calls == [([], True), ([], False)]
