"""Protects the way of a suggestion with the real engine and rewriter: offered, applied, read again, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.settings.settings import Settings
from core.engine.engine import Engine
from core.rewriting.suggester import Suggester
from tests.tiny_rewriter import make_rewriter

DRAFT = "# A 👍🏽 record\r\n\r\nThe shameful record of the senator. The people of the new law.\r\n"
WAIT_MS = 60_000


@pytest.mark.parametrize("there", [True, False])
def test_a_suggestion_is_offered_applied_and_taken_back(
    tiny_bundle: Path, tmp_path: Path, qtbot: QtBot, there: bool
) -> None:
    folder = make_rewriter(tmp_path / "rewriter") if there else tmp_path / "nothing"
    path = tmp_path / "draft.md"
    path.write_bytes(DRAFT.encode())
    window = MainWindow(
        Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)),
        load=lambda: Engine.load(tiny_bundle),
        load_rewriter=lambda engine: Suggester.load(engine, folder),
    )
    qtbot.addWidget(window, before_close_func=lambda _: window.ui.editor.document().setModified(False))
    window.show()
    qtbot.waitExposed(window)
    window.open_initial([str(path)])
    qtbot.waitUntil(lambda: len(window.ui.editor.marks) == 1, timeout=WAIT_MS)
    finding = window.ui.editor.marks[0].finding
    qtbot.waitUntil(lambda: not window.components.prefetch.get(finding).pending, timeout=WAIT_MS)
    text = window.ui.editor.text()
    offered = window.components.prefetch.get(finding)
    window.ui.actions["next"].trigger()
    window.ui.actions["use_1"].trigger()
    if not there:
        assert "nothing" in offered.note, "the folder that was looked in is named"
        assert window.ui.editor.text() == text
        return
    first = offered.items[0]
    assert first.bias_after < first.bias_before
    assert window.ui.editor.text() == text.replace(offered.sentence, first.sentence)
    qtbot.waitUntil(
        lambda: not len(window.ui.editor.marks) and window.components.prefetch._is_current, timeout=WAIT_MS
    )
    assert window.components.documents.save()
    assert path.read_bytes().decode() == DRAFT.replace(offered.sentence, first.sentence)
    window.ui.actions["undo"].trigger()
    assert window.ui.editor.text() == text
    assert window.components.documents.save()
    assert path.read_bytes() == DRAFT.encode()
