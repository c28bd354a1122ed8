"""One run of the audit window: how it goes, and what it has found so far."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.progress import RunProgress
from app.audit.reading import Found, found
from app.audit.run_words import Telling
from app.parts.labels import WrapLabel
from app.training.desk import Desk
from core.language import tr
from core.runs.model import Run

What = TypeVar("What")


class RunView(QWidget, Generic[What]):
    """``settled``: the run has ended, and how is known. ``resume_asked`` carries its id.

    ``file`` in the folder of a run is what ``read`` reads. Subclasses give ``is_something`` and ``show_found``.
    """

    settled = Signal()
    resume_asked = Signal(str)

    def __init__(
        self,
        desk: Desk,
        telling: Telling,
        results: QWidget,
        *,
        file: str,
        read: Callable[[Path], What | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._file, self._reads, self._results = desk, file, read, results
        self._read_at = 0
        self.progress = RunProgress(desk, telling)
        self._nothing = WrapLabel(muted=True)
        self.progress.grown.connect(self._grown)
        self.progress.settled.connect(self._read)
        self.progress.settled.connect(self.settled)
        self.progress.resume_asked.connect(self.resume_asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        for widget in (self.progress, self._nothing, results):
            column.addWidget(widget)
        column.addStretch(1)
        self._show(Found(None))

    def is_something(self, found: What) -> bool:
        """Whether there is anything to be shown."""
        raise NotImplementedError

    def show_found(self, found: What) -> None:
        """Show what was found."""
        raise NotImplementedError

    @property
    def run(self) -> Run | None:
        """The run that is shown."""
        return self.progress.run

    @property
    def lives(self) -> bool:
        """Whether it is going on."""
        return self.progress.lives

    @property
    def nothing(self) -> str:
        """Why no figures are shown; empty where some are."""
        return self._nothing.accessibleName() if not self._nothing.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this run, and follow it while it lives; ``process`` where this app has just started it."""
        if self.run is None or self.run.id != run.id:
            self._show(Found(None))
        self._read_at = 0
        self.progress.show_run(run, process)
        self._read()

    def stop(self) -> None:
        """Follow nothing any more; the run goes on."""
        self.progress.stop()

    def _grown(self) -> None:
        """Read what was found, if there is more than before."""
        run = self.run
        path = None if run is None else run.folder / self._file
        if path is not None and path.is_file() and path.stat().st_mtime_ns != self._read_at:
            self._read_at = path.stat().st_mtime_ns
            self._read()

    def _read(self) -> None:
        run, read = self.run, self._reads
        if run is not None:
            self._desk.submit(lambda: found(run, read), lambda told: self._found(run, told))

    def _found(self, run: Run, told: Found[What]) -> None:
        if self.run is not None and self.run.id == run.id:
            self._show(told)

    def _show(self, told: Found[What]) -> None:
        there = told.what is not None and self.is_something(told.what)
        soon = tr("Figures are shown here as soon as the first part is measured.")
        self._nothing.setText(told.problem or (soon if self.lives else tr("Nothing was measured.")))
        self._nothing.setVisible(not there)
        self._results.setVisible(there)
        if told.what is not None and there:
            self.show_found(told.what)
