"""End to end with tiny models and made-up corpora: place models, train detectors, read the results."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_drivers import CompassDriver
from pytestqt.qtbot import QtBot
from windows import Make

from core.runs.types import Status
from tests.training.auditing.compass.tiny_models import make_statements, save_generator, save_masked
from tests.training.auditing.compass.tiny_tasks import make_liar

PATIENCE_MS = 300_000


@pytest.mark.slow
def test_models_are_placed_in_a_child_process(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora = make_liar(make_statements(tmp_path / "corpora"))
    masked = save_masked(tmp_path / "masked", favours={"agree": 60.0})
    writer = save_generator(tmp_path / "writer")
    compass_driver = CompassDriver(make(), qtbot, corpora, monkeypatch)
    form, view = compass_driver.page.form, compass_driver.page.view

    def until(true: object) -> None:
        qtbot.waitUntil(true, timeout=PATIENCE_MS)

    until(lambda: form.isVisible() and form.device.count() > 1 and form.start.isEnabled())
    compass_driver.fill(str(masked), str(tmp_path / "none"), str(writer))
    form.detectors["liar"].setChecked(True)
    form.scale.setCurrentIndex(form.scale.findData("smoke"))
    form.device.setCurrentIndex(form.device.findData("cpu"))
    form.start.click()
    until(lambda: not view.is_running)
    assert view.run is not None
    assert view.run.status is Status.FINISHED, view.progress.status_text
    until(lambda: view.results.compass is not None and len(view.results.compass.downstream) == 1)
    found = view.results.compass
    assert found is not None
    assert [stand.model for stand in found.positions] == ["masked", "writer"]
    assert found.positions[0].unclear == 0
    assert "could not answer" in view.results.notes
    assert len(view.results.answers.texts()) == 62
    assert [one.model for one in found.downstream[0].detectors] == ["masked", "writer"]
    assert view.results.detectors.chart.describe(0).startswith("all test texts: masked ")
    assert view.run.result["economic_masked"] == pytest.approx(found.positions[0].point.economic, abs=1e-5)
