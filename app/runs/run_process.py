"""Processes of the trainer: detached runs, and queries that end with their page."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment

from core.i18n import tr
from core.runs.recipes import RECIPES, Recipe, Request
from core.runs.types import EVENTS, LOG
from core.storage.disk import make_private_folder
from core.training_env import child_environment


def recipe_of(request: Request) -> Recipe:
    """The recipe that a request is for."""
    return next(recipe for recipe in RECIPES.values() if recipe.request is type(request))


def start_arguments(request: Request, run_id: str) -> list[str]:
    """The arguments of ``evenhand train`` for a new, detached run with this id."""
    return [*recipe_of(request).arguments(request), "--run-id", run_id, "--detached"]


def resume_arguments(recipe: str, run_id: str) -> list[str]:
    """The arguments to resume a run; its request is in its folder."""
    return [recipe, "--resume", run_id, "--detached"]


def start_process(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    """Start the process of a run in ``folder``, which is created; standard error goes to its log.

    The process survives the app. Raises OSError if the folder cannot be created or the program cannot be started.
    """
    make_private_folder(folder)
    options: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        options = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    descriptor = os.open(folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    with os.fdopen(descriptor, "ab") as log:
        return subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=log,
            env=child_environment(),
            **options,
        )


def last_line(text: str) -> str:
    """The last line that is not empty, without the name of the program."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1].removeprefix("evenhand train: ").removeprefix("evenhand: ") if lines else ""


def remove_empty_run(folder: Path) -> None:
    """Remove the log and the folder of a process that ended before it wrote an event."""
    if (folder / EVENTS).exists():
        return
    try:
        (folder / LOG).unlink(missing_ok=True)
        folder.rmdir()
    except OSError:
        return


_KILLED_MS = 3000


@dataclass(frozen=True, slots=True)
class QueryResult:
    """The output of a query. ``exit_code`` is -1 if the process could not be started or was killed."""

    exit_code: int
    output: str
    error_output: str

    @property
    def problem(self) -> str:
        """The last line of standard error."""
        return last_line(self.error_output) or tr(
            "The training program gave no answer (exit code {code})."
        ).format(code=self.exit_code)


class TrainerQuery(QObject):
    """Runs one query at a time; a new one replaces a running one."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._then: Callable[[QueryResult], object] | None = None

    @property
    def is_running(self) -> bool:
        """Whether a query is running."""
        return self._process is not None

    def ask(self, command: Sequence[str], then: Callable[[QueryResult], object]) -> None:
        """Run ``command``; ``then`` receives the result."""
        self.stop()
        process = self._process = QProcess(self)
        self._then = then
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._failed)
        variables = QProcessEnvironment()
        for name, value in child_environment().items():
            variables.insert(name, value)
        process.setProcessEnvironment(variables)
        process.start(command[0], list(command[1:]), QProcess.OpenModeFlag.ReadOnly)

    def stop(self) -> None:
        """Kill a running query."""
        process, self._process, self._then = self._process, None, None
        if process is not None and process.state() != QProcess.ProcessState.NotRunning:
            process.kill()
            process.waitForFinished(_KILLED_MS)
        if process is not None:
            process.deleteLater()

    # Methods, not lambdas: Qt disconnects them before it destroys the process.

    def _failed(self, error: QProcess.ProcessError) -> None:
        process = self._process
        if process is not None and process is self.sender() and error == QProcess.ProcessError.FailedToStart:
            self._answer(process, QueryResult(-1, "", process.errorString()))

    def _ended(self) -> None:
        process = self._process
        if process is None or process is not self.sender():
            return
        clean = process.exitStatus() == QProcess.ExitStatus.NormalExit
        output = bytes(process.readAllStandardOutput().data()).decode("utf-8", "replace")
        error_output = bytes(process.readAllStandardError().data()).decode("utf-8", "replace")
        self._answer(process, QueryResult(process.exitCode() if clean else -1, output, error_output))

    def _answer(self, process: QProcess, answer: QueryResult) -> None:
        then, self._process, self._then = self._then, None, None
        process.deleteLater()
        if then is not None:
            then(answer)
