"""One control for each type of setting: it shows a value and reports a chosen one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListWidget,
    QSlider,
    QWidget,
)

from app.settings.schema import Setting, Value, WordList
from app.widgets.form_fields import ComboBox, make_button
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.i18n import tr


class Control(QWidget):
    """Base of the controls. ``value_chosen`` carries the new value; ``focus_widget`` takes the focus."""

    value_chosen = Signal(object)

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting = setting
        self.focus_widget: QWidget | None = None
        self.layout_row = make_row(parent=self)

    def show_value(self, value: Value) -> None:
        """Show a value without emitting ``value_chosen``."""

    def _label_control(self, part: QWidget, name: str) -> None:
        part.setAccessibleName(name)
        part.setAccessibleDescription(self.setting.help)
        part.setToolTip(plain_text(self.setting.help))
        part.setWhatsThis(plain_text(self.setting.help))
        self.focus_widget = self.focus_widget or part


class ChoiceControl(Control):
    """A combo box: one of several values."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.box = ComboBox("", setting.choices)
        self.box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContentsOnFirstShow)
        self.box.setMinimumContentsLength(0)
        self.box.activated.connect(lambda _: self.value_chosen.emit(self.box.currentData()))
        self._label_control(self.box, setting.label)
        self.layout_row.addWidget(self.box)
        self.layout_row.addStretch(1)

    def show_value(self, value: Value) -> None:
        """Show a value without emitting ``value_chosen``."""
        self.box.setCurrentIndex(max(0, self.box.findData(value)))


class CheckBoxControl(Control):
    """A check box with the label of the setting."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.box = QCheckBox(setting.label)
        self.box.clicked.connect(lambda on: self.value_chosen.emit(on))
        self._label_control(self.box, setting.label)
        self.layout_row.addWidget(self.box)
        self.layout_row.addStretch(1)

    def show_value(self, value: Value) -> None:
        """Show a value without emitting ``value_chosen``."""
        self.box.setChecked(bool(value))


class TextControl(Control):
    """A field for one line of text, stored when it is left or Enter is pressed."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.field = _EntryField(self._report)
        self.field.setMinimumWidth(70)
        self.field.setMaximumWidth(320)
        self.field.editingFinished.connect(self._report)
        self._label_control(self.field, setting.label)
        self.layout_row.addWidget(self.field, 1)
        self.layout_row.addStretch(1)

    def show_value(self, value: Value) -> None:
        """Show a value without emitting ``value_chosen``."""
        self.field.setText(str(value))

    def _report(self) -> None:
        self.value_chosen.emit(" ".join(self.field.text().split()))


