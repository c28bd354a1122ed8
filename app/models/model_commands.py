"""Commands of the models section: preview, use, roll back, import and remove."""

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
from app.models.app_context import AppContext
from app.models.model_import import ImportResult, import_path
from app.models.model_list import ROLES
from app.models.model_preview import ModelPreview, PreviewDialog, PreviewResult
from core.i18n import tr
from core.models.types import InstalledModel, InUseError, ModelError

if TYPE_CHECKING:
    from core.runs.types import Run
    from core.storage.store import Store

_EMPTY_DRAFT = tr("The open draft is empty, so there is nothing to compare.")
_ACTIVE_BROKEN = tr("The model in use does not work, so there is nothing to compare.")
_REWRITER_CHANGES = tr(
    "Suggestions will come from the other model. Findings do not change, so there is nothing to compare."
)


@dataclass(frozen=True, slots=True)
class RoleModels:
    """The models of one role, and the one that a rollback returns to."""

    installed: tuple[InstalledModel, ...]
    previous: InstalledModel | None = None


@dataclass(frozen=True, slots=True)
class ModelCandidate:
    """A model that may be promoted: installed under ``id``, or of a ``run`` and not installed yet."""

    role: str
    title: str
    present: str
    folder: Path
    id: str | None = None
    run: Run | None = None


class ModelCommands(QObject):
    """Runs one command at a time. ``started`` carries what is being done, ``progressed`` the share done.

    ``finished`` is emitted in every case; the outcome is a message of the context.
    """

    started = Signal(str)
    progressed = Signal(float)
    finished = Signal()

    def __init__(self, context: AppContext, widget: QWidget) -> None:
        super().__init__(widget)
        self._context = context
        self._widget = widget
        self._cancel_current: Callable[[], object] = lambda: None
        self._candidate: ModelCandidate | None = None
        self.busy = False

    # Preview and promotion

    def use(self, model: InstalledModel) -> None:
        """Show what this model would change, and promote it if the person agrees."""
        self._prepare(model.title, lambda store: _installed_candidate(store, model))

    def use_run(self, run_id: str) -> None:
        """The same for the model of a finished run."""
        self._prepare(tr("the model of the run"), lambda store: _run_candidate(store, run_id))

    def stop(self) -> None:
        """Cancel the running command; the active model stays."""
        self._cancel_current()

    def _prepare(self, title: str, find_candidate: Callable[[Store], ModelCandidate]) -> None:
        if self._begin(tr("Checking {title} …").format(title=title)):
            self._query_store(find_candidate, self._preview)

    def _preview(self, candidate: ModelCandidate) -> None:
        self._candidate = candidate
        snapshot = self._context.services.snapshot()
        if candidate.role != "reader":
            self._ask(message=_REWRITER_CHANGES)
        elif not snapshot.text.strip():
            self._ask(message=_EMPTY_DRAFT)
        else:
            self.started.emit(tr("{title} is analysing the open draft …").format(title=candidate.title))
            preview = ModelPreview(self._context.services.analysis)
            preview.progressed.connect(self.progressed)
            preview.finished.connect(self._preview_finished)
            self.destroyed.connect(preview.cancel)

            def stop() -> None:
                preview.cancel()
                self._end(tr("Stopped. The models have not changed."))

            self._cancel_current = stop
            preview.start(snapshot, candidate.folder)

    def _preview_finished(self, result: PreviewResult) -> None:
        if result.after is None:
            self._end(result.message)
            return
        if result.before is None:
            self._ask(message=_ACTIVE_BROKEN)
            return
        from core.models.comparison import compare_readings

        ignored, source = self._context.services.ignored_findings, result.source
        self._ask(
            changes=compare_readings(
                source,
                result.before,
                result.after,
                counts=lambda finding: not ignored.is_ignored(finding, source),
            )
        )

    def _ask(self, **message: Any) -> None:
        candidate = self._candidate
        assert candidate is not None
        self._cancel_current = lambda: None
        dialog = PreviewDialog(
            self._widget.window(), present=candidate.present, candidate=candidate.title, **message
        )
        dialog.accepted.connect(self._promote)
        dialog.rejected.connect(self._keep_present)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _keep_present(self) -> None:
        assert self._candidate is not None
        self._end(tr("{title} stays in use.").format(title=self._candidate.present))

    def _promote(self) -> None:
        candidate, cancel = self._candidate, Event()
        assert candidate is not None
        self._cancel_current = cancel.set
        self.started.emit(tr("Switching to {title} …").format(title=candidate.title))
        self._switch(lambda store: _promote_candidate(store, candidate, cancel), tr("{title} is in use now."))

    def roll_back(self, role: str) -> None:
        """Return to the previously active model."""
        if self._begin(tr("Switching to the previous model …")):
            self._switch(lambda store: _registry(store).roll_back(role), tr("{title} is in use again."))

    # The registry

    def load_models(self, then: Callable[[dict[str, RoleModels]], object]) -> None:
        """Call ``then`` with all models by role; without a store, with those of the program."""
        if self._context.services.store_access.failed:
            self._context.submit(_bundled_models, then)
        else:
            self._context.ask(
                _installed_models, then, lambda error: self._context.message.emit(error_message(error))
            )

    def import_folder(self, folder: Path) -> None:
        """Add the model in a folder to the registry."""
        if self._begin(tr("Adding the model …")):
            cancel = Event()
            self._cancel_current = cancel.set
            self._query_store(
                lambda store: import_path(store, folder, cancelled=cancel.is_set), self._imported
            )

    def remove(self, model: InstalledModel) -> None:
        """Remove a model from the registry."""
        if model.id is not None and self._begin(tr("Removing {title} …").format(title=model.title)):
            model_id, removed_text = model.id, tr("{title} was removed.").format(title=model.title)
            self._query_store(
                lambda store: _registry(store).remove(model_id),
                lambda _: self._finish_with_change(removed_text),
            )

    def _imported(self, result: ImportResult) -> None:
        if result.activated:
            self._context.services.use_other_models()
        self._finish_with_change(result.message)

    def _finish_with_change(self, message: str) -> None:
        self._context.models_changed.emit()
        self._end(message)

    # Helpers

    def _begin(self, message: str) -> bool:
        if self.busy:
            self._context.message.emit(
                tr("Another change to the models is in progress. Wait until it is finished.")
            )
            return False
        if self._context.services.store_access.failed:
            self._context.message.emit(
                tr("Evenhand’s database cannot be opened, so the models cannot be changed.")
            )
            return False
        self.busy = True
        self._cancel_current = lambda: None
        self.started.emit(message)
        return True

    def _end(self, message: str) -> None:
        self.busy = False
        self._candidate = None
        self._cancel_current = lambda: None
        self.finished.emit()
        if message:
            self._context.message.emit(message)

    def _failed(self, error: Exception) -> None:
        self._context.models_changed.emit()
        self._end(error_message(error))

    def _query_store(self, question: Callable[[Store], Any], then: Callable[[Any], object]) -> None:
        self._context.ask(question, then, self._failed)

    def _switch(self, job: Callable[[Store], InstalledModel], message: str) -> None:
        """Change the active model; the window is informed even if the page was closed meanwhile."""
        services = self._context.services

        def done(model: InstalledModel) -> None:
            services.use_other_models()
            if isValid(self):
                self._finish_with_change(message.format(title=model.title))

        def failed(error: Exception) -> None:
            if isValid(self):
                self._failed(error)

        services.store_access.ask(job, done, failed)


