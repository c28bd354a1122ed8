"""The bar of the guided review: its progress and its commands as buttons."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QMenu, QSizePolicy, QToolButton, QWidget

from app.analysis.analysis_worker import MAX_SUGGESTIONS
from app.commands.shortcuts import shortcut_text, with_shortcut
from app.review.suggestion_rows import IGNORE_SCOPES, scope_text
from app.widgets.icons import icon
from app.widgets.labels import ElidedLabel, scaled_font
from app.widgets.layouts import make_row
from app.widgets.plain_text import plain_text
from app.widgets.theme import is_dark
from core.i18n import tr

# For each button: its text, its tooltip, and the command with the same effect.
_BUTTONS: dict[str, tuple[str, str, str]] = {
    "previous": ("", tr("Previous finding or sentence"), "previous"),
    "next": ("", tr("Next finding or sentence"), "next"),
    **{
        str(number): (str(number), tr("Use suggestion {number}").format(number=number), f"use_{number}")
        for number in range(1, MAX_SUGGESTIONS + 1)
    },
    "once": (tr("Ignore"), tr("Ignore once and continue"), "ignore"),
    "more": ("", tr("Other ways to ignore and continue"), ""),
    "close": ("", tr("End the review (Esc)"), ""),
}
_PLACE_WIDTH = 100
"""In a narrow window a longer text is elided, in pixels."""

_BY_SENTENCE = tr("Go from sentence to sentence, or from finding to finding")
_FOR_FINDINGS = ("2", "3", "once")
"""The buttons without an effect on a whole sentence."""


class ReviewBar(QFrame):
    """Shown above the text; it does not take the focus.

    ``pressed``: ``previous``, ``next``, ``close``, ``by_sentence`` to go on the other way, an ignore scope, or the
    number of a suggestion.
    """

    pressed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("review_bar")
        self.setStyleSheet("#review_bar { border: 0; border-bottom: 1px solid palette(mid); }")
        self._place = ElidedLabel()
        self._place.setForegroundRole(QPalette.ColorRole.WindowText)
        self._place.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._place.setFont(scaled_font(self.font(), 1.0, bold=True))
        self._done = ElidedLabel()
        self._scopes: list[QAction] = []
        self.by_sentence = QAction(tr("By sentence"), self)
        self.by_sentence.setCheckable(True)
        self.by_sentence.setToolTip(plain_text(_BY_SENTENCE))
        self.by_sentence.triggered.connect(lambda: self.pressed.emit("by_sentence"))
        self.buttons = {name: self._button(name) for name in _BUTTONS}
        make_row(
            self._place,
            8,
            (self._done, 1),
            *self.buttons.values(),
            parent=self,
            spacing=2,
            margins=(14, 3, 6, 3),
        )
        self._update_icons()
        self.hide()

    def show_place(
        self, place: str, done: str, *, suggestions: int, by_sentence: bool, whole_sentence: bool
    ) -> None:
        """Show the progress; ``suggestions`` is the number of those that can be applied.

        ``by_sentence``: the review goes by sentence. At a ``whole_sentence`` there is one suggestion, and nothing to
        ignore.
        """
        self._show_text(place, done)
        self._show_keys()
        for name, button in self.buttons.items():
            button.setVisible(not (whole_sentence and name in _FOR_FINDINGS))
            if name.isdigit():
                button.setEnabled(int(name) <= suggestions)
        for action in self._scopes:
            action.setEnabled(not whole_sentence)
        self.by_sentence.setChecked(by_sentence)
        self.show()
        parent = self.parentWidget()
        layout = parent.layout() if parent is not None else None
        if layout is not None:
            layout.activate()

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
        self._place.setMinimumWidth(min(self._place.sizeHint().width(), _PLACE_WIDTH))
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
            button.setMenu(self._more_menu(button))
        else:
            button.clicked.connect(lambda: self.pressed.emit(name))
        return button

    def _more_menu(self, button: QToolButton) -> QMenu:
        menu = QMenu(button)
        menu.setToolTipsVisible(True)
        for scope, (_, name, description) in IGNORE_SCOPES.items():
            action = menu.addAction(name)
            action.setToolTip(plain_text(description))
            action.triggered.connect(lambda _=False, scope=scope: self.pressed.emit(scope))
            self._scopes.append(action)
        menu.addSeparator()
        menu.addAction(self.by_sentence)
        return menu

    def _show_keys(self) -> None:
        """Show the present keys in the tooltips."""
        for name, button in self.buttons.items():
            _, tip, command = _BUTTONS[name]
            button.setToolTip(plain_text(with_shortcut(tip, command, self) if command else tip))
        for scope, action in zip(IGNORE_SCOPES, self._scopes, strict=True):
            action.setText("\t".join(scope_text(scope, self)))
        self.by_sentence.setText("\t".join((tr("By sentence"), shortcut_text("by_sentence", self))))

    def _update_icons(self) -> None:
        dark = is_dark(self.palette())
        for name in ("previous", "next", "close"):
            self.buttons[name].setIcon(icon(name, dark=dark))
