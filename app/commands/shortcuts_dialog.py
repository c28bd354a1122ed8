"""The dialog that shows and changes the keyboard shortcuts of all commands."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.commands import shortcuts
from app.commands.actions import COMMANDS, strip_mnemonic
from app.settings.settings import Settings
from app.widgets.dialogs import button_row, fit_to_screen
from app.widgets.form_fields import make_button, make_search_field
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.i18n import tr

_NAME = Qt.ItemDataRole.UserRole


class ShortcutsDialog(QDialog):
    """Lists the commands with their keys; below, the keys of the selected one are recorded, removed or reset."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = settings
        self.search = make_search_field(tr("Search commands and keys"))
        self.table = self._create_table()
        self.recorder = QKeySequenceEdit()
        self.recorder.setMaximumSequenceLength(1)
        self.recorder.setFinishingKeyCombinations([])
        self.recorder.setAccessibleName(tr("New shortcut"))
        self.recorder.installEventFilter(self)
        self._field = self.recorder.findChild(QLineEdit)
        if self._field is not None:
            self._field.setPlaceholderText(tr("Press the new keys here"))
            self._field.setAccessibleName(tr("New shortcut"))
        self.assign_button = QPushButton(tr("&Use these keys"))
        self.assign_button.setAutoDefault(False)
        self.clear_button = make_button(tr("Remove &shortcut"), lambda: shortcuts.remove(settings, self.name))
        self.reset_button = make_button(tr("&Reset"), lambda: shortcuts.reset(settings, self.name))
        self.reset_all_button = make_button(tr("Reset &all"), lambda: shortcuts.reset_all(settings))
        self._selected = PlainLabel()
        self.message = PlainLabel()
        self.message.setWordWrap(True)
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.table.itemSelectionChanged.connect(self._row_selected)
        self.recorder.keySequenceChanged.connect(self._recorded)
        self.assign_button.clicked.connect(self._assign)
        settings.changed.connect(self._changed)
        self._fill()
        self.table.selectRow(0)

    @property
    def name(self) -> str:
        """The selected command."""
        item = self.table.item(max(self.table.currentRow(), 0), 0)
        return str(item.data(_NAME)) if item else next(iter(COMMANDS))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc and Tab leave the recorder and are never recorded."""
        if watched is self.recorder and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape and event.type() == QEvent.Type.KeyPress:
                self.reject()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab) and not (
                event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
            ):
                if event.type() == QEvent.Type.KeyPress:
                    self.focusNextPrevChild(event.key() == Qt.Key.Key_Tab)
                return True
        return super().eventFilter(watched, event)

    def _create_table(self) -> QTableWidget:
        table = QTableWidget(len(COMMANDS), 3)
        table.setAccessibleName(tr("Commands and their keys"))
        table.setHorizontalHeaderLabels([tr("Command"), tr("Keys"), ""])
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        table.setSelectionMode(QTableWidget.SelectionMode.SingleSelection)
        header = table.horizontalHeader()
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        return table

    def _lay_out(self) -> None:
        recording = make_row((self.recorder, 1), self.assign_button, self.clear_button, self.reset_button)
        make_column(
            self.search,
            (self.table, 1),
            self._selected,
            recording,
            self.message,
            button_row(self, self.reset_all_button),
            parent=self,
            margins=None,
        )
        fit_to_screen(self, 560, 600)

    def _fill(self) -> None:
        present = shortcuts.resolve_bindings(self._settings.shortcuts)
        changed = self._settings.shortcuts
        for row, name in enumerate(COMMANDS):
            texts = (
                strip_mnemonic(COMMANDS[name].text),
                shortcuts.format_keys(name, present[name]),
                tr("changed") if name in changed else "",
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setData(_NAME, name)
                item.setToolTip(plain_text(COMMANDS[name].tip))
                self.table.setItem(row, column, item)

    def _filter(self, text: str) -> None:
        wanted = text.casefold()
        shown = []
        for row in range(self.table.rowCount()):
            cells = (self.table.item(row, column) for column in (0, 1))
            found = any(wanted in cell.text().casefold() for cell in cells if cell is not None)
            self.table.setRowHidden(row, not found)
            shown += [row] if found else []
        if shown and self.table.currentRow() not in shown:
            self.table.selectRow(shown[0])

    def _changed(self, name: str) -> None:
        if name == "shortcuts":
            self._fill()
            self._row_selected()

    def _row_selected(self) -> None:
        self.recorder.clear()
        self._selected.setText(
            tr("Shortcut for “{name}”:").format(name=strip_mnemonic(COMMANDS[self.name].text))
        )
        self.recorder.setAccessibleName(
            tr("New shortcut for {name}").format(name=strip_mnemonic(COMMANDS[self.name].text))
        )
        self.clear_button.setEnabled(bool(shortcuts.resolve_bindings(self._settings.shortcuts)[self.name]))
        self.reset_button.setEnabled(self.name in self._settings.shortcuts)
        self.reset_all_button.setEnabled(bool(self._settings.shortcuts))
        self._show_message("")
        self.assign_button.setEnabled(False)

    def _recorded(self, sequence: QKeySequence) -> None:
        key = shortcuts.to_portable(sequence)
        self.assign_button.setText(tr("&Use these keys"))
        if not key:
            self._show_message("")
            self.assign_button.setEnabled(False)
            return
        reason = shortcuts.rejection_reason(self.name, key)
        present = shortcuts.resolve_bindings(self._settings.shortcuts)
        other = shortcuts.command_with_key(key, present, but=self.name)
        if not reason and other is not None:
            text = tr("{key} is used by “{name}”. Reassign it?")
            message = text.format(key=shortcuts.to_native(key), name=strip_mnemonic(COMMANDS[other].text))
            self.assign_button.setText(tr("&Reassign"))
        else:
            message = reason
        self._show_message(message)
        self.assign_button.setEnabled(not reason and key not in present[self.name])

    def _assign(self) -> None:
        key = shortcuts.to_portable(self.recorder.keySequence())
        shortcuts.assign_key(self._settings, self.name, key)
        self._show_message(
            tr("“{name}” now has the shortcut {key}.").format(
                name=strip_mnemonic(COMMANDS[self.name].text), key=shortcuts.to_native(key)
            )
        )

    def _show_message(self, text: str) -> None:
        self.message.setText(text)
        self.recorder.setAccessibleDescription(text)
