"""What is done to models from the section: looking, trying out, using, going back, importing and removing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from app.models import model_import
from app.models.app_context import Desk
from app.models.model_import import Brought, bring_path
from app.models.model_list import ROLES
from app.models.model_preview import Outcome, Trial, TrialDialog
from core.i18n import tr
from core.models.types import Installed, InUseError, ShelfError

if TYPE_CHECKING:
    from core.runs.types import Run
    from core.storage.store import Store

_EMPTY = tr("The open draft is empty, so there is nothing to compare beforehand.")
_BROKEN = tr("The model in use does not work, so there is nothing to compare beforehand.")
_OTHER_REWRITER = tr(
    "Suggestions will come from the other model. Findings stay as they are, so there is nothing to compare beforehand."
)


@dataclass(frozen=True, slots=True)
class Models:
    """The models of one role, and the one that going back leads to."""

    installed: tuple[Installed, ...]
    before: Installed | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A model that may be used: on the shelf under ``id``, or of a ``run`` and not there yet."""

    role: str
    title: str
    present: str
    folder: Path
    id: str | None = None
    run: Run | None = None


class Deeds(QObject):
    """Does them one at a time. ``began``: what is done now, and whether it can be stopped; ``came_on``: the share done.

    ``ended`` in every case; what came of it is told on the desk.
    """

    began = Signal(str)
    came_on = Signal(float)
    ended = Signal()

    def __init__(self, desk: Desk, widget: QWidget) -> None:
        super().__init__(widget)
        self._desk = desk
        self._widget = widget
        self._stop: Callable[[], object] = lambda: None
        self._candidate: Candidate | None = None
        self.busy = False

    # Trying out and using

    def use(self, model: Installed) -> None:
        """Show what this model would change, and use it if the person agrees."""
        self._prepare(model.title, lambda store: _on_shelf(store, model))

    def use_run(self, run_id: str) -> None:
        """The same with the model of a finished run."""
        self._prepare(tr("the run's model"), lambda store: _of_run(store, run_id))

    def stop(self) -> None:
        """Have no more of what is being done; the present model stays in use."""
        self._stop()

    def _prepare(self, title: str, look: Callable[[Store], Candidate]) -> None:
        if self._begin(tr("Looking at {title} …").format(title=title)):
            self._ask(look, self._try_out)

    def _try_out(self, candidate: Candidate) -> None:
        self._candidate = candidate
        snapshot = self._desk.outside.snapshot()
        if candidate.role != "reader":
            self._offer(message=_OTHER_REWRITER)
        elif not snapshot.text.strip():
            self._offer(message=_EMPTY)
        else:
            self.began.emit(tr("{title} reads the open draft …").format(title=candidate.title))
            trial = Trial(self._desk.outside.analyst)
            trial.came_on.connect(self.came_on)
            trial.finished.connect(self._tried)
            self.destroyed.connect(trial.cancel)

            def stop() -> None:
                trial.cancel()
                self._end(tr("Stopped. The models are as they were."))

            self._stop = stop
            trial.start(snapshot, candidate.folder)

    def _tried(self, outcome: Outcome) -> None:
        if outcome.after is None:
            self._end(outcome.message)
            return
        if outcome.before is None:
            self._offer(message=_BROKEN)
            return
        from core.models.comparison import changes_between

        ignored, source = self._desk.outside.ignored, outcome.source
        self._offer(
            changes=changes_between(
                source,
                outcome.before,
                outcome.after,
                counts=lambda finding: not ignored.lets_pass(finding, source),
            )
        )

    def _offer(self, **told: Any) -> None:
        candidate = self._candidate
        assert candidate is not None
        self._stop = lambda: None
        dialog = TrialDialog(
            self._widget.window(), present=candidate.present, candidate=candidate.title, **told
        )
        dialog.accepted.connect(self._agreed)
        dialog.rejected.connect(self._kept)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _kept(self) -> None:
        assert self._candidate is not None
        self._end(tr("{title} stays in use.").format(title=self._candidate.present))

    def _agreed(self) -> None:
        candidate, cancel = self._candidate, Event()
        assert candidate is not None
        self._stop = cancel.set
        self.began.emit(tr("{title} comes into use …").format(title=candidate.title))
        self._change(lambda store: _promoted(store, candidate, cancel), tr("{title} is in use now."))

    def go_back(self, role: str) -> None:
        """Use what was in use before."""
        if self._begin(tr("Going back …")):
            self._change(lambda store: _shelf(store).go_back(role), tr("{title} is in use again."))

    # The shelf

    def look(self, then: Callable[[dict[str, Models]], object]) -> None:
        """Give ``then`` all models by their role; those that came with the program where there is no store."""
        if self._desk.outside.storing.failed:
            self._desk.submit(_bundled, then)
        else:
            self._desk.ask(_installed, then, lambda error: self._desk.told.emit(sentence(error)))

    def bring(self, folder: Path) -> None:
        """Put the model in a folder on the shelf."""
        if self._begin(tr("Adding the model …")):
            cancel = Event()
            self._stop = cancel.set
            self._ask(lambda store: bring_path(store, folder, cancelled=cancel.is_set), self._brought)

    def remove(self, model: Installed) -> None:
        """Take a model off the shelf for good."""
        if model.id is not None and self._begin(tr("Removing {title} …").format(title=model.title)):
            model_id, gone = model.id, tr("{title} was removed.").format(title=model.title)
            self._ask(lambda store: _shelf(store).remove(model_id), lambda _: self._changed(gone))

    def _brought(self, brought: Brought) -> None:
        if brought.used:
            self._desk.outside.use_other_models()
        self._changed(brought.told)

    def _changed(self, message: str) -> None:
        self._desk.models_changed.emit()
        self._end(message)

    # Inside

    def _begin(self, saying: str) -> bool:
        if self.busy:
            self._desk.told.emit(tr("Something else is being done to the models. Wait until it is finished."))
            return False
        if self._desk.outside.storing.failed:
            self._desk.told.emit(tr("The store cannot be opened, so the models stay as they are."))
            return False
        self.busy = True
        self._stop = lambda: None
        self.began.emit(saying)
        return True

    def _end(self, message: str) -> None:
        self.busy = False
        self._candidate = None
        self._stop = lambda: None
        self.ended.emit()
        if message:
            self._desk.told.emit(message)

    def _failed(self, error: Exception) -> None:
        self._desk.models_changed.emit()
        self._end(sentence(error))

    def _ask(self, question: Callable[[Store], Any], then: Callable[[Any], object]) -> None:
        self._desk.ask(question, then, self._failed)

    def _change(self, job: Callable[[Store], Installed], told: str) -> None:
        """Have another model in use from now on. The window hears of it, also where the room was closed meanwhile."""
        outside = self._desk.outside

        def done(model: Installed) -> None:
            outside.use_other_models()
            if isValid(self):
                self._changed(told.format(title=model.title))

        def failed(error: Exception) -> None:
            if isValid(self):
                self._failed(error)

        outside.storing.ask(job, done, failed)


