"""Slim bars above the text: a message that can be closed, and a message with choices. They take no focus."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.widgets.icons import icon
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_row
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.i18n import tr


class MessageBar(QFrame):
    """Shows one message; hidden while it is empty. ``message_shown`` carries a new message."""

    message_shown = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message_bar")
        self.setStyleSheet("#message_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._icon = PlainLabel()
        self._label = WrapLabel()
        self._close = QToolButton()
        self._close.setAutoRaise(True)
        self._close.setAccessibleName(tr("Close this message"))
        self._close.setToolTip(tr("Close this message"))
        self._close.clicked.connect(self.clear)
        make_row(self._icon, (self._label, 1), self._close, parent=self, spacing=9, margins=(14, 4, 6, 4))
        self._apply_theme()
        self.hide()

    @property
    def text(self) -> str:
        """The message; empty while the bar is hidden."""
        return self._label.accessibleName() if not self.isHidden() else ""

    def show_message(self, text: str) -> None:
        """Show ``text``, one sentence per line."""
        self._label.setText(text)
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        if text:
            self.message_shown.emit(text)

    def clear(self) -> None:
        """Hide the bar."""
        self.show_message("")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._apply_theme()

    def _apply_theme(self) -> None:
        dark = is_dark(self.palette())
        self._icon.setPixmap(icon("info", dark=dark).pixmap(QSize(16, 16), self.devicePixelRatioF()))
        self._close.setIcon(icon("close", dark=dark))


_NARROW = 620


class ChoiceBar(QFrame):
    """A message and some buttons. ``chosen`` carries the name of the button that was pressed."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("choice_bar")
        self.setStyleSheet("#choice_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._icon = PlainLabel()
        self._label = WrapLabel()
        self.buttons: dict[str, QPushButton] = {}
        message_shown = make_row((self._icon, Qt.AlignmentFlag.AlignVCenter), (self._label, 1), spacing=8)
        self._line = make_row(None, spacing=8)
        self._whole = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._whole.setContentsMargins(14, 5, 8, 5)
        self._whole.setSpacing(6)
        self._whole.addLayout(message_shown, 1)
        self._whole.addLayout(self._line)
        self._apply_theme()
        self.hide()

    @property
    def text(self) -> str:
        """The message; empty while the bar is hidden."""
        return self._label.accessibleName() if not self.isHidden() else ""

    def show_choices(self, text: str, choices: Mapping[str, tuple[str, str]]) -> None:
        """Show ``text`` with one button per choice: its name, and the label and tooltip of its button."""
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
        """In a narrow bar the buttons go below the message."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._whole.setDirection(ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._apply_theme()

    def _button(self, name: str, words: str, tip: str) -> QPushButton:
        button = QPushButton(words)
        button.setToolTip(plain_text(tip))
        button.setAccessibleName(words.replace("&", ""))
        button.setAccessibleDescription(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        button.clicked.connect(lambda: self.chosen.emit(name))
        return button

    def _apply_theme(self) -> None:
        sign = icon("info", dark=is_dark(self.palette()))
        self._icon.setPixmap(sign.pixmap(QSize(16, 16), self.devicePixelRatioF()))
