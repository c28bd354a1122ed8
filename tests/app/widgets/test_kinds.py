"""Kinds are distinguishable under every colour vision: by colour, and by line, glyph and text."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPalette
from vision import VISION, contrast, lab, linear

from app.widgets.kinds import glyph_path, kind_style
from app.widgets.theme import palette
from core.types import ALL_KINDS


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("vision", VISION)
def test_colours_stay_apart(vision: str, dark: bool) -> None:
    """Two kinds whose colours fall together for some eyes would look like one (CIE76 difference of 25)."""
    seen = [lab(VISION[vision] @ linear(kind_style(kind, dark=dark).colour)) for kind in ALL_KINDS]
    for one, other in combinations(seen, 2):
        assert float(np.linalg.norm(one - other)) >= 25


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("ground", [QPalette.ColorRole.Base, QPalette.ColorRole.Window])
def test_colours_contrast_with_the_background(ground: QPalette.ColorRole, dark: bool) -> None:
    """An underline fainter than 3:1 is lost on the page or on the panel (WCAG 2.2, 1.4.11)."""
    behind = palette(dark=dark).color(ground)
    assert all(contrast(kind_style(kind, dark=dark).colour, behind) >= 3 for kind in ALL_KINDS)


def test_kinds_differ_without_colour() -> None:
    """Underline, pen, filling, glyph and word each tell the kinds apart on their own."""
    looks = [kind_style(kind, dark=False) for kind in ALL_KINDS]
    for field in ("underline", "pen", "brush", "glyph", "label"):
        assert len({getattr(one, field) for one in looks}) == len(ALL_KINDS)


def test_glyphs_keep_their_box_and_their_shape() -> None:
    """A glyph that leaves its box is cut in the list; three equal outlines would be no help."""
    box = QRectF(10, 20, 12, 12)
    paths = [glyph_path(kind, box) for kind in ALL_KINDS]
    assert all(box.contains(path.boundingRect()) for path in paths)
    assert len({round(path.toFillPolygon().boundingRect().height(), 2) for path in paths}) == 4
    corner = box.topLeft() + (box.center() - box.topLeft()) * 0.45
    assert [path.contains(corner) for path in paths] == [True, False, False]
