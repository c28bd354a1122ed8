"""The audit window starts, follows, stops and goes on with an audit, shows what it found, and opens earlier ones."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from auditing import Auditing
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox, QPlainTextEdit, QWidget
from test_window_accessible_names import by_tab, nameless, unreached
from windows import answer, saving_to

from app.audit.audit_strings import BIAS_MEANINGS, CAUTION, KINDS
from app.audit.bias_results import SamplesView
from app.export.chart_export import ChartExportDialog
from app.training.training_page import TrainingPage
from app.training.training_section import TrainingSection
from core import training_env
from core.runs.folder import is_alive, runs_folder
from core.runs.generator_audit import AUDIT_FILE
from core.runs.run_store import RunStore
from core.runs.types import Status
from tests.core.runs.made_runs import a_run


def test_an_audit_is_followed_to_its_end_and_all_of_it_shown(auditing: Auditing) -> None:
    auditing.start("finish")
    run = auditing.ended()
    view = auditing.page.view
    assert run.status is Status.FINISHED
    assert view.progress.status_text == "Finished."
    auditing.until(lambda: view.results.audit is not None and view.results.audit.whole)
    results = view.results
    assert [results.attribute.itemData(at) for at in range(3)] == ["gender", "location", "topic"]
    assert results.charts["indirect"].describe(1) == (
        "male: unchanged 0.200 (chance: below 0.050); mode 1, bias words 0.100 (chance: below 0.050); "
        "mode 2, classifier 0.050 (chance: below 0.050); "
        "token reweighting, words 0.080 (chance: below 0.050); "
        "token reweighting, classifier 0.040 (chance: below 0.050)."
    )
    row = next(row for row in results.table.texts() if row[:2] == ["male", "mode 1, bias words"])
    assert row[2:10] == ["0.100", "0.050", "0.090", "-50%", "0.050", "0.050", "0.040", "-50%"]
    assert "hardly distinguishes the sides" in results.notes
    assert "perplexity 2.00 times" in results.notes
    assert "(4.00 times as long)" in results.notes
    assert "smoke test" not in results.notes
    results.attribute.setCurrentIndex(2)
    assert len(results.table.texts()) == 5 * 8
    assert results.charts["direct"].count() == 8


def test_the_child_is_told_what_the_form_says_and_the_form_remembers(auditing: Auditing) -> None:
    auditing.ready()
    form = auditing.page.form
    form.attributes["topic"].setChecked(False)
    form.modes["emb"].setChecked(False)
    form.scale.setCurrentIndex(form.scale.findData("smoke"))
    form.device.setCurrentIndex(form.device.findData("cuda:0"))
    form.seed.setText("7")
    auditing.start("finish")
    run = auditing.ended()
    assert (run.recipe, run.base, run.device, run.scale, run.seed) == (
        "audit",
        "some/generator",
        "cuda:0",
        "smoke",
        7,
    )
    auditing.until(lambda: auditing.page.view.results.audit is not None)
    audit = auditing.page.view.results.audit
    assert audit is not None
    assert list(audit.options) == ["gender", "location"]
    assert audit.systems == ("vanilla", "cls", "emb-token", "token")
    assert auditing.window.settings.value("generators") == ("some/generator",)
    assert "This was a smoke test" in auditing.page.view.results.notes


def test_texts_stand_side_by_side_and_are_chosen(auditing: Auditing) -> None:
    auditing.start("finish")
    auditing.ended()
    samples = auditing.page.view.results.samples
    auditing.until(lambda: samples.option.count() == 2)
    assert samples.shown() == {
        "vanilla": ("written vanilla: male-one, indirect, 0", "Classifier: 40% liberal, 60% conservative"),
        "emb": (
            "written word embedding (mode 1): male-one, indirect, 0",
            "Classifier: 20% liberal, 80% conservative",
        ),
        "cls": (
            "written classifier (mode 2): male-one, indirect, 0",
            "Classifier: 10% liberal, 90% conservative",
        ),
        "emb-token": (
            "written token reweighting by words (ours): male-one, indirect, 0",
            "Classifier: 16% liberal, 84% conservative",
        ),
        "token": (
            "written token reweighting by a classifier (ours): male-one, indirect, 0",
            "Classifier: 8% liberal, 92% conservative",
        ),
    }
    samples.keyword.setCurrentIndex(1)
    samples.prompt.setCurrentIndex(1)
    samples.number.setCurrentIndex(1)
    assert samples.shown()["cls"][0] == "written classifier (mode 2): male-two, liberal, 1"
    assert "male-two is a democrat." in samples.prompt_label
    samples.keyword.setCurrentIndex(0)
    assert samples.shown()["cls"][0] == "written classifier (mode 2): male-one, liberal, 1"


@pytest.mark.parametrize(("width", "beside"), [(1000, True), (640, False)])
def test_texts_stand_below_each_other_where_there_is_little_width(
    auditing: Auditing, width: int, beside: bool
) -> None:
    """Five texts in a row must not make the window wider than the person has it."""
    auditing.start("finish")
    auditing.ended()
    samples = auditing.page.view.results.samples
    auditing.until(lambda: samples.option.count() == 2)
    auditing.dialog.resize(width, 800)
    auditing.until(lambda: auditing.dialog.width() == width and samples.width() < width)
    auditing.until(lambda: (len({card.y() for card in _cards(samples)}) == 1) == beside)
    assert all(card.width() <= samples.width() for card in _cards(samples))


def test_a_bar_leads_to_the_texts_of_its_option_by_keyboard(auditing: Auditing) -> None:
    auditing.start("finish")
    auditing.ended()
    results = auditing.page.view.results
    auditing.until(lambda: results.samples.option.count() == 2)
    chart = results.charts["direct"]
    chart.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return):
        QTest.keyClick(chart, key)
    assert chart.accessibleDescription().startswith("female:")
    assert results.samples.option.currentData() == "female"
    assert results.samples.shown()["vanilla"][0] == "written vanilla: female-one, indirect, 0"


def test_the_keyboard_keeps_its_option_in_view(auditing: Auditing) -> None:
    auditing.start("finish")
    auditing.ended()
    results = auditing.page.view.results
    auditing.until(lambda: results.attribute.count() == 3)
    auditing.dialog.resize(700, 420)
    results.attribute.setCurrentIndex(2)
    chart = results.charts["direct"]
    chart.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(chart, key)
        assert chart.current is not None
        box = chart.item_rect(chart.current, chart.width()).toRect()
        assert chart.visibleRegion().contains(box.center())


def test_a_paused_audit_shows_what_it_has_and_goes_on(auditing: Auditing) -> None:
    auditing.start("wait")
    run = auditing.held()
    view = auditing.page.view
    assert view.progress.left.startswith("12 of 120 texts, about 54 minutes")
    assert "1 of 15 parts" in view.results.notes
    view.progress.buttons["pause"].click()
    assert auditing.ended().status is Status.PAUSED
    assert not view.progress.bar.isVisible()
    auditing.environment.setenv("FAKE_CHILD", "finish")
    view.progress.buttons["resume"].click()
    auditing.until(lambda: view.is_running)
    assert auditing.ended().id == run.id
    auditing.until(lambda: view.results.audit is not None and view.results.audit.whole)
    assert [one.status for one in auditing.runs()] == [Status.FINISHED]


def test_an_audit_is_cancelled_only_when_the_person_means_it(
    auditing: Auditing, monkeypatch: pytest.MonkeyPatch
) -> None:
    auditing.start("wait")
    run = auditing.held()
    view = auditing.page.view
    request = answer(monkeypatch, QMessageBox.StandardButton.No)
    view.progress.buttons["cancel"].click()
    assert request == ["Cancel the audit"]
    assert view.is_running
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    view.progress.buttons["cancel"].click()
    assert auditing.ended().status is Status.CANCELLED
    assert (run.folder / AUDIT_FILE).is_file()
    assert not view.progress.buttons["resume"].isVisible()
    assert view.results.isVisible()


def test_an_audit_outlives_the_window_and_is_found_again(auditing: Auditing) -> None:
    auditing.start("wait")
    run = auditing.held()
    auditing.close()
    assert is_alive(run)
    auditing.open()
    auditing.until(lambda: auditing.page.page is auditing.page.view)
    assert auditing.held().id == run.id
    (run.folder / "go").touch()
    assert auditing.ended().status is Status.FINISHED


def test_earlier_audits_are_opened_again_beside_one_that_goes_on(auditing: Auditing) -> None:
    auditing.start("finish")
    first = auditing.ended()
    page = auditing.page
    page.run_choice.setCurrentIndex(0)
    auditing.start("wait")
    second = auditing.held()
    auditing.until(lambda: page.run_choice.count() == 3)
    page.run_choice.setCurrentIndex(page.run_choice.findData(first.id))
    auditing.until(lambda: page.view.results.audit is not None and page.view.results.audit.whole)
    assert page.view.progress.status_text == "Finished."
    page.run_choice.setCurrentIndex(page.run_choice.findData(second.id))
    assert page.view.is_running
    assert auditing.held().id == second.id
    page.run_choice.setCurrentIndex(0)
    assert page.page is page.form
    assert not page.form.start.isEnabled()
    (second.folder / "go").touch()
    auditing.until(page.form.start.isEnabled)
    assert page.page is page.form


@pytest.mark.parametrize("how", ["fail", "refuse"])
def test_what_went_wrong_is_told_as_the_child_said_it(auditing: Auditing, how: str) -> None:
    auditing.start(how)
    run = auditing.ended()
    view = auditing.page.view
    assert run.status is Status.FAILED
    if how == "fail":
        assert "Choose a smaller generator." in view.progress.status_text
        assert view.progress.buttons["resume"].isVisible()
        auditing.until(lambda: view.results.isVisible())
    else:
        assert view.progress.status_text == "It could not be started: Another training is going on."
        assert not (runs_folder() / run.id).exists()
        auditing.until(lambda: view.placeholder_text == "There are no results.")
        auditing.until(auditing.page.form.start.isEnabled)
        assert auditing.page.page is view
        auditing.page.run_choice.setCurrentIndex(0)
        auditing.until(lambda: auditing.page.run_choice.count() == 1)


def test_the_form_says_what_is_missing_before_anything_is_started(auditing: Auditing) -> None:
    auditing.ready()
    form = auditing.page.form

    def said(what: str) -> None:
        form.start.click()
        assert what in form.answer_text
        assert auditing.page.page is form

    form.base.combo.setEditText("")
    said("The generator is missing")
    auditing.fill()
    for box in form.attributes.values():
        box.setChecked(False)
    said("Choose at least one")
    form.attributes["gender"].setChecked(True)
    form.data.combo.setEditText("")
    said("The folder with the corpora is missing")
    form.data.combo.setEditText(str(auditing.corpora / "nowhere"))
    said("is not a folder")
    assert not auditing.runs()


def test_a_generator_that_a_run_made_is_offered(auditing: Auditing, tmp_path: Path) -> None:
    auditing.ready()
    form = auditing.page.form
    assert not form.trained_field.isVisible()
    assert auditing.window.components.store_access.store is not None
    made = a_run(0, base="some/base")
    RunStore(auditing.window.components.store_access.store).begin(made)
    RunStore(auditing.window.components.store_access.store).finish(made.id, Status.FINISHED)
    (made.folder / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"]}')
    (made.folder / "model.safetensors").write_bytes(b"x")
    auditing.page.refresh()
    auditing.until(form.trained_field.isVisible)
    form.trained_choice.setCurrentIndex(1)
    form.trained_choice.activated.emit(1)
    assert form.request().base == str(made.folder)


def test_an_estimate_is_given_in_words(auditing: Auditing) -> None:
    auditing.ready()
    auditing.fill()
    auditing.page.form.estimate.click()
    auditing.until(lambda: "about 2 hours" in auditing.page.form.answer_text)


def test_what_the_biases_mean_and_what_an_audit_cannot_tell_stands_there(auditing: Auditing) -> None:
    auditing.start("finish")
    auditing.ended()
    auditing.until(lambda: auditing.page.view.results.isVisible())
    told = {
        label.accessibleName()
        for label in auditing.dialog.findChildren(type(auditing.page.view._placeholder))
    }
    assert {CAUTION, *BIAS_MEANINGS.values()} <= told
    assert any(
        all(f"{KINDS[kind]}: {meaning}" in text for kind, meaning in BIAS_MEANINGS.items()) for text in told
    )


def test_table_and_picture_are_saved(
    auditing: Auditing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    auditing.start("finish")
    auditing.ended()
    results = auditing.page.view.results
    auditing.until(lambda: results.audit is not None and results.audit.whole)
    target = tmp_path / "figures"
    saving_to(monkeypatch, target)
    results.buttons["table"].click()
    rows = list(csv.DictReader((tmp_path / "figures.csv").open(encoding="utf-8", newline="")))
    assert len(rows) == 5 * (3 + 5 + 8)
    male = next(row for row in rows if (row["option"], row["system"]) == ("male", "emb"))
    assert (male["indirect_value"], male["indirect_gone"], male["perplexity_ratio"]) == ("0.1", "0.5", "2")
    assert "figures.csv was written." in auditing.dialog.bar.text
    for ending in ("png", "svg"):
        results.buttons["picture"].click()
        dialog = auditing.dialog.findChild(ChartExportDialog)
        assert dialog is not None
        dialog.choose("direct-topic")
        dialog._format_choice.setCurrentIndex(dialog._format_choice.findData(ending.upper()))
        picture = tmp_path / f"bars.{ending}"
        saving_to(monkeypatch, picture)
        dialog.save()
        auditing.until(lambda: auditing.dialog.findChild(ChartExportDialog) is None)
        assert picture.stat().st_size > 1000
    text = (tmp_path / "bars.svg").read_text(encoding="utf-8")
    assert "immigration" in text
    assert "Political topic, generator" in text
    saving_to(monkeypatch, tmp_path / "nowhere" / "figures.csv")
    results.buttons["table"].click()
    assert "figures.csv" in auditing.dialog.bar.text
    assert "figures.csv was written." not in auditing.dialog.bar.text


def test_all_of_a_found_audit_speaks_and_is_reached_by_keyboard(auditing: Auditing) -> None:
    auditing.start("finish")
    auditing.ended()
    view = auditing.page.view
    auditing.until(lambda: view.results.samples.option.count() == 2)
    assert not nameless(auditing.dialog)
    auditing.page.run_choice.setFocus()
    assert not unreached(auditing.dialog, by_tab(auditing.dialog))


def test_damaged_figures_are_told_and_the_others_stay(auditing: Auditing) -> None:
    auditing.start("finish")
    run = auditing.ended()
    (run.folder / AUDIT_FILE).write_text("{", encoding="utf-8")
    auditing.page.run_choice.setCurrentIndex(0)
    auditing.page.run_choice.setCurrentIndex(auditing.page.run_choice.findData(run.id))
    auditing.close()
    auditing.open()
    auditing.until(lambda: auditing.page.run_choice.count() == 2)
    auditing.page.run_choice.setCurrentIndex(1)
    auditing.until(lambda: "damaged" in auditing.page.view.placeholder_text)


def test_without_a_trainer_the_way_to_one_is_shown_and_earlier_audits_open(
    auditing: Auditing, monkeypatch: pytest.MonkeyPatch
) -> None:
    auditing.start("finish")
    run = auditing.ended()
    auditing.close()
    monkeypatch.setattr(training_env, "find_training_python", lambda: None)
    auditing.open()
    page = auditing.page
    auditing.until(lambda: page.run_choice.count() == 2)
    assert page.page is page.trainer_missing
    assert page.trainer_missing.set_up.text() == "Set up training…"
    page.run_choice.setCurrentIndex(page.run_choice.findData(run.id))
    auditing.until(lambda: page.view.results.isVisible())


def test_retraining_waits_for_an_audit_and_hands_a_paused_one_back(auditing: Auditing) -> None:
    auditing.start("wait")
    run = auditing.held()
    room = TrainingPage(auditing.window.components.services)
    auditing.qtbot.addWidget(room)
    room.show()
    section = room.show_section("retrain")
    assert isinstance(section, TrainingSection)
    auditing.until(lambda: "An audit is in progress" in section.form.blocked_reason)
    assert section.page is section.form
    auditing.page.view.progress.buttons["pause"].click()
    auditing.ended()
    section.refresh()
    auditing.until(lambda: not section.form.blocked_reason)
    auditing.environment.setenv("FAKE_CHILD", "finish")
    section.resume(run.id)
    auditing.until(lambda: [one.status for one in auditing.runs()] == [Status.FINISHED])
    assert auditing.page.page is auditing.page.view
    room.close()


def _cards(samples: SamplesView) -> list[QWidget]:
    return [edit.parentWidget() for edit in samples.findChildren(QPlainTextEdit) if edit.isVisible()]
