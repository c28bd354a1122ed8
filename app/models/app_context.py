"""What the pages of training and audit share: the way to the rest of the app, and news for each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

if TYPE_CHECKING:
    from app.analysis.analysis_worker import Analyst, Snapshot
    from app.background.jobs import Background
    from app.background.store import Storing
    from app.models.missing_models import Incoming
    from app.review.correction_recorder import Keeping
    from app.review.ignored_findings import Ignored
    from app.settings.settings import Settings
    from core.runs.types import Run
    from core.storage.store import Store


@dataclass(frozen=True, slots=True)
class Outside:
    """What training and audits need of the rest of the app.

    ``snapshot`` gives the open draft; ``use_other_models`` has everything read again by the models that are active
    now; ``resume_audit`` goes on with a run of the audit window.
    """

    settings: Settings
    background: Background
    storing: Storing
    analyst: Analyst
    ignored: Ignored
    keeping: Keeping
    incoming: Incoming
    snapshot: Callable[[], Snapshot]
    use_other_models: Callable[[], None]
    resume_audit: Callable[[Run], None]


class Desk(QObject):
    """The way of a section to the rest of the app. It lives as long as the room on the screen.

    ``runs_changed``: runs were begun, ended or removed. ``models_changed``: another model is active, or one came to the
    shelf or left it. ``told``: a sentence for the person, shown above the sections.
    """

    runs_changed = Signal()
    models_changed = Signal()
    told = Signal(str)

    def __init__(self, outside: Outside, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.outside = outside

    @property
    def store(self) -> Store | None:
        """The store; None until it is open, and where it cannot be opened."""
        return self.outside.storing.store

    def submit(
        self,
        job: Callable[[], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Have ``job`` done in the background; ``then`` gets its result, ``failed`` its error, both in this thread.

        ``job`` must not touch a widget. An error that nobody waits for is told in the window. An answer that comes when
        the room is gone is dropped; the job itself is done.
        """
        self.outside.background.submit(job, self._while_here(then), self._while_here(failed))

    def ask(
        self,
        question: Callable[[Store], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Have a question to the store answered in the background, once it is open; never where it cannot be opened."""
        self.outside.storing.ask(question, self._while_here(then), self._while_here(failed))

    def _while_here(self, call: Callable[[Any], object] | None) -> Callable[[Any], object] | None:
        if call is None:
            return None
        return lambda value: call(value) if isValid(self) else None
