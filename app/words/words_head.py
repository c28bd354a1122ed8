"""The head of the words panel: how many words, their order, and which of them are shown."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.parts.labels import ElidedLabel, scaled
from app.words.word_rows import ORDERS, Filter
from core.language import tr


class WordsHead(QWidget):
    """``changed``: another ``Filter`` is chosen."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = QLabel(tr("Words"))
        self._title.setFont(scaled(self.font(), 1.15, bold=True))
        self._state = ElidedLabel()
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.order = QComboBox()
        for name, (label, _) in ORDERS.items():
            self.order.addItem(label, name)
        self.order.setAccessibleName(tr("Order of the words"))
        self.order.setToolTip(tr("What the words are sorted by"))
        self.order.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.order.setMinimumWidth(60)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find a word"))
        self.search.setAccessibleName(tr("Find a word"))
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(40)
        self.identity = QToolButton()
        self.identity.setText(tr("Identity terms"))
        self.identity.setCheckable(True)
        self.identity.setProperty("filter", True)
        self.identity.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.identity.setAccessibleName(tr("Identity terms only"))
        self.identity.setToolTip(tr("Show only words that name a group of people"))
        self._lay_out()
        self.order.currentIndexChanged.connect(self._touched)
        self.search.textChanged.connect(self._touched)
        self.identity.toggled.connect(self._touched)

    @property
    def filter(self) -> Filter:
        """What is shown, in which order; setting it moves the controls, and tells ``changed``."""
        return Filter(self.search.text(), self.identity.isChecked(), str(self.order.currentData()))

    @filter.setter
    def filter(self, wanted: Filter) -> None:
        if wanted == self.filter:
            return
        controls = (self.search, self.identity, self.order)
        blocked = [QSignalBlocker(control) for control in controls]
        self.search.setText(wanted.find)
        self.identity.setChecked(wanted.identity)
        self.order.setCurrentIndex(max(0, self.order.findData(wanted.order)))
        for one in blocked:
            one.unblock()
        self._touched()

    def show_state(self, shown: int, known: int, message: str) -> None:
        """How many words are shown of those that are known, and what is being done."""
        counted = tr("Words {shown:,}") if shown == known else tr("Words {shown:,} of {known:,}")
        self._title.setText(counted.format(shown=shown, known=known) if known else tr("Words"))
        self._state.setText(message)

    def _touched(self) -> None:
        self.changed.emit(self.filter)

    def _lay_out(self) -> None:
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self._title)
        first.addWidget(self._state, 1)
        first.addWidget(self.order)
        second.addWidget(self.search, 1)
        second.addWidget(self.identity)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 10, 10, 8)
        column.setSpacing(8)
        for line in (first, second):
            line.setSpacing(6)
            column.addLayout(line)
