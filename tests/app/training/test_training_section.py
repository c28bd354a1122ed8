"""The training section starts, follows, pauses, resumes and cancels a run, and reports how it ended."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from training_driver import TrainingDriver
from windows import Make, answer

from app.runs.run_process import TrainerQuery
from core import training_env
from core.runs.folder import is_alive, runs_folder
from core.runs.types import Status


def test_a_finished_run_offers_its_model(training: TrainingDriver, qtbot: QtBot) -> None:
    training.start("finish")
    view = training.section.view
    run = training.wait_until_ended()
    assert run.status is Status.FINISHED
    assert "Finished" in view.status_text
    assert "babe macro f1 0.8194" in view.results_text
    assert [series.name for series in view.loss.lines] == ["related"]
    assert view.loss.lines[0].ys[0] == pytest.approx(3.0)
    assert [series.xs for series in view.scores.lines] == [[10, 20, 30, 40]]
    assert "related tasks" in view.log.toPlainText()
    with qtbot.waitSignal(training.section.use_requested) as asked:
        view.buttons["use"].click()
    assert asked.args == [run.id]
    assert training.training_page.tabs.currentIndex() == 0


def test_the_child_receives_the_values_of_the_form(training: TrainingDriver, tmp_path: Path) -> None:
    training.wait_until_ready()
    form = training.section.form
    pairs = tmp_path / "pairs.tsv"
    pairs.touch()
    form.recipe.setCurrentIndex(form.recipe.findData("rewriter"))
    form.paths["pairs"].combo.setEditText(str(pairs))
    form.paths["base"].combo.setEditText("some/encoder")
    form.device.setCurrentIndex(form.device.findData("cuda:0"))
    form.scale.setCurrentIndex(form.scale.findData("smoke"))
    form.seed.setText("7")
    training.start("finish")
    run = training.wait_until_ended()
    assert (run.recipe, run.base, run.device, run.scale, run.seed) == (
        "rewriter",
        "some/encoder",
        "cuda:0",
        "smoke",
        7,
    )
    assert training.window.settings.value("pairs_files") == (str(pairs),)
    assert training.window.settings.value("base_models")[0] == "some/encoder"


def test_a_run_is_paused_and_resumed(training: TrainingDriver) -> None:
    training.start("wait")
    view = training.section.view
    run = training.wait_until_held()
    view.buttons["pause"].click()
    assert not view.buttons["pause"].isEnabled()
    assert training.wait_until_ended().status is Status.PAUSED
    assert "Paused" in view.status_text
    assert view.buttons["resume"].isVisible()
    training.release()
    view.buttons["resume"].click()
    training.wait_until_running()
    done = training.wait_until_ended()
    assert (done.id, done.status) == (run.id, Status.FINISHED)
    assert view.loss.lines[0].xs == list(range(1, 41))


def test_cancelling_a_run_needs_confirmation(
    training: TrainingDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    training.start("wait")
    view = training.section.view
    training.wait_until_held()
    answer(monkeypatch, QMessageBox.StandardButton.No)
    view.buttons["cancel"].click()
    assert view.is_running
    assert view.buttons["cancel"].isEnabled()
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    view.buttons["cancel"].click()
    assert training.wait_until_ended().status is Status.CANCELLED
    assert not view.buttons["resume"].isVisible()


def test_a_run_continues_when_the_settings_are_closed(training: TrainingDriver) -> None:
    """It writes to a file and is a session of its own: whoever opens the page follows it."""
    training.start("wait")
    run = training.wait_until_held()
    training.reopen()
    training.until(lambda: training.section.page is training.section.view)
    assert training.wait_until_held().id == run.id
    training.release()
    assert training.wait_until_ended().status is Status.FINISHED
    assert training.section.view.loss.lines[0].xs[-1] == 40


def test_a_run_continues_when_the_window_is_closed(
    training: TrainingDriver, make: Make, qtbot: QtBot
) -> None:
    training.start("wait")
    run = training.wait_until_held()
    training.window.close()
    again = TrainingDriver(make(), qtbot, training.environment)
    again.until(lambda: again.section.view.run is not None)
    assert again.wait_until_held().id == run.id
    again.section.view.buttons["pause"].click()
    assert again.wait_until_ended().status is Status.PAUSED


def test_results_after_closing_are_ignored(training: TrainingDriver, qtbot: QtBot) -> None:
    """A child that was asked for the devices then would run on without anybody."""
    section = training.section
    section.close()
    qtbot.waitUntil(lambda: not training.window.components.background.busy)
    assert not any(question.is_running for question in section.findChildren(TrainerQuery))


def test_a_killed_child_is_reported_as_interrupted(training: TrainingDriver) -> None:
    training.start("die")
    run = training.wait_until_ended()
    view = training.section.view
    assert run.status is Status.DIED
    assert "unexpectedly" in view.status_text
    training.environment.setenv("FAKE_CHILD", "finish")
    view.buttons["resume"].click()
    training.wait_until_running()
    assert training.wait_until_ended().status is Status.FINISHED
    assert view.loss.lines[0].xs == list(range(1, 41))


def test_a_run_killed_in_the_background_can_be_resumed(training: TrainingDriver) -> None:
    training.start("wait")
    run = training.wait_until_held()
    training.close()
    os.kill(int((run.folder / "pid").read_text()), getattr(signal, "SIGKILL", signal.SIGTERM))
    training.until(lambda: not is_alive(run))
    training.open()
    training.until(lambda: training.section.notice_bar.text != "")
    assert "unexpectedly" in training.section.notice_bar.text
    training.environment.setenv("FAKE_CHILD", "finish")
    training.section.notice_bar.buttons["resume"].click()
    training.wait_until_running()
    done = training.wait_until_ended()
    assert (done.id, done.status) == (run.id, Status.FINISHED)


def test_the_error_message_of_the_child_is_shown(
    training: TrainingDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    training.start("fail")
    run = training.wait_until_ended()
    view = training.section.view
    assert run.status is Status.FAILED
    assert view.status_text.startswith("The loss is not a number at step 10.")
    assert "Error: The loss is not a number" in view.log.toPlainText()
    view.buttons["log"].click()
    assert opened == [str(run.folder / "log.txt")]


def test_a_child_that_cannot_start_is_reported_and_leaves_no_run(training: TrainingDriver) -> None:
    training.start("refuse")
    training.wait_until_ended()
    view = training.section.view
    assert "There is no encoder of that name." in view.status_text
    assert view.run is not None
    assert not view.run.folder.exists()
    assert training.runs() == []
    shown = {name for name, button in view.buttons.items() if button.isVisible()}
    assert shown == {"form"}


def test_a_partial_line_waits_for_the_rest(training: TrainingDriver) -> None:
    training.start("half")
    training.wait_until_held()
    log = training.section.view.log
    assert "half of it" not in log.toPlainText()
    training.release()
    training.until(lambda: "Warning: related: half of it came later" in log.toPlainText())
    training.wait_until_ended()


def test_thousands_of_points_are_downsampled(training: TrainingDriver) -> None:
    training.start("many")
    training.wait_until_ended()
    view = training.section.view
    assert len(view.follower.progress.losses["related"].xs) == 5000
    (line,) = view.loss.lines
    assert len(line.xs) <= 700
    assert (line.xs[0], line.xs[-1]) == (1, 5000)


def test_only_one_run_is_active_at_a_time(training: TrainingDriver) -> None:
    training.start("wait")
    training.wait_until_held()
    section = training.section
    section.view.buttons["form"].click()
    assert section.page is section.form
    assert not section.form.start.isEnabled()
    assert "Only one" in section.form.blocked_reason
    assert ": running" in section.notice_bar.text
    section.notice_bar.buttons["show"].click()
    assert section.page is section.view
    training.release()
    training.wait_until_ended()
    section.view.buttons["form"].click()
    assert section.form.start.isEnabled()
    assert section.form.blocked_reason == ""


def test_a_missing_trainer_shows_how_to_install_it(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training_env, "find_training_python", lambda: None)
    training = TrainingDriver(make(), qtbot, monkeypatch)
    assert training.section.trainer_missing.set_up.isVisible()
    assert not training.section.form.isVisible()
    training.section.resume("no longer exists")
    heard = training.training_page.findChild(type(training.window.ui.message_bar))
    training.until(lambda: "no longer exists" in heard.text)


def test_a_missing_program_is_reported_and_leaves_no_run(
    training: TrainingDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    training.wait_until_ready()
    gone = training_env.TrainingPython(("/no/such/python",), "gone", managed=True)
    monkeypatch.setattr(training_env, "find_training_python", lambda: gone)
    training.section.refresh()
    training.until(lambda: "could not be listed" in training.section.form.device_field.help_text)
    training.section.form.start.click()
    assert training.section.page is training.section.form
    assert not list(runs_folder().iterdir())
