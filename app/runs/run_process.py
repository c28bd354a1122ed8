"""Child processes of the trainer: a run that outlives the app, and a query that ends with its page."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment

from core.i18n import tr
from core.runs.types import EVENTS, LOG
from core.training_env import child_variables

# How a training child is started: apart from the app, so that it lives on when the app is closed.


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person asks of a training."""

    recipe: str
    base: str
    data: str
    device: str
    scale: str
    seed: int
    injected: str = ""
    corrections: str = ""
    pairs: str = ""

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train`` for it, without those that say which run it is."""
        said = ["run", self.recipe, "--data", self.data, "--base", self.base, "--device", self.device]
        said += ["--scale", self.scale, "--seed", str(self.seed)]
        said += ["--injected", self.injected] if self.injected else []
        said += ["--pairs", self.pairs] if self.pairs else []
        return said + (["--corrections", self.corrections] if self.corrections else [])


class Asking(Protocol):
    """What is asked of the trainer, as a recipe's arguments."""

    def arguments(self) -> list[str]:
        """The arguments of ``evenhand train``, without those that say which run it is."""
        ...


def fresh(asked: Asking, run_id: str) -> list[str]:
    """The arguments of ``evenhand train`` for a new run of this id, which lives on without the app."""
    return [*asked.arguments(), "--run-id", run_id, "--detached"]


def going_on(recipe: str, run_id: str) -> list[str]:
    """The arguments that go on with a run; what was asked of it lies in its folder."""
    return ["run", recipe, "--resume", run_id, "--detached"]


def start(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start a training whose run lies in ``folder``, which is made; its log gets what it writes to standard error.

    Raises OSError where the folder cannot be made or the program cannot be started.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    descriptor = os.open(folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "ab") as log:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=child_variables(),
            **apart,
        )


def last_line(text: str) -> str:
    """The last line that says something, without the name of the program before it."""
    said = [line.strip() for line in text.splitlines() if line.strip()]
    return said[-1].removeprefix("evenhand train: ").removeprefix("evenhand: ") if said else ""


def clear_away(folder: Path) -> None:
    """Remove what is left of a child that ended before it said a word: its log, and its folder if that was all."""
    if (folder / EVENTS).exists():
        return
    try:
        (folder / LOG).unlink(missing_ok=True)
        folder.rmdir()
    except OSError:
        return


# A question to the trainer that is answered within seconds or minutes: a child process that ends with the room.


_KILLED_MS = 3000


@dataclass(frozen=True, slots=True)
class Answer:
    """What the child said. ``code`` is its exit code, -1 where it could not be started or was killed."""

    code: int
    said: str
    complaint: str

    @property
    def problem(self) -> str:
        """The last line that it wrote to standard error, in a sentence."""
        return last_line(self.complaint) or tr("The trainer gave no answer (exit code {code}).").format(
            code=self.code
        )


class Question(QObject):
    """Asks one thing at a time; a question that is asked while another waits takes its place."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._then: Callable[[Answer], object] | None = None

    @property
    def waits(self) -> bool:
        """Whether an answer is waited for."""
        return self._process is not None

    def ask(self, command: Sequence[str], then: Callable[[Answer], object]) -> None:
        """Run ``command``; ``then`` gets the answer."""
        self.stop()
        process = self._process = QProcess(self)
        self._then = then
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._failed)
        variables = QProcessEnvironment()
        for name, value in child_variables().items():
            variables.insert(name, value)
        process.setProcessEnvironment(variables)
        process.start(command[0], list(command[1:]), QProcess.OpenModeFlag.ReadOnly)

    def stop(self) -> None:
        """Wait for no answer any more; its child is ended."""
        process, self._process, self._then = self._process, None, None
        if process is not None and process.state() != QProcess.ProcessState.NotRunning:
            process.kill()
            process.waitForFinished(_KILLED_MS)
        if process is not None:
            process.deleteLater()

    # Methods, not lambdas: Qt lets go of them before it destroys the process with its question.

    def _failed(self, error: QProcess.ProcessError) -> None:
        process = self._process
        if process is not None and process is self.sender() and error == QProcess.ProcessError.FailedToStart:
            self._answer(process, Answer(-1, "", process.errorString()))

    def _ended(self) -> None:
        process = self._process
        if process is None or process is not self.sender():
            return
        clean = process.exitStatus() == QProcess.ExitStatus.NormalExit
        said = bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace")
        complaint = bytes(process.readAllStandardError().data()).decode("utf-8", "replace")
        self._answer(process, Answer(process.exitCode() if clean else -1, said, complaint))

    def _answer(self, process: QProcess, answer: Answer) -> None:
        then, self._process, self._then = self._then, None, None
        process.deleteLater()
        if then is not None:
            then(answer)
