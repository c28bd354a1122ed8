"""The bias page starts, follows, pauses and resumes an audit, shows its results and opens earlier ones."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from audit_drivers import BiasAuditDriver
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


def test_a_finished_audit_shows_all_results(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    run = bias_driver.wait_until_ended()
    view = bias_driver.page.view
    assert run.status is Status.FINISHED
    assert view.progress.status_text == "Finished."
    bias_driver.until(lambda: view.results.audit is not None and view.results.audit.is_complete)
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
    assert "hardly distinguishes the two sides" in results.notes
    assert "perplexity 2.00 times" in results.notes
    assert "(4.00 times as long)" in results.notes
    assert "smoke test" not in results.notes
    results.attribute.setCurrentIndex(2)
    assert len(results.table.texts()) == 5 * 8
    assert results.charts["direct"].count() == 8


def test_the_child_receives_the_form_values_and_the_form_keeps_them(bias_driver: BiasAuditDriver) -> None:
    bias_driver.wait_until_ready()
    form = bias_driver.page.form
    form.attributes["topic"].setChecked(False)
    form.modes["emb"].setChecked(False)
    form.scale.setCurrentIndex(form.scale.findData("smoke"))
    form.device.setCurrentIndex(form.device.findData("cuda:0"))
    form.seed.setText("7")
    bias_driver.start("finish")
    run = bias_driver.wait_until_ended()
    assert (run.recipe, run.base, run.device, run.scale, run.seed) == (
        "audit",
        "some/generator",
        "cuda:0",
        "smoke",
        7,
    )
    bias_driver.until(lambda: bias_driver.page.view.results.audit is not None)
    audit = bias_driver.page.view.results.audit
    assert audit is not None
    assert list(audit.options) == ["gender", "location"]
    assert audit.systems == ("vanilla", "cls", "emb-token", "token")
    assert bias_driver.window.settings.value("generators") == ("some/generator",)
    assert "This was a smoke test" in bias_driver.page.view.results.notes


def test_texts_are_side_by_side_and_selectable(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    samples = bias_driver.page.view.results.samples
    bias_driver.until(lambda: samples.option.count() == 2)
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
def test_texts_are_stacked_in_a_narrow_window(bias_driver: BiasAuditDriver, width: int, beside: bool) -> None:
    """Five texts in a row must not make the window wider than the person has it."""
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    samples = bias_driver.page.view.results.samples
    bias_driver.until(lambda: samples.option.count() == 2)
    bias_driver.dialog.resize(width, 800)
    bias_driver.until(lambda: bias_driver.dialog.width() == width and samples.width() < width)
    bias_driver.until(lambda: (len({card.y() for card in _cards(samples)}) == 1) == beside)
    assert all(card.width() <= samples.width() for card in _cards(samples))


def test_a_bar_opens_the_texts_of_its_option_by_keyboard(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    results = bias_driver.page.view.results
    bias_driver.until(lambda: results.samples.option.count() == 2)
    chart = results.charts["direct"]
    chart.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Return):
        QTest.keyClick(chart, key)
    assert chart.accessibleDescription().startswith("female:")
    assert results.samples.option.currentData() == "female"
    assert results.samples.shown()["vanilla"][0] == "written vanilla: female-one, indirect, 0"


def test_keyboard_navigation_scrolls_the_option_into_view(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    results = bias_driver.page.view.results
    bias_driver.until(lambda: results.attribute.count() == 3)
    bias_driver.dialog.resize(700, 420)
    results.attribute.setCurrentIndex(2)
    chart = results.charts["direct"]
    chart.setFocus()
    for key in (Qt.Key.Key_End, Qt.Key.Key_Home):
        QTest.keyClick(chart, key)
        assert chart.current is not None
        box = chart.item_rect(chart.current, chart.width()).toRect()
        assert chart.visibleRegion().contains(box.center())


def test_a_paused_audit_shows_partial_results_and_resumes(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("wait")
    run = bias_driver.wait_until_held()
    view = bias_driver.page.view
    assert view.progress.left.startswith("12 of 120 texts, about 54 minutes")
    assert "1 of 15 parts" in view.results.notes
    view.progress.buttons["pause"].click()
    assert bias_driver.wait_until_ended().status is Status.PAUSED
    assert not view.progress.bar.isVisible()
    bias_driver.environment.setenv("FAKE_CHILD", "finish")
    view.progress.buttons["resume"].click()
    bias_driver.until(lambda: view.is_running)
    assert bias_driver.wait_until_ended().id == run.id
    bias_driver.until(lambda: view.results.audit is not None and view.results.audit.is_complete)
    assert [one.status for one in bias_driver.runs()] == [Status.FINISHED]


def test_cancelling_an_audit_needs_confirmation(
    bias_driver: BiasAuditDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    bias_driver.start("wait")
    run = bias_driver.wait_until_held()
    view = bias_driver.page.view
    request = answer(monkeypatch, QMessageBox.StandardButton.No)
    view.progress.buttons["cancel"].click()
    assert request == ["Cancel the audit"]
    assert view.is_running
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    view.progress.buttons["cancel"].click()
    assert bias_driver.wait_until_ended().status is Status.CANCELLED
    assert (run.folder / AUDIT_FILE).is_file()
    assert not view.progress.buttons["resume"].isVisible()
    assert view.results.isVisible()


def test_an_audit_continues_when_the_window_is_closed(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("wait")
    run = bias_driver.wait_until_held()
    bias_driver.close()
    assert is_alive(run)
    bias_driver.open()
    bias_driver.until(lambda: bias_driver.page.page is bias_driver.page.view)
    assert bias_driver.wait_until_held().id == run.id
    (run.folder / "go").touch()
    assert bias_driver.wait_until_ended().status is Status.FINISHED


def test_earlier_audits_open_while_another_runs(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    first = bias_driver.wait_until_ended()
    page = bias_driver.page
    page.run_choice.setCurrentIndex(0)
    bias_driver.start("wait")
    second = bias_driver.wait_until_held()
    bias_driver.until(lambda: page.run_choice.count() == 3)
    page.run_choice.setCurrentIndex(page.run_choice.findData(first.id))
    bias_driver.until(lambda: page.view.results.audit is not None and page.view.results.audit.is_complete)
    assert page.view.progress.status_text == "Finished."
    page.run_choice.setCurrentIndex(page.run_choice.findData(second.id))
    assert page.view.is_running
    assert bias_driver.wait_until_held().id == second.id
    page.run_choice.setCurrentIndex(0)
    assert page.page is page.form
    assert not page.form.start.isEnabled()
    (second.folder / "go").touch()
    bias_driver.until(page.form.start.isEnabled)
    assert page.page is page.form


@pytest.mark.parametrize("how", ["fail", "refuse"])
def test_the_error_message_of_the_child_is_shown(bias_driver: BiasAuditDriver, how: str) -> None:
    bias_driver.start(how)
    run = bias_driver.wait_until_ended()
    view = bias_driver.page.view
    assert run.status is Status.FAILED
    if how == "fail":
        assert "Choose a smaller generator." in view.progress.status_text
        assert view.progress.buttons["resume"].isVisible()
        bias_driver.until(lambda: view.results.isVisible())
    else:
        assert view.progress.status_text == "The run could not be started: Another training is going on."
        assert not (runs_folder() / run.id).exists()
        bias_driver.until(lambda: view.placeholder_text == "There are no results.")
        bias_driver.until(bias_driver.page.form.start.isEnabled)
        assert bias_driver.page.page is view
        bias_driver.page.run_choice.setCurrentIndex(0)
        bias_driver.until(lambda: bias_driver.page.run_choice.count() == 1)


def test_the_form_reports_missing_input_before_the_start(bias_driver: BiasAuditDriver) -> None:
    bias_driver.wait_until_ready()
    form = bias_driver.page.form

    def said(what: str) -> None:
        form.start.click()
        assert what in form.answer_text
        assert bias_driver.page.page is form

    form.base.combo.setEditText("")
    said("The generator is missing")
    bias_driver.fill()
    for box in form.attributes.values():
        box.setChecked(False)
    said("Choose at least one")
    form.attributes["gender"].setChecked(True)
    form.data.combo.setEditText("")
    said("The folder with the corpora is missing")
    form.data.combo.setEditText(str(bias_driver.corpora / "nowhere"))
    said("is not a folder")
    assert not bias_driver.runs()


def test_a_trained_generator_is_offered(bias_driver: BiasAuditDriver, tmp_path: Path) -> None:
    bias_driver.wait_until_ready()
    form = bias_driver.page.form
    assert not form.trained_field.isVisible()
    assert bias_driver.window.components.store_access.store is not None
    made = a_run(0, base="some/base")
    RunStore(bias_driver.window.components.store_access.store).begin(made)
    RunStore(bias_driver.window.components.store_access.store).finish(made.id, Status.FINISHED)
    (made.folder / "config.json").write_text('{"architectures": ["GPT2LMHeadModel"]}')
    (made.folder / "model.safetensors").write_bytes(b"x")
    bias_driver.page.refresh()
    bias_driver.until(form.trained_field.isVisible)
    form.trained_choice.setCurrentIndex(1)
    form.trained_choice.activated.emit(1)
    assert form.request().base == str(made.folder)


def test_an_estimate_is_shown(bias_driver: BiasAuditDriver) -> None:
    bias_driver.wait_until_ready()
    bias_driver.fill()
    bias_driver.page.form.estimate.click()
    bias_driver.until(lambda: "about 2 hours" in bias_driver.page.form.answer_text)


def test_known_biases_and_limitations_are_explained(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    bias_driver.until(lambda: bias_driver.page.view.results.isVisible())
    told = {
        label.accessibleName()
        for label in bias_driver.dialog.findChildren(type(bias_driver.page.view._placeholder))
    }
    assert {CAUTION, *BIAS_MEANINGS.values()} <= told
    assert any(
        all(f"{KINDS[kind]}: {meaning}" in text for kind, meaning in BIAS_MEANINGS.items()) for text in told
    )


def test_table_and_chart_are_saved(
    bias_driver: BiasAuditDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    results = bias_driver.page.view.results
    bias_driver.until(lambda: results.audit is not None and results.audit.is_complete)
    target = tmp_path / "figures"
    saving_to(monkeypatch, target)
    results.buttons["table"].click()
    rows = list(csv.DictReader((tmp_path / "figures.csv").open(encoding="utf-8", newline="")))
    assert len(rows) == 5 * (3 + 5 + 8)
    male = next(row for row in rows if (row["option"], row["system"]) == ("male", "emb"))
    assert (male["indirect_value"], male["indirect_gone"], male["perplexity_ratio"]) == ("0.1", "0.5", "2")
    assert "figures.csv was written." in bias_driver.dialog.bar.text
    for ending in ("png", "svg"):
        results.buttons["picture"].click()
        dialog = bias_driver.dialog.findChild(ChartExportDialog)
        assert dialog is not None
        dialog.choose("direct-topic")
        dialog._format_choice.setCurrentIndex(dialog._format_choice.findData(ending.upper()))
        picture = tmp_path / f"bars.{ending}"
        saving_to(monkeypatch, picture)
        dialog.save()
        bias_driver.until(lambda: bias_driver.dialog.findChild(ChartExportDialog) is None)
        assert picture.stat().st_size > 1000
    text = (tmp_path / "bars.svg").read_text(encoding="utf-8")
    assert "immigration" in text
    assert "Political topic, generator" in text
    saving_to(monkeypatch, tmp_path / "nowhere" / "figures.csv")
    results.buttons["table"].click()
    assert "figures.csv" in bias_driver.dialog.bar.text
    assert "figures.csv was written." not in bias_driver.dialog.bar.text


def test_an_earlier_audit_is_accessible_by_keyboard_and_screen_reader(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    bias_driver.wait_until_ended()
    view = bias_driver.page.view
    bias_driver.until(lambda: view.results.samples.option.count() == 2)
    assert not nameless(bias_driver.dialog)
    bias_driver.page.run_choice.setFocus()
    assert not unreached(bias_driver.dialog, by_tab(bias_driver.dialog))


def test_damaged_metrics_are_reported_and_the_others_stay(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("finish")
    run = bias_driver.wait_until_ended()
    (run.folder / AUDIT_FILE).write_text("{", encoding="utf-8")
    bias_driver.page.run_choice.setCurrentIndex(0)
    bias_driver.page.run_choice.setCurrentIndex(bias_driver.page.run_choice.findData(run.id))
    bias_driver.close()
    bias_driver.open()
    bias_driver.until(lambda: bias_driver.page.run_choice.count() == 2)
    bias_driver.page.run_choice.setCurrentIndex(1)
    bias_driver.until(lambda: "damaged" in bias_driver.page.view.placeholder_text)


def test_without_a_trainer_earlier_audits_still_open(
    bias_driver: BiasAuditDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    bias_driver.start("finish")
    run = bias_driver.wait_until_ended()
    bias_driver.close()
    monkeypatch.setattr(training_env, "find_training_python", lambda: None)
    bias_driver.open()
    page = bias_driver.page
    bias_driver.until(lambda: page.run_choice.count() == 2)
    assert page.page is page.trainer_missing
    assert page.trainer_missing.set_up.text() == "Set up training…"
    page.run_choice.setCurrentIndex(page.run_choice.findData(run.id))
    bias_driver.until(lambda: page.view.results.isVisible())


def test_training_waits_for_an_audit_and_returns_a_paused_one(bias_driver: BiasAuditDriver) -> None:
    bias_driver.start("wait")
    run = bias_driver.wait_until_held()
    room = TrainingPage(bias_driver.window.components.services)
    bias_driver.qtbot.addWidget(room)
    room.show()
    section = room.show_section("retrain")
    assert isinstance(section, TrainingSection)
    bias_driver.until(lambda: "An audit is in progress" in section.form.blocked_reason)
    assert section.page is section.form
    bias_driver.page.view.progress.buttons["pause"].click()
    bias_driver.wait_until_ended()
    section.refresh()
    bias_driver.until(lambda: not section.form.blocked_reason)
    bias_driver.environment.setenv("FAKE_CHILD", "finish")
    section.resume(run.id)
    bias_driver.until(lambda: [one.status for one in bias_driver.runs()] == [Status.FINISHED])
    assert bias_driver.page.page is bias_driver.page.view
    room.close()


def _cards(samples: SamplesView) -> list[QWidget]:
    return [edit.parentWidget() for edit in samples.findChildren(QPlainTextEdit) if edit.isVisible()]
