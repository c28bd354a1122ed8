"""A run whose process has died is shown as ended, whatever the store says."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal
from pytestqt.qtbot import QtBot

from app.runs.run_monitor import MonitorStrings, RunMonitor
from core.runs.types import Run, Status


class FakeContext(QObject):
    """Answers a query on the store at once, or fails."""

    message = Signal(str)
    runs_changed = Signal()

    def __init__(self, answer: Run | Exception | None) -> None:
        super().__init__()
        self.answer = answer

    def ask(self, _work: object, done: Callable[[Any], None], failed: Callable[[Exception], None]) -> None:
        if isinstance(self.answer, Exception):
            failed(self.answer)
        else:
            done(self.answer)


TEXTS = MonitorStrings(
    title=lambda run: run.id,
    outcome=lambda run: run.status.value,
    pause_tip="",
    cancel_tip="",
    cancel_title="",
    cancel_question="",
    background_note="",
)


def run_in(folder: Path, status: Status = Status.RUNNING) -> Run:
    return Run(
        id="a",
        recipe="audit",
        status=status,
        folder=folder,
        scale="smoke",
        base="model",
        device="cpu",
        seed=1,
        code="",
        made_at=datetime.now(UTC),
    )


@pytest.mark.parametrize("case", ["told", "not recorded", "no store"])
def test_a_run_without_its_process_has_ended(qtbot: QtBot, tmp_path: Path, case: str) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    answers = {
        "told": run_in(folder, Status.PAUSED),
        "not recorded": None,
        "no store": OSError("the disk is gone"),
    }
    context = FakeContext(answers[case])
    view = RunMonitor(context, TEXTS)  # type: ignore[arg-type]
    qtbot.addWidget(view)
    messages: list[str] = []
    context.message.connect(messages.append)
    with qtbot.waitSignal(view.finished):
        view._show(run_in(folder), None)
    assert view.run is not None
    assert not view.is_running
    ends = {"told": Status.PAUSED, "not recorded": Status.FAILED, "no store": Status.DIED}
    assert view.run.status is ends[case]
    assert messages == (["the disk is gone"] if case == "no store" else [])
    assert view._can_resume() == (case != "not recorded")
