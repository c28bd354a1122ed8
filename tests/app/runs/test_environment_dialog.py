"""*Set up training*: nothing starts unasked, the window stays responsive, and it can be stopped at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QAbstractButton, QComboBox, QMessageBox, QPlainTextEdit, QProgressBar, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid
from windows import answer

from app.runs.environment_dialog import SetupDialog
from core.training_env import torch_builds
from core.training_env.installers import Installer
from core.training_env.plan import SetupPlan
from core.training_env.types import Progress, Project, SetupCancelledError, SetupError

Button = QMessageBox.StandardButton


class FakeContext(QObject):
    """The part of the context that the dialog uses."""

    message = Signal(str)


class Work:
    """What would be planned and done. It goes on until ``go_on`` is set or it is cancelled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.asked: list[tuple[str, Path | None]] = []
        self.done: list[SetupPlan] = []
        self.refusal = ""
        self.failure: Exception | None = None
        self.free = 10**12
        self.go_on = Event()
        self.cancelled = False

    def plan(self, choice: str, *, wheels: Path | None) -> SetupPlan:
        self.asked.append((choice, wheels))
        if self.refusal:
            raise SetupError(self.refusal)
        return SetupPlan(
            build=torch_builds.CUDA[0] if choice == "cuda" else torch_builds.CPU,
            why="Because.",
            torch="torch",
            installer=Installer(None, Path("/usr/bin/python3"), "3.12.1"),
            project=Project("1.0", self.folder, ("torch", "numpy"), "1"),
            wheels=wheels,
            folder=self.folder,
            free=self.free,
        )

    def do(self, plan: SetupPlan, cancel: Event) -> Iterator[Progress]:
        self.done.append(plan)
        yield Progress("Installing torch", 2, 5, "Collecting torch", 235_000_000)
        while not self.go_on.is_set():
            if cancel.is_set():
                self.cancelled = True
                raise SetupCancelledError("Stopped. Nothing was changed.")
            time.sleep(0.005)
            yield Progress("Installing torch", 2, 5, "", 1_175_000_000)
        if self.failure:
            raise self.failure


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    work = Work(tmp_path)
    monkeypatch.setattr("app.runs.environment_dialog.make_plan", work.plan)
    monkeypatch.setattr("app.runs.environment_dialog.set_up", work.do)
    return work


Open = Callable[[], SetupDialog]


@pytest.fixture
def opened(work: Work, qtbot: QtBot) -> Iterator[Open]:
    """Opens the dialog and waits for the plan, or for why there is none."""
    dialogs: list[SetupDialog] = []
    context = FakeContext()

    def make() -> SetupDialog:
        dialog = SetupDialog(context)  # type: ignore[arg-type]
        dialogs.append(dialog)
        dialog.show()
        qtbot.waitUntil(lambda: "Checking" not in dialog.status_text)
        return dialog

    yield make
    for dialog in filter(isValid, dialogs):
        dialog.job.close()
        dialog.close()
        dialog.deleteLater()


def running(dialog: SetupDialog, qtbot: QtBot) -> SetupDialog:
    dialog.start.click()
    qtbot.waitUntil(lambda: dialog.bar.value() == 50)
    return dialog


def test_the_plan_is_shown_and_nothing_starts_by_itself(opened: Open, work: Work, tmp_path: Path) -> None:
    dialog = opened()
    for expected in ("build for CPU", "Because.", "over the network", "pip", str(tmp_path), "estimates"):
        assert expected in dialog.facts
    assert dialog.start.isEnabled()
    assert work.asked == [("auto", None)]
    dialog.reject()
    assert work.done == []


