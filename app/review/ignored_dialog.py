"""The dialog that lists what is ignored in the draft, the allowed words and the own words, and restores them."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QStackedWidget,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.commands.shortcuts import shortcut_text
from app.editor.editor import TextEditor
from app.editor.positions import utf16_length
from app.review.ignore_commands import AllowedWords, IgnoreCommands
from app.settings.controls import WordListControl
from app.settings.schema import Setting
from app.settings.settings import SETTINGS_BY_NAME
from app.spelling.spelling_controller import IgnoredSpellingList, OwnWordList, SpellingController
from app.widgets.dialogs import button_row, fit_to_screen, show_dialog
from app.widgets.form_fields import make_button
from app.widgets.icons import kind_icon
from app.widgets.kinds import kind_style
from app.widgets.labels import WrapLabel, to_single_line
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.i18n import tr
from core.storage.types import Ignore

_NONE = tr(
    "Nothing is ignored in this draft.\n\nAt a finding, {once} ignores it once, and {words} ignores its words "
    "everywhere in this draft."
)
_ABOUT = tr(
    "What is ignored is not marked, listed or counted. The bias of a sentence does not change: it is computed from "
    "the words, not from the findings."
)
_ALLOWED = tr(
    "These words are never marked in any draft. A finding that contains other words as well is still marked."
)
_OWN = tr("Your own words count as correct in every draft, the words above them only in this draft.")
_IGNORED_SPELLINGS = Setting(
    name="ignored_spellings",
    control_type="list",
    default=(),
    label=tr("Not checked in this draft"),
    help=tr("The spelling of these words is not checked in this draft."),
    stored_elsewhere=True,
)
_GLYPH, _PAD = 14, 5
_NO_LIMIT = 16_777_215


def find_words(text: str, words: str) -> int | None:
    """The first position of ``words`` in ``text`` as whole words, in UTF-16 units; ignores case and white space."""
    pattern = r"\s+".join(re.escape(part) for part in words.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) if pattern else None
    return utf16_length(text[: found.start()]) if found else None


class IgnoredInDraft(QWidget):
    """The ignored findings of one draft. Enter goes to the words, Delete restores the finding."""

    def __init__(self, editor: TextEditor, ignore: IgnoreCommands) -> None:
        super().__init__()
        self._editor = editor
        self._ignore = ignore
        self.list = _List()
        self.list.setHeaderLabels([tr("Words"), tr("Kind"), tr("Ignored"), tr("Where")])
        self.list.setAccessibleName(tr("Ignored in this draft"))
        self.list.itemActivated.connect(lambda _: self.go_there())
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.delete_pressed.connect(self.restore)
        self.empty = WrapLabel(muted=True)
        once, words = (shortcut_text(command, editor) for command in ("ignore", "ignore_words"))
        self.empty.setText(_NONE.format(once=once, words=words))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 24, 24, 24)
        self.go_button = make_button(tr("Show in &draft"), self.go_there)
        self.restore_button = make_button(tr("&Restore"), self.restore)
        self.restore_all_button = make_button(
            tr("Restore &all"), lambda: self._ignore.restore(self._ignore.entries)
        )
        self._lay_out()
        ignore.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is ignored now and where; the selection stays."""
        selected = {self._entry(item) for item in self.list.selectedItems()}
        current = self.list.currentItem()
        row = 0 if current is None else self.list.indexOfTopLevelItem(current)
        text = self._editor.text()
        items = [self._item(entry, self._position(entry, text)) for entry in self._ignore.entries]
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addTopLevelItems(items)
        if items:
            self.list.setCurrentItem(items[min(row, len(items) - 1)])
        for item in items if selected else ():
            item.setSelected(self._entry(item) in selected)
        if items and not self.list.selectedItems():
            items[min(row, len(items) - 1)].setSelected(True)
        self.list.blockSignals(False)
        self._pages.setCurrentWidget(self.list if items else self.empty)
        self._enable()

    def go_there(self) -> None:
        """Put the caret on the selected words, if they are in the text now."""
        item = self.list.currentItem()
        place = self._position(self._entry(item), self._editor.text()) if item else None
        if place is not None:
            self._editor.go_to(place)
            self._editor.window().activateWindow()
            self._editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def restore(self) -> None:
        """Stop ignoring what is selected."""
        self._ignore.restore([self._entry(item) for item in self.list.selectedItems()])

    def _item(self, entry: Ignore, place: int | None) -> QTreeWidgetItem:
        scope = tr("once") if entry.scope == "once" else tr("in this draft")
        if place is None:
            where = tr("not in the text now")
        else:
            line = self._editor.document().findBlock(place).blockNumber() + 1
            where = tr("line {number:,}").format(number=line)
        kind = kind_style(entry.kind, dark=False).label
        item = QTreeWidgetItem([to_single_line(entry.words), kind, scope, where])
        item.setIcon(1, kind_icon(entry.kind, dark=is_dark(self.palette())))
        item.setToolTip(0, plain_text(to_single_line(entry.words)))
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + 2 * _PAD))
        item.setData(0, Qt.ItemDataRole.UserRole, entry)
        item.setData(
            0, Qt.ItemDataRole.AccessibleTextRole, f"{to_single_line(entry.words)}, {kind}, {scope}, {where}"
        )
        return item

    def _position(self, entry: Ignore, text: str) -> int | None:
        return find_words(text, entry.words) if entry.scope == "words" else self._ignore.position_of(entry)

    @staticmethod
    def _entry(item: QTreeWidgetItem) -> Ignore:
        entry = item.data(0, Qt.ItemDataRole.UserRole)
        assert isinstance(entry, Ignore)
        return entry

    def _enable(self) -> None:
        item = self.list.currentItem()
        go_button = item is not None and self._position(self._entry(item), self._editor.text()) is not None
        self.go_button.setEnabled(go_button)
        self.restore_button.setEnabled(bool(self.list.selectedItems()))
        self.restore_all_button.setEnabled(self.list.topLevelItemCount() > 0)

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.empty)
        buttons = make_row(self.go_button, self.restore_button, self.restore_all_button, None)
        note = WrapLabel(_ABOUT, muted=True)
        make_column((self._pages, 1), buttons, note, parent=self, margins=None)


