"""What is ignored in the draft and what is always allowed: to look through, to go to, and to have marked again."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStackedWidget,
    QTabWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.commands.shortcuts import keys_of
from app.editor.editor import TextPane
from app.editor.positions import utf16_length
from app.review.ignore_commands import Dictionary, Ignoring
from app.settings.controls import ListControl
from app.settings.settings import ROWS
from app.widgets.dialogs import button_row, fit, show
from app.widgets.icons import kind_icon
from app.widgets.kinds import look
from app.widgets.labels import WrapLabel, showable
from app.widgets.theme import is_dark
from core.i18n import tr
from core.storage.types import Ignore

_NONE = tr(
    "Nothing is ignored in this draft.\n\nAt a finding, {once} ignores it once, and {words} ignores its words wherever "
    "they stand in this draft."
)
_ABOUT = tr(
    "What is ignored is not marked, listed or counted. How biased a sentence reads stays as it is: that is read from "
    "its words, not counted from its marks."
)
_ALLOWED = tr(
    "These words are never marked, in no draft. A finding that holds other words as well is still marked."
)
_GLYPH, _PAD = 14, 5


def place_in(text: str, words: str) -> int | None:
    """Where ``words`` first stand in ``text`` as whole words, in UTF-16 units; case and white space do not count."""
    pattern = r"\s+".join(re.escape(part) for part in words.split())
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE) if pattern else None
    return utf16_length(text[: found.start()]) if found else None


class IgnoredDraft(QWidget):
    """The list of one draft. Enter goes to the words, Delete has them marked again."""

    def __init__(self, pane: TextPane, ignoring: Ignoring) -> None:
        super().__init__()
        self._pane = pane
        self._ignoring = ignoring
        self.list = _List()
        self.list.setHeaderLabels([tr("Words"), tr("Kind"), tr("Ignored"), tr("Where")])
        self.list.setAccessibleName(tr("Ignored in this draft"))
        self.list.itemActivated.connect(lambda _: self.go_there())
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.removed = self.restore
        self.empty = WrapLabel(muted=True)
        once, words = (keys_of(command, pane) for command in ("ignore", "ignore_words"))
        self.empty.setText(_NONE.format(once=once, words=words))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.empty.setContentsMargins(24, 24, 24, 24)
        self.there = QPushButton(tr("&Go there"))
        self.again = QPushButton(tr("&Mark again"))
        self.all_again = QPushButton(tr("Mark &all again"))
        self.there.clicked.connect(self.go_there)
        self.again.clicked.connect(self.restore)
        self.all_again.clicked.connect(lambda: self._ignoring.restore(self._ignoring.entries))
        self._lay_out()
        ignoring.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what is ignored now, and where it stands now; the choice stays."""
        chosen = {self._entry(item) for item in self.list.selectedItems()}
        row = self.list.indexOfTopLevelItem(self.list.currentItem()) if self.list.currentItem() else 0
        self.list.blockSignals(True)
        self.list.clear()
        text = self._pane.text()
        for entry in self._ignoring.entries:
            item = self._item(entry, self._place(entry, text))
            self.list.addTopLevelItem(item)
        count = self.list.topLevelItemCount()
        if count:
            self.list.setCurrentItem(self.list.topLevelItem(min(row, count - 1)))
        for at in range(count if chosen else 0):
            item = self.list.topLevelItem(at)
            item.setSelected(self._entry(item) in chosen)
        if count and not self.list.selectedItems():
            self.list.currentItem().setSelected(True)
        self.list.blockSignals(False)
        self._pages.setCurrentWidget(self.list if count else self.empty)
        self._enable()

    def go_there(self) -> None:
        """Put the caret on the chosen words, if they stand in the text now."""
        item = self.list.currentItem()
        place = self._place(self._entry(item), self._pane.text()) if item else None
        if place is not None:
            self._pane.go_to(place)
            self._pane.window().activateWindow()
            self._pane.setFocus(Qt.FocusReason.OtherFocusReason)

    def restore(self) -> None:
        """Have what is chosen marked again."""
        self._ignoring.restore([self._entry(item) for item in self.list.selectedItems()])

    def _item(self, entry: Ignore, place: int | None) -> QTreeWidgetItem:
        scope = tr("once") if entry.scope == "once" else tr("in this draft")
        if place is None:
            where = tr("not in the text now")
        else:
            line = self._pane.document().findBlock(place).blockNumber() + 1
            where = tr("line {number:,}").format(number=line)
        kind = look(entry.kind, dark=False).label
        item = QTreeWidgetItem([showable(entry.words), kind, scope, where])
        item.setIcon(1, kind_icon(entry.kind, dark=is_dark(self.palette())))
        item.setToolTip(0, showable(entry.words))
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + 2 * _PAD))
        item.setData(0, Qt.ItemDataRole.UserRole, entry)
        item.setData(
            0, Qt.ItemDataRole.AccessibleTextRole, f"{showable(entry.words)}, {kind}, {scope}, {where}"
        )
        return item

    def _place(self, entry: Ignore, text: str) -> int | None:
        return place_in(text, entry.words) if entry.scope == "words" else self._ignoring.place_of(entry)

    @staticmethod
    def _entry(item: QTreeWidgetItem) -> Ignore:
        entry = item.data(0, Qt.ItemDataRole.UserRole)
        assert isinstance(entry, Ignore)
        return entry

    def _enable(self) -> None:
        item = self.list.currentItem()
        there = item is not None and self._place(self._entry(item), self._pane.text()) is not None
        self.there.setEnabled(there)
        self.again.setEnabled(bool(self.list.selectedItems()))
        self.all_again.setEnabled(self.list.topLevelItemCount() > 0)

    def _lay_out(self) -> None:
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.empty)
        buttons = QHBoxLayout()
        for button in (self.there, self.again, self.all_again):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        note = WrapLabel(muted=True)
        note.setText(_ABOUT)
        column = QVBoxLayout(self)
        column.addWidget(self._pages, 1)
        column.addLayout(buttons)
        column.addWidget(note)


