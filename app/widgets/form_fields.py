"""Fields, buttons, notes and headings of forms and result pages, and a page of sections that scrolls."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.widgets.labels import WrapLabel, scaled
from core.i18n import tr

# The controls of the retraining's form.


_NARROWEST = 12  # characters


class Choice(QComboBox):
    """One of several. The wheel scrolls the page, not the choice, unless it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_NARROWEST)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Turn only what has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Number(QLineEdit):
    """A whole number of at least nought."""

    def __init__(self, value: int, *, most: int) -> None:
        super().__init__(str(value))
        self._value = value
        self.setValidator(QIntValidator(0, most, self))

    @property
    def value(self) -> int:
        """The number; the one from the beginning while none stands there."""
        return int(self.text()) if self.hasAcceptableInput() else self._value


class Place(QWidget):
    """A line for a path (or a name), with the ones used before and a button that opens a file dialog.

    ``file`` asks for a file instead of a folder. ``changed``: the text is another.
    """

    changed = Signal(str)

    def __init__(self, title: str, *, file: bool = False) -> None:
        super().__init__()
        self._title = title
        self._file = file
        self.box = Choice()
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.setAccessibleName(title)
        self.browse = QPushButton(tr("Browse…"))
        self.browse.setAutoDefault(False)
        self.browse.setAccessibleName(tr("Browse: {name}").format(name=title))
        self.browse.clicked.connect(self._browse)
        self.box.editTextChanged.connect(self.changed)
        self.setFocusProxy(self.box)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.box, 1)
        line.addWidget(self.browse)

    @property
    def text(self) -> str:
        """What stands there."""
        return self.box.currentText().strip()

    def offer(self, texts: Sequence[str], *, chosen: str) -> None:
        """Offer these, with ``chosen`` in the line."""
        self.box.blockSignals(True)
        self.box.clear()
        self.box.addItems(list(texts))
        self.box.blockSignals(False)
        self.box.setEditText(chosen)

    def _browse(self) -> None:
        here = self.text if Path(self.text).exists() else ""
        if self._file:
            chosen, _ = QFileDialog.getOpenFileName(self, self._title, here)
        else:
            chosen = QFileDialog.getExistingDirectory(self, self._title, here)
        if chosen:
            self.box.setEditText(chosen)


class Field(QWidget):
    """A name, a control and what it is for."""

    def __init__(self, title: str, control: QWidget, *, told: str = "", also: Sequence[QWidget] = ()) -> None:
        super().__init__()
        self.control = control
        self._told = WrapLabel(muted=True)
        name = QLabel(title)
        name.setFont(scaled(self.font(), 1.0, bold=True))
        if not control.accessibleName():
            control.setAccessibleName(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addWidget(name)
        column.addWidget(control)
        column.addWidget(self._told)
        for widget in also:
            column.addWidget(widget)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.tell(told)

    @property
    def told(self) -> str:
        """What it is for, as shown."""
        return self._told.accessibleName()

    def tell(self, text: str) -> None:
        """Show another sentence below the control."""
        self._told.setText(text)
        self._told.setVisible(bool(text))
        self.control.setAccessibleDescription(text)


def button(words: str, does: Callable[[], object], *, tip: str = "") -> QPushButton:
    """A button that nothing presses but the person."""
    made = QPushButton(words)
    made.setAutoDefault(False)
    made.setAccessibleName(words.replace("&", ""))
    if tip:
        made.setToolTip(tip)
        made.setAccessibleDescription(tip)
    made.clicked.connect(lambda: does())
    return made


# What pages are put together from: notes, headings, choosers with a name, boxes.


def note(text: str) -> WrapLabel:
    """What is to be known about the thing above."""
    label = WrapLabel(muted=True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setText(text)
    return label


def heading(text: str) -> QLabel:
    """The title of a part."""
    label = QLabel(text)
    label.setFont(scaled(label.font(), 1.0, bold=True))
    label.setContentsMargins(0, 6, 0, 0)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return label


def labelled(words: str, box: Choice) -> QWidget:
    """A chooser behind its name."""
    made = QWidget()
    label = QLabel(words)
    label.setBuddy(box)
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(label)
    row.addWidget(box)
    return made


def together(boxes: Iterable[QWidget]) -> QWidget:
    """Boxes that belong together, below each other."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    for box in boxes:
        column.addWidget(box)
    return made


# A page of parts below each other, each with its title; it scrolls where there is little height.


class ScrolledParts(QScrollArea):
    """``name`` is what a screen reader calls the page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def show_parts(self, parts: Sequence[tuple[str, QWidget]]) -> None:
        """Show these, each a title (or none) and a widget, in the place of those before."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for name, widget in parts:
            if name:
                label = QLabel(name)
                label.setFont(scaled(self.font(), 1.0, bold=True))
                column.addWidget(label)
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(page)
