"""The bar of a review: how far it has come, and its keys as buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from app.icons import icon
from app.labels import ElidedLabel, scaled
from app.suggestion_rows import keys
from app.theme import is_dark
from app.worker import MOST


class ReviewBar(QFrame):
    """Shown above the text. It takes no focus by itself.

    ``pressed``: ``previous``, ``next``, ``ignore``, ``close`` or the number of a wording as text.
    """

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_bar")
        self.setStyleSheet("#review_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._place = QLabel()
        self._place.setFont(scaled(self.font(), 1.0, bold=True))
        self._done = ElidedLabel()
        told = {
            "previous": ("", "Previous finding (Shift+F8)"),
            "next": ("", "Next finding (F8)"),
            **{
                str(number): (str(number), f"Use wording {number} ({keys(number)})")
                for number in range(1, MOST + 1)
            },
            "ignore": ("Ignore", f"Ignore once and go on ({keys(0)})"),
            "close": ("", "End the review (Esc)"),
        }
        self.buttons = {name: self._button(name, *words) for name, words in told.items()}
        line = QHBoxLayout(self)
        line.setContentsMargins(14, 3, 6, 3)
        line.setSpacing(4)
        line.addWidget(self._place)
        line.addSpacing(8)
        line.addWidget(self._done, 1)
        for button in self.buttons.values():
            line.addWidget(button)
        self._dress()
        self.hide()

    def show_place(self, place: str, done: str, *, wordings: int) -> None:
        """Say how far the review has come; ``wordings`` can be chosen now."""
        self._say(place, done)
        for name, button in self.buttons.items():
            button.setVisible(True)
            if name.isdigit():
                button.setEnabled(int(name) <= wordings)
        self.show()

    def show_end(self, summary: str) -> None:
        """Say what was done; there is nothing to press but close."""
        self._say(summary, "")
        for name, button in self.buttons.items():
            button.setVisible(name == "close")
        self.show()

    @property
    def text(self) -> str:
        """What the bar says; empty while it is hidden."""
        said = (self._place.text(), self._done.text())
        return "" if self.isHidden() else " · ".join(part for part in said if part)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the review."""
        if event.key() == Qt.Key.Key_Escape:
            self.pressed.emit("close")
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def _say(self, place: str, done: str) -> None:
        self._place.setText(place)
        self._done.setText(done)
        self.setAccessibleName(f"Review: {place}. {done}" if done else f"Review: {place}")

    def _button(self, name: str, text: str, tip: str) -> QToolButton:
        button = QToolButton()
        button.setAutoRaise(True)
        button.setObjectName(f"review_{name}")
        button.setText(text)
        button.setToolTip(tip)
        button.setAccessibleName(tip.split(" (")[0])
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setForegroundRole(QPalette.ColorRole.ButtonText)
        button.clicked.connect(lambda: self.pressed.emit(name))
        return button

    def _dress(self) -> None:
        dark = is_dark(self.palette())
        for name in ("previous", "next", "close"):
            self.buttons[name].setIcon(icon(name, dark=dark))
