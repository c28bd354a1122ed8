"""One audit: how it goes, and what it has found so far."""

from __future__ import annotations

import subprocess

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.progress import AuditProgress
from app.audit.reading import Found, found, texts
from app.audit.results import AuditResults
from app.parts.labels import WrapLabel
from app.training.desk import Desk
from core.language import tr
from core.runs.audit import AUDIT, Sampled
from core.runs.model import Run


class RunView(QWidget):
    """``settled``: the audit has ended, and how is known. ``resume_asked`` carries its id."""

    settled = Signal()
    resume_asked = Signal(str)

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._read_at = 0
        self.progress = AuditProgress(desk)
        self.results = AuditResults()
        self._nothing = WrapLabel(muted=True)
        self.progress.grown.connect(self._grown)
        self.progress.settled.connect(self._read)
        self.progress.settled.connect(self.settled)
        self.progress.resume_asked.connect(self.resume_asked)
        self.results.texts_wanted.connect(self._read_texts)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        for widget in (self.progress, self._nothing, self.results):
            column.addWidget(widget)
        column.addStretch(1)
        self._show(Found(None))

    @property
    def run(self) -> Run | None:
        """The audit that is shown."""
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
        """Show this audit, and follow it while it lives; ``process`` where this app has just started it."""
        if self.run is None or self.run.id != run.id:
            self._show(Found(None))
            self.results.samples.show_rows((), ())
        self._read_at = 0
        self.progress.show_run(run, process)
        self._read()

    def stop(self) -> None:
        """Follow nothing any more; the audit goes on."""
        self.progress.stop()

    def _grown(self) -> None:
        """Read what was found, if there is more than before."""
        run = self.run
        path = None if run is None else run.folder / AUDIT
        if path is not None and path.is_file() and path.stat().st_mtime_ns != self._read_at:
            self._read_at = path.stat().st_mtime_ns
            self._read()

    def _read(self) -> None:
        run = self.run
        if run is not None:
            self._desk.submit(lambda: found(run), lambda told: self._found(run, told))

    def _found(self, run: Run, told: Found) -> None:
        if self.run is not None and self.run.id == run.id:
            self._show(told)

    def _show(self, told: Found) -> None:
        there = told.audit is not None and bool(told.audit.parts)
        soon = tr("Figures are shown here as soon as the first part is measured.")
        self._nothing.setText(told.problem or (soon if self.lives else tr("Nothing was measured.")))
        self._nothing.setVisible(not there)
        self.results.setVisible(there)
        if told.audit is not None and there:
            self.results.show_audit(told.audit)

    def _read_texts(self, attribute: str) -> None:
        run, audit = self.run, self.results.audit
        if run is not None and audit is not None:
            self._desk.submit(
                lambda: texts(run, audit, attribute),
                lambda read: self._texts_read(run, read),
                lambda error: self._desk.told.emit(str(error)),
            )

    def _texts_read(self, run: Run, read: tuple[str, list[Sampled]]) -> None:
        if self.run is not None and self.run.id == run.id:
            self.results.show_texts(*read)
