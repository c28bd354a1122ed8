"""Labels that hold any text: never read as mark-up, wrapped even inside a word that is too long."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

_SPACES = re.compile(r"[ \t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+")
_LONG_RUN = re.compile(r"\S{18,}")
_AFTER_SIGN = re.compile(r"([/\\_.,:;=&?-]|[^\s\u200b/\\_.,:;=&?-]{16})(?=\w)")


def breakable(text: str) -> str:
    """The text with invisible break points in its long runs (paths, addresses, words without an end)."""
    return _LONG_RUN.sub(lambda run: _AFTER_SIGN.sub("\\1\u200b", run.group()), text)


def showable(text: str) -> str:
    """The text on one line, with nothing in it that Qt cannot draw: NUL and lone surrogates become U+FFFD."""
    line = _SPACES.sub(" ", text).strip(" ")
    if line.isascii() and "\0" not in line:
        return line
    return "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in line)


def percent(share: float) -> str:
    """A share of one as a whole percentage."""
    return f"{round(100 * share)}%"


class WrapLabel(QLabel):
    """Plain text, wrapped anywhere it must be. ``muted`` text is quieter, never less than 4.5:1."""

    def __init__(self, parent: QWidget | None = None, *, muted: bool = False) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if muted:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def setText(self, text: str) -> None:
        """Show ``text``; screen readers get it without the break points."""
        shown = "\n".join(showable(line) for line in text.split("\n"))
        super().setText(breakable(shown))
        self.setAccessibleName(shown)

    def minimumSizeHint(self) -> QSize:
        """One line: what more it needs depends on the width that it gets (``heightForWidth``)."""
        return QSize(0, self.fontMetrics().height())


def scaled(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """A copy of a font, larger or smaller than the system's by ``factor``."""
    made = QFont(font)
    made.setBold(bold)
    if font.pointSizeF() > 0:
        made.setPointSizeF(font.pointSizeF() * factor)
    else:
        made.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return made


class ElidedLabel(QLabel):
    """One line of plain text that asks for no room: what does not fit is cut, and the tooltip has it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def setText(self, text: str) -> None:
        """Show ``text`` on one line."""
        super().setText(showable(text))
        self.setToolTip(self.text())

    def minimumSizeHint(self) -> QSize:
        """No width of its own."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw what fits, aligned as the label is."""
        painter = QPainter(self)
        box = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        role = self.foregroundRole()
        self.style().drawItemText(
            painter, box, self.alignment(), self.palette(), self.isEnabled(), shown, role
        )
