"""The bar of a review: how far it has come, and its keys as buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.analysis.analysis_worker import MOST
from app.commands.shortcuts import with_keys
from app.review.suggestion_rows import WAYS, way_text
from app.widgets.icons import icon
from app.widgets.labels import ElidedLabel, scaled
from app.widgets.theme import is_dark
from core.i18n import tr

# For each button what stands on it, what it does, and the command whose keys do the same.
_BUTTONS: dict[str, tuple[str, str, str]] = {
    "previous": ("", tr("Previous finding"), "previous"),
    "next": ("", tr("Next finding"), "next"),
    **{
        str(number): (str(number), tr("Use wording {number}").format(number=number), f"use_{number}")
        for number in range(1, MOST + 1)
    },
    "once": (tr("Ignore"), tr("Ignore once and go on"), "ignore"),
    "more": ("", tr("Other ways to ignore"), ""),
    "close": ("", tr("End the review (Esc)"), ""),
}


class ReviewBar(QFrame):
    """Shown above the text. It takes no focus by itself.

    ``pressed``: ``previous``, ``next``, ``close``, a way to pass over (``suggestion_rows.WAYS``) or the number of a
    wording as text.
    """

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_bar")
        self.setStyleSheet("#review_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._place = QLabel()
        self._place.setFont(scaled(self.font(), 1.0, bold=True))
        self._done = ElidedLabel()
        self.buttons = {name: self._button(name) for name in _BUTTONS}
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
        self._tell_keys()
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
        said = f"{place}. {done}" if done else place
        self.setAccessibleName(tr("Review: {said}").format(said=said))

    def _button(self, name: str) -> QToolButton:
        text, tip, _ = _BUTTONS[name]
        button = QToolButton()
        button.setAutoRaise(True)
        button.setObjectName(f"review_{name}")
        button.setText(text)
        button.setAccessibleName(tip)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setForegroundRole(QPalette.ColorRole.ButtonText)
        if name == "more":
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            button.setArrowType(Qt.ArrowType.DownArrow)
            button.setStyleSheet("QToolButton::menu-indicator { image: none; }")
            button.setMenu(self._ways(button))
        else:
            button.clicked.connect(lambda: self.pressed.emit(name))
        return button

    def _ways(self, button: QToolButton) -> QMenu:
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for way, (_, name, told) in WAYS.items():
            action = menu.addAction(name)
            action.setToolTip(told)
            action.triggered.connect(lambda _=False, way=way: self.pressed.emit(way))
        return menu

    def _tell_keys(self) -> None:
        """Say the keys as they are now."""
        for name, button in self.buttons.items():
            _, tip, command = _BUTTONS[name]
            button.setToolTip(with_keys(tip, command, self) if command else tip)
        menu = self.buttons["more"].menu()
        for way, action in zip(WAYS, menu.actions() if menu is not None else [], strict=False):
            action.setText("\t".join(way_text(way, self)))

    def _dress(self) -> None:
        dark = is_dark(self.palette())
        for name in ("previous", "next", "close"):
            self.buttons[name].setIcon(icon(name, dark=dark))
