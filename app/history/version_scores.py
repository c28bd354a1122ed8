"""The scores of versions, at the reader's own threshold wherever the slider is: from the window's analysis of the same
text, or from one of their own a little later.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal

from app.analysis.analysis_worker import AnalysisController, AnalysisResult, Snapshot
from app.analysis.worker_context import WorkerContext
from app.history.comparison_controller import summary_of
from core.documents.types import Format
from core.storage.types import Scores

WAIT_MS = 2_000
"""How long a version waits for the window's analysis of the same text."""


@dataclass(frozen=True, slots=True)
class _ScoreResult:
    version: int
    scores: Scores | None


@dataclass(frozen=True, slots=True)
class _ScoreTask:
    version: int
    snapshot: Snapshot

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> _ScoreResult:
        return _ScoreResult(self.version, Scores.of(summary_of(context, self.snapshot, cancelled)))

    def failed(self, _error: Exception, _message: str) -> _ScoreResult:
        return _ScoreResult(self.version, None)


class VersionScores(QObject):
    """Scores versions. ``scored``: the id of a requested version, and its scores."""

    scored = Signal(int, object)

    def __init__(
        self, analysis: AnalysisController, snapshot: Callable[[int], Snapshot], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._analysis = analysis
        self._snapshot = snapshot
        self._last: tuple[str, Scores] | None = None
        self._requested: dict[int, tuple[str, Format]] = {}
        self._tasks: list[Event] = []
        self._timer = QTimer(self, singleShot=True, interval=WAIT_MS)
        self._timer.timeout.connect(self._submit)
        analysis.finished.connect(self._read)
        analysis.task_done.connect(self._arrived)

    def get(self, text: str) -> Scores | None:
        """The scores of a text, if it was analysed last."""
        return self._last[1] if self._last is not None and self._last[0] == text else None

    def request(self, version: int, text: str, format: Format) -> None:
        """Request the scores of a version."""
        scores = self.get(text)
        if scores is not None:
            self.scored.emit(version, scores)
            return
        self._requested[version] = (text, format)
        self._timer.start()

    def clear(self) -> None:
        """Cancel all requests: another document is open."""
        self._timer.stop()
        self._last = None
        self._requested.clear()
        for cancel in self._tasks:
            cancel.set()
        self._tasks.clear()

    def _read(self, result: AnalysisResult) -> None:
        if result.default_report is None:
            return
        text = result.snapshot.text
        self._last = (text, Scores.of(result.default_report.summary))
        for version in [version for version, (wanted, _) in self._requested.items() if wanted == text]:
            del self._requested[version]
            self.scored.emit(version, self._last[1])

    def _submit(self) -> None:
        for version, (text, format) in self._requested.items():
            snapshot = replace(self._snapshot(-1), text=text, format=format)
            self._tasks.append(self._analysis.submit(_ScoreTask(version, snapshot)))
        self._requested.clear()

    def _arrived(self, result: object) -> None:
        if isinstance(result, _ScoreResult) and result.scores is not None:
            self.scored.emit(result.version, result.scores)
