"""The keys of all commands, to look up and to change."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.commands import shortcuts
from app.commands.actions import COMMANDS, plain
from app.settings.settings import Settings
from app.widgets.dialogs import button_row, fit
from core.i18n import tr

_NAME = Qt.ItemDataRole.UserRole


class ShortcutsDialog(QDialog):
    """Every command with its keys; the keys of the chosen one are recorded, taken away or put back below."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._settings = settings
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search commands and keys"))
        self.search.setAccessibleName(tr("Search commands and keys"))
        self.search.setClearButtonEnabled(True)
        self.table = self._made_table()
        self.recorder = QKeySequenceEdit()
        self.recorder.setMaximumSequenceLength(1)
        self.recorder.setFinishingKeyCombinations([])
        self.recorder.setAccessibleName(tr("New keys"))
        self.recorder.installEventFilter(self)
        self._field = self.recorder.findChild(QLineEdit)
        if self._field is not None:
            self._field.setPlaceholderText(tr("Press the new keys here"))
            self._field.setAccessibleName(tr("New keys"))
        self.use = QPushButton(tr("&Use these keys"))
        self.none = QPushButton(tr("&No keys"))
        self.back = QPushButton(tr("&Reset"))
        self.all_back = QPushButton(tr("Reset &all"))
        self._chosen = QLabel()
        self.message = QLabel()
        self.message.setWordWrap(True)
        self.message.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.table.itemSelectionChanged.connect(self._row_chosen)
        self.recorder.keySequenceChanged.connect(self._recorded)
        self.use.clicked.connect(self._use)
        self.none.clicked.connect(lambda: shortcuts.remove(settings, self.name))
        self.back.clicked.connect(lambda: shortcuts.reset(settings, self.name))
        self.all_back.clicked.connect(lambda: shortcuts.reset_all(settings))
        settings.changed.connect(self._changed)
        self._fill()
        self.table.selectRow(0)

    @property
    def name(self) -> str:
        """The command whose keys are to be changed."""
        item = self.table.item(max(self.table.currentRow(), 0), 0)
        return str(item.data(_NAME)) if item else next(iter(COMMANDS))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Esc, Enter and Tab are never recorded: they lead out of the recorder, as out of every field."""
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

    def _made_table(self) -> QTableWidget:
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
        recording = QHBoxLayout()
        recording.addWidget(self.recorder, 1)
        for button in (self.use, self.none, self.back):
            button.setAutoDefault(False)
            recording.addWidget(button)
        self.all_back.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.addWidget(self.search)
        column.addWidget(self.table, 1)
        column.addWidget(self._chosen)
        column.addLayout(recording)
        column.addWidget(self.message)
        column.addLayout(button_row(self, self.all_back))
        fit(self, 560, 600)

    def _fill(self) -> None:
        present = shortcuts.bindings(self._settings.shortcuts)
        changed = self._settings.shortcuts
        for row, name in enumerate(COMMANDS):
            texts = (
                plain(COMMANDS[name].text),
                shortcuts.shown_keys(name, present[name]),
                tr("changed") if name in changed else "",
            )
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setData(_NAME, name)
                item.setToolTip(COMMANDS[name].tip)
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
            self._row_chosen()

    def _row_chosen(self) -> None:
        self.recorder.clear()
        self._chosen.setText(tr("Keys for “{name}”:").format(name=plain(COMMANDS[self.name].text)))
        self.recorder.setAccessibleName(
            tr("New keys for {name}").format(name=plain(COMMANDS[self.name].text))
        )
        self.none.setEnabled(bool(shortcuts.bindings(self._settings.shortcuts)[self.name]))
        self.back.setEnabled(self.name in self._settings.shortcuts)
        self.all_back.setEnabled(bool(self._settings.shortcuts))
        self._say("")
        self.use.setEnabled(False)

    def _recorded(self, sequence: QKeySequence) -> None:
        key = shortcuts.portable(sequence)
        self.use.setText(tr("&Use these keys"))
        if not key:
            self._say("")
            self.use.setEnabled(False)
            return
        reason = shortcuts.refusal(self.name, key)
        present = shortcuts.bindings(self._settings.shortcuts)
        other = shortcuts.holder(key, present, but=self.name)
        if not reason and other is not None:
            told = tr("{key} is used by “{name}”. Take it from there?")
            reason_or_question = told.format(key=shortcuts.native(key), name=plain(COMMANDS[other].text))
            self.use.setText(tr("&Take it from there"))
        else:
            reason_or_question = reason
        self._say(reason_or_question)
        self.use.setEnabled(not reason and key not in present[self.name])

    def _use(self) -> None:
        key = shortcuts.portable(self.recorder.keySequence())
        shortcuts.choose(self._settings, self.name, key)
        self._say(
            tr("“{name}” is {key} now.").format(
                name=plain(COMMANDS[self.name].text), key=shortcuts.native(key)
            )
        )

    def _say(self, text: str) -> None:
        self.message.setText(text)
        self.recorder.setAccessibleDescription(text)
