"""Systems in the bar chart are distinguishable without colour and contrast with the background."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QPalette
from vision import contrast

from app.audit.audit_strings import SYSTEMS, WRITING_STAGES, stage_text
from app.audit.bar_chart import system_style
from app.audit.bias_form import MODES
from app.runs.run_progress import Progress
from app.widgets.theme import palette
from training.auditing.debiasing import systems


def test_each_has_a_filling_of_its_own() -> None:
    for dark in (False, True):
        fillings = {system_style(system, dark=dark).brush.style() for system in SYSTEMS}
        assert len(fillings) == len(SYSTEMS)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_points_contrast_with_the_background(system: str, dark: bool) -> None:
    """WCAG 2.2, 1.4.11."""
    ground = QColor(palette(dark=dark).color(QPalette.ColorRole.Window))
    assert contrast(system_style(system, dark=dark).pen.color(), ground) >= 3.0


def test_what_the_trainer_compares_is_what_the_window_offers_and_names() -> None:
    """A system that the window does not know would stand there by its key, and its texts would not count as steps."""
    known = (systems.VANILLA, *systems.MODES)
    assert tuple(SYSTEMS) == known
    assert tuple(MODES) == known[1:]
    titles = [systems.SYSTEMS[key].title for key in known]
    assert list(WRITING_STAGES) == titles
    said = {stage_text(Progress(started=True, stage=f"{title}, gender, seed 1")) for title in titles}
    assert len(said) == len(titles)
    assert all(one.startswith("Generating texts") for one in said)
