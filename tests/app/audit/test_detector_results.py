"""The compass page trains detectors on request and shows, describes and exports their scores by group."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from audit_drivers import CompassDriver
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from test_window_accessible_names import by_tab, nameless, unreached
from vision import contrast
from windows import saving_to

from app.audit.compass_strings import DETECTOR_CAUTION, DETECTOR_NOTE
from app.audit.detector_results import DetectorChart, detectors_csv, model_style
from app.export.chart_export import ChartExportDialog
from app.runs.run_process import start_arguments
from app.widgets.labels import WrapLabel
from app.widgets.theme import palette
from core.paths import data_folder
from core.runs.run_store import RunStore
from core.runs.types import Status
from tests.core.runs.made_compass import a_compass, a_downstream
from tests.core.runs.made_runs import a_run

MANY = 24


def _start(compass_driver: CompassDriver, how: str, *models: str) -> None:
    """Ask for both detectors, and start."""
    compass_driver.wait_until_ready()
    for box in compass_driver.page.form.detectors.values():
        box.setChecked(True)
    compass_driver.start(how, *models)


def _done(compass_driver: CompassDriver, how: str = "finish", *models: str) -> None:
    _start(compass_driver, how, *models)
    compass_driver.wait_until_ended()
    results = compass_driver.page.view.results
    compass_driver.until(lambda: results.compass is not None and len(results.compass.downstream) == 2)


def test_detectors_are_trained_only_when_ticked(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    form = compass_driver.page.form
    compass_driver.fill()
    assert "--detectors" not in start_arguments(form.request(), "x")
    form.detectors["liar"].setChecked(True)
    assert "--detectors liar" in " ".join(start_arguments(form.request(), "x"))
    form.estimate.click()
    compass_driver.until(lambda: "about 2 hours" in form.answer_text)
    form.detectors["hatexplain"].setChecked(True)
    assert not form.answer_text, "what was estimated holds no more"


def test_scores_are_shown_by_group_and_described(compass_driver: CompassDriver) -> None:
    _done(compass_driver)
    results = compass_driver.page.view.results.detectors
    assert results.isVisible()
    assert results.shown == ("hatexplain", "bacc")
    chart = results.chart
    assert chart.count() == 4
    assert chart.describe(0) == (
        "all test texts: masked 0.520 (0.486 to 0.554); generator 0.580 (0.546 to 0.614)."
    )
    assert chart.describe(1).startswith("Republicans: masked 0.530")
    assert "other parties" not in chart.summary()
    results.score.setCurrentIndex(results.score.findData("f1"))
    assert chart.count() == 5
    assert results.notes == "The detectors differ on 311 of 1,283 test texts."
    told = {label.accessibleName() for label in results.findChildren(WrapLabel) if label.isVisible()}
    assert {DETECTOR_NOTE, DETECTOR_CAUTION} <= told


def test_results_without_detectors_omit_them(compass_driver: CompassDriver) -> None:
    compass_driver.start("finish")
    compass_driver.wait_until_ended()
    view = compass_driver.page.view
    compass_driver.until(lambda: view.results.compass is not None)
    assert not view.results.detectors.isVisible()


def test_progress_of_a_detector_shows_its_epochs(compass_driver: CompassDriver) -> None:
    _start(compass_driver, "train")
    progress = compass_driver.page.view.progress
    compass_driver.until(lambda: progress.left.startswith("1 of 12 epochs of training, about 10 minutes"))
    assert progress._stage_label.accessibleName() == (
        "Training a detector of hate speech (HateXplain) on generator."
    )
    results = compass_driver.page.view.results.detectors
    compass_driver.until(
        lambda: "Missing detectors of hate speech (HateXplain): masked, generator." in results.notes
    )
    assert results.chart.count() == 0
    run = compass_driver.page.view.run
    assert run is not None
    (run.folder / "go").touch()
    assert compass_driver.wait_until_ended().status is Status.FINISHED


def test_a_model_without_a_detector_is_listed_with_the_others(compass_driver: CompassDriver) -> None:
    _done(compass_driver, "partial", "org/alpha", "org/beta", "org/gamma")
    results = compass_driver.page.view.results.detectors
    assert "beta has no detector of misinformation (LIAR): The tokenizer splits" in results.notes
    assert "Missing" not in results.notes
    assert "alpha" in results.chart.describe(0)
    assert "beta" not in results.chart.describe(0)


def test_bars_and_scores_are_saved(
    compass_driver: CompassDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _done(compass_driver)
    results = compass_driver.page.view.results.detectors
    saving_to(monkeypatch, tmp_path / "scores")
    results.buttons["table"].click()
    rows = list(csv.DictReader((tmp_path / "scores.csv").open(encoding="utf-8", newline="")))
    assert len(rows) == 2 * 2 * 9
    assert rows[0] == {
        "task": "hatexplain",
        "group": "all",
        "rows": "1283",
        "model": "masked",
        "seeds": "1",
        "seeds_planned": "1",
        "score": "bacc",
        "value": "0.52",
        "low": "0.486498",
        "high": "0.553502",
        "rows_on_which_detectors_differ": "311",
    }
    results.task.setCurrentIndex(results.task.findData("liar"))
    for ending in ("png", "svg"):
        results.buttons["picture"].click()
        dialog = compass_driver.dialog.findChild(ChartExportDialog)
        assert dialog is not None
        dialog._format_choice.setCurrentIndex(dialog._format_choice.findData(ending.upper()))
        picture = tmp_path / f"bars.{ending}"
        saving_to(monkeypatch, picture)
        dialog.save()
        compass_driver.until(lambda: compass_driver.dialog.findChild(ChartExportDialog) is None)
        assert picture.stat().st_size > 1000
    text = (tmp_path / "bars.svg").read_text(encoding="utf-8")
    assert "Balanced accuracy: misinformation (LIAR)" in text
    assert "Republicans" in text
    assert "The detectors differ on 311" in text


def test_the_page_is_accessible_by_keyboard_and_screen_reader(compass_driver: CompassDriver) -> None:
    _done(compass_driver)
    assert not nameless(compass_driver.dialog)
    compass_driver.page.run_choice.setFocus()
    assert not unreached(compass_driver.dialog, by_tab(compass_driver.dialog))
    chart = compass_driver.page.view.results.detectors.chart
    chart.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(chart, key)
    assert chart.accessibleDescription().startswith("Republicans:")


def test_models_trained_here_are_offered(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    assert compass_driver.window.components.store_access.store is not None
    made = a_run(0, base="some/base")
    RunStore(compass_driver.window.components.store_access.store).begin(made)
    RunStore(compass_driver.window.components.store_access.store).finish(made.id, Status.FINISHED)
    partisan = data_folder() / "tables" / "compass" / "models" / "1234" / "base-news-left"
    partisan.mkdir(parents=True)
    for folder in (made.folder, partisan):
        (folder / "config.json").write_text(json.dumps({"architectures": ["BertForMaskedLM"]}))
        (folder / "model.safetensors").write_bytes(b"x")
    compass_driver.page.refresh()
    form = compass_driver.page.form
    compass_driver.until(form.trained_field.isVisible)
    assert [form.trained_choice.itemData(at) for at in range(form.trained_choice.count())] == [
        "",
        str(made.folder),
        str(partisan),
    ]
    assert form.trained_choice.itemText(2) == "base-news-left · pre-trained on partisan texts"
    other = compass_driver.dialog.page.form
    assert other.trained_choice.count() <= 1, "a masked model does not generate"


def test_models_are_distinguishable_without_colour_in_both_themes() -> None:
    looks = [(model_style(number, dark=False)) for number in range(MANY)]
    assert len({(look.brush.style(), look.pen.color().name()) for look in looks}) == MANY
    assert len({look.brush.style() for look in looks[:7]}) == 7
    for dark in (False, True):
        ground = QColor(palette(dark=dark).color(QPalette.ColorRole.Window))
        for number in range(6):
            assert contrast(model_style(number, dark=dark).pen.color(), ground) >= 3.0


def test_a_bar_has_the_colour_of_its_models_point(qtbot: QtBot) -> None:
    """A model that could not answer comes behind those that stand on the compass."""
    bars = DetectorChart()
    qtbot.addWidget(bars)
    compass = replace(a_compass("one", "two"), models=("bare", "one", "two"), tasks=("liar",))
    found = a_downstream("bare", "one", "two")
    bars.show_scores(replace(compass, downstream=(found,)), found, "bacc")
    assert [bars.bar_style(0, bar).pen.color() for bar in range(3)] == [
        model_style(number, dark=False).pen.color() for number in range(3)
    ]
    assert bars.describe(0).startswith("all test texts: one 0.580")


def test_a_score_without_an_average_is_shown_alone(qtbot: QtBot) -> None:
    bars = DetectorChart()
    qtbot.addWidget(bars)
    found = a_downstream("one")
    score = replace(found.detectors[0].scores["all"]["f1"], low=None, high=None)
    bare = replace(found, detectors=(replace(found.detectors[0], scores={"all": {"f1": score}}),))
    compass = replace(a_compass("one"), tasks=("liar",), downstream=(bare,))
    bars.show_scores(compass, bare, "f1")
    assert bars.describe(0) == "all test texts: one 0.520."
    assert detectors_csv(compass).splitlines()[1].endswith(",f1,0.52,,,")
    bars.show_scores(compass, None, "f1")
    assert bars.summary() == "No detector has been trained yet."
