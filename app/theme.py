"""Light and dark: two palettes, one accent colour and a small style sheet over Fusion."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

Mode = Literal["system", "light", "dark"]

_Role = QPalette.ColorRole
_COLOURS: dict[QPalette.ColorRole, tuple[str, str]] = {
    _Role.Window: ("#f4f4f1", "#222326"),
    _Role.WindowText: ("#202327", "#e4e4e0"),
    _Role.Base: ("#ffffff", "#17181a"),
    _Role.AlternateBase: ("#f9f9f7", "#1d1e21"),
    _Role.Text: ("#202327", "#e4e4e0"),
    _Role.PlaceholderText: ("#63686e", "#a3a6a8"),
    _Role.Button: ("#eeeeea", "#2d2f33"),
    _Role.ButtonText: ("#202327", "#e4e4e0"),
    _Role.BrightText: ("#ffffff", "#ffffff"),
    _Role.ToolTipBase: ("#2b2e32", "#3a3d42"),
    _Role.ToolTipText: ("#f6f6f3", "#f2f2ee"),
    _Role.Light: ("#ffffff", "#45484d"),
    _Role.Midlight: ("#e6e6e1", "#383b40"),
    _Role.Mid: ("#cfcfc9", "#3f4247"),
    _Role.Dark: ("#a9a9a3", "#121315"),
    _Role.Shadow: ("#6f6f6a", "#000000"),
    _Role.Highlight: ("#0b7a75", "#22736e"),
    _Role.HighlightedText: ("#ffffff", "#ffffff"),
    _Role.Accent: ("#0b7a75", "#5cc4bc"),
    _Role.Link: ("#0b6b66", "#6fd0c8"),
    _Role.LinkVisited: ("#4d6663", "#9fbdb9"),
}
_DISABLED_TEXT = ("#9a9d9f", "#73767a")


def palette(*, dark: bool) -> QPalette:
    """The palette of one theme, every role set, so that nothing of the platform's shines through."""
    made = QPalette()
    for role, pair in _COLOURS.items():
        made.setColor(role, QColor(pair[dark]))
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, role, QColor(_DISABLED_TEXT[dark]))
    made.setColor(QPalette.ColorGroup.Disabled, _Role.Highlight, QColor(_COLOURS[_Role.Mid][dark]))
    return made


def is_dark(widget_palette: QPalette) -> bool:
    """True where text is lighter than what it stands on."""
    text = widget_palette.color(QPalette.ColorGroup.Active, _Role.WindowText)
    ground = widget_palette.color(QPalette.ColorGroup.Active, _Role.Window)
    return text.lightness() > ground.lightness()


def apply_theme(app: QApplication, mode: Mode) -> bool:
    """Dress the whole application; returns True if the result is dark.

    With ``"system"`` the theme follows the system's colour scheme from now on (light where it names none).
    Widgets hear of a change through ``QEvent.Type.PaletteChange``.
    """
    hints = app.styleHints()
    follower = app.findChild(_Follower)
    if follower is None:
        app.setStyle("Fusion")
        follower = _Follower(app)
    follower.mode = mode
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    hints.setColorScheme(schemes.get(mode, Qt.ColorScheme.Unknown))
    scheme = hints.colorScheme() if mode == "system" else schemes[mode]
    dark = scheme == Qt.ColorScheme.Dark
    _dress(app, dark=dark)
    return dark


class _Follower(QObject):
    """Redresses the application when the system's colour scheme changes and the person follows it."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.mode: Mode = "system"
        self._app = app
        app.styleHints().colorSchemeChanged.connect(self._system_changed)

    def _system_changed(self, scheme: Qt.ColorScheme) -> None:
        if self.mode == "system":
            _dress(self._app, dark=scheme == Qt.ColorScheme.Dark)


def _dress(app: QApplication, *, dark: bool) -> None:
    app.setPalette(palette(dark=dark))
    app.setStyleSheet(_sheet(dark=dark))


def _sheet(*, dark: bool) -> str:
    """The style sheet: what a palette cannot say (space, borders, rounded corners)."""
    colours = {role.name: pair[dark] for role, pair in _COLOURS.items()}
    line = colours["Mid"]
    accent = colours["Accent"]
    shade = QColor(accent)
    wash = f"rgba({shade.red()}, {shade.green()}, {shade.blue()}, {46 if dark else 28})"
    handle = "#707479" if dark else "#8b8e8c"
    edge = "#55585e" if dark else colours["Dark"]
    return f"""
QToolBar {{ border: 0; border-bottom: 1px solid {line}; padding: 3px 6px; spacing: 3px; }}
QToolBar::separator {{ background: {line}; width: 1px; margin: 5px 5px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 5px; padding: 4px 6px; }}
QToolButton:hover {{ background: {wash}; }}
QToolButton:pressed {{ background: {colours["Mid"]}; }}
QToolButton:checked {{ background: {wash}; border-color: {accent}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton[filter="true"] {{ border-color: {line}; padding: 3px 4px; }}
QToolButton[filter="true"]:checked {{ border-color: {accent}; color: {colours["ButtonText"]}; }}
QToolButton[filter="true"]:!checked {{ color: {colours["PlaceholderText"]}; }}
QMenuBar {{ padding: 2px 4px; }}
QMenu {{ padding: 4px 0; }}
QMenu::item {{ padding: 5px 26px 5px 26px; }}
QMenu::item:selected {{ background: {colours["Highlight"]}; color: {colours["HighlightedText"]}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 10px; }}
QDockWidget::title {{ padding: 6px 10px; text-align: left; }}
QMainWindow::separator {{ background: {line}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QStatusBar {{ border-top: 1px solid {line}; }}
QStatusBar::item {{ border: 0; }}
QListView {{ border: 0; background: {colours["Base"]}; }}
QListView:focus {{ border: 1px solid {accent}; }}
QScrollArea {{ border: 0; background: transparent; }}
QScrollBar {{ background: transparent; border: 0; }}
QScrollBar:vertical {{ width: 12px; }}
QScrollBar:horizontal {{ height: 12px; }}
QScrollBar::handle {{ background: {handle}; border-radius: 4px; margin: 2px; }}
QScrollBar::handle:vertical {{ min-height: 30px; }}
QScrollBar::handle:horizontal {{ min-width: 30px; }}
QScrollBar::handle:hover {{ background: {colours["PlaceholderText"]}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
QToolTip {{ color: {colours["ToolTipText"]}; background: {colours["ToolTipBase"]}; border: 0;
  padding: 5px 7px; }}
QFrame#finding_card {{ background: {colours["Base"]}; border: 1px solid {edge}; border-radius: 8px; }}
QFrame#finding_card:focus {{ border: 1px solid {accent}; }}
"""