class SliderControl(Control):
    """A slider between two labelled ends with its value."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.slider = _Slider(Qt.Orientation.Horizontal)
        self.slider.setRange(setting.minimum, setting.maximum)
        self.slider.setMinimumWidth(70)
        self.slider.setMaximumWidth(260)
        self.slider.valueChanged.connect(self._value_changed)
        self._label_control(self.slider, setting.label)
        self._value_label = PlainLabel()
        widest = max(
            self.fontMetrics().horizontalAdvance(self._value_text(n))
            for n in (setting.minimum, 0, setting.maximum)
        )
        self._value_label.setMinimumWidth(widest + 4)
        self.layout_row.addWidget(PlainLabel(setting.end_labels[0]))
        self.layout_row.addWidget(self.slider, 1)
        self.layout_row.addWidget(PlainLabel(setting.end_labels[1]))
        self.layout_row.addSpacing(8)
        self.layout_row.addWidget(self._value_label)
        self.layout_row.addStretch(1)
        self._updating = False

    def show_value(self, value: Value) -> None:
        """Show a value without emitting ``value_chosen``."""
        self._updating = True
        self.slider.setValue(int(value) if isinstance(value, int) else 0)
        self._updating = False
        self._value_label.setText(self._value_text(self.slider.value()))

    def _value_changed(self, value: int) -> None:
        self._value_label.setText(self._value_text(value))
        if not self._updating:
            self.value_chosen.emit(value)

    def _value_text(self, value: int) -> str:
        return (
            f"{value:+d} {self.setting.unit}".rstrip()
            if value or not self.setting.zero_label
            else self.setting.zero_label
        )


class CheckBoxListControl(Control):
    """Check boxes: any number of several values."""

    def __init__(self, setting: Setting) -> None:
        super().__init__(setting)
        self.boxes = {str(value): QCheckBox(label) for value, label in setting.choices}
        for box in self.boxes.values():
            self._label_control(box, f"{setting.label}: {box.text()}")
            box.clicked.connect(self._clicked)
        self.layout_row.addLayout(make_column(*self.boxes.values(), spacing=4), 1)

    def show_value(self, value: Value) -> None:
        """Show a value without emitting ``value_chosen``."""
        for name, box in self.boxes.items():
            box.setChecked(isinstance(value, tuple) and name in value)

    def _clicked(self) -> None:
        self.value_chosen.emit(tuple(name for name, box in self.boxes.items() if box.isChecked()))


class WordListControl(Control):
    """A list to which words are added and from which they are removed: ``word_list``, None if it cannot be opened."""

    def __init__(self, setting: Setting, word_list: WordList | None) -> None:
        super().__init__(setting)
        self._word_list = word_list
        self.list = QListWidget()
        self.list.setProperty("outlined", "true")
        self.list.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.list.setFixedHeight(7 * self.fontMetrics().lineSpacing())
        self.field = _EntryField(self._add)
        self.field.setPlaceholderText(tr("A word or a phrase"))
        name = tr("Add to: {name}").format(name=setting.label)
        self.add = make_button(tr("&Add"), self._add, name=name)
        self.remove = make_button(
            tr("&Remove"), self._remove, name=tr("Remove from: {name}").format(name=setting.label)
        )
        self.message = WrapLabel()
        self._label_control(self.list, setting.label)
        self._label_control(self.field, name)
        self.field.textChanged.connect(self._enable)
        self.list.itemSelectionChanged.connect(self._enable)
        self._lay_out()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the words again: they may have changed in the meantime."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Show the stored words."""
        self.list.clear()
        self.message.setText("" if self._word_list else tr("This list cannot be opened now."))
        if self._word_list is not None:
            self._try(lambda word_list: self.list.addItems(word_list.words()))
        self.message.setVisible(bool(self.message.text()))
        for part in (self.list, self.field):
            part.setEnabled(self._word_list is not None)
        self._enable()

    def _lay_out(self) -> None:
        entry = make_row((self.field, 1), self.add, self.remove)
        column = make_column(self.list, entry, self.message)
        self.layout_row.addLayout(column, 1)

    def _enable(self) -> None:
        self.add.setEnabled(bool(self.field.text().strip()))
        self.remove.setEnabled(bool(self.list.selectedItems()))

    def _add(self) -> None:
        word = " ".join(self.field.text().split())
        if word and self._try(lambda word_list: word_list.add(word)):
            self.field.clear()
            self.refresh()
            for item in self.list.findItems(word, Qt.MatchFlag.MatchFixedString):
                self.list.setCurrentItem(item)

    def _remove(self) -> None:
        row = self.list.currentRow()
        words = [item.text() for item in self.list.selectedItems()]

        def remove_all(word_list: WordList) -> None:
            for word in words:
                word_list.remove(word)

        if self._try(remove_all):
            self.refresh()
            self.list.setCurrentRow(min(row, self.list.count() - 1))
            if not self.remove.isEnabled():
                self.field.setFocus()

    def _try(self, operation: Callable[[WordList], object]) -> bool:
        if self._word_list is None:
            return False
        try:
            operation(self._word_list)
        except Exception as error:
            self.message.setText(str(error))
            self.message.show()
            return False
        return True


class _Slider(QSlider):
    """The wheel scrolls the page, not the slider, unless it has the focus."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class _EntryField(QLineEdit):
    """Enter accepts what was typed; it does not close the dialog."""

    def __init__(self, on_enter: Callable[[], None]) -> None:
        super().__init__()
        self._on_enter = on_enter

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_enter()
        else:
            super().keyPressEvent(event)
