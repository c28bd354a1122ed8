"""What is copied from a draft and pasted into one: its own text exactly, other programs' text plain and clean."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QTextDocumentFragment

from app.text.positions import editor_text
from core.pasting import clean

_OWN = "application/x-evenhand-draft"


def copied(text: str) -> QMimeData:
    """A draft's own text for the clipboard. Qt's own way makes spaces of no-break spaces."""
    data = QMimeData()
    data.setText(text)
    data.setData(_OWN, b"1")
    return data


def leave() -> None:
    """Leave the clipboard a text without Python: it may outlive the program's end, and crash there."""
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData()
    if data is not None and data.hasFormat(_OWN):
        clipboard.setText(data.text())


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
