"""A calm bar above the text that tells something and offers what to do; it takes no focus and waits."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.parts.icons import icon
from app.parts.labels import WrapLabel
from app.parts.theme import is_dark

_NARROW = 620


class ChoiceBar(QFrame):
    """One sentence and some buttons. ``chosen``: the name of the button that was pressed."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("choice_bar")
        self.setStyleSheet("#choice_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._sign = QLabel()
        self._label = WrapLabel()
        self.buttons: dict[str, QPushButton] = {}
        said = QHBoxLayout()
        said.setSpacing(8)
        said.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignVCenter)
        said.addWidget(self._label, 1)
        self._line = QHBoxLayout()
        self._line.setSpacing(8)
        self._line.addStretch(1)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(14, 5, 8, 5)
        self._whole.setSpacing(6)
        self._whole.addLayout(said, 1)
        self._whole.addLayout(self._line)
        self._dress()
        self.hide()

    @property
    def text(self) -> str:
        """What is said; empty while the bar is hidden."""
        return self._label.accessibleName() if not self.isHidden() else ""

    def show_choices(self, text: str, choices: Mapping[str, tuple[str, str]]) -> None:
        """Say ``text`` and offer choices: by name, the words on the button and what it does, in a sentence."""
        for button in self.buttons.values():
            self._line.removeWidget(button)
            button.deleteLater()
        self.buttons = {name: self._button(name, *words) for name, words in choices.items()}
        for button in self.buttons.values():
            self._line.addWidget(button)
        self._label.setText(text)
        self.setAccessibleName(text)
        self.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the buttons stand below the words."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._whole.setDirection(ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def _button(self, name: str, words: str, tip: str) -> QPushButton:
        button = QPushButton(words)
        button.setToolTip(tip)
        button.setAccessibleName(words.replace("&", ""))
        button.setAccessibleDescription(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(name))
        return button

    def _dress(self) -> None:
        sign = icon("info", dark=is_dark(self.palette()))
        self._sign.setPixmap(sign.pixmap(QSize(16, 16), self.devicePixelRatioF()))
