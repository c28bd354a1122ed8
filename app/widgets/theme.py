"""Light and dark themes, each also in high contrast: palettes and a small style sheet over Fusion."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QPalette, QStyleHints
from PySide6.QtWidgets import QApplication

from resources import ROOT

Mode = Literal["system", "light", "dark"]
Contrast = Literal["system", "on", "off"]

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
# High contrast: black and white, borders as strong as text, and one accent that keeps 7:1.
_HIGH_CONTRAST: dict[QPalette.ColorRole, tuple[str, str]] = {
    _Role.Window: ("#ffffff", "#000000"),
    _Role.WindowText: ("#000000", "#ffffff"),
    _Role.Base: ("#ffffff", "#000000"),
    _Role.AlternateBase: ("#ffffff", "#000000"),
    _Role.Text: ("#000000", "#ffffff"),
    _Role.PlaceholderText: ("#2e2e2e", "#d8d8d8"),
    _Role.Button: ("#ffffff", "#000000"),
    _Role.ButtonText: ("#000000", "#ffffff"),
    _Role.BrightText: ("#000000", "#ffffff"),
    _Role.ToolTipBase: ("#000000", "#ffffff"),
    _Role.ToolTipText: ("#ffffff", "#000000"),
    _Role.Light: ("#ffffff", "#ffffff"),
    _Role.Midlight: ("#5c5c5c", "#a6a6a6"),
    _Role.Mid: ("#5c5c5c", "#a6a6a6"),
    _Role.Dark: ("#000000", "#ffffff"),
    _Role.Shadow: ("#000000", "#ffffff"),
    _Role.Highlight: ("#003a5c", "#ffe14d"),
    _Role.HighlightedText: ("#ffffff", "#000000"),
    _Role.Accent: ("#00507d", "#ffe14d"),
    _Role.Link: ("#00507d", "#8fd3ff"),
    _Role.LinkVisited: ("#4b2a7b", "#d8baff"),
}
MarkupColour = Literal["mark", "link", "template", "reference", "comment", "code"]
# Calm and dark enough to read (4.5:1 on the background of text, 7:1 in high contrast), and unlike the underlines.
_MARKUP: dict[MarkupColour, tuple[str, str]] = {
    "mark": ("#6d7278", "#8f9499"),
    "link": ("#0b6b66", "#6fd0c8"),
    "template": ("#6a4f8c", "#b6a0dc"),
    "reference": ("#7a5a12", "#c9ab6a"),
    "comment": ("#5a6f4c", "#93ab85"),
    "code": ("#8a3b3b", "#dd9a94"),
}
_HIGH_CONTRAST_MARKUP: dict[MarkupColour, tuple[str, str]] = {
    "mark": ("#454545", "#c4c4c4"),
    "link": ("#00507d", "#8fd3ff"),
    "template": ("#4b2a7b", "#d8baff"),
    "reference": ("#5a3c00", "#f0d08a"),
    "comment": ("#2f4a1e", "#bfe0a8"),
    "code": ("#702020", "#ffb9b2"),
}
_DISABLED_TEXT = ("#9a9d9f", "#73767a")
_HIGH_CONTRAST_DISABLED_TEXT = ("#5c5c5c", "#a6a6a6")


def palette(*, dark: bool, high_contrast: bool = False) -> QPalette:
    """The palette of a theme with every role set, so that none comes from the platform.

    In ``high_contrast`` all enabled text has at least 7:1.
    """
    result = QPalette()
    colours = _colours(high_contrast=high_contrast)
    for role, pair in colours.items():
        result.setColor(role, QColor(pair[dark]))
    disabled = (_HIGH_CONTRAST_DISABLED_TEXT if high_contrast else _DISABLED_TEXT)[dark]
    for role in (_Role.WindowText, _Role.Text, _Role.ButtonText):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(disabled))
    result.setColor(QPalette.ColorGroup.Disabled, _Role.Highlight, QColor(colours[_Role.Mid][dark]))
    return result


def _colours(*, high_contrast: bool) -> dict[QPalette.ColorRole, tuple[str, str]]:
    return _HIGH_CONTRAST if high_contrast else _COLOURS


def markup_colour(name: MarkupColour, widget_palette: QPalette) -> str:
    """The colour of a part of markup, such as ``#6d7278``, in the theme of a palette."""
    table = _HIGH_CONTRAST_MARKUP if is_high_contrast(widget_palette) else _MARKUP
    return table[name][is_dark(widget_palette)]


