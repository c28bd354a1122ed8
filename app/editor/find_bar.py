"""The find bar: highlights and counts all matches, and goes to the next or previous one."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QToolButton, QWidget

from app.editor.editor import TextEditor
from app.editor.positions import OffsetMap
from app.widgets.icons import icon
from app.widgets.layouts import make_row
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.i18n import ntr, tr

_PAUSE_MS = 120


def matches(text: str, words: str, *, match_case: bool) -> list[tuple[int, int]]:
    """All matches of ``words`` in ``text``: disjoint (start, end) in UTF-16 units, in order."""
    if not words:
        return []
    flags = re.NOFLAG if match_case else re.IGNORECASE
    positions = OffsetMap(text)
    return [
        (positions.to_utf16(found.start()), positions.to_utf16(found.end()))
        for found in re.finditer(re.escape(words), text, flags)
    ]


class FindBar(QFrame):
    """The bar below the text. Escape closes it and returns the focus to the text. ``wrapped``: a message."""

    wrapped = Signal(str)

    def __init__(self, editor: TextEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._editor = editor
        self._found: list[tuple[int, int]] = []
        self._field = QLineEdit()
        self._field.setPlaceholderText(tr("Find in this draft"))
        self._field.setAccessibleName(tr("Find"))
        self._field.setClearButtonEnabled(True)
        self._field.setMinimumWidth(120)
        self._field.setMaximumWidth(360)
        self._case = QCheckBox(tr("Match case"))
        self._count = PlainLabel()
        self._count.setAccessibleName(tr("Number of matches"))
        self._buttons = {name: QToolButton() for name in ("previous", "next", "close")}
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._search)
        self._field.textChanged.connect(lambda: self._search(move=True))
        self._case.toggled.connect(self._search)
        editor.edited.connect(self._edited)
        self.hide()

    def open(self) -> None:
        """Show the bar with the selected words, if they are on one line, ready for typing."""
        chosen = self._editor.textCursor().selectedText()
        self.show()
        if chosen and "\u2029" not in chosen:
            self._field.setText(chosen)
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        self._search()

    def find_next(self) -> None:
        """Select the next match after the caret, or the first one after the last."""
        self._step(forward=True)

    def find_previous(self) -> None:
        """Select the match before the caret, or the last one before the first."""
        self._step(forward=False)

    @property
    def count_text(self) -> str:
        """The shown count: ``3 of 12``, ``12 matches``, ``No matches`` or nothing."""
        return self._count.text()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes; Enter and Shift+Enter go to the next and the previous match."""
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._step(forward=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Remove the highlights."""
        super().hideEvent(event)
        self._found = []
        self._editor.set_search_matches([])

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._update_icons()

    def _lay_out(self) -> None:
        names = {
            "previous": tr("Previous match (Shift+Enter)"),
            "next": tr("Next match (Enter)"),
            "close": tr("Close (Esc)"),
        }
        for name, button in self._buttons.items():
            button.setAutoRaise(True)
            button.setToolTip(plain_text(names[name]))
            button.setAccessibleName(names[name].split(" (")[0])
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._buttons["previous"].clicked.connect(self.find_previous)
        self._buttons["next"].clicked.connect(self.find_next)
        self._buttons["close"].clicked.connect(self.hide)
        make_row(
            (self._field, 2),
            self._buttons["previous"],
            self._buttons["next"],
            self._case,
            (self._count, 1),
            self._buttons["close"],
            parent=self,
            margins=(10, 5, 8, 5),
        )
        self._update_icons()

    def _update_icons(self) -> None:
        for name, button in self._buttons.items():
            button.setIcon(icon(name, dark=is_dark(self.palette())))

    def _edited(self) -> None:
        if not self.isHidden():
            self._timer.start()

    def _search(self, *_: object, move: bool = False) -> None:
        """Find all matches; with ``move`` select the first one at or after the caret."""
        self._timer.stop()
        self._found = matches(self._editor.text(), self._field.text(), match_case=self._case.isChecked())
        self._editor.set_search_matches(self._found)
        if move and self._found:
            start = self._editor.textCursor().selectionStart()
            index = bisect_left(self._found, start, key=lambda span: span[0])
            self._editor.go_to(*self._found[index % len(self._found)])
        self._show_count()

    def _step(self, *, forward: bool) -> None:
        if self.isHidden() and self._field.text():
            self.show()
        if not self._found or self._timer.isActive():
            self._search()
        if not self._found:
            self.open()
            return
        cursor = self._editor.textCursor()
        if forward:
            index = bisect_left(self._found, cursor.selectionEnd(), key=lambda span: span[0])
            at_edge = index == len(self._found)
        else:
            index = bisect_right(self._found, cursor.selectionStart(), key=lambda span: span[1]) - 1
            at_edge = index < 0
        if at_edge:
            self.wrapped.emit(tr("Continued from the start.") if forward else tr("Continued from the end."))
        self._editor.go_to(*self._found[index % len(self._found)])
        self._show_count()

    def _show_count(self) -> None:
        count = len(self._found)
        cursor = self._editor.textCursor()
        here = (cursor.selectionStart(), cursor.selectionEnd())
        if not self._field.text():
            self._count.setText("")
        elif not count:
            self._count.setText(tr("No matches"))
        elif here in self._found:
            place = bisect_left(self._found, here) + 1
            self._count.setText(tr("{number} of {all}").format(number=f"{place:,}", all=f"{count:,}"))
        else:
            self._count.setText(ntr("{n} match", "{n} matches", count).format(n=f"{count:,}"))
