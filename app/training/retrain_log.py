"""The log of a training: the newest line in view, errors in bold and named as such."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.parts.labels import showable
from app.parts.theme import is_dark
from app.training.child_progress import LogLine
from core.language import tr

_MOST_LINES = 1000
_LINES_HIGH = 8
_LONGEST = 600
_ERROR_COLOURS = ("#a32617", "#ff9d8c")


class LogView(QPlainTextEdit):
    """Shows lines as they come; who has scrolled up is not scrolled down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._shown: list[LogLine] = []
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setMaximumBlockCount(_MOST_LINES)
        self.setAccessibleName(tr("Log of the training"))
        self.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.setMaximumHeight(_LINES_HIGH * self.fontMetrics().lineSpacing() + 12)

    def show_lines(self, lines: Sequence[LogLine]) -> None:
        """Show all these lines; what is shown already is kept as it is."""
        known = len(self._shown)
        if self._shown != list(lines[:known]):
            self.clear()
            known = 0
        fresh = lines[known:]
        self._shown = list(lines)
        if not fresh:
            return
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for line in fresh[-_MOST_LINES:]:
            if not self.document().isEmpty():
                cursor.insertBlock()
            cursor.insertText(_worded(line), self._look(line))
        cursor.endEditBlock()
        if at_end:
            bar.setValue(bar.maximum())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown:
            lines, self._shown = self._shown, []
            self.clear()
            self.show_lines(lines)

    def _look(self, line: LogLine) -> QTextCharFormat:
        look = QTextCharFormat()
        if line.kind != "plain":
            look.setFontWeight(QFont.Weight.Bold)
        if line.kind == "error":
            look.setForeground(QColor(_ERROR_COLOURS[is_dark(self.palette())]))
        return look


def _worded(line: LogLine) -> str:
    text = showable(line.text)[:_LONGEST]
    match line.kind:
        case "error":
            return tr("Error: {text}").format(text=text)
        case "warning":
            return tr("Warning: {text}").format(text=text)
    return text
