"""The find bar: highlights and counts all matches, goes from one to the next, and replaces one or all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import islice

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLineEdit, QToolButton, QWidget

from app.editor.editor import TextEditor
from app.editor.positions import OffsetMap, utf16_length
from app.editor.text_search import Search, SearchError
from app.widgets.icons import icon
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.i18n import ntr, tr
from core.text.diff import TextEdit

_PAUSE_MS = 120
_READ_ONLY = tr("This draft is read-only: nothing can be replaced.")
_OPTIONS = {
    "match_case": ("Aa", tr("Match case")),
    "whole_words": ("“ab”", tr("Whole words")),
    "expression": (".*", tr("Regular expression, as in RE2")),
}


class FindBar(QFrame):
    """The bar below the text. Escape closes it and returns the focus to the text.

    ``status_message``: that the search went on from the other end, or how many matches were replaced.
    """

    status_message = Signal(str)

    def __init__(self, editor: TextEditor, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("find_bar")
        self._editor = editor
        self._search = Search("")
        self._found: list[tuple[int, int]] = []
        self._field = self._make_field("find_words", tr("Find"), tr("Find in this draft"))
        self._new = self._make_field("replace_words", tr("Replace with"), tr("Replace with"))
        self._options = {name: QToolButton() for name in _OPTIONS}
        self._count = PlainLabel()
        self._count.setAccessibleName(tr("Number of matches"))
        self._problem = WrapLabel()
        self._problem.hide()
        self._buttons = {name: QToolButton() for name in ("previous", "next", "close")}
        self._replace_buttons = {name: QToolButton() for name in ("replace", "replace_all")}
        self._replace_row = QWidget()
        self._lay_out()
        self._timer = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self._timer.timeout.connect(self._find)
        self._field.textChanged.connect(lambda: self._find(move=True))
        self._new.textChanged.connect(self._find)
        for option in self._options.values():
            option.toggled.connect(self._find)
        editor.edited.connect(self._edited)
        editor.installEventFilter(self)
        self._show_read_only()
        self._replace_row.hide()
        self.hide()

    def open(self) -> None:
        """Show the bar with the selected words, if they are on one line, ready for typing."""
        chosen = self._editor.textCursor().selectedText()
        self.show()
        if chosen and "\u2029" not in chosen:
            self._field.setText(chosen)
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        self._find()

    def open_replace(self) -> None:
        """Show the bar with the row for replacing; it is switched off for a draft that is read-only."""
        self._replace_row.show()
        self.open()

    def find_next(self) -> None:
        """Select the next match after the caret, or the first one after the last."""
        self._step(forward=True)

    def find_previous(self) -> None:
        """Select the match before the caret, or the last one before the first."""
        self._step(forward=False)

    def replace(self) -> None:
        """Replace the match that is selected, and select the next one; without one, only that."""
        if self._editor.isReadOnly() or not self._update():
            return
        cursor = self._editor.textCursor()
        here = (cursor.selectionStart(), cursor.selectionEnd())
        if here in self._found:
            edits = self._edits(only=self._found.index(here))
            if edits is None or not self._editor.replace(edits):
                return
            self._editor.go_to(edits[0].start + utf16_length(edits[0].text))
            self._find()
        self._step(forward=True)

    def replace_all(self) -> None:
        """Replace every match as one step of the undo history; caret and view stay. Locked parts are left out."""
        if self._editor.isReadOnly() or not self._update() or (edits := self._edits()) is None:
            return
        allowed = [edit for edit in edits if not self._editor.rejects_edits([edit])]
        if allowed:
            self._editor.replace(allowed, checked=False)
        self._find()
        replaced, left = len(allowed), len(edits) - len(allowed)
        said = ntr("{n} match replaced.", "{n} matches replaced.", replaced).format(n=f"{replaced:,}")
        if left:
            text = ntr("{n} is in a locked part.", "{n} are in locked parts.", left)
            said += " " + text.format(n=f"{left:,}")
        self.status_message.emit(said)

    @property
    def count_text(self) -> str:
        """The shown count: ``3 of 12``, ``12 matches``, ``No matches`` or nothing."""
        return self._count.text()

    @property
    def problem_text(self) -> str:
        """Why the expression or its replacement cannot be used; empty if they can."""
        return self._problem.accessibleName() if not self._problem.isHidden() else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes; Enter and Shift+Enter go to the next and the previous match, or replace in that row."""
        focus = QApplication.focusWidget()
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
        elif isinstance(focus, QAbstractButton) and self.isAncestorOf(focus):
            focus.click()
        elif self._new.hasFocus():
            self.replace()
        else:
            self._step(forward=not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Switch replacing off and on with the draft."""
        if watched is self._editor and event.type() == QEvent.Type.ReadOnlyChange:
            self._show_read_only()
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        """Remove the highlights, and the row for replacing if the bar was closed."""
        super().hideEvent(event)
        self._found = []
        self._editor.set_search_matches([])
        if self.isHidden():
            self._replace_row.hide()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._update_icons()

    def _make_field(self, name: str, label: str, placeholder: str) -> QLineEdit:
        field = QLineEdit()
        field.setObjectName(name)
        field.setPlaceholderText(placeholder)
        field.setAccessibleName(label)
        field.setClearButtonEnabled(True)
        field.setMinimumWidth(120)
        field.setMaximumWidth(360)
        return field

    def _lay_out(self) -> None:
        names = {
            "previous": tr("Previous match (Shift+Enter)"),
            "next": tr("Next match (Enter)"),
            "close": tr("Close (Esc)"),
        }
        for name, button in self._buttons.items():
            self._name(button, names[name])
        self._buttons["previous"].clicked.connect(self.find_previous)
        self._buttons["next"].clicked.connect(self.find_next)
        self._buttons["close"].clicked.connect(self.hide)
        for name, (sign, label) in _OPTIONS.items():
            option = self._options[name]
            option.setObjectName(name)
            option.setText(sign)
            option.setCheckable(True)
            self._name(option, label)
        for name, label in (("replace", tr("Replace")), ("replace_all", tr("Replace all"))):
            button = self._replace_buttons[name]
            button.setObjectName(name)
            button.setText(label)
            self._name(button, label, raised=True)
        self._replace_buttons["replace"].clicked.connect(self.replace)
        self._replace_buttons["replace_all"].clicked.connect(self.replace_all)
        find_row = make_row(
            (self._field, 2),
            self._buttons["previous"],
            self._buttons["next"],
            *self._options.values(),
            (self._count, 1),
            self._buttons["close"],
        )
        make_row((self._new, 2), *self._replace_buttons.values(), (QWidget(), 1), parent=self._replace_row)
        make_column(find_row, self._replace_row, self._problem, parent=self, spacing=4, margins=(10, 5, 8, 5))
        for first, then in zip(
            (self._field, *self._options.values(), self._new),
            (*self._options.values(), self._new),
            strict=False,
        ):
            QWidget.setTabOrder(first, then)
        self._update_icons()

    def _name(self, button: QToolButton, label: str, *, raised: bool = False) -> None:
        button.setAutoRaise(not raised)
        button.setToolTip(plain_text(label))
        button.setAccessibleName(label.split(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def _update_icons(self) -> None:
        for name, button in self._buttons.items():
            button.setIcon(icon(name, dark=is_dark(self.palette())))

    def _show_read_only(self) -> None:
        self._replace_row.setEnabled(not self._editor.isReadOnly())
        self._replace_row.setToolTip(plain_text(_READ_ONLY if self._editor.isReadOnly() else ""))

    def _edited(self) -> None:
        if not self.isHidden():
            self._timer.start()

    def _find(self, *_: object, move: bool = False) -> None:
        """Find all matches; with ``move`` select the first one at or after the caret."""
        self._timer.stop()
        options = {name: option.isChecked() for name, option in self._options.items()}
        try:
            self._search, problem = Search(self._field.text(), **options), ""
        except SearchError as error:
            self._search, problem = Search(""), str(error)
        self._problem.show_text(problem)
        text = self._editor.text()
        positions = OffsetMap(text)
        self._found = [
            (positions.to_utf16(start), positions.to_utf16(end)) for start, end in self._search.spans(text)
        ]
        self._editor.set_search_matches(self._found)
        if move and self._found:
            start = self._editor.textCursor().selectionStart()
            index = bisect_left(self._found, start, key=lambda span: span[0])
            self._editor.go_to(*self._found[index % len(self._found)])
        self._show_count()

    def _update(self) -> bool:
        """Find again if the text was edited; returns whether there is a match."""
        if self.isHidden() or self._timer.isActive():
            self._find()
        return bool(self._found)

    def _edits(self, *, only: int | None = None) -> list[TextEdit] | None:
        """The edits that replace all matches, or the one of that number, in UTF-16 units; None if that is no text."""
        text = self._editor.text()
        positions = OffsetMap(text)
        try:
            edits = self._search.edits(text, self._new.text())
        except SearchError as error:
            self._problem.show_text(str(error))
            return None
        chosen = edits if only is None else islice(edits, only, only + 1)
        return [
            TextEdit(positions.to_utf16(edit.start), positions.to_utf16(edit.end), edit.text)
            for edit in chosen
        ]

    def _step(self, *, forward: bool) -> None:
        if self.isHidden() and self._field.text():
            self.show()
        if not self._found or self._timer.isActive():
            self._find()
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
            self.status_message.emit(
                tr("Continued from the start.") if forward else tr("Continued from the end.")
            )
        self._editor.go_to(*self._found[index % len(self._found)])
        self._show_count()

    def _show_count(self) -> None:
        count = len(self._found)
        cursor = self._editor.textCursor()
        here = (cursor.selectionStart(), cursor.selectionEnd())
        if not self._field.text() or self.problem_text:
            self._count.setText("")
        elif not count:
            self._count.setText(tr("No matches"))
        elif here in self._found:
            place = bisect_left(self._found, here) + 1
            self._count.setText(tr("{number} of {all}").format(number=f"{place:,}", all=f"{count:,}"))
        else:
            self._count.setText(ntr("{n} match", "{n} matches", count).format(n=f"{count:,}"))
