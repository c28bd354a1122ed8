"""The command palette: finds any command by a few letters; recently used ones come first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPalette, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QLineEdit,
    QListView,
    QMainWindow,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.commands.actions import COMMANDS, strip_mnemonic
from app.settings.settings import Settings
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from app.widgets.plain_text import plain_text
from core.i18n import ntr, tr

_WORD = re.compile(r"\w+")
_RECENT = 8
_ENTRY = Qt.ItemDataRole.UserRole
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def rank(letters: str, name: str, description: str = "") -> int | None:
    """How well ``letters`` match a command, 0 the best; None if they do not.

    The best match is the start of ``name``, then the initials of its words (``fn`` and ``fi ne`` mean Find next), then
    any part of the name, and last the ``description``.
    """
    wanted, text = letters.casefold().strip(), name.casefold()
    if not wanted or text.startswith(wanted):
        return 0
    words = _WORD.findall(text)
    skipped = _skipped("".join(_WORD.findall(wanted)), words)
    if skipped is not None:
        return 1 + skipped
    if wanted in text:
        return 50
    if all(part in description.casefold() for part in wanted.split()):
        return 100
    return None


def _skipped(letters: str, words: Sequence[str]) -> int | None:
    """The least number of words to skip so that parts of ``letters`` begin the others; None if that is impossible."""
    if not letters:
        return 0
    best: int | None = None
    for passed, word in enumerate(words):
        for length in range(_common(letters, word), 0, -1):
            rest = _skipped(letters[length:], words[passed + 1 :])
            if rest is not None and (best is None or passed + rest < best):
                best = passed + rest
    return best


def _common(one: str, other: str) -> int:
    length = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        length += 1
    return length


@dataclass(frozen=True, slots=True)
class PaletteEntry:
    """One command as the palette shows it. ``name`` includes the submenu (``Theme: Dark``)."""

    action: QAction
    key: str
    name: str
    keys: str
    description: str
    disabled_reason: str

    @property
    def accessible_text(self) -> str:
        """The text for a screen reader."""
        state = tr("on") if self.action.isCheckable() and self.action.isChecked() else ""
        return ", ".join(part for part in (self.name, state, self.keys, self.disabled_reason) if part)


def list_entries(window: QMainWindow) -> list[PaletteEntry]:
    """All commands in the order of the menus; choices of submenus have the name of their menu."""
    found: dict[QAction, PaletteEntry] = {}
    for title in window.menuBar().actions():
        menu = title.menu()
        if isinstance(menu, QMenu):
            for action, within in _walk(menu, ""):
                found.setdefault(action, _entry(action, within))
    for action in window.actions():
        if action.objectName() in COMMANDS:
            found.setdefault(action, _entry(action, ""))
    return [entry for entry in found.values() if entry.action.isVisible() and entry.key != "palette"]


def rank_entries(found: list[PaletteEntry], letters: str, recent: tuple[str, ...]) -> list[PaletteEntry]:
    """The entries that match ``letters``, the best first; among equals, recently used ones first."""
    places = {key: place for place, key in enumerate(recent)}
    ranked = []
    for number, entry in enumerate(found):
        fit = rank(letters, entry.name, entry.description)
        if fit is not None:
            ranked.append((fit, places.get(entry.key, len(places)), number, entry))
    return [entry for *_, entry in sorted(ranked, key=lambda row: row[:3])]


class Palette(QDialog):
    """A text field and the commands that match; Enter runs the chosen one, Esc closes without effect."""

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Command palette"))
        self.setModal(True)
        self._settings = settings
        self._entries = list_entries(window)
        self._before = QApplication.focusWidget()
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Type a few letters of a command"))
        self.field.setAccessibleName(tr("Command"))
        self.field.installEventFilter(self)
        self.list = QListView()
        self.list.setAccessibleName(tr("Commands"))
        self.list.setModel(QStandardItemModel(self.list))
        self.list.setItemDelegate(_Delegate(self.list))
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(self)
        self.message = WrapLabel(muted=True)
        make_column(self.field, (self.list, 1), self.message, parent=self, margins=None)
        self.field.textChanged.connect(self._fill)
        self.list.clicked.connect(self._trigger)
        self.list.selectionModel().currentChanged.connect(self._show_description)
        self._place(window)
        self._fill("")
        self.finished.connect(self._focus_back)

    @property
    def shown(self) -> list[PaletteEntry]:
        """The entries of the list, from the top."""
        model = self.list.model()
        return [model.index(row, 0).data(_ENTRY) for row in range(model.rowCount())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move from the field to the list and back, letters return to the field; Enter works in both."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._trigger(self.list.currentIndex())
            return True
        if watched is self.field and event.key() in _LIST_KEYS:
            self.list.setFocus()
            QApplication.sendEvent(self.list, event)
            return True
        if watched is self.list and event.key() == Qt.Key.Key_Up and self.list.currentIndex().row() <= 0:
            self.field.setFocus()
            return True
        if watched is self.list and (
            (event.text().isprintable() and event.text()) or event.key() == Qt.Key.Key_Backspace
        ):
            self.field.setFocus()
            QApplication.sendEvent(self.field, event)
            return True
        return super().eventFilter(watched, event)

    def _place(self, window: QWidget) -> None:
        width = min(560, window.width() - 32)
        height = min(420, window.height() - 48)
        self.resize(width, height)
        top = window.mapToGlobal(window.rect().topLeft())
        self.move(top.x() + (window.width() - width) // 2, top.y() + min(60, (window.height() - height) // 2))

    def _fill(self, letters: str) -> None:
        model = self.list.model()
        assert isinstance(model, QStandardItemModel)
        model.clear()
        for entry in rank_entries(self._entries, letters, self._settings.value("recent_commands")):
            item = QStandardItem(entry.name)
            item.setData(entry, _ENTRY)
            item.setData(entry.accessible_text, Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(plain_text(entry.description))
            model.appendRow(item)
        self.list.setCurrentIndex(model.index(0, 0))
        if not model.rowCount():
            self._say(tr("No command matches."))

    def _show_description(self, index: QModelIndex) -> None:
        entry = index.data(_ENTRY)
        if isinstance(entry, PaletteEntry):
            self._say(entry.disabled_reason or entry.description)
            count = self.list.model().rowCount()
            first = ntr("{n} command, the first: {name}", "{n} commands, the first: {name}", count)
            if index.row() == 0:
                self.field.setAccessibleDescription(first.format(n=count, name=entry.accessible_text))

    def _say(self, text: str) -> None:
        self.message.setText(text)
        if not self.shown:
            self.field.setAccessibleDescription(text)

    def _trigger(self, index: QModelIndex) -> None:
        entry = index.data(_ENTRY)
        if not isinstance(entry, PaletteEntry):
            return
        if not entry.action.isEnabled():
            self._say(entry.disabled_reason)
            return
        recent = self._settings.value("recent_commands")
        used = (entry.key, *(key for key in recent if key != entry.key))
        self._settings.set("recent_commands", used[:_RECENT])
        self.accept()
        # The focus is back where it was before the command runs.
        QTimer.singleShot(0, entry.action, entry.action.trigger)

    def _focus_back(self) -> None:
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)


class _Delegate(QStyledItemDelegate):
    """Paints the name of a command, and its keys on the right; disabled ones are grey."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry = index.data(_ENTRY)
        option = QStyleOptionViewItem(option)
        self.initStyleOption(option, index)
        option.text = ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        group = QPalette.ColorGroup.Active if entry.action.isEnabled() else QPalette.ColorGroup.Disabled
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        box = option.rect.adjusted(10, 0, -10, 0)
        mark = "✓ " if entry.action.isCheckable() and entry.action.isChecked() else ""
        keys_width = option.fontMetrics.horizontalAdvance(entry.keys)
        painter.save()
        painter.setPen(option.palette.color(group, role))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, entry.keys)
        name = option.fontMetrics.elidedText(
            mark + entry.name, Qt.TextElideMode.ElideRight, box.width() - keys_width - 16
        )
        painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One line with some space."""
        return QSize(0, option.fontMetrics.lineSpacing() + 10)


def _walk(menu: QMenu, within: str) -> Iterator[tuple[QAction, str]]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _walk(inner, strip_mnemonic(inner.title()))
        elif not action.isSeparator():
            yield action, within


def _entry(action: QAction, within: str) -> PaletteEntry:
    command = COMMANDS.get(action.objectName())
    text = strip_mnemonic(action.text())
    name = f"{within}: {text}" if within and command is None else text
    reason = (command.disabled_reason if command else "") or tr("This command is not available now.")
    return PaletteEntry(
        action=action,
        key=action.objectName() or name,
        name=name,
        keys=action.shortcut().toString(action.shortcut().SequenceFormat.NativeText),
        description=command.tip if command else "",
        disabled_reason="" if action.isEnabled() else reason,
    )
