"""What is copied from a draft and pasted into one: its own text exactly, other programs' text plain and clean."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QTextDocumentFragment

from app.positions import editor_text
from core.pasting import clean

_OWN = "application/x-evenhand-draft"


def mark_as_own(data: QMimeData, text: str) -> None:
    """Make ``text`` what a draft gives to the clipboard: Qt's own way makes spaces of no-break spaces."""
    data.setText(text)
    data.setData(_OWN, b"1")


def pasted(data: QMimeData) -> str:
    """The text to put in for ``data``; empty where it holds none.

    A draft's own text is as it was, but for NULs: a file that holds one opens nowhere. Of text from a word processor
    or a browser only the words and the lines are taken.
    """
    if data.hasFormat(_OWN):
        return editor_text(data.text()).replace("\0", "")
    if data.hasText():
        return clean(data.text())
    return clean(QTextDocumentFragment.fromHtml(data.html()).toPlainText()) if data.hasHtml() else ""
