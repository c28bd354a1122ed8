"""The bar of the guided review: its progress and its commands as buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QMenu, QToolButton, QWidget

from app.analysis.analysis_worker import MAX_SUGGESTIONS
from app.commands.shortcuts import with_shortcut
from app.review.suggestion_rows import IGNORE_SCOPES, scope_text
from app.widgets.icons import icon
from app.widgets.labels import ElidedLabel, scaled_font
from app.widgets.layouts import make_row
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.i18n import tr

# For each button: its text, its tooltip, and the command with the same effect.
_BUTTONS: dict[str, tuple[str, str, str]] = {
    "previous": ("", tr("Previous finding"), "previous"),
    "next": ("", tr("Next finding"), "next"),
    **{
        str(number): (str(number), tr("Use wording {number}").format(number=number), f"use_{number}")
        for number in range(1, MAX_SUGGESTIONS + 1)
    },
    "once": (tr("Ignore"), tr("Ignore once and go on"), "ignore"),
    "more": ("", tr("Other ways to ignore"), ""),
    "close": ("", tr("End the review (Esc)"), ""),
}


class ReviewBar(QFrame):
    """Shown above the text; it does not take the focus.

    ``pressed``: ``previous``, ``next``, ``close``, an ignore scope, or the number of a suggestion.
    """

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_bar")
        self.setStyleSheet("#review_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._place = PlainLabel()
        self._place.setFont(scaled_font(self.font(), 1.0, bold=True))
        self._done = ElidedLabel()
        self.buttons = {name: self._button(name) for name in _BUTTONS}
        make_row(
            self._place,
            8,
            (self._done, 1),
            *self.buttons.values(),
            parent=self,
            spacing=4,
            margins=(14, 3, 6, 3),
        )
        self._update_icons()
        self.hide()

    def show_place(self, place: str, done: str, *, wordings: int) -> None:
        """Show the progress; ``wordings`` is the number of suggestions that can be applied."""
        self._show_text(place, done)
        self._show_keys()
        for name, button in self.buttons.items():
            button.setVisible(True)
            if name.isdigit():
                button.setEnabled(int(name) <= wordings)
        self.show()

    def show_end(self, summary: str) -> None:
        """Show the summary; only the close button stays."""
        self._show_text(summary, "")
        for name, button in self.buttons.items():
            button.setVisible(name == "close")
        self.show()

    @property
    def text(self) -> str:
        """The shown text; empty while the bar is hidden."""
        text = (self._place.text(), self._done.text())
        return "" if self.isHidden() else " · ".join(part for part in text if part)

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
            self._update_icons()

    def _show_text(self, place: str, done: str) -> None:
        self._place.setText(place)
        self._done.setText(done)
        text = f"{place}. {done}" if done else place
        self.setAccessibleName(tr("Review: {text}").format(text=text))

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
            button.setMenu(self._scope_menu(button))
        else:
            button.clicked.connect(lambda: self.pressed.emit(name))
        return button

    def _scope_menu(self, button: QToolButton) -> QMenu:
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for scope, (_, name, description) in IGNORE_SCOPES.items():
            action = menu.addAction(name)
            action.setToolTip(plain_text(description))
            action.triggered.connect(lambda _=False, scope=scope: self.pressed.emit(scope))
        return menu

    def _show_keys(self) -> None:
        """Show the present keys in the tooltips."""
        for name, button in self.buttons.items():
            _, tip, command = _BUTTONS[name]
            button.setToolTip(plain_text(with_shortcut(tip, command, self) if command else tip))
        menu = self.buttons["more"].menu()
        for scope, action in zip(IGNORE_SCOPES, menu.actions() if menu is not None else [], strict=False):
            action.setText("\t".join(scope_text(scope, self)))

    def _update_icons(self) -> None:
        dark = is_dark(self.palette())
        for name in ("previous", "next", "close"):
            self.buttons[name].setIcon(icon(name, dark=dark))