def test_build_and_wheel_folder_change_the_plan(
    opened: Open, work: Work, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = opened()
    dialog.build.setCurrentIndex(dialog.build.findData("cuda"))
    qtbot.waitUntil(lambda: "CUDA 13.0" in dialog.facts)
    dialog.wheels.combo.setEditText(str(tmp_path))
    assert not dialog.start.isEnabled()
    qtbot.waitUntil(lambda: "network is not used" in dialog.facts)
    assert work.asked[-1] == ("cuda", tmp_path)
    work.refusal = "The folder lacks wheels of: torch. Add them and try again."
    dialog.wheels.combo.setEditText(str(tmp_path / "other"))
    qtbot.waitUntil(lambda: dialog.status_text == work.refusal)
    assert not dialog.start.isEnabled()
    assert dialog.facts == ""


def test_a_full_disk_prevents_the_installation(opened: Open, work: Work) -> None:
    work.free = 10**9
    dialog = opened()
    assert "Training needs about 2.4 GB on the disk, but only 1.0 GB are free." in dialog.status_text
    assert not dialog.start.isEnabled()


def test_progress_and_result_are_shown(opened: Open, work: Work, qtbot: QtBot) -> None:
    dialog = running(opened(), qtbot)
    assert dialog.status_text == "Step 2 of 5: Installing torch"
    assert dialog.output.toPlainText() == "Collecting torch"
    assert not dialog.start.isEnabled()
    with qtbot.waitSignal(dialog.set_up):
        work.go_on.set()
    assert dialog.status_text == "Training is set up. You can close this window and start."
    assert dialog.start.isHidden()
    with qtbot.waitSignal(dialog.finished):
        dialog.cancel.click()


def test_a_failure_is_reported_and_can_be_retried(opened: Open, work: Work, qtbot: QtBot) -> None:
    dialog = running(opened(), qtbot)
    work.failure = SetupError("The disk is full. Free some space and try again.")
    work.go_on.set()
    qtbot.waitUntil(lambda: dialog.status_text == f"The setup failed. {work.failure}")
    work.failure = None
    with qtbot.waitSignal(dialog.set_up):
        dialog.start.click()
    assert len(work.done) == 2


def test_an_unexpected_error_is_reported_without_its_message(opened: Open, work: Work, qtbot: QtBot) -> None:
    dialog = running(opened(), qtbot)
    work.failure = RuntimeError("secret")
    work.go_on.set()
    qtbot.waitUntil(lambda: "RuntimeError" in dialog.status_text)
    assert "secret" not in dialog.status_text


def test_closing_during_the_installation_confirms_and_stops_it(
    opened: Open, work: Work, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = running(opened(), qtbot)
    asked = answer(monkeypatch, Button.No)
    dialog.close()
    assert asked == ["Stop the setup"]
    assert dialog.isVisible()
    assert not work.cancelled
    answer(monkeypatch, Button.Yes)
    with qtbot.waitSignal(dialog.finished):
        dialog.close()
    assert work.cancelled
    assert not dialog.isVisible()


def test_the_installation_may_finish_during_the_confirmation(
    opened: Open, work: Work, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Yes then closes it, and what was made stays."""
    dialog = running(opened(), qtbot)

    def question(*_: object) -> QMessageBox.StandardButton:
        work.go_on.set()
        qtbot.waitUntil(lambda: not dialog.job.running)
        return Button.Yes

    monkeypatch.setattr(QMessageBox, "question", question)
    dialog.reject()
    assert not dialog.isVisible()
    assert not work.cancelled


def test_closing_the_parent_window_stops_the_installation(opened: Open, work: Work, qtbot: QtBot) -> None:
    dialog = running(opened(), qtbot)
    job = dialog.job
    dialog.deleteLater()
    qtbot.waitUntil(lambda: work.cancelled)
    qtbot.waitUntil(lambda: not job.running)


def test_every_control_has_a_name(opened: Open, qtbot: QtBot) -> None:
    dialog = opened()
    kinds: tuple[type[QWidget], ...] = (QAbstractButton, QComboBox, QPlainTextEdit, QProgressBar)
    controls = [widget for kind in kinds for widget in dialog.findChildren(kind)]
    assert len(controls) >= 6
    assert [widget for widget in controls if not widget.accessibleName()] == []