def sentence(error: Exception) -> str:
    """What is told of an error of the shelf, of a run or of the store."""
    from core.runs.folder import RunError

    return str(error) if isinstance(error, RunError) else model_import.sentence(error)


def _shelf(store: Store) -> Any:
    from core.models.registry import Shelf

    return Shelf(store)


def _installed(store: Store) -> dict[str, Models]:
    shelf = _shelf(store)
    return {role: Models(tuple(shelf.installed(role)), shelf.before(role)) for role in ROLES}


def _bundled() -> dict[str, Models]:
    from core.models.descriptions import bundled

    return {role: Models((bundled(role, active=True),)) for role in ROLES}


def _on_shelf(store: Store, model: Installed) -> Candidate:
    from core.models.installation import checked

    active = _shelf(store).active(model.role)
    if active.id == model.id:
        raise InUseError(tr("{title} is already in use.").format(title=model.title))
    checked(model.folder, model.role)
    return Candidate(model.role, model.title, active.title, model.folder, id=model.id)


def _of_run(store: Store, run_id: str) -> Candidate:
    from core.models.descriptions import model_of
    from core.models.installation import checked, id_of, role_of
    from core.runs.run_store import Runs

    run = Runs(store).get(run_id)
    if run is None:
        raise ShelfError(tr("This run is not there any more. Use another one."))
    folder = model_of(run)
    bundle = checked(folder, role_of(folder))
    active = _shelf(store).active(bundle.role)
    if active.id == id_of(bundle):
        raise InUseError(tr("{title} is already in use.").format(title=bundle.title))
    return Candidate(bundle.role, bundle.title, active.title, folder, run=run)


def _promoted(store: Store, candidate: Candidate, cancel: Event) -> Installed:
    shelf = _shelf(store)
    bundle_id = candidate.id
    if candidate.run is not None:
        bundle_id = shelf.add_run(candidate.run, cancelled=cancel.is_set).id
    promoted: Installed = shelf.promote(bundle_id, candidate.role)
    return promoted
