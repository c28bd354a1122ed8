"""Two versions of a text side by side, what is gone struck through and what is new in bold, in both themes."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from app.parts.labels import scaled
from app.parts.theme import is_dark
from app.reading.wordings import Part
from app.versions.diff_text import colour_of
from core.language import ntr, tr
from core.text_diff import Difference, Row, Stretch

MOST_ROWS = 800


class DiffView(QTextBrowser):
    """Shows a ``Difference``: its first 800 rows, none where both texts are the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Both versions side by side"))
        self.setOpenLinks(False)
        self.setFont(scaled(self.font(), 1.1))
        self.document().setDocumentMargin(8)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._difference: Difference | None = None

    def show_difference(self, difference: Difference | None) -> None:
        """Show a difference; None empties the view."""
        self._difference = difference
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._difference is not None:
            self._write()

    def _write(self) -> None:
        shown = self._difference.rows[:MOST_ROWS] if self._difference and self._difference.changes else ()
        dark = is_dark(self.palette())
        muted = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        line = self.palette().color(QPalette.ColorRole.Mid).name()
        table = "".join(_html(row, muted=muted, line=line, dark=dark) for row in shown)
        self.setHtml(f'<table width="100%" cellspacing="0" cellpadding="7">{table}</table>' if table else "")


def _html(row: Row, *, muted: str, line: str, dark: bool) -> str:
    if row.skipped:
        told = ntr("{n} paragraph is the same", "{n} paragraphs are the same", row.skipped).format(
            n=f"{row.skipped:,}"
        )
        return f'<tr><td colspan="2" align="center" style="color:{muted}">⋯ {told} ⋯</td></tr>'
    if row.before == row.after and not any(stretch.text.strip() for stretch in row.after):
        return ""
    before = _side(row.before, Part.OUT, dark=dark)
    after = _side(row.after, Part.IN, dark=dark)
    edge = f'<td width="50%" style="border-left:1px solid {line};padding-left:14px">'
    return f'<tr><td width="50%">{before}</td>{edge}{after}</td></tr>'


def _side(stretches: Sequence[Stretch], part: Part, *, dark: bool) -> str:
    ink, ground = (colour.name() for colour in colour_of(part, dark=dark))
    how = "text-decoration:line-through" if part is Part.OUT else "font-weight:bold"
    style = f"color:{ink};background-color:{ground};{how}"
    written = "".join(
        f'<span style="{style}">{_plain(stretch.text)}</span>' if stretch.changed else _plain(stretch.text)
        for stretch in stretches
    )
    return f'<div style="white-space:pre-wrap">{written}</div>'


def _plain(text: str) -> str:
    """Text for HTML; what Qt cannot draw becomes U+FFFD."""
    drawn = "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in text)
    return escape(drawn)
