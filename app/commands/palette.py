"""The command palette: any command by a few letters of its words; recently used ones first."""

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
    QVBoxLayout,
    QWidget,
)

from app.commands.actions import COMMANDS, plain
from app.settings.settings import Settings
from app.widgets.labels import WrapLabel
from core.i18n import ntr, tr

# Which commands a few letters mean: letters are matched with the beginnings of words, in order.


_WORD = re.compile(r"\w+")


def rank(letters: str, name: str, told: str = "") -> int | None:
    """How well ``letters`` fit a command, 0 the best; None where they do not.

    They fit best at the start of the ``name``, then at the beginnings of its words (``fn`` and ``fi ne`` mean Find
    next), then anywhere in it, and last in what is ``told`` of the command.
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
    if all(part in told.casefold() for part in wanted.split()):
        return 100
    return None


def _skipped(letters: str, words: Sequence[str]) -> int | None:
    """How few words must be passed over so that pieces of ``letters`` begin the others; None if it cannot be."""
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


# The command palette: any command by a few letters, the ones that were used last first.


_RECENT = 8
_ENTRY = Qt.ItemDataRole.UserRole
_UNDER_TEXT = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


@dataclass(frozen=True, slots=True)
class Entry:
    """One command as the palette shows it. ``name`` says it in full (``Theme: Dark``); ``why_off`` if it is off."""

    action: QAction
    key: str
    name: str
    keys: str
    told: str
    why_off: str

    @property
    def spoken(self) -> str:
        """What a screen reader says of it."""
        state = tr("on") if self.action.isCheckable() and self.action.isChecked() else ""
        return ", ".join(part for part in (self.name, state, self.keys, self.why_off) if part)


def entries(window: QMainWindow) -> list[Entry]:
    """Every command of the menus, choices of submenus with the name of their menu, in the order of the menus."""
    found: dict[QAction, Entry] = {}
    for title in window.menuBar().actions():
        menu = title.menu()
        if isinstance(menu, QMenu):
            for action, within in _walk(menu, ""):
                found.setdefault(action, _entry(action, within))
    for action in window.actions():
        if action.objectName() in COMMANDS:
            found.setdefault(action, _entry(action, ""))
    return [entry for entry in found.values() if entry.action.isVisible() and entry.key != "palette"]


def ordered(found: list[Entry], letters: str, recent: tuple[str, ...]) -> list[Entry]:
    """The entries that ``letters`` mean, the best first, among equals the ones that were used last."""
    places = {key: place for place, key in enumerate(recent)}
    ranked = []
    for number, entry in enumerate(found):
        fit = rank(letters, entry.name, entry.told)
        if fit is not None:
            ranked.append((fit, places.get(entry.key, len(places)), number, entry))
    return [entry for *_, entry in sorted(ranked, key=lambda row: row[:3])]


class Palette(QDialog):
    """A line to type in and the commands that fit; Enter gives the chosen one, Esc leaves everything as it was."""

    def __init__(self, window: QMainWindow, settings: Settings) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("Command palette"))
        self.setModal(True)
        self._settings = settings
        self._entries = entries(window)
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
        column = QVBoxLayout(self)
        column.addWidget(self.field)
        column.addWidget(self.list, 1)
        column.addWidget(self.message)
        self.field.textChanged.connect(self._fill)
        self.list.clicked.connect(self._give)
        self.list.selectionModel().currentChanged.connect(self._tell)
        self._place(window)
        self._fill("")
        self.finished.connect(self._focus_back)

    @property
    def shown(self) -> list[Entry]:
        """The entries in the list, from the top."""
        model = self.list.model()
        return [model.index(row, 0).data(_ENTRY) for row in range(model.rowCount())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows go from the line into the list and back, letters from the list into the line; Enter works in both."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._give(self.list.currentIndex())
            return True
        if watched is self.field and event.key() in _UNDER_TEXT:
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
        for entry in ordered(self._entries, letters, self._settings.value("recent_commands")):
            item = QStandardItem(entry.name)
            item.setData(entry, _ENTRY)
            item.setData(entry.spoken, Qt.ItemDataRole.AccessibleTextRole)
            item.setToolTip(entry.told)
            model.appendRow(item)
        self.list.setCurrentIndex(model.index(0, 0))
        if not model.rowCount():
            self._say(tr("No command is called that."))

    def _tell(self, index: QModelIndex) -> None:
        entry = index.data(_ENTRY)
        if isinstance(entry, Entry):
            self._say(entry.why_off or entry.told)
            count = self.list.model().rowCount()
            first = ntr("{n} command, the first: {name}", "{n} commands, the first: {name}", count)
            if index.row() == 0:
                self.field.setAccessibleDescription(first.format(n=count, name=entry.spoken))

    def _say(self, text: str) -> None:
        self.message.setText(text)
        if not self.shown:
            self.field.setAccessibleDescription(text)

    def _give(self, index: QModelIndex) -> None:
        entry = index.data(_ENTRY)
        if not isinstance(entry, Entry):
            return
        if not entry.action.isEnabled():
            self._say(entry.why_off)
            return
        recent = self._settings.value("recent_commands")
        used = (entry.key, *(key for key in recent if key != entry.key))
        self._settings.set("recent_commands", used[:_RECENT])
        self.accept()
        # The command finds the focus where it was before.
        QTimer.singleShot(0, entry.action, entry.action.trigger)

    def _focus_back(self) -> None:
        if self._before is not None:
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)


class _Delegate(QStyledItemDelegate):
    """A command's name, and its keys at the right; what is off is grey."""

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
        """One line with some air."""
        return QSize(0, option.fontMetrics.lineSpacing() + 10)


def _walk(menu: QMenu, within: str) -> Iterator[tuple[QAction, str]]:
    for action in menu.actions():
        inner = action.menu()
        if isinstance(inner, QMenu):
            yield from _walk(inner, plain(inner.title()))
        elif not action.isSeparator():
            yield action, within


def _entry(action: QAction, within: str) -> Entry:
    command = COMMANDS.get(action.objectName())
    text = plain(action.text())
    name = f"{within}: {text}" if within and command is None else text
    off = (command.off if command else "") or tr("This cannot be done now.")
    return Entry(
        action=action,
        key=action.objectName() or name,
        name=name,
        keys=action.shortcut().toString(action.shortcut().SequenceFormat.NativeText),
        told=command.tip if command else "",
        why_off="" if action.isEnabled() else off,
    )