def is_dark(widget_palette: QPalette) -> bool:
    """Whether the text is lighter than the background."""
    text = widget_palette.color(QPalette.ColorGroup.Active, _Role.WindowText)
    ground = widget_palette.color(QPalette.ColorGroup.Active, _Role.Window)
    return text.lightness() > ground.lightness()


def is_high_contrast(widget_palette: QPalette) -> bool:
    """Whether the text is pure black on white, or white on black."""
    group = QPalette.ColorGroup.Active
    pair = (widget_palette.color(group, _Role.Text), widget_palette.color(group, _Role.Base))
    return {colour.name() for colour in pair} == {"#000000", "#ffffff"}


def apply_theme(app: QApplication, mode: Mode, contrast: Contrast = "system") -> bool:
    """Apply a theme to the application; returns True if it is dark.

    With ``"system"`` theme and contrast follow the system from now on (light and without high contrast if it has no
    preference). Widgets are notified by ``QEvent.Type.PaletteChange``.
    """
    system_theme = app.findChild(_SystemTheme)
    if system_theme is None:
        app.setStyle("Fusion")
        system_theme = _SystemTheme(app)
    system_theme.mode, system_theme.contrast = mode, contrast
    app.styleHints().setColorScheme(_SCHEMES.get(mode, Qt.ColorScheme.Unknown))
    return system_theme.apply()


_SCHEMES = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}


class _SystemTheme(QObject):
    """Applies the theme again when the preferences of the system change."""

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.mode: Mode = "system"
        self.contrast: Contrast = "system"
        self._app = app
        # Keep a reference: without it the Python object of the accessibility hints is deleted.
        self._hints = app.styleHints()
        self._hints.colorSchemeChanged.connect(self._scheme_changed)
        if hasattr(self._hints, "accessibility"):
            self._hints.accessibility().contrastPreferenceChanged.connect(self._contrast_changed)

    def apply(self, scheme: Qt.ColorScheme | None = None) -> bool:
        """Set palette and style sheet; returns True if they are dark."""
        if self.mode != "system":
            scheme = _SCHEMES[self.mode]
        dark = (scheme or self._hints.colorScheme()) == Qt.ColorScheme.Dark
        high_contrast = (
            system_wants_high_contrast(self._hints) if self.contrast == "system" else self.contrast == "on"
        )
        self._app.setPalette(palette(dark=dark, high_contrast=high_contrast))
        self._app.setStyleSheet(_style_sheet(dark=dark, high_contrast=high_contrast))
        return dark

    def _scheme_changed(self, scheme: Qt.ColorScheme) -> None:
        if self.mode == "system":
            self.apply(scheme)

    def _contrast_changed(self) -> None:
        if self.contrast == "system":
            self.apply()


def system_wants_high_contrast(hints: QStyleHints) -> bool:
    """Whether the system prefers high contrast (known from Qt 6.10 on)."""
    if not hasattr(hints, "accessibility"):
        return False
    return hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast


