"""What the pages of training and audit share: services of the app, and signals between the pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

if TYPE_CHECKING:
    from app.analysis.analysis_worker import AnalysisController, Snapshot
    from app.background.jobs import JobQueue
    from app.background.store import StoreAccess
    from app.models.missing_models import MissingModels
    from app.review.correction_recorder import CorrectionRecorder
    from app.review.ignored_findings import IgnoredFindings
    from app.settings.settings import Settings
    from core.runs.types import Run
    from core.storage.store import Store


@dataclass(frozen=True, slots=True)
class AppServices:
    """Services of the app that training and audits use.

    ``snapshot`` returns the open draft; ``use_other_models`` analyses everything again with the active models;
    ``resume_audit`` resumes a run in the audit window.
    """

    settings: Settings
    background: JobQueue
    store_access: StoreAccess
    analysis: AnalysisController
    ignored_findings: IgnoredFindings
    correction_recorder: CorrectionRecorder
    missing_models: MissingModels
    snapshot: Callable[[], Snapshot]
    use_other_models: Callable[[], None]
    resume_audit: Callable[[Run], None]


class AppContext(QObject):
    """Gives the sections of a page access to the services. It lives as long as the page.

    ``runs_changed``: runs were started, ended or removed. ``models_changed``: the active model or the installed models
    changed. ``message``: a sentence that is shown above the sections.
    """

    runs_changed = Signal()
    models_changed = Signal()
    message = Signal(str)

    def __init__(self, services: AppServices, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.services = services

    @property
    def store(self) -> Store | None:
        """The store; None while it is not open."""
        return self.services.store_access.store

    def submit(
        self,
        job: Callable[[], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Run ``job`` in the background; ``then`` receives its result, ``failed`` its error, both in this thread.

        ``job`` must not touch a widget. An error without ``failed`` is shown in the window. If the page was closed,
        neither is called.
        """
        self.services.background.submit(job, self._while_here(then), self._while_here(failed))

    def ask(
        self,
        question: Callable[[Store], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Run a query on the store in the background once it is open; never if it cannot be opened."""
        self.services.store_access.ask(question, self._while_here(then), self._while_here(failed))

    def _while_here(self, call: Callable[[Any], object] | None) -> Callable[[Any], object] | None:
        if call is None:
            return None
        return lambda value: call(value) if isValid(self) else None
