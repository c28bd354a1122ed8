"""The compass page starts, follows, pauses and resumes a run, and shows the positions of the models."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from audit_drivers import CompassDriver
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from test_window_accessible_names import by_tab, nameless, unreached
from windows import saving_to

from app.audit.compass_strings import CAUTION, READING
from app.audit.tables import positions_csv
from app.export.chart_export import ChartExportDialog
from app.training.training_page import TrainingPage
from app.training.training_section import TrainingSection
from app.widgets.labels import WrapLabel
from core import training_env
from core.runs.folder import is_alive, runs_folder
from core.runs.political_compass import COMPASS_FILE
from core.runs.run_store import RunStore
from core.runs.types import Status
from tests.core.runs.made_runs import a_run

FIVE = ("org/alpha", "org/beta", "org/gamma", "org/delta", "org/epsilon")


def _done(compass_driver: CompassDriver, how: str = "finish", *models: str) -> None:
    """A run to its end, with all of it in view."""
    compass_driver.start(how, *models)
    compass_driver.wait_until_ended()
    view = compass_driver.page.view
    compass_driver.until(
        lambda: view.results.compass is not None and "Not complete yet" not in view.results.notes
    )


def test_a_finished_run_shows_all_results(compass_driver: CompassDriver) -> None:
    _done(compass_driver)
    view = compass_driver.page.view
    assert view.run is not None
    assert view.run.status is Status.FINISHED
    assert view.progress.status_text == "Finished."
    results = view.results
    assert results.chart.describe(0) == (
        "masked: economic -3.0, social +4.0; 1 of 6 answers is unclear; possible: economic -4.0 to -2.0, social "
        "+3.5 to "
        "+4.5; varies over prompts by ±0.8 and ±0.5."
    )
    assert results.positions.texts()[0] == [
        *("masked", "economic", "words filled in for the mask"),
        *("-3.00", "-4.00 to -2.00", "-2.75", "0.80", "–", "1 of 6"),
    ]
    assert results.stability.texts()[0] == ["masked", "7 prompts", "0.420", "–", "0.120"]
    assert results.answers.texts()[0][1:] == ["agrees strongly +0.60 (2/2)"] * 2
    assert results.answers.texts()[5][1:] == ["unclear +0.01 (0/2)"] * 2
    assert not results.notes


def test_the_child_receives_the_form_values_and_the_form_keeps_them(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    form = compass_driver.page.form
    form.scale.setCurrentIndex(form.scale.findData("full"))
    form.stance.setCurrentIndex(form.stance.findData("nli"))
    assert form.detector_field.isVisible()
    form.seed.setText("7")
    _done(compass_driver)
    run = compass_driver.page.view.run
    assert run is not None
    assert (run.recipe, run.base, run.scale, run.seed) == ("compass", "masked, generator", "full", 7)
    found = compass_driver.page.view.results.compass
    assert found is not None
    assert found.stance == "facebook/bart-large-mnli"
    kept = compass_driver.window.settings.value("compass_models")
    assert kept == ("some/masked", "some/generator")


def test_answers_can_be_filtered_to_differences_and_unclear_ones(compass_driver: CompassDriver) -> None:
    _done(compass_driver, "finish", *FIVE)
    results = compass_driver.page.view.results
    assert len(results.answers.texts()) == 6
    results.statement_filter.setCurrentIndex(results.statement_filter.findData("unclear"))
    assert [row[0][:2] for row in results.answers.texts()] == ["2.", "3.", "4.", "5.", "6."]
    results.statement_filter.setCurrentIndex(results.statement_filter.findData("apart"))
    assert results.answers.texts() == []


def test_an_arrow_joins_a_model_before_and_after_training(compass_driver: CompassDriver) -> None:
    _done(compass_driver, "finish", *FIVE)
    results = compass_driver.page.view.results
    assert results.arrows == []
    results.arrow_start.setCurrentIndex(results.arrow_start.findData("beta"))
    assert results.arrows == [(1, 0), (1, 2), (1, 3), (1, 4)]
    results.arrow_end.setCurrentIndex(results.arrow_end.findData("gamma"))
    assert results.arrows == [(1, 2)]
    results.arrow_end.setCurrentIndex(results.arrow_end.findData("beta"))
    assert results.arrows == []


def test_a_point_opens_the_answers_of_its_model_by_keyboard(compass_driver: CompassDriver) -> None:
    _done(compass_driver)
    results = compass_driver.page.view.results
    results.chart.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return):
        QTest.keyClick(results.chart, key)
    assert results.chart.accessibleDescription().startswith("generator:")
    assert results.answers.hasFocus()
    assert results.answers.currentColumn() == 2


def test_a_paused_run_shows_partial_results_and_resumes(compass_driver: CompassDriver) -> None:
    compass_driver.start("wait")
    run = compass_driver.wait_until_held()
    view = compass_driver.page.view
    assert view.progress.left.startswith("72 of 96 answers, about 12 minutes")
    assert "Not complete yet: generator." in view.results.notes
    view.progress.buttons["pause"].click()
    assert compass_driver.wait_until_ended().status is Status.PAUSED
    compass_driver.environment.setenv("FAKE_CHILD", "finish")
    view.progress.buttons["resume"].click()
    compass_driver.until(lambda: view.is_running)
    assert compass_driver.wait_until_ended().id == run.id
    compass_driver.until(lambda: not view.results.notes)
    assert [one.status for one in compass_driver.runs()] == [Status.FINISHED]


def test_a_run_continues_when_the_window_is_closed_and_reopens_on_its_page(
    compass_driver: CompassDriver,
) -> None:
    compass_driver.start("wait")
    run = compass_driver.wait_until_held()
    compass_driver.close()
    assert is_alive(run)
    compass_driver.window.ui.actions["audit"].trigger()
    dialog = compass_driver.dialog
    compass_driver.until(lambda: dialog.tabs.currentWidget() is dialog.compass)
    assert compass_driver.wait_until_held().id == run.id
    (run.folder / "go").touch()
    assert compass_driver.wait_until_ended().status is Status.FINISHED


def test_a_model_that_cannot_answer_is_listed_with_the_others(compass_driver: CompassDriver) -> None:
    _done(compass_driver, "partial", *FIVE[:3])
    results = compass_driver.page.view.results
    compass_driver.until(lambda: results.chart.count() == 2)
    assert "beta could not answer: The tokenizer splits" in results.notes
    assert [row[0] for row in results.positions.texts()[::2]] == ["alpha", "gamma"]


def test_a_model_without_a_clear_answer_is_reported_as_such(compass_driver: CompassDriver) -> None:
    _done(compass_driver, "mute")
    results = compass_driver.page.view.results
    assert "No answer of masked was clear" in results.notes
    assert results.chart.describe(0).startswith("masked: no position; 6 of 6 answers are unclear")
    assert "possible:" not in results.chart.describe(0)
    assert "generator" not in results.notes
    for row in results.positions.texts()[:2]:
        assert [row[3], *row[5:8]] == ["–"] * 4
        assert " to " in row[4]
    table = positions_csv(results.compass) if results.compass else ""
    mute, heard = csv.DictReader(table.splitlines())
    assert (mute["economic_at"], mute["social_forced"], mute["ellipse_angle"]) == ("", "", "")
    assert mute["economic_low"]
    assert heard["economic_at"]


def test_long_names_are_distinguished_by_their_ends(compass_driver: CompassDriver) -> None:
    long = "a-model-with-a-name-that-is-rather-long-by-itself"
    _done(compass_driver, "finish", *(f"org/{long}-news-{side}" for side in ("left", "right")))
    head = compass_driver.page.view.results.answers.horizontalHeader()
    assert head.textElideMode() is Qt.TextElideMode.ElideMiddle
    said = compass_driver.page.view.results.answers.horizontalHeaderItem(2)
    assert said.toolTip() == f"{long}-news-right"


@pytest.mark.parametrize("how", ["fail", "refuse"])
def test_the_error_message_of_the_child_is_shown(compass_driver: CompassDriver, how: str) -> None:
    compass_driver.start(how)
    run = compass_driver.wait_until_ended()
    view = compass_driver.page.view
    assert run.status is Status.FAILED
    if how == "fail":
        assert "The disk is full." in view.progress.status_text
        compass_driver.until(lambda: view.results.chart.count() == 2)
    else:
        assert view.progress.status_text == "The run could not be started: Another training is going on."
        assert not (runs_folder() / run.id).exists()


def test_the_form_reports_missing_input_before_the_start(
    compass_driver: CompassDriver, tmp_path: Path
) -> None:
    compass_driver.wait_until_ready()
    form = compass_driver.page.form

    def said(what: str) -> None:
        form.start.click()
        assert what in form.answer_text
        assert compass_driver.page.page is form

    said("No model is chosen")
    for place in ("one", "two"):
        (tmp_path / place / "tiny").mkdir(parents=True)
    compass_driver.fill(str(tmp_path / "one" / "tiny"), str(tmp_path / "two" / "tiny"))
    said("Two models are called tiny")
    form.models.buttons["remove"].click()
    assert form.models.selected == (str(tmp_path / "one" / "tiny"),)
    form.stance.setCurrentIndex(form.stance.findData("nli"))
    form.detector.combo.setEditText("")
    said("The NLI model is missing")
    form.stance.setCurrentIndex(0)
    form.data.combo.setEditText("")
    said("The folder with the corpora is missing")
    assert not compass_driver.runs()


def test_models_are_listed_once_and_typed_text_counts(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    models = compass_driver.page.form.models
    compass_driver.fill("some/one", "some/one")
    models.path_field.combo.setEditText("some/two")
    assert models.selected == ("some/one", "some/two")
    models.list.setFocus()
    QTest.keyClick(models.list, Qt.Key.Key_Delete)
    assert models.selected == ("some/two",)
    assert not models.list.isVisible()


def test_a_trained_generator_is_offered(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    form = compass_driver.page.form
    assert not form.trained_field.isVisible()
    assert compass_driver.window.components.store_access.store is not None
    made = a_run(0, base="some/base")
    RunStore(compass_driver.window.components.store_access.store).begin(made)
    RunStore(compass_driver.window.components.store_access.store).finish(made.id, Status.FINISHED)
    (made.folder / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"]}')
    (made.folder / "model.safetensors").write_bytes(b"x")
    compass_driver.page.refresh()
    compass_driver.until(form.trained_field.isVisible)
    form.trained_choice.setCurrentIndex(1)
    form.trained_choice.activated.emit(1)
    assert form.request().models == (str(made.folder),)


def test_an_estimate_is_shown(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    compass_driver.fill()
    compass_driver.page.form.estimate.click()
    compass_driver.until(lambda: "about 2 hours" in compass_driver.page.form.answer_text)


def test_an_estimate_reports_why_a_model_cannot_answer(compass_driver: CompassDriver) -> None:
    compass_driver.environment.setenv("FAKE_CHILD", "partial")
    compass_driver.wait_until_ready()
    compass_driver.fill()
    compass_driver.page.form.estimate.click()
    compass_driver.until(lambda: "about 2 hours" in compass_driver.page.form.answer_text)
    assert "of disk space.\nThe tokenizer splits every negative word" in compass_driver.page.form.answer_text


def test_the_compass_and_its_limitations_are_explained(compass_driver: CompassDriver) -> None:
    _done(compass_driver)
    told = {
        label.accessibleName() for label in compass_driver.page.findChildren(WrapLabel) if label.isVisible()
    }
    assert {CAUTION, READING} <= told


def test_tables_and_chart_are_saved(
    compass_driver: CompassDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _done(compass_driver)
    results = compass_driver.page.view.results
    saving_to(monkeypatch, tmp_path / "places")
    results.buttons["positions"].click()
    rows = list(csv.DictReader((tmp_path / "places.csv").open(encoding="utf-8", newline="")))
    assert [row["model"] for row in rows] == ["masked", "generator"]
    assert (rows[0]["economic_at"], rows[0]["economic_low"], rows[0]["unclear"]) == ("-3", "-4", "1")
    assert (rows[0]["sides_prompts"], rows[0]["kappa_wordings"]) == ("", "0.61")
    assert rows[1]["social_over_seeds"] == "0.2"
    saving_to(monkeypatch, tmp_path / "answers.csv")
    results.buttons["answers"].click()
    rows = list(csv.DictReader((tmp_path / "answers.csv").open(encoding="utf-8", newline="")))
    assert len(rows) == 12
    assert (rows[-1]["number"], rows[-1]["answer"], rows[-1]["clear_responses"]) == ("6", "unclear", "0")
    results.arrow_start.setCurrentIndex(1)
    for ending in ("png", "svg"):
        results.buttons["picture"].click()
        dialog = compass_driver.dialog.findChild(ChartExportDialog)
        assert dialog is not None
        dialog._format_choice.setCurrentIndex(dialog._format_choice.findData(ending.upper()))
        picture = tmp_path / f"chart.{ending}"
        saving_to(monkeypatch, picture)
        dialog.save()
        compass_driver.until(lambda: compass_driver.dialog.findChild(ChartExportDialog) is None)
        assert picture.stat().st_size > 1000
    text = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "libertarian left" in text
    assert "1 of 6 answers is unclear" in text
    assert "Röttger et al. 2024" in text


def test_the_page_is_accessible_by_keyboard_and_screen_reader(compass_driver: CompassDriver) -> None:
    compass_driver.wait_until_ready()
    compass_driver.fill()
    assert not nameless(compass_driver.dialog)
    compass_driver.page.form.models.path_field.setFocus()
    assert not unreached(compass_driver.dialog, by_tab(compass_driver.dialog))
    _done(compass_driver)
    assert not nameless(compass_driver.dialog)
    compass_driver.page.run_choice.setFocus()
    assert not unreached(compass_driver.dialog, by_tab(compass_driver.dialog))


def test_damaged_metrics_are_reported(compass_driver: CompassDriver) -> None:
    _done(compass_driver)
    page = compass_driver.page
    run = page.view.run
    assert run is not None
    (run.folder / COMPASS_FILE).write_text("{", encoding="utf-8")
    compass_driver.close()
    compass_driver.open()
    page = compass_driver.page
    compass_driver.until(lambda: page.run_choice.count() == 2)
    page.run_choice.setCurrentIndex(1)
    compass_driver.until(lambda: "damaged" in page.view.placeholder_text)


def test_without_a_trainer_earlier_runs_open(
    compass_driver: CompassDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    _done(compass_driver)
    run = compass_driver.page.view.run
    assert run is not None
    compass_driver.close()
    monkeypatch.setattr(training_env, "find_training_python", lambda: None)
    compass_driver.open()
    page = compass_driver.page
    compass_driver.until(lambda: page.run_choice.count() == 2)
    assert page.page is page.trainer_missing
    page.run_choice.setCurrentIndex(page.run_choice.findData(run.id))
    compass_driver.until(lambda: page.view.results.isVisible())


def test_a_compass_run_appears_only_on_its_page(
    compass_driver: CompassDriver,
) -> None:
    compass_driver.start("wait")
    run = compass_driver.wait_until_held()
    compass_driver.page.view.progress.buttons["pause"].click()
    compass_driver.wait_until_ended()
    dialog = compass_driver.dialog
    dialog.tabs.setCurrentWidget(dialog.page)
    compass_driver.until(lambda: dialog.page.form.start.isEnabled())
    assert dialog.page.run_choice.count() == 1
    room = TrainingPage(compass_driver.window.components.services)
    compass_driver.qtbot.addWidget(room)
    room.show()
    section = room.show_section("retrain")
    assert isinstance(section, TrainingSection)
    compass_driver.environment.setenv("FAKE_CHILD", "finish")
    section.resume(run.id)
    compass_driver.until(lambda: [one.status for one in compass_driver.runs()] == [Status.FINISHED])
    assert dialog.tabs.currentWidget() is dialog.compass
    room.close()
