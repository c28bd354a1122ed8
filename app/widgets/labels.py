"""Labels for arbitrary text: never interpreted as markup, wrapped even inside long words."""

from __future__ import annotations

import re

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.plain_text import PlainLabel, plain_text

_SPACES = re.compile(r"[ \t\n\r\v\f\x1c-\x1f\x85\u2028\u2029]+")
_LONG_RUN = re.compile(r"\S{18,}")
_AFTER_SIGN = re.compile(r"([/\\_.,:;=&?-]|[^\s\u200b/\\_.,:;=&?-]{16})(?=\w)")


def add_break_points(text: str) -> str:
    """Insert invisible break points into long runs without spaces (paths, addresses)."""
    return _LONG_RUN.sub(lambda run: _AFTER_SIGN.sub("\\1\u200b", run.group()), text)


def to_single_line(text: str) -> str:
    """The text on one line, without characters that Qt cannot draw: NUL and lone surrogates become U+FFFD."""
    line = _SPACES.sub(" ", text).strip(" ")
    if line.isascii() and "\0" not in line:
        return line
    return "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in line)


def format_percent(share: float) -> str:
    """A share of 1 as a whole percentage."""
    return f"{round(100 * share)}%"


class WrapLabel(PlainLabel):
    """A label with plain text that wraps anywhere. ``muted`` text keeps a contrast of 4.5:1."""

    def __init__(self, text: str = "", *, muted: bool = False, bold: bool = False) -> None:
        super().__init__()
        self.setWordWrap(True)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if muted:
            self.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        if bold:
            self.setFont(scaled_font(self.font(), 1.0, bold=True))
        if text:
            self.setText(text)

    def setText(self, text: str) -> None:
        """Show ``text``; the accessible name has it without the break points."""
        shown = "\n".join(to_single_line(line) for line in text.split("\n"))
        super().setText(add_break_points(shown))
        self.setAccessibleName(shown)

    def show_text(self, text: str) -> None:
        """Show ``text``; without one the label is hidden."""
        self.setText(text)
        self.setVisible(bool(text))

    def minimumSizeHint(self) -> QSize:
        """One line: the height follows from the width (``heightForWidth``)."""
        return QSize(0, self.fontMetrics().height())


def make_placeholder(text: str = "") -> WrapLabel:
    """A muted label in the middle of the room of a list or page that has nothing to show; ``text`` says why."""
    label = WrapLabel(text, muted=True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setContentsMargins(16, 16, 16, 16)
    return label


def scaled_font(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    """A copy of a font, its size multiplied by ``factor``."""
    result = QFont(font)
    result.setBold(bold)
    if font.pointSizeF() > 0:
        result.setPointSizeF(font.pointSizeF() * factor)
    else:
        result.setPixelSize(max(1, round(font.pixelSize() * factor)))
    return result


class ElidedLabel(PlainLabel):
    """One line of plain text without a minimum width: it is elided, and the tooltip has all of it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def setText(self, text: str) -> None:
        """Show ``text`` on one line."""
        super().setText(to_single_line(text))
        self.setToolTip(plain_text(self.text()))

    def minimumSizeHint(self) -> QSize:
        """No minimum width."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Draw the elided text with the alignment of the label."""
        painter = QPainter(self)
        box = self.contentsRect()
        shown = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, box.width())
        role = self.foregroundRole()
        self.style().drawItemText(
            painter, box, self.alignment(), self.palette(), self.isEnabled(), shown, role
        )
