"""Foreign words (of a draft, a file name, a model) in places where Qt guesses whether a text is HTML.

Qt reads a text with tags in a label, message box or tooltip as HTML, and opens the files that it names. Labels are
``PlainLabel``; the texts of boxes and tooltips go through ``plain_text``.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QToolTip, QWidget


def plain_text(text: str) -> str:
    """The text as Qt has to be given it to show it as it stands; unchanged unless Qt could take it for HTML."""
    if "<" not in text and "&lt;" not in text:
        return text
    return f'<span style="white-space: pre-wrap">{escape(text)}</span>'


def show_tooltip(place: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip at a place on the screen."""
    QToolTip.showText(place, plain_text(text), widget)


class PlainLabel(QLabel):
    """A label that shows its text as it stands."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if text:
            self.setText(text)
