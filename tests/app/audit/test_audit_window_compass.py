"""Page two of the audit window starts, follows, stops and goes on with the compass, and shows where models stand."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from auditing import Compassing
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


def _done(compassing: Compassing, how: str = "finish", *models: str) -> None:
    """A run to its end, with all of it in view."""
    compassing.start(how, *models)
    compassing.ended()
    view = compassing.page.view
    compassing.until(
        lambda: view.results.compass is not None and "Not complete yet" not in view.results.notes
    )


def test_a_run_is_followed_to_its_end_and_all_of_it_shown(compassing: Compassing) -> None:
    _done(compassing)
    view = compassing.page.view
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


def test_the_child_is_told_what_the_form_says_and_the_form_remembers(compassing: Compassing) -> None:
    compassing.ready()
    form = compassing.page.form
    form.scale.setCurrentIndex(form.scale.findData("full"))
    form.stance.setCurrentIndex(form.stance.findData("nli"))
    assert form.detector_field.isVisible()
    form.seed.setText("7")
    _done(compassing)
    run = compassing.page.view.run
    assert run is not None
    assert (run.recipe, run.base, run.scale, run.seed) == ("compass", "masked, generator", "full", 7)
    found = compassing.page.view.results.compass
    assert found is not None
    assert found.stance == "facebook/bart-large-mnli"
    kept = compassing.window.settings.value("compass_models")
    assert kept == ("some/masked", "some/generator")


def test_answers_are_narrowed_to_where_models_differ_or_say_nothing(compassing: Compassing) -> None:
    _done(compassing, "finish", *FIVE)
    results = compassing.page.view.results
    assert len(results.answers.texts()) == 6
    results.statement_filter.setCurrentIndex(results.statement_filter.findData("unclear"))
    assert [row[0][:2] for row in results.answers.texts()] == ["2.", "3.", "4.", "5.", "6."]
    results.statement_filter.setCurrentIndex(results.statement_filter.findData("apart"))
    assert results.answers.texts() == []


def test_an_arrow_goes_from_the_model_before_to_those_after(compassing: Compassing) -> None:
    _done(compassing, "finish", *FIVE)
    results = compassing.page.view.results
    assert results.arrows == []
    results.arrow_start.setCurrentIndex(results.arrow_start.findData("beta"))
    assert results.arrows == [(1, 0), (1, 2), (1, 3), (1, 4)]
    results.arrow_end.setCurrentIndex(results.arrow_end.findData("gamma"))
    assert results.arrows == [(1, 2)]
    results.arrow_end.setCurrentIndex(results.arrow_end.findData("beta"))
    assert results.arrows == []


def test_a_mark_leads_to_the_answers_of_its_model_by_keyboard(compassing: Compassing) -> None:
    _done(compassing)
    results = compassing.page.view.results
    results.chart.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return):
        QTest.keyClick(results.chart, key)
    assert results.chart.accessibleDescription().startswith("generator:")
    assert results.answers.hasFocus()
    assert results.answers.currentColumn() == 2


def test_a_paused_run_shows_what_it_has_and_goes_on(compassing: Compassing) -> None:
    compassing.start("wait")
    run = compassing.held()
    view = compassing.page.view
    assert view.progress.left.startswith("72 of 96 answers, about 12 minutes")
    assert "Not complete yet: generator." in view.results.notes
    view.progress.buttons["pause"].click()
    assert compassing.ended().status is Status.PAUSED
    compassing.environment.setenv("FAKE_CHILD", "finish")
    view.progress.buttons["resume"].click()
    compassing.until(lambda: view.is_running)
    assert compassing.ended().id == run.id
    compassing.until(lambda: not view.results.notes)
    assert [one.status for one in compassing.runs()] == [Status.FINISHED]


def test_a_run_outlives_the_window_which_opens_on_its_page(compassing: Compassing) -> None:
    compassing.start("wait")
    run = compassing.held()
    compassing.close()
    assert is_alive(run)
    compassing.window.ui.actions["audit"].trigger()
    dialog = compassing.dialog
    compassing.until(lambda: dialog.tabs.currentWidget() is dialog.compass)
    assert compassing.held().id == run.id
    (run.folder / "go").touch()
    assert compassing.ended().status is Status.FINISHED


def test_one_model_that_cannot_answer_is_told_beside_the_others(compassing: Compassing) -> None:
    _done(compassing, "partial", *FIVE[:3])
    results = compassing.page.view.results
    compassing.until(lambda: results.chart.count() == 2)
    assert "beta could not answer: The tokenizer splits" in results.notes
    assert [row[0] for row in results.positions.texts()[::2]] == ["alpha", "gamma"]


def test_a_model_of_which_no_answer_is_clear_is_said_to_say_nothing(compassing: Compassing) -> None:
    _done(compassing, "mute")
    results = compassing.page.view.results
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


def test_long_names_are_told_apart_by_their_ends(compassing: Compassing) -> None:
    long = "a-model-with-a-name-that-is-rather-long-by-itself"
    _done(compassing, "finish", *(f"org/{long}-news-{side}" for side in ("left", "right")))
    head = compassing.page.view.results.answers.horizontalHeader()
    assert head.textElideMode() is Qt.TextElideMode.ElideMiddle
    said = compassing.page.view.results.answers.horizontalHeaderItem(2)
    assert said.toolTip() == f"{long}-news-right"


@pytest.mark.parametrize("how", ["fail", "refuse"])
def test_what_went_wrong_is_told_as_the_child_said_it(compassing: Compassing, how: str) -> None:
    compassing.start(how)
    run = compassing.ended()
    view = compassing.page.view
    assert run.status is Status.FAILED
    if how == "fail":
        assert "The disk is full." in view.progress.status_text
        compassing.until(lambda: view.results.chart.count() == 2)
    else:
        assert view.progress.status_text == "It could not be started: Another training is going on."
        assert not (runs_folder() / run.id).exists()


def test_the_form_says_what_is_missing_before_anything_is_started(
    compassing: Compassing, tmp_path: Path
) -> None:
    compassing.ready()
    form = compassing.page.form

    def said(what: str) -> None:
        form.start.click()
        assert what in form.answer_text
        assert compassing.page.page is form

    said("No model is chosen")
    for place in ("one", "two"):
        (tmp_path / place / "tiny").mkdir(parents=True)
    compassing.fill(str(tmp_path / "one" / "tiny"), str(tmp_path / "two" / "tiny"))
    said("Two models are called tiny")
    form.models.buttons["remove"].click()
    assert form.models.selected == (str(tmp_path / "one" / "tiny"),)
    form.stance.setCurrentIndex(form.stance.findData("nli"))
    form.detector.combo.setEditText("")
    said("The inference model is missing")
    form.stance.setCurrentIndex(0)
    form.data.combo.setEditText("")
    said("The folder with the corpora is missing")
    assert not compassing.runs()


def test_models_are_listed_once_and_what_stands_in_the_line_counts(compassing: Compassing) -> None:
    compassing.ready()
    models = compassing.page.form.models
    compassing.fill("some/one", "some/one")
    models.path_field.combo.setEditText("some/two")
    assert models.selected == ("some/one", "some/two")
    models.list.setFocus()
    QTest.keyClick(models.list, Qt.Key.Key_Delete)
    assert models.selected == ("some/two",)
    assert not models.list.isVisible()


def test_a_generator_that_a_run_made_is_offered(compassing: Compassing) -> None:
    compassing.ready()
    form = compassing.page.form
    assert not form.trained_field.isVisible()
    assert compassing.window.components.store_access.store is not None
    made = a_run(0, base="some/base")
    RunStore(compassing.window.components.store_access.store).begin(made)
    RunStore(compassing.window.components.store_access.store).finish(made.id, Status.FINISHED)
    (made.folder / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"]}')
    (made.folder / "model.safetensors").write_bytes(b"x")
    compassing.page.refresh()
    compassing.until(form.trained_field.isVisible)
    form.trained_choice.setCurrentIndex(1)
    form.trained_choice.activated.emit(1)
    assert form.request().models == (str(made.folder),)


def test_an_estimate_is_given_in_words(compassing: Compassing) -> None:
    compassing.ready()
    compassing.fill()
    compassing.page.form.estimate.click()
    compassing.until(lambda: "about 2 hours" in compassing.page.form.answer_text)


def test_an_estimate_tells_what_keeps_a_model_from_answering(compassing: Compassing) -> None:
    compassing.environment.setenv("FAKE_CHILD", "partial")
    compassing.ready()
    compassing.fill()
    compassing.page.form.estimate.click()
    compassing.until(lambda: "about 2 hours" in compassing.page.form.answer_text)
    assert "of disk space.\nThe tokenizer splits every negative word" in compassing.page.form.answer_text


def test_how_to_read_it_and_what_it_cannot_tell_stands_there(compassing: Compassing) -> None:
    _done(compassing)
    told = {label.accessibleName() for label in compassing.page.findChildren(WrapLabel) if label.isVisible()}
    assert {CAUTION, READING} <= told


def test_tables_and_picture_are_saved(
    compassing: Compassing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _done(compassing)
    results = compassing.page.view.results
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
        dialog = compassing.dialog.findChild(ChartExportDialog)
        assert dialog is not None
        dialog._format_choice.setCurrentIndex(dialog._format_choice.findData(ending.upper()))
        picture = tmp_path / f"chart.{ending}"
        saving_to(monkeypatch, picture)
        dialog.save()
        compassing.until(lambda: compassing.dialog.findChild(ChartExportDialog) is None)
        assert picture.stat().st_size > 1000
    text = (tmp_path / "chart.svg").read_text(encoding="utf-8")
    assert "libertarian left" in text
    assert "1 of 6 answers is unclear" in text
    assert "Röttger et al. 2024" in text


def test_all_of_it_speaks_and_is_reached_by_keyboard(compassing: Compassing) -> None:
    compassing.ready()
    compassing.fill()
    assert not nameless(compassing.dialog)
    compassing.page.form.models.path_field.setFocus()
    assert not unreached(compassing.dialog, by_tab(compassing.dialog))
    _done(compassing)
    assert not nameless(compassing.dialog)
    compassing.page.run_choice.setFocus()
    assert not unreached(compassing.dialog, by_tab(compassing.dialog))


def test_damaged_figures_are_told(compassing: Compassing) -> None:
    _done(compassing)
    page = compassing.page
    run = page.view.run
    assert run is not None
    (run.folder / COMPASS_FILE).write_text("{", encoding="utf-8")
    compassing.close()
    compassing.open()
    page = compassing.page
    compassing.until(lambda: page.run_choice.count() == 2)
    page.run_choice.setCurrentIndex(1)
    compassing.until(lambda: "damaged" in page.view.placeholder_text)


def test_without_a_trainer_earlier_runs_open(compassing: Compassing, monkeypatch: pytest.MonkeyPatch) -> None:
    _done(compassing)
    run = compassing.page.view.run
    assert run is not None
    compassing.close()
    monkeypatch.setattr(training_env, "find_training_python", lambda: None)
    compassing.open()
    page = compassing.page
    compassing.until(lambda: page.run_choice.count() == 2)
    assert page.page is page.trainer_missing
    page.run_choice.setCurrentIndex(page.run_choice.findData(run.id))
    compassing.until(lambda: page.view.results.isVisible())


def test_a_run_of_the_compass_stays_off_the_other_page_and_the_retraining_hands_it_back(
    compassing: Compassing,
) -> None:
    compassing.start("wait")
    run = compassing.held()
    compassing.page.view.progress.buttons["pause"].click()
    compassing.ended()
    dialog = compassing.dialog
    dialog.tabs.setCurrentWidget(dialog.page)
    compassing.until(lambda: dialog.page.form.start.isEnabled())
    assert dialog.page.run_choice.count() == 1
    room = TrainingPage(compassing.window.components.services)
    compassing.qtbot.addWidget(room)
    room.show()
    section = room.show_section("retrain")
    assert isinstance(section, TrainingSection)
    compassing.environment.setenv("FAKE_CHILD", "finish")
    section.resume(run.id)
    compassing.until(lambda: [one.status for one in compassing.runs()] == [Status.FINISHED])
    assert dialog.tabs.currentWidget() is dialog.compass
    room.close()
