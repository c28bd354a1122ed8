"""How the versions of a draft read: from the reading of the same text, or from one of their own a little later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event

from PySide6.QtCore import QObject, QTimer, Signal

from app.analysis.analysis_worker import Analyst, Reading, Snapshot
from app.analysis.worker_context import Desk
from app.history.comparison_controller import summary_of
from core.documents.types import Format
from core.storage.types import Scores

WAIT_MS = 2_000
"""How long a version waits for the reading of the window to come by with its text."""


@dataclass(frozen=True, slots=True)
class _Scored:
    version: int
    scores: Scores | None


@dataclass(frozen=True, slots=True)
class _Score:
    version: int
    snapshot: Snapshot

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> _Scored:
        return _Scored(self.version, Scores.of(summary_of(desk, self.snapshot, cancelled)))

    def failed(self, _error: Exception, _message: str) -> _Scored:
        return _Scored(self.version, None)


class VersionScores(QObject):
    """Finds out how versions read. ``scored``: the id of a version that was wanted, and its scores."""

    scored = Signal(int, object)

    def __init__(
        self, analyst: Analyst, snapshot: Callable[[int], Snapshot], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._analyst = analyst
        self._snapshot = snapshot
        self._last: tuple[str, Scores] | None = None
        self._wanted: dict[int, tuple[str, Format]] = {}
        self._given: list[Event] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(WAIT_MS)
        self._timer.timeout.connect(self._give)
        analyst.finished.connect(self._read)
        analyst.done.connect(self._arrived)

    def of(self, text: str) -> Scores | None:
        """The scores of a text, if it was the last that was read."""
        return self._last[1] if self._last is not None and self._last[0] == text else None

    def want(self, version: int, text: str, format: Format) -> None:
        """Find out how a version reads."""
        scores = self.of(text)
        if scores is not None:
            self.scored.emit(version, scores)
            return
        self._wanted[version] = (text, format)
        self._timer.start()

    def clear(self) -> None:
        """Want nothing any more: another draft is there."""
        self._timer.stop()
        self._last = None
        self._wanted.clear()
        for cancel in self._given:
            cancel.set()
        self._given.clear()

    def _read(self, reading: Reading) -> None:
        if reading.report is None:
            return
        text = reading.snapshot.text
        self._last = (text, Scores.of(reading.report.summary))
        for version in [version for version, (wanted, _) in self._wanted.items() if wanted == text]:
            del self._wanted[version]
            self.scored.emit(version, self._last[1])

    def _give(self) -> None:
        for version, (text, format) in self._wanted.items():
            snapshot = replace(self._snapshot(-1), text=text, format=format)
            self._given.append(self._analyst.give(_Score(version, snapshot)))
        self._wanted.clear()

    def _arrived(self, result: object) -> None:
        if isinstance(result, _Scored) and result.scores is not None:
            self.scored.emit(result.version, result.scores)
