"""One audit of a generator: how it goes, its figures and its texts."""

from __future__ import annotations

import subprocess

from PySide6.QtWidgets import QWidget

from app.audit.reading import texts
from app.audit.results import AuditResults
from app.audit.run_view import RunView
from app.audit.words import TELLING
from app.training.desk import Desk
from core.runs.audit import AUDIT, Audit, Sampled, read_audit
from core.runs.model import Run


class AuditView(RunView[Audit]):
    """Reads the texts of an attribute when they are wanted."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        self.results = AuditResults()
        super().__init__(desk, TELLING, self.results, file=AUDIT, read=read_audit, parent=parent)
        self.results.texts_wanted.connect(self._read_texts)

    def is_something(self, found: Audit) -> bool:
        """Whether a part is measured."""
        return bool(found.parts)

    def show_found(self, found: Audit) -> None:
        """Show the figures."""
        self.results.show_audit(found)

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this audit, without the texts of another."""
        if self.run is None or self.run.id != run.id:
            self.results.samples.show_rows((), ())
        super().show_run(run, process)

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
