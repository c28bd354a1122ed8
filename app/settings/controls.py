"""One control for each form of setting. A control tells what was chosen and shows what it is given."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from app.settings.schema import Setting, Value, WordList
from app.widgets.labels import WrapLabel
from core.i18n import tr


class Control(QWidget):
    """What a value is chosen with. ``chosen``: the value. ``first`` is the part that takes the focus."""

    chosen = Signal(object)

    def __init__(self, row: Setting) -> None:
        super().__init__()
        self.row = row
        self.first: QWidget | None = None
        self.line = QHBoxLayout(self)
        self.line.setContentsMargins(0, 0, 0, 0)

    def show_value(self, value: Value) -> None:
        """Show a value without telling that it was chosen."""

    def _name(self, part: QWidget, name: str) -> None:
        part.setAccessibleName(name)
        part.setAccessibleDescription(self.row.help)
        part.setToolTip(self.row.help)
        part.setWhatsThis(self.row.help)
        self.first = self.first or part


class ChoiceControl(Control):
    """One of several."""

    def __init__(self, row: Setting) -> None:
        super().__init__(row)
        self.box = _Box()
        for value, label in row.choices:
            self.box.addItem(label, value)
        self.box.activated.connect(lambda _: self.chosen.emit(self.box.currentData()))
        self._name(self.box, row.label)
        self.line.addWidget(self.box)
        self.line.addStretch(1)

    def show_value(self, value: Value) -> None:
        """Show a value without telling that it was chosen."""
        self.box.setCurrentIndex(max(0, self.box.findData(value)))


class SwitchControl(Control):
    """On or off; its name stands beside it."""

    def __init__(self, row: Setting) -> None:
        super().__init__(row)
        self.box = QCheckBox(row.label)
        self.box.clicked.connect(lambda on: self.chosen.emit(on))
        self._name(self.box, row.label)
        self.line.addWidget(self.box)
        self.line.addStretch(1)

    def show_value(self, value: Value) -> None:
        """Show a value without telling that it was chosen."""
        self.box.setChecked(bool(value))


class NumberControl(Control):
    """A number on a slider between two named ends."""

    def __init__(self, row: Setting) -> None:
        super().__init__(row)
        self.slider = _Slider(Qt.Orientation.Horizontal)
        self.slider.setRange(row.least, row.most)
        self.slider.setMinimumWidth(70)
        self.slider.setMaximumWidth(260)
        self.slider.valueChanged.connect(self._moved)
        self._name(self.slider, row.label)
        self._told = QLabel()
        widest = max(self.fontMetrics().horizontalAdvance(self._words(n)) for n in (row.least, 0, row.most))
        self._told.setMinimumWidth(widest + 4)
        self.line.addWidget(QLabel(row.ends[0]))
        self.line.addWidget(self.slider, 1)
        self.line.addWidget(QLabel(row.ends[1]))
        self.line.addSpacing(8)
        self.line.addWidget(self._told)
        self.line.addStretch(1)
        self._quiet = False

    def show_value(self, value: Value) -> None:
        """Show a value without telling that it was chosen."""
        self._quiet = True
        self.slider.setValue(int(value) if isinstance(value, int) else 0)
        self._quiet = False
        self._told.setText(self._words(self.slider.value()))

    def _moved(self, value: int) -> None:
        self._told.setText(self._words(value))
        if not self._quiet:
            self.chosen.emit(value)

    def _words(self, value: int) -> str:
        return f"{value:+d} {self.row.unit}".rstrip() if value or not self.row.zero else self.row.zero


class FlagsControl(Control):
    """Any number of several."""

    def __init__(self, row: Setting) -> None:
        super().__init__(row)
        column = QVBoxLayout()
        column.setSpacing(4)
        self.boxes = {str(value): QCheckBox(label) for value, label in row.choices}
        for box in self.boxes.values():
            self._name(box, f"{row.label}: {box.text()}")
            box.clicked.connect(self._clicked)
            column.addWidget(box)
        self.line.addLayout(column, 1)

    def show_value(self, value: Value) -> None:
        """Show a value without telling that it was chosen."""
        for name, box in self.boxes.items():
            box.setChecked(isinstance(value, tuple) and name in value)

    def _clicked(self) -> None:
        self.chosen.emit(tuple(name for name, box in self.boxes.items() if box.isChecked()))


class ListControl(Control):
    """Words that are added and removed one by one, kept by ``kept``; None where that cannot be opened now."""

    def __init__(self, row: Setting, kept: WordList | None) -> None:
        super().__init__(row)
        self._kept = kept
        self.list = QListWidget()
        self.list.setProperty("outlined", "true")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setFixedHeight(7 * self.fontMetrics().lineSpacing())
        self.field = _Field(self._add)
        self.field.setPlaceholderText(tr("A word or a phrase"))
        self.add = QPushButton(tr("&Add"))
        self.remove = QPushButton(tr("&Remove"))
        self.message = WrapLabel()
        self._name(self.list, row.label)
        self._name(self.field, tr("Add to: {name}").format(name=row.label))
        self.add.setAccessibleName(tr("Add to: {name}").format(name=row.label))
        self.remove.setAccessibleName(tr("Remove from: {name}").format(name=row.label))
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.field.textChanged.connect(self._enable)
        self.list.itemSelectionChanged.connect(self._enable)
        self._lay_out()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Words that were allowed in the text meanwhile are there too."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the words as they are kept now."""
        self.list.clear()
        self.message.setText("" if self._kept else tr("These words cannot be opened now."))
        if self._kept is not None:
            self._do(lambda kept: self.list.addItems(kept.words()))
        self.message.setVisible(bool(self.message.text()))
        for part in (self.list, self.field):
            part.setEnabled(self._kept is not None)
        self._enable()

    def _lay_out(self) -> None:
        entry = QHBoxLayout()
        entry.addWidget(self.field, 1)
        for button in (self.add, self.remove):
            button.setAutoDefault(False)
            entry.addWidget(button)
        column = QVBoxLayout()
        column.addWidget(self.list)
        column.addLayout(entry)
        column.addWidget(self.message)
        self.line.addLayout(column, 1)

    def _enable(self) -> None:
        self.add.setEnabled(bool(self.field.text().strip()))
        self.remove.setEnabled(bool(self.list.selectedItems()))

    def _add(self) -> None:
        word = " ".join(self.field.text().split())
        if word and self._do(lambda kept: kept.add(word)):
            self.field.clear()
            self.refresh()
            for item in self.list.findItems(word, Qt.MatchFlag.MatchFixedString):
                self.list.setCurrentItem(item)

    def _remove(self) -> None:
        row = self.list.currentRow()
        words = [item.text() for item in self.list.selectedItems()]

        def remove_all(kept: WordList) -> None:
            for word in words:
                kept.remove(word)

        if self._do(remove_all):
            self.refresh()
            self.list.setCurrentRow(min(row, self.list.count() - 1))
            if not self.remove.isEnabled():
                self.field.setFocus()

    def _do(self, deed: Callable[[WordList], object]) -> bool:
        if self._kept is None:
            return False
        try:
            deed(self._kept)
        except Exception as error:
            self.message.setText(str(error))
            self.message.show()
            return False
        return True


def control_for(row: Setting, kept: WordList | None) -> Control:
    """The control of a setting's form."""
    match row.form:
        case "choice":
            return ChoiceControl(row)
        case "bool":
            return SwitchControl(row)
        case "int":
            return NumberControl(row)
        case "flags":
            return FlagsControl(row)
        case "list":
            return ListControl(row, kept)


class _Box(QComboBox):
    """The wheel scrolls the page, not the choice, unless the box has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _Slider(QSlider):
    """The wheel scrolls the page, not the slider, unless it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _Field(QLineEdit):
    """Enter adds the word and goes no further."""

    def __init__(self, entered: Callable[[], None]) -> None:
        super().__init__()
        self._entered = entered

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._entered()
        else:
            super().keyPressEvent(event)
