"""Editors that are shown with highlighted markup, for tests of how it looks."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor
from app.editor.markup_styles import MarkupStyles
from core.highlighting import wikitext
from core.highlighting.types import LineHighlighter


def show_editor(
    qtbot: QtBot, text: str, *, height: int, highlight: LineHighlighter = wikitext.highlight_line
) -> TextEditor:
    """An editor of 700 by ``height`` pixels with the focus, painted once."""
    editor = TextEditor()
    qtbot.addWidget(editor)
    editor.resize(700, height)
    editor.load(text)
    editor.set_styles(MarkupStyles(editor.document(), highlight))
    editor.show()
    editor.setFocus()
    qtbot.waitExposed(editor)
    editor.viewport().repaint()
    return editor
