"""The controls of the retraining's form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.parts.labels import WrapLabel, scaled
from core.language import tr

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
