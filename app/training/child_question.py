"""A question to the trainer that is answered within seconds or minutes: a child process that ends with the room."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment

from app.training.child_start import last_line
from core.environment import child_variables
from core.language import tr

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
