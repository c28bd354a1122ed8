"""Protects replacing in the real window: its keys, its count in the status bar, and drafts that cannot be changed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QToolButton
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read


def test_keys_alone_replace_all_and_undo_it(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    QTest.keyClick(window.ui.editor, Qt.Key.Key_H, Qt.KeyboardModifier.ControlModifier)
    bar = window.ui.find_bar
    words, new = (bar.findChild(QLineEdit, name) for name in ("find_words", "replace_words"))
    everything = bar.findChild(QToolButton, "replace_all")
    assert words is not None
    assert new is not None
    assert everything is not None
    QTest.keyClicks(words, "shameful")
    QTest.keyClicks(new, "plain")
    everything.setFocus()
    qtbot.waitUntil(everything.hasFocus)
    QTest.keyClick(everything, Qt.Key.Key_Return)
    assert window.ui.editor.text() == TEXT.replace("shameful", "plain")
    assert window.ui.status_bar.currentMessage() == "1 match replaced."
    read(window, qtbot, ["reveals", "chairman"])
    window.ui.actions["undo"].trigger()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    assert not window.components.documents.modified


def test_a_draft_that_is_read_only_has_nothing_to_replace(make: Make, tmp_path: Path) -> None:
    window = make()
    window.ui.actions["replace"].trigger()
    path = tmp_path / "odd.md"
    path.write_bytes("ünï cödé\n".encode() * 9 + b"\xff\xfe\x81")
    assert window.components.documents.open(path)
    assert window.ui.editor.isReadOnly()
    assert not window.ui.actions["replace"].isEnabled()
    button = window.ui.find_bar.findChild(QToolButton, "replace_all")
    assert button is not None
    assert not button.isEnabled()
