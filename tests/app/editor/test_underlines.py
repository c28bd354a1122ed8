"""Underlines that can be seen: on dense screens, under large text, and in high contrast (A2.21: LT#1845)."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from vision import VISION, contrast, lab, linear

from app.editor.underlines import Pens, Weight, draw_misspelling, draw_underline
from app.widgets.kinds import kind_style
from app.widgets.theme import palette
from core.types import ALL_KINDS, KINDS, Kind

pytestmark = pytest.mark.usefixtures("qapp")


def inked(kind: Kind, pens: Pens, *, ratio: float = 1.0, ascent: float = 14.0) -> tuple[float, int]:
    """(ink in device pixels, highest stroke in device pixels) of a line 120 logical pixels long."""
    image = QImage(int(160 * ratio), int(60 * ratio), QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    draw_underline(painter, kind, (20, 140), baseline=20, size=ascent, pens=pens)
    painter.end()
    alphas = [[image.pixelColor(x, y).alphaF() for y in range(image.height())] for x in range(image.width())]
    return sum(map(sum, alphas)), max(sum(alpha > 0.5 for alpha in column) for column in alphas)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ratio", [2.0, 3.0])
def test_a_dense_screen_gets_as_much_more_ink_as_it_has_pixels(kind: Kind, ratio: float) -> None:
    """A line of one device pixel whatever the screen is what users could not see: it must look as strong as at 1×."""
    usual, _ = inked(kind, Pens(dark=False))
    dense, _ = inked(kind, Pens(dark=False), ratio=ratio)
    assert dense == pytest.approx(usual * ratio**2, rel=0.12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight", ["thin", "normal", "thick"])
@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 3.0])
def test_no_line_is_a_hair(kind: Kind, weight: Weight, ratio: float) -> None:
    """Even the thin line is a solid pixel of the usual screen at every whole scale, and one at least between two."""
    _, height = inked(kind, Pens(dark=False, weight=weight), ratio=ratio)
    assert height >= int(ratio)


@pytest.mark.parametrize("kind", KINDS)
def test_lines_grow_with_the_text_and_with_the_chosen_weight(kind: Kind) -> None:
    """Large text with a hairline under it hides the mark."""
    usual = inked(kind, Pens(dark=False))[0]
    assert inked(kind, Pens(dark=False), ascent=36)[0] > 1.8 * usual
    weights: tuple[Weight, ...] = ("thin", "normal", "thick")
    thin, normal, thick = (inked(kind, Pens(dark=False, weight=weight))[0] for weight in weights)
    assert thin < 0.9 * normal
    assert thick > 1.2 * normal
    assert inked(kind, Pens(dark=False, high_contrast=True))[0] > 1.15 * normal


@pytest.mark.parametrize("dark", [False, True])
def test_high_contrast_lines_are_seven_to_one_and_apart(dark: bool) -> None:
    """In high contrast the lines carry alone what tints carry elsewhere."""
    pens = Pens(dark, high_contrast=True)
    page = QColor("#000000" if dark else "#ffffff")
    colours = [pens.colour(kind) for kind in KINDS]
    assert all(contrast(colour, page) >= 7 for colour in colours)
    assert len({colour.name() for colour in colours}) == len(KINDS)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("vision", VISION)
def test_the_line_of_a_misspelled_word_has_a_colour_of_its_own(vision: str, dark: bool) -> None:
    """A typing error that looked like biased wording would be read as a reproach."""

    def seen(colour: QColor) -> np.ndarray:
        return lab(VISION[vision] @ linear(colour))

    pens = Pens(dark)
    for kind in ALL_KINDS:
        apart = seen(pens.misspelled) - seen(kind_style(kind, dark=dark).colour)
        assert float(np.linalg.norm(apart)) >= 20, kind
    assert contrast(pens.misspelled, palette(dark=dark).color(QPalette.ColorRole.Base)) >= 3
    page = QColor("#000000" if dark else "#ffffff")
    assert contrast(Pens(dark, high_contrast=True).misspelled, page) >= 7


@pytest.mark.parametrize("weight", ["thin", "normal", "thick"])
def test_the_line_of_a_misspelled_word_is_thin_and_goes_beneath_that_of_a_finding(weight: Weight) -> None:
    def rows(*, below: bool) -> list[int]:
        image = QImage(160, 60, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_misspelling(
            painter, (20, 140), baseline=20, size=17, pens=Pens(dark=False, weight=weight), below=below
        )
        painter.end()
        return [y for y in range(60) if any(image.pixelColor(x, y).alphaF() > 0.3 for x in range(160))]

    alone, beneath = rows(below=False), rows(below=True)
    finding, _ = inked(Kind.FRAMING, Pens(dark=False, weight=weight), ascent=17)
    assert 2 <= len(alone) <= 5
    assert min(alone) >= 21
    assert min(beneath) > min(alone) + 2
    assert max(beneath) <= 34, "the next line of text begins there"
    assert finding > 0
