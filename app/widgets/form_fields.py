"""Input fields, buttons, notes and headings of forms and result pages, and a scrolling page of sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontDatabase, QIntValidator, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFrame,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QWidget,
)

from app.widgets.labels import WrapLabel, scaled_font, to_single_line
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.i18n import tr

_MIN_CHARACTERS = 12
Choices = Iterable[tuple[object, str]]
"""The data and the label of each choice."""


class ComboBox(QComboBox):
    """A combo box that reacts to the mouse wheel only while it has the focus, so that the page scrolls."""

    def __init__(self, name: str = "", choices: Choices = ()) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.set_choices(choices)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_MIN_CHARACTERS)

    def set_choices(self, choices: Choices, *, fallback: int = 0) -> None:
        """Offer other choices without a signal. A choice that is still there stays; else it is number ``fallback``."""
        chosen = self.currentData()
        with QSignalBlocker(self):
            self.clear()
            for data, label in dict(choices).items():
                self.addItem(to_single_line(label), data)
            at = self.findData(chosen) if chosen is not None else -1
            self.setCurrentIndex(at if at >= 0 else min(fallback, self.count() - 1))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ignore the wheel without focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class NumberField(QLineEdit):
    """A line edit for an integer from 0 to ``maximum``."""

    def __init__(self, value: int, *, maximum: int) -> None:
        super().__init__(str(value))
        self._value = value
        self.setValidator(QIntValidator(0, maximum, self))

    @property
    def value(self) -> int:
        """The number, or the initial one while the text is not a number."""
        return int(self.text()) if self.hasAcceptableInput() else self._value


class PathField(QWidget):
    """A line edit for a path (or a name) with earlier choices and a button that opens a file dialog.

    ``file`` asks for a file instead of a folder. ``changed`` carries the new text.
    """

    changed = Signal(str)

    def __init__(self, title: str, *, file: bool = False) -> None:
        super().__init__()
        self._title = title
        self._file = file
        self.combo = ComboBox()
        self.combo.setEditable(True)
        self.combo.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.combo.setAccessibleName(title)
        name = tr("Browse: {name}").format(name=title)
        self.browse = make_button(tr("Browse…"), self._browse, name=name)
        self.combo.editTextChanged.connect(self.changed)
        self.setFocusProxy(self.combo)
        make_row((self.combo, 1), self.browse, parent=self)

    @property
    def text(self) -> str:
        """The text, stripped."""
        return self.combo.currentText().strip()

    def set_choices(self, texts: Sequence[str], *, current: str) -> None:
        """Offer these texts and put ``current`` into the line."""
        with QSignalBlocker(self.combo):
            self.combo.clear()
            self.combo.addItems(list(texts))
        self.combo.setEditText(current)

    def _browse(self) -> None:
        here = self.text if Path(self.text).exists() else ""
        if self._file:
            current, _ = QFileDialog.getOpenFileName(self, self._title, here)
        else:
            current = QFileDialog.getExistingDirectory(self, self._title, here)
        if current:
            self.combo.setEditText(current)


class FormField(QWidget):
    """A title, a control, a help text below it, and further widgets."""

    def __init__(
        self, title: str, control: QWidget, *, help_text: str = "", also: Sequence[QWidget] = ()
    ) -> None:
        super().__init__()
        self.control = control
        self._help = WrapLabel(muted=True)
        name = PlainLabel(title)
        name.setFont(scaled_font(self.font(), 1.0, bold=True))
        if not control.accessibleName():
            control.setAccessibleName(title)
        make_column(name, control, self._help, *also, parent=self, spacing=3)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.set_help(help_text)

    @property
    def help_text(self) -> str:
        """The help text as shown."""
        return self._help.accessibleName()

    def set_help(self, text: str) -> None:
        """Show another help text."""
        self._help.show_text(text)
        self.control.setAccessibleDescription(text)


def make_button(text: str, on_click: Callable[[], object], *, tip: str = "", name: str = "") -> QPushButton:
    """A button that Enter does not press by default; its accessible name is ``name``, or its text."""
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.setAccessibleName(name or text.replace("&", ""))
    if tip:
        button.setToolTip(plain_text(tip))
        button.setAccessibleDescription(tip)
    button.clicked.connect(lambda: on_click())
    return button


def make_search_field(prompt: str) -> QLineEdit:
    """A field for a search, with a button that clears it."""
    field = QLineEdit()
    field.setPlaceholderText(prompt)
    field.setAccessibleName(prompt)
    field.setClearButtonEnabled(True)
    return field


def make_text_view(name: str, *, fixed_font: bool = False) -> QPlainTextEdit:
    """A text to read and copy, which Tab leaves; ``name`` is its accessible name."""
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setTabChangesFocus(True)
    view.setAccessibleName(name)
    if fixed_font:
        view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return view


def make_hint_label(text: str) -> WrapLabel:
    """A muted explanation below a widget."""
    label = WrapLabel(muted=True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setText(text)
    return label


def make_heading(text: str) -> QLabel:
    """The bold title of a section."""
    label = PlainLabel(text)
    label.setFont(scaled_font(label.font(), 1.0, bold=True))
    label.setContentsMargins(0, 6, 0, 0)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return label


def with_label(text: str, combo: ComboBox, *extra: QWidget, above: bool = False) -> QWidget:
    """A combo box with a label in front of it or ``above`` it, and further widgets behind it."""
    container = QWidget()
    label = PlainLabel(text)
    label.setBuddy(combo)
    if not combo.accessibleName():
        combo.setAccessibleName(text.replace("&", ""))
    if above:
        make_column(label, combo, *extra, parent=container, spacing=2)
    else:
        make_row(label, combo, *extra, parent=container, spacing=6)
    return container


def stack_vertically(boxes: Iterable[QWidget]) -> QWidget:
    """Widgets below each other."""
    container = QWidget()
    make_column(*boxes, parent=container, spacing=4)
    return container


class ScrollingSections(QScrollArea):
    """A scrolling page of titled sections; ``name`` is its accessible name."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def show_sections(self, parts: Sequence[tuple[str, QWidget]]) -> None:
        """Replace the sections; each is a title (or an empty one) and a widget."""
        page = QWidget()
        column = make_column(parent=page, spacing=6, margins=(8, 8, 8, 8))
        for name, widget in parts:
            if name:
                label = PlainLabel(name)
                label.setFont(scaled_font(self.font(), 1.0, bold=True))
                column.addWidget(label)
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(page)
