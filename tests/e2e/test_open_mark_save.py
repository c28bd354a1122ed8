"""Protects the whole way with the real engine: open a draft, see it marked, walk, edit, see it read again, save."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.settings.settings import Settings
from core.engine.engine import Engine

DRAFT = (
    "# The 👍🏽 senator\r\n\r\nThe shameful record of the senator reveals the policy.\r\n\r\n"
    "See [the chairman](https://example.org/shameful) of the `shameful` people.\n"
)


def test_open_mark_walk_edit_and_save(tiny_bundle: Path, tmp_path: Path, qtbot: QtBot) -> None:
    path = tmp_path / "draft.md"
    path.write_bytes(DRAFT.encode())
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    window = MainWindow(settings, load=lambda: Engine.load(tiny_bundle))
    qtbot.addWidget(window, before_close_func=lambda _: window.ui.editor.document().setModified(False))
    window.show()
    qtbot.waitExposed(window)
    window.open_initial([str(path)])

    def words() -> list[str]:
        return [mark.finding.text for mark in window.ui.editor.marks]

    qtbot.waitUntil(lambda: words() == ["shameful", "reveals", "chairman"], timeout=60_000)
    assert "reader tiny" in window.ui.status_bar.analysis_text
    text = window.ui.editor.text()
    for mark in window.ui.editor.marks:
        cursor = QTextCursor(window.ui.editor.document())
        cursor.setPosition(mark.start)
        cursor.setPosition(mark.end, QTextCursor.MoveMode.KeepAnchor)
        assert cursor.selectedText() == mark.finding.text, "the emoji before it shifts no mark"

    window.ui.actions["next"].trigger()
    assert window.components.card.shown_finding == window.ui.editor.marks[0].finding
    cursor = window.ui.editor.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.NextWord, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    assert words() == ["reveals", "chairman"]
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.ui.editor, "The disastrous law.")
    qtbot.waitUntil(lambda: words() == ["reveals", "chairman", "disastrous"], timeout=60_000)

    window.ui.actions["save"].trigger()
    assert path.read_bytes().decode() == DRAFT.replace("shameful record", "record", 1) + "The disastrous law."
    assert not window.isWindowModified()
    while window.ui.editor.document().isUndoAvailable():
        window.ui.editor.undo()
    assert window.ui.editor.text() == text
    window.ui.actions["save"].trigger()
    assert path.read_bytes() == DRAFT.encode()
    assert window.close()


RUN = """
import sys
import app.start
import app.main_window.window

shown = app.main_window.window.MainWindow.show

def show(window):
    shown(window)
    window.components.analysis.finished.connect(lambda _: (print(window.ui.editor.text()[:9]), window.close()))

app.main_window.window.MainWindow.show = show
raise SystemExit(app.start.run(sys.argv[1:]))
"""


@pytest.mark.parametrize("given", [True, False])
def test_the_window_runs_and_closes_without_a_word(tmp_path: Path, given: bool) -> None:
    (tmp_path / "draft.md").write_text("# My plan\n\nA shameful one.", encoding="utf-8")
    command = [sys.executable, "-c", RUN, *([str(tmp_path / "draft.md")] if given else [])]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ("# My plan" if given else "# Harbour")
    assert not [line for line in done.stderr.splitlines() if "This plugin does not support" not in line]
