"""End to end with made-up corpora: train, use the model, analyse the draft, go back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from training_driver import TrainingDriver
from windows import Make

from app.main_window.window import MainWindow
from app.models.model_preview import PreviewDialog
from app.models.models_section import ModelsSection
from core.models.active import active_folder, bundled_folder
from core.runs.types import Status
from tests.training.tiny_corpora import make_base, make_corpora

DRAFT = "The shameful senator ruined the budget.\n\nThe council opened the school near the river.\n"
PATIENCE_MS = 600_000


def marked(window: MainWindow) -> list[str]:
    return [mark.finding.text for mark in window.ui.editor.marks]


@pytest.mark.slow
def test_a_model_is_trained_used_and_replaced(
    make: Make, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpora = make_corpora(tmp_path / "corpora")
    base = make_base(tmp_path / "base")
    window = make(DRAFT, load=None, load_rewriter=None)
    qtbot.waitUntil(lambda: "shameful" in marked(window), timeout=PATIENCE_MS)
    before = marked(window)
    training = TrainingDriver(window, qtbot, monkeypatch)
    form, view = training.section.form, training.section.view
    qtbot.waitUntil(lambda: form.isVisible() and form.device.count() > 1, timeout=PATIENCE_MS)
    form.data.combo.setEditText(str(corpora))
    form.paths["base"].combo.setEditText(str(base))
    form.scale.setCurrentIndex(form.scale.findData("smoke"))
    form.device.setCurrentIndex(form.device.findData("cpu"))
    request = form.request
    monkeypatch.setattr(form, "request", lambda: replace(request(), teacher=str(base)))
    form.start.click()
    qtbot.waitUntil(lambda: not view.is_running, timeout=PATIENCE_MS)
    run = view.run
    assert run is not None
    assert run.status is Status.FINISHED, view.status_text
    assert {line.name for line in view.loss.lines} == {"teacher broad", "teacher reader", "broad", "reader"}
    assert "int8 babe macro f1" in view.results_text or "babe macro f1" in view.results_text

    view.buttons["use"].click()
    models = training.training_page.section("models")
    assert isinstance(models, ModelsSection)
    qtbot.waitUntil(lambda: dialog() is not None, timeout=PATIENCE_MS)
    assert active_folder("reader") == bundled_folder("reader")
    dialog().use.click()
    qtbot.waitUntil(lambda: active_folder("reader") != bundled_folder("reader"), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: marked(window) not in ([], before), timeout=PATIENCE_MS)

    box = models.roles["reader"]
    qtbot.waitUntil(box.rollback_button.isEnabled, timeout=PATIENCE_MS)
    box.rollback_button.click()
    qtbot.waitUntil(lambda: active_folder("reader") == bundled_folder("reader"), timeout=PATIENCE_MS)
    qtbot.waitUntil(lambda: marked(window) == before, timeout=PATIENCE_MS)


def dialog() -> PreviewDialog | None:
    """The question whether to use the model, if it is open."""
    found = [top for top in QApplication.topLevelWidgets() if isinstance(top, PreviewDialog)]
    return next((one for one in found if one.isVisible()), None)