class IgnoredList(QDialog):
    """Both lists beside the window, which can be used meanwhile."""

    def __init__(self, pane: TextPane, ignoring: Ignoring, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Ignored"))
        self.draft = IgnoredDraft(pane, ignoring)
        self.allowed = ListControl(ROWS["allowed"], Dictionary(ignoring))
        self._ignoring = ignoring
        page = QWidget()
        note = WrapLabel(muted=True)
        note.setText(_ALLOWED)
        column = QVBoxLayout(page)
        self.allowed.list.setMinimumHeight(self.allowed.list.height())
        self.allowed.list.setMaximumHeight(16_777_215)
        column.addWidget(self.allowed, 1)
        column.addWidget(note)
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("Ignored"))
        self.tabs.addTab(self.draft, "")
        self.tabs.addTab(page, "")
        whole = QVBoxLayout(self)
        whole.addWidget(self.tabs, 1)
        whole.addLayout(button_row(self))
        ignoring.changed.connect(self._count)
        ignoring.changed.connect(self.allowed.refresh)
        self._count()
        fit(self, 620, 420)
        (self.draft.list if ignoring.entries or not ignoring.phrases else self.tabs).setFocus()

    def changeEvent(self, event: QEvent) -> None:
        """The text may have moved while the person was in it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.draft.refresh()

    def _count(self) -> None:
        here, always = len(self._ignoring.entries), len(self._ignoring.phrases)
        self.tabs.setTabText(0, tr("In this draft ({count:,})").format(count=here))
        self.tabs.setTabText(1, tr("Always allowed ({count:,})").format(count=always))


def show_ignored(window: QWidget, pane: TextPane, ignoring: Ignoring) -> IgnoredList:
    """Open the lists over ``window``, or bring them to the front."""
    found = window.findChild(IgnoredList) or IgnoredList(pane, ignoring, window)
    show(found)
    return found


class _List(QTreeWidget):
    """Rows without branches; Delete calls ``removed``."""

    def __init__(self) -> None:
        super().__init__()
        self.removed = lambda: None
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
        """Delete has the chosen rows marked again; Enter is the list's own."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentItem() is not None:
            self.itemActivated.emit(self.currentItem(), 0)
        else:
            super().keyPressEvent(event)