def _style_sheet(*, dark: bool, high_contrast: bool) -> str:
    """The style sheet for what a palette does not cover: spacing, borders, rounded corners."""
    colours = {role.name: pair[dark] for role, pair in _colours(high_contrast=high_contrast).items()}
    line_color = colours["Mid"]
    accent = colours["Accent"]
    shade = QColor(accent)
    wash = f"rgba({shade.red()}, {shade.green()}, {shade.blue()}, {46 if dark else 28})"
    handle = colours["Text"] if high_contrast else "#707479" if dark else "#8b8e8c"
    edge = "#55585e" if dark and not high_contrast else colours["Dark"]
    mark = colours["PlaceholderText"]
    tick = _icon_path(f"tick-{'black' if high_contrast and dark else 'white'}")
    down = _icon_path(f"down-{'white' if dark else 'black'}")
    high_contrast_rules = ""
    if high_contrast:
        high_contrast_rules = _HIGH_CONTRAST_SHEET.format(
            line_color=colours["Text"], ground=colours["Base"], accent=accent, down=down
        )
    return f"""
QToolBar {{ border: 0; border-bottom: 1px solid {line_color}; padding: 3px 6px; spacing: 3px; }}
QToolBar::separator {{ background: {line_color}; width: 1px; margin: 5px 5px; }}
QToolButton {{ border: 1px solid transparent; border-radius: 5px; padding: 4px 6px; }}
QToolButton:hover {{ background: {wash}; }}
QToolButton:pressed {{ background: {colours["Mid"]}; }}
QToolButton:checked {{ background: {wash}; border-color: {accent}; }}
QToolButton:focus {{ border-color: {accent}; }}
QToolButton[filter="true"] {{ border-color: {line_color}; padding: 3px 4px; }}
QToolButton[filter="true"]:checked {{ border-color: {accent}; color: {colours["ButtonText"]}; }}
QToolButton[filter="true"]:!checked {{ color: {colours["PlaceholderText"]}; }}
QMenuBar {{ padding: 2px 4px; }}
QMenu {{ padding: 4px 0; }}
QMenu::item {{ padding: 5px 26px 5px 26px; }}
QMenu::item:selected {{ background: {colours["Highlight"]}; color: {colours["HighlightedText"]}; }}
QMenu::separator {{ height: 1px; background: {line_color}; margin: 4px 10px; }}
QDockWidget::title {{ padding: 6px 10px; text-align: left; }}
QMainWindow::separator {{ background: {line_color}; width: 1px; height: 1px; }}
QMainWindow::separator:hover {{ background: {accent}; }}
QStatusBar {{ border-top: 1px solid {line_color}; }}
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
QLabel[muted="true"] {{ color: {colours["PlaceholderText"]}; }}
QListWidget#settings_pages::item {{ padding: 6px 8px; }}
QToolButton[outlined="true"] {{ border-color: {edge}; padding: 3px 8px; }}
QLineEdit {{ background: {colours["Base"]}; border: 1px solid {edge}; border-radius: 4px; padding: 3px 5px; }}
QLineEdit:focus {{ border-color: {accent}; }}
QListView[outlined="true"] {{ border: 1px solid {edge}; border-radius: 4px; }}
QSlider {{ min-height: 20px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {line_color}; }}
QSlider::sub-page:horizontal {{ border-radius: 2px; background: {accent}; }}
QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -5px 0; border-radius: 7px;
  border: 1px solid {mark}; background: {colours["Button"]}; }}
QSlider::handle:horizontal:focus {{ border: 2px solid {accent}; }}
QCheckBox {{ spacing: 7px; }}
QCheckBox::indicator {{ width: 15px; height: 15px; border: 1px solid {mark}; border-radius: 3px;
  background: {colours["Base"]}; }}
QCheckBox::indicator:focus {{ border-color: {accent}; }}
QCheckBox::indicator:checked {{ background: {colours["Highlight"]}; border-color: {colours["Highlight"]};
  image: url("{tick}"); }}
QCheckBox::indicator:disabled {{ border-color: {line_color}; }}
QToolButton[popup="true"]::menu-indicator {{ image: none; }}
{high_contrast_rules}"""


# Where grounds carry nothing, borders do: what has the focus, what is checked, and where a control ends.
_HIGH_CONTRAST_SHEET = """
QToolButton:hover {{ border: 1px solid {line_color}; background: {ground}; }}
QToolButton:checked {{ border: 2px solid {line_color}; background: {ground}; }}
QToolButton:focus, QPushButton:focus, QComboBox:focus, QLineEdit:focus, QAbstractSpinBox:focus,
QListView:focus, QFrame#finding_card:focus {{ border: 2px solid {accent}; }}
QToolButton[filter="true"]:!checked {{ border: 1px dashed {line_color}; }}
QPushButton {{ border: 1px solid {line_color}; border-radius: 4px; padding: 4px 10px; }}
QLineEdit, QComboBox, QAbstractSpinBox {{ border: 1px solid {line_color}; border-radius: 3px; padding: 3px; }}
QComboBox::drop-down {{ border: 0; width: 20px; }}
QComboBox::down-arrow {{ image: url("{down}"); width: 12px; height: 12px; }}
QTabBar::tab {{ border: 1px solid {line_color}; padding: 4px 10px; }}
QTabBar::tab:selected {{ border: 2px solid {accent}; font-weight: bold; }}
QMenu {{ border: 1px solid {line_color}; }}
"""


def _icon_path(name: str) -> str:
    return (ROOT / "icons" / f"{name}.svg").as_posix()
