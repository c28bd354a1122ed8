"""A slim bar above the text for what a person should know about the open file; it takes no focus and can be closed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from app.parts.icons import icon
from app.parts.labels import WrapLabel
from app.parts.theme import is_dark
from core.language import tr


class MessageBar(QFrame):
    """Shows one message at a time; empty means hidden. ``said``: a message that is shown now."""

    said = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("message_bar")
        self.setStyleSheet("#message_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._sign = QLabel()
        self._label = WrapLabel()
        self._close = QToolButton()
        self._close.setAutoRaise(True)
        self._close.setAccessibleName(tr("Close this message"))
        self._close.setToolTip(tr("Close this message"))
        self._close.clicked.connect(self.clear)
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 4, 6, 4)
        line.setSpacing(9)
        line.addWidget(self._sign)
        line.addWidget(self._label, 1)
        line.addWidget(self._close)
        self._dress()
        self.hide()

    @property
    def text(self) -> str:
        """What is shown; empty while hidden."""
        return self._label.accessibleName() if not self.isHidden() else ""

    def show_message(self, text: str) -> None:
        """Show ``text``, one sentence a line."""
        self._label.setText(text)
        self.setAccessibleName(text)
        self.setVisible(bool(text))
        if text:
            self.said.emit(text)

    def clear(self) -> None:
        """Hide the bar."""
        self.show_message("")

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def _dress(self) -> None:
        dark = is_dark(self.palette())
        self._sign.setPixmap(icon("info", dark=dark).pixmap(QSize(16, 16), self.devicePixelRatioF()))
        self._close.setIcon(icon("close", dark=dark))
