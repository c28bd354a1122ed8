"""Icons: all present, one stroke weight, in the theme's text colour, sharp on dense screens."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPalette

from app.widgets.icons import icon, kind_icon
from app.widgets.kinds import kind_style
from app.widgets.theme import palette
from core.types import KINDS

pytestmark = pytest.mark.usefixtures("qapp")

NAMES = (
    *("new", "open", "save", "undo", "redo", "previous", "next", "find", "zoom-in", "zoom-out"),
    *("review", "compare", "warning", "info", "close", "app"),
)


def strongest(image: QImage) -> QColor:
    """The colour of the least transparent pixel."""
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    return max(pixels, key=lambda pixel: pixel.alpha())


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_is_drawn(name: str) -> None:
    """A missing or broken file would leave an empty button."""
    image = icon(name, dark=False).pixmap(QSize(24, 24)).toImage()
    inked = sum(image.pixelColor(x, y).alpha() > 0 for x in range(24) for y in range(24))
    assert 20 < inked <= 24 * 24


@pytest.mark.parametrize("name", [name for name in NAMES if name != "app"])
@pytest.mark.parametrize("dark", [False, True])
def test_icons_take_the_colour_of_the_text(name: str, dark: bool) -> None:
    """A dark icon on a dark bar is not seen; a disabled one must look disabled."""
    text = palette(dark=dark).color(QPalette.ColorRole.ButtonText)
    pale = palette(dark=dark).color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.ButtonText)
    made = icon(name, dark=dark)
    assert strongest(made.pixmap(QSize(48, 48)).toImage()).rgb() == text.rgb()
    assert strongest(made.pixmap(QSize(48, 48), QIcon.Mode.Disabled).toImage()).rgb() == pale.rgb()


def test_one_stroke_weight() -> None:
    """One set, one hand: no icon is heavier than the next."""
    weights = set()
    for name in NAMES:
        drawing = (files("resources") / "icons" / f"{name}.svg").read_text(encoding="utf-8")
        weights |= set(re.findall(r'stroke-width="([^"]+)"', drawing))
    assert len(weights) == 1


def test_dense_screens_get_more_pixels() -> None:
    """At two pixels a point the icon is drawn, not blown up."""
    assert icon("save", dark=False).pixmap(QSize(24, 24), 2.0).width() == 48


def test_unknown_icon_is_named() -> None:
    """A slip in a name shows at once, with the name."""
    with pytest.raises(ValueError, match="'sav'"):
        icon("sav", dark=False)


@pytest.mark.parametrize("dark", [False, True])
def test_kind_icons_have_the_colours_of_the_kinds(dark: bool) -> None:
    """The buttons that filter show the same colours as the underlines."""
    for kind in KINDS:
        image = kind_icon(kind, dark=dark).pixmap(QSize(32, 32)).toImage()
        assert strongest(image).rgb() == kind_style(kind, dark=dark).colour.rgb()
