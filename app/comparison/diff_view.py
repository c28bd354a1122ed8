"""Two texts side by side, with deletions struck through and insertions bold, and a dialog for them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QWidget,
)

from app.analysis.suggestions import DiffPart
from app.comparison.diff_text import diff_colours
from app.widgets.dialogs import close_box
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.offline_text import OfflineBrowser
from app.widgets.plain_text import PlainLabel
from app.widgets.theme import is_dark
from core.i18n import ntr, tr
from core.text.diff import DiffCancelled, DiffRow, DiffSegment, TextDiff, compare_texts

MAX_ROWS = 800
_SIZE = (980, 640)


class DiffView(OfflineBrowser):
    """Shows the first ``MAX_ROWS`` rows of a ``TextDiff``; nothing if both texts are equal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Both versions side by side"))
        self.setFont(scaled_font(self.font(), 1.1))
        self.document().setDocumentMargin(8)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._difference: TextDiff | None = None

    def show_difference(self, difference: TextDiff | None) -> None:
        """Show a difference; None clears the view."""
        self._difference = difference
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._difference is not None:
            self._write()

    def _write(self) -> None:
        shown = self._difference.rows[:MAX_ROWS] if self._difference and self._difference.changes else ()
        dark = is_dark(self.palette())
        muted = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        line = self.palette().color(QPalette.ColorRole.Mid).name()
        table = "".join(_html(row, muted=muted, line=line, dark=dark) for row in shown)
        self.setHtml(f'<table width="100%" cellspacing="0" cellpadding="7">{table}</table>' if table else "")


def _html(row: DiffRow, *, muted: str, line: str, dark: bool) -> str:
    if row.skipped:
        text = ntr("{n} paragraph is the same", "{n} paragraphs are the same", row.skipped).format(
            n=f"{row.skipped:,}"
        )
        return f'<tr><td colspan="2" align="center" style="color:{muted}">⋯ {text} ⋯</td></tr>'
    if row.before == row.after and not any(stretch.text.strip() for stretch in row.after):
        return ""
    before = _side(row.before, DiffPart.DELETED, dark=dark)
    after = _side(row.after, DiffPart.INSERTED, dark=dark)
    edge = f'<td width="50%" style="border-left:1px solid {line};padding-left:14px">'
    return f'<tr><td width="50%">{before}</td>{edge}{after}</td></tr>'


def _side(stretches: Sequence[DiffSegment], part: DiffPart, *, dark: bool) -> str:
    ink, ground = (colour.name() for colour in diff_colours(part, dark=dark))
    how = "text-decoration:line-through" if part is DiffPart.DELETED else "font-weight:bold"
    style = f"color:{ink};background-color:{ground};{how}"
    written = "".join(
        f'<span style="{style}">{_plain(stretch.text)}</span>' if stretch.changed else _plain(stretch.text)
        for stretch in stretches
    )
    return f'<div style="white-space:pre-wrap">{written}</div>'


def _plain(text: str) -> str:
    """Text for HTML, with U+FFFD for what Qt cannot draw."""
    drawn = "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in text)
    return escape(drawn)


class BackgroundDiff(QObject):
    """Compares texts in a thread. ``compared``: the ``TextDiff`` of the latest request."""

    compared = Signal(object)
    _done = Signal(int, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._number = 0
        self._thread: threading.Thread | None = None
        self._done.connect(self._arrived)

    def compare(self, before: str, after: str) -> None:
        """Compare two texts, and cancel the earlier comparison."""
        self.stop()
        number = self._number

        def run() -> None:
            try:
                difference = compare_texts(before, after, stopped=lambda: self._number != number)
            except DiffCancelled:
                return
            self._done.emit(number, difference)

        self._thread = threading.Thread(target=run, name="compare", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel the comparison and join the thread."""
        self._number += 1
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _arrived(self, number: int, difference: TextDiff) -> None:
        if number == self._number:
            self.compared.emit(difference)


class TwoVersionsDialog(QDialog):
    """A dialog, not modal, that compares two texts in the background."""

    def __init__(self, parent: QWidget, *, title: str, heads: tuple[str, str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.view = DiffView()
        self._message = WrapLabel(muted=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._diff = BackgroundDiff(self)
        self._diff.compared.connect(self._show)
        row = make_row(spacing=24, margins=(14, 0, 14, 0))
        for head in heads:
            label = PlainLabel(head)
            label.setFont(scaled_font(self.font(), 1.0, bold=True))
            row.addWidget(label, 1)
        buttons = close_box(self)
        foot = make_row(buttons, margins=(14, 0, 14, 0))
        make_column(row, (self.view, 1), self._message, foot, parent=self, margins=(0, 12, 0, 10))
        self.finished.connect(lambda _: self._diff.stop())
        self.resize(*_SIZE)

    @property
    def message(self) -> str:
        """The message below the versions."""
        return self._message.accessibleName()

    def show_texts(self, before: str, after: str) -> None:
        """Compare two texts."""
        self._message.setText(tr("Comparing …"))
        self._diff.compare(before, after)

    def _show(self, difference: TextDiff) -> None:
        self.view.show_difference(difference)
        self._message.setText("" if difference.changes else tr("Both versions are the same."))
