"""Themes: legible text, one accent colour, and the system theme only for those who chose it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from vision import contrast

from app.widgets.theme import apply_theme, is_dark, is_high_contrast, palette

Role = QPalette.ColorRole


@pytest.fixture(autouse=True)
def plain_again(qapp: QApplication) -> Iterator[None]:
    """Leave the application as the next test expects it: following the system."""
    yield
    apply_theme(qapp, "system")


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("text", "ground", "least"),
    [
        (Role.Text, Role.Base, 7),
        (Role.WindowText, Role.Window, 7),
        (Role.ButtonText, Role.Button, 7),
        (Role.PlaceholderText, Role.Base, 4.5),
        (Role.PlaceholderText, Role.Window, 4.5),
        (Role.HighlightedText, Role.Highlight, 4.5),
        (Role.Link, Role.Base, 4.5),
        (Role.ToolTipText, Role.ToolTipBase, 7),
        (Role.Accent, Role.Window, 3),
    ],
)
def test_text_is_legible(text: Role, ground: Role, least: float, dark: bool) -> None:
    """Text below 4.5:1, or a mark below 3:1, is not read by everybody (WCAG 2.2, 1.4.3 and 1.4.11)."""
    colours = palette(dark=dark)
    assert contrast(colours.color(text), colours.color(ground)) >= least


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize(
    ("text", "ground"),
    [
        *(
            (text, ground)
            for text in (Role.Text, Role.PlaceholderText, Role.Link)
            for ground in (Role.Base, Role.Window)
        ),
        (Role.WindowText, Role.Window),
        (Role.ButtonText, Role.Button),
        (Role.HighlightedText, Role.Highlight),
        (Role.ToolTipText, Role.ToolTipBase),
        (Role.Accent, Role.Window),
    ],
)
def test_high_contrast_is_seven_to_one(text: Role, ground: Role, dark: bool) -> None:
    """Who asks for high contrast gets it for every word and for what shows the focus (WCAG 2.2, 1.4.6)."""
    colours = palette(dark=dark, high_contrast=True)
    assert contrast(colours.color(text), colours.color(ground)) >= 7


def test_high_contrast_is_independent_of_light_and_dark(qapp: QApplication) -> None:
    """On and off are followed whatever the system says; widgets see it in their palette."""
    assert apply_theme(qapp, "dark", "on") is True
    assert is_high_contrast(QLabel().palette())
    assert is_dark(QLabel().palette())
    assert apply_theme(qapp, "light", "on") is False
    assert is_high_contrast(QLabel().palette())
    apply_theme(qapp, "light", "off")
    assert not is_high_contrast(QLabel().palette())


def test_contrast_stays_when_the_system_turns_dark(qapp: QApplication) -> None:
    """In the evening the colours turn, and high contrast is not lost with them."""
    apply_theme(qapp, "system", "on")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert is_high_contrast(qapp.palette())
    assert is_dark(qapp.palette())


def test_the_mode_determines_the_palette(qapp: QApplication) -> None:
    """What apply_theme answers is what every widget finds in its palette."""
    assert apply_theme(qapp, "dark") is True
    assert is_dark(QLabel().palette())
    assert apply_theme(qapp, "light") is False
    assert not is_dark(QLabel().palette())


def test_widgets_are_notified_of_a_change(qapp: QApplication, qtbot: QtBot) -> None:
    """Charts, icons and glyphs are redrawn on PaletteChange: it must reach a widget that exists already."""
    apply_theme(qapp, "light")
    label = QLabel("words")
    qtbot.addWidget(label)
    heard: list[QEvent.Type] = []

    class Ear(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            heard.append(event.type())
            return False

    ear = Ear()
    label.installEventFilter(ear)
    label.show()
    apply_theme(qapp, "dark")
    assert QEvent.Type.PaletteChange in heard


def test_system_is_followed_only_where_chosen(qapp: QApplication) -> None:
    """A person who chose a theme keeps it when the system turns dark in the evening; the others follow."""
    apply_theme(qapp, "system")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert is_dark(qapp.palette())
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Light)
    assert not is_dark(qapp.palette())
    apply_theme(qapp, "light")
    qapp.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not is_dark(qapp.palette())


def test_the_system_contrast_is_queried_each_time(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who turns high contrast on in the system sees it here, unless it was refused here."""
    apply_theme(qapp, "light", "system")
    assert not is_high_contrast(qapp.palette())
    monkeypatch.setattr("app.widgets.theme.system_wants_high_contrast", lambda _: True)
    apply_theme(qapp, "light", "system")
    assert is_high_contrast(qapp.palette())
    apply_theme(qapp, "light", "off")
    assert not is_high_contrast(qapp.palette())