def error_message(error: Exception) -> str:
    """The message for an error of the registry, of a run or of the store."""
    from core.runs.folder import RunError

    return str(error) if isinstance(error, RunError) else model_import.error_message(error)


def _registry(store: Store) -> Any:
    from core.models.registry import ModelRegistry

    return ModelRegistry(store)


def _installed_models(store: Store) -> dict[str, RoleModels]:
    registry = _registry(store)
    return {role: RoleModels(tuple(registry.installed(role)), registry.previous(role)) for role in ROLES}


def _bundled_models() -> dict[str, RoleModels]:
    from core.models.descriptions import bundled_model

    return {role: RoleModels((bundled_model(role, active=True),)) for role in ROLES}


def _installed_candidate(store: Store, model: InstalledModel) -> ModelCandidate:
    from core.models.installation import load_bundle

    active = _registry(store).active(model.role)
    if active.id == model.id:
        raise InUseError(tr("{title} is already in use.").format(title=model.title))
    load_bundle(model.folder, model.role)
    return ModelCandidate(model.role, model.title, active.title, model.folder, id=model.id)


def _run_candidate(store: Store, run_id: str) -> ModelCandidate:
    from core.models.descriptions import run_model_folder
    from core.models.installation import bundle_role, load_bundle, make_bundle_id
    from core.runs.run_store import RunStore

    run = RunStore(store).get(run_id)
    if run is None:
        raise ModelError(tr("This run no longer exists. Choose another one."))
    folder = run_model_folder(run)
    bundle = load_bundle(folder, bundle_role(folder))
    active = _registry(store).active(bundle.role)
    if active.id == make_bundle_id(bundle):
        raise InUseError(tr("{title} is already in use.").format(title=bundle.title))
    return ModelCandidate(bundle.role, bundle.title, active.title, folder, run=run)


def _promote_candidate(store: Store, candidate: ModelCandidate, cancel: Event) -> InstalledModel:
    registry = _registry(store)
    bundle_id = candidate.id
    if candidate.run is not None:
        bundle_id = registry.add_run(candidate.run, cancelled=cancel.is_set).id
    promoted: InstalledModel = registry.promote(bundle_id, candidate.role)
    return promoted
