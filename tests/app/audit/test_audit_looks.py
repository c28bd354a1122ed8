"""What an audit compares is told apart without its colour, and seen on either ground."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from vision import contrast

from app.audit.looks import look
from app.audit.words import SYSTEMS
from app.parts.theme import palette


def test_each_has_a_filling_of_its_own() -> None:
    for dark in (False, True):
        fillings = {look(system, dark=dark).brush.style() for system in SYSTEMS}
        assert len(fillings) == len(SYSTEMS)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_each_is_seen_on_its_ground(system: str, dark: bool) -> None:
    """WCAG 2.2, 1.4.11."""
    ground = QColor(palette(dark=dark).color(QPalette.ColorRole.Window))
    assert contrast(look(system, dark=dark).pen.color(), ground) >= 3.0
