"""End to end with a tiny generator and made-up articles: start an audit, pause it, resume it, read the results."""

from __future__ import annotations

from pathlib import Path

import pytest
from audit_drivers import BiasAuditDriver
from pytestqt.qtbot import QtBot
from windows import Make

from core.runs.types import Status
from tests.training.auditing.generation import tiny_generator
from tests.training.auditing.tiny_articles import make_articles

PATIENCE_MS = 300_000


@pytest.mark.slow
def test_a_generator_is_audited_in_a_child_process(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora = make_articles(tmp_path / "corpora")
    base = tiny_generator.save(tmp_path / "tiny")
    bias_driver = BiasAuditDriver(make(), qtbot, corpora, monkeypatch)
    form, view = bias_driver.page.form, bias_driver.page.view

    def until(true: object) -> None:
        qtbot.waitUntil(true, timeout=PATIENCE_MS)

    until(lambda: form.isVisible() and form.device.count() > 1 and form.start.isEnabled())
    bias_driver.fill(str(base))
    form.attributes["topic"].setChecked(False)
    form.scale.setCurrentIndex(form.scale.findData("smoke"))
    form.device.setCurrentIndex(form.device.findData("cpu"))
    form.start.click()
    pause = view.progress.buttons["pause"]
    until(lambda: (view.results.isVisible() and pause.isEnabled()) or not view.is_running)
    pause.click()
    until(lambda: not view.is_running)
    assert view.run is not None
    if view.run.status is Status.PAUSED:
        view.progress.buttons["resume"].click()
        until(lambda: view.is_running)
        until(lambda: not view.is_running)
    assert view.run.status is Status.FINISHED, view.progress.status_text
    until(lambda: view.results.audit is not None and view.results.audit.is_complete)
    audit = view.results.audit
    assert audit is not None
    assert audit.systems == ("vanilla", "emb", "cls", "emb-token", "token")
    assert [chart.count() for chart in view.results.charts.values()] == [3, 3]
    until(lambda: view.results.samples.option.count() == 2)
    written = view.results.samples.shown()
    assert list(written) == ["vanilla", "emb", "cls", "emb-token", "token"]
    assert all(text for text, _ in written.values())
    assert view.run.result["macro_f1_of_judge"] == pytest.approx(audit.classifier_score, abs=1e-5)