class IgnoredDialog(QDialog):
    """All lists in a dialog that is not modal."""

    def __init__(
        self, editor: TextEditor, ignore: IgnoreCommands, spelling: SpellingController, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Ignored"))
        self.draft = IgnoredInDraft(editor, ignore)
        self.allowed = WordListControl(SETTINGS_BY_NAME["allowed"], AllowedWords(ignore))
        self.ignored_spellings = WordListControl(_IGNORED_SPELLINGS, IgnoredSpellingList(spelling))
        self.own_words = WordListControl(SETTINGS_BY_NAME["own_words"], OwnWordList(spelling))
        self._ignore, self._spelling = ignore, spelling
        page = QWidget()
        note = WrapLabel(_ALLOWED, muted=True)
        self.allowed.list.setMinimumHeight(self.allowed.list.height())
        self.allowed.list.setMaximumHeight(_NO_LIMIT)
        make_column((self.allowed, 1), note, parent=page, margins=None)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("Ignored"))
        self.tabs.addTab(self.draft, "")
        self.tabs.addTab(page, "")
        self.tabs.addTab(self._spelling_page(), tr("Spelling"))
        make_column((self.tabs, 1), button_row(self), parent=self, margins=None)
        ignore.changed.connect(self._count)
        ignore.changed.connect(self.allowed.refresh)
        spelling.changed.connect(self.ignored_spellings.refresh)
        spelling.changed.connect(self.own_words.refresh)
        self._count()
        fit_to_screen(self, 620, 420)
        (self.draft.list if ignore.entries or not ignore.phrases else self.tabs).setFocus()

    def _spelling_page(self) -> QWidget:
        page = QWidget()
        column = make_column(parent=page, margins=None)
        for control in (self.ignored_spellings, self.own_words):
            control.list.setMinimumHeight(3 * control.fontMetrics().lineSpacing())
            control.list.setMaximumHeight(_NO_LIMIT)
            column.addWidget(PlainLabel(control.setting.label))
            column.addWidget(control, 1)
        column.addWidget(WrapLabel(_OWN, muted=True))
        return page

    def changeEvent(self, event: QEvent) -> None:
        """Update the positions when the dialog becomes active again."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.draft.refresh()

    def _count(self) -> None:
        here, always = len(self._ignore.entries), len(self._ignore.phrases)
        self.tabs.setTabText(0, tr("In this draft ({count:,})").format(count=here))
        self.tabs.setTabText(1, tr("Always allowed ({count:,})").format(count=always))


def show_ignored(
    window: QWidget, editor: TextEditor, ignore: IgnoreCommands, spelling: SpellingController
) -> IgnoredDialog:
    """Open the dialog over ``window``, or bring it to the front."""
    dialog = window.findChild(IgnoredDialog) or IgnoredDialog(editor, ignore, spelling, window)
    show_dialog(dialog)
    return dialog


class _List(QTreeWidget):
    """Flat rows; ``delete_pressed``: the Delete key was pressed."""

    delete_pressed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIconSize(QSize(_GLYPH, _GLYPH))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionsMovable(False)
        self.setColumnCount(4)
        head.setMinimumSectionSize(72)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete restores the selected rows; Enter activates the current one."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.delete_pressed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self.itemActivated.emit(self.currentItem(), 0)
        else:
            super().keyPressEvent(event)
