"""Protects the way of a suggestion with the real engine and rewriter: offered, applied, read again, taken back."""

from __future__ import annotations

import re
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


def opened(path: Path, qtbot: QtBot, reader: Path, rewriter: Path) -> MainWindow:
    """A window with a draft and the models of two folders."""
    window = MainWindow(
        Settings(QSettings(str(path.parent / "settings.ini"), QSettings.Format.IniFormat)),
        load=lambda: Engine.load(reader),
        load_rewriter=lambda engine: Suggester.load(engine, rewriter),
    )
    qtbot.addWidget(window, before_close_func=lambda _: window.ui.editor.document().setModified(False))
    window.show()
    qtbot.waitExposed(window)
    window.open_initial([str(path)])
    return window


@pytest.mark.parametrize("there", [True, False])
def test_a_suggestion_is_offered_applied_and_taken_back(
    tiny_bundle: Path, tmp_path: Path, qtbot: QtBot, there: bool
) -> None:
    folder = make_rewriter(tmp_path / "rewriter") if there else tmp_path / "nothing"
    path = tmp_path / "draft.md"
    path.write_bytes(DRAFT.encode())
    window = opened(path, qtbot, tiny_bundle, folder)
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


def test_no_suggestion_leaves_a_conjunction_alone_in_a_link(
    tiny_bundle: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "draft.md"
    path.write_text("A shameful [and disastrous](https://a.b) law.\n", encoding="utf-8")
    window = opened(path, qtbot, tiny_bundle, make_rewriter(tmp_path / "rewriter"))
    text = window.ui.editor.text()
    for number, words in enumerate(("shameful", "disastrous")):
        for key in (1, 2, 3):
            qtbot.waitUntil(
                lambda: len(window.ui.editor.marks) == 2 and window.components.prefetch._is_current,
                timeout=WAIT_MS,
            )
            finding = window.ui.editor.marks[number].finding
            assert finding.text == words
            window.components.review.go_to(finding)
            window.ui.actions[f"use_{key}"].trigger()
            qtbot.waitUntil(lambda: window.ui.editor.text() != text, timeout=WAIT_MS)
            assert re.search(r"\[and \w+\]\(https://a\.b\) law\.", window.ui.editor.text())
            window.ui.actions["undo"].trigger()
            assert window.ui.editor.text() == text
