"""The model registry: which models there are and which one is in use; adding, promoting, rolling back, removing.

A model's folder never changes; the store says which one is in use. Every change holds the registry's lock and is made
in an order that leaves a working model at every moment.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, delete, insert, select

from core.bundles.manifest import BundleError, unreadable_error
from core.bundles.reader import ReaderBundle
from core.bundles.rewriter import RewriterBundle
from core.i18n import tr
from core.models.active import MODELS_FOLDER
from core.models.crash_records import forget_crashes, has_crashed
from core.models.descriptions import bundled_model, inspect_model, run_model_folder
from core.models.installation import (
    REMOVED_PREFIX,
    bundle_role,
    changed_error,
    copy_bundle,
    load_bundle,
    make_bundle_id,
    remove_leftovers,
)
from core.models.model_load_check import check_model_loads
from core.models.types import InstalledModel, InUseError, ModelError
from core.paths import data_folder
from core.runs.types import Run
from core.storage.disk import make_private_folder, sync_folder
from core.storage.file_lock import FileLock
from core.storage.files import describe_os_error
from core.storage.store import Store
from core.storage.tables import bundles, promotions

_LOCK = ".lock"
LOCK_TIMEOUT_S = 10.0
"""How long to wait for another program that is changing the models."""


class ModelRegistry:
    """The models of a store. Thread-safe; what a method has returned is on the disk.

    Every method raises ``StoreError``; those that change something also ``ModelError`` and ``BundleError``, and then
    nothing has changed. ``folder`` is by default the one in the user's data folder.
    """

    def __init__(self, store: Store, folder: Path | None = None) -> None:
        self._store = store
        self.folder = folder or data_folder() / MODELS_FOLDER

    def installed(self, role: str) -> list[InstalledModel]:
        """The models of a role: the bundled one, then the others in the order in which they were added."""
        with self._store.reading() as connection:
            rows = connection.execute(
                select(bundles).where(bundles.c.role == role).order_by(bundles.c.added_at, bundles.c.id)
            ).all()
            active = _active_id(_promotions(connection, role))
        return [bundled_model(role, active=active is None), *(self._from_row(row, active) for row in rows)]

    def active(self, role: str) -> InstalledModel:
        """The model of a role in use."""
        return next(one for one in self.installed(role) if one.active)

    def previous(self, role: str) -> InstalledModel | None:
        """The model that `roll_back` would return to; None where there is none."""
        with self._store.reading() as connection:
            stack = _promotions(connection, role)
        if not stack:
            return None
        wanted = stack[-2].bundle if len(stack) > 1 else None
        return next((one for one in self.installed(role) if one.id == wanted), None)

    def add_run(self, run: Run, *, cancelled: Callable[[], bool] = lambda: False) -> InstalledModel:
        """Add the model of a finished run and return it; one that is there already is only returned."""
        return self._add(run_model_folder(run), run.id, cancelled=cancelled)

    def add_folder(self, path: Path, *, cancelled: Callable[[], bool] = lambda: False) -> InstalledModel:
        """Add the model in a folder and return it; one that is there already is only returned."""
        return self._add(path, None, cancelled=cancelled)

    def promote(self, bundle_id: str | None, role: str) -> InstalledModel:
        """Use this model; with None, the one that comes with the program.

        It is tried out first. Raises InUseError if it is already in use.
        """
        with self._exclusive():
            chosen = self._find(bundle_id, role)
        if chosen.active and self._promoted(role) == bundle_id:
            raise InUseError(tr("{title} is already in use.").format(title=chosen.title))
        _test(chosen)
        with self._exclusive():
            self._find(bundle_id, role)
            if self._promoted(role) != bundle_id:
                with self._store.writing() as connection:
                    values = {"role": role, "bundle": bundle_id, "promoted_at": datetime.now(UTC)}
                    connection.execute(insert(promotions).values(values))
            if bundle_id is not None:
                forget_crashes(bundle_id)
        return self.active(role)

    def roll_back(self, role: str) -> InstalledModel:
        """Use the model that was in use before."""
        with self._exclusive():
            before = self.previous(role)
        if before is None:
            message = tr("{title} comes with Evenhand; there is no other model to roll back to.")
            raise ModelError(message.format(title=bundled_model(role, active=True).title))
        _test(before)
        with self._exclusive():
            if self.previous(role) != before:
                raise _busy_error()
            with self._store.writing() as connection:
                connection.execute(
                    delete(promotions).where(promotions.c.id == _promotions(connection, role)[-1].id)
                )
        if before.id is not None:
            forget_crashes(before.id)
        return self.active(role)

    def remove(self, bundle_id: str) -> None:
        """Remove a model for good. Raises ModelError where it is in use."""
        with self._exclusive():
            chosen = self._find(bundle_id)
            if chosen.active:
                message = tr("{title} is in use. Roll back or use another model first.")
                raise ModelError(message.format(title=chosen.title))
            with suppress(FileNotFoundError):
                chosen.folder.replace(self.folder / f"{REMOVED_PREFIX}{bundle_id}")
            sync_folder(self.folder)
            with self._store.writing() as connection:
                connection.execute(delete(promotions).where(promotions.c.bundle == bundle_id))
                _drop_repeated_promotions(connection, chosen.role)
                connection.execute(delete(bundles).where(bundles.c.id == bundle_id))
            forget_crashes(bundle_id)
            with suppress(OSError):
                self._remove_leftovers()

    def _add(self, source: Path, run: str | None, *, cancelled: Callable[[], bool]) -> InstalledModel:
        try:
            bundle_id = make_bundle_id(load_bundle(source, bundle_role(source)))
            bundle = check_model_loads(bundle_role(source), source, cancelled=cancelled)
        except OSError as error:
            raise unreadable_error(source, error) from error
        with self._exclusive():
            self._place(bundle, bundle_id, cancelled=cancelled)
            row = {
                "id": bundle_id,
                "role": bundle.role,
                "name": bundle.name,
                "version": bundle.version,
                "run": run or bundle.run,
                "source": "import" if run is None else "run",
                "added_at": datetime.now(UTC),
            }
            with self._store.writing() as connection:
                if not connection.scalar(select(bundles.c.id).where(bundles.c.id == bundle_id)):
                    connection.execute(insert(bundles).values(row))
        return self._find(bundle_id, bundle.role)

    def _place(
        self, bundle: ReaderBundle | RewriterBundle, bundle_id: str, *, cancelled: Callable[[], bool]
    ) -> None:
        """Copy the bundle to the folder of its id, unless a sound copy is there."""
        final = self.folder / bundle_id
        with suppress(BundleError, OSError):
            load_bundle(final, bundle.role)
            return
        try:
            copy = copy_bundle(bundle, self.folder, bundle_id, cancelled=cancelled)
            if make_bundle_id(replace(bundle, folder=copy)) != bundle_id:
                raise changed_error(bundle.folder)
            if os.path.lexists(final):
                final.replace(self.folder / f"{REMOVED_PREFIX}{bundle_id}")
            copy.replace(final)
        except (BundleError, ModelError, OSError):
            with suppress(OSError):
                self._remove_leftovers()
            raise
        sync_folder(self.folder)

    def _promoted(self, role: str) -> str | None:
        """The model that was promoted last, whether or not it has crashed since."""
        with self._store.reading() as connection:
            stack = _promotions(connection, role)
        return stack[-1].bundle if stack else None

    def _remove_leftovers(self) -> None:
        with self._store.reading() as connection:
            known = set(connection.scalars(select(bundles.c.id)))
        remove_leftovers(self.folder, known)

    def _find(self, bundle_id: str | None, role: str | None = None) -> InstalledModel:
        if bundle_id is None and role is not None:
            return bundled_model(role, active=self.active(role).id is None)
        with self._store.reading() as connection:
            row = connection.execute(select(bundles).where(bundles.c.id == bundle_id)).first()
            stack = _promotions(connection, row.role) if row is not None else []
        if row is None or role not in (None, row.role):
            message = tr("There is no model {id}. Check the list of models.")
            raise ModelError(message.format(id=bundle_id))
        return self._from_row(row, _active_id(stack))

    def _from_row(self, row: Row[Any], active: str | None) -> InstalledModel:
        return inspect_model(
            InstalledModel(
                row.id,
                row.role,
                row.name,
                row.version,
                folder=self.folder / row.id,
                source=row.source,
                active=row.id == active,
                run=row.run,
                added_at=row.added_at,
            )
        )

    @contextmanager
    def _exclusive(self) -> Iterator[None]:
        """Hold the registry's lock, with leftovers removed. Turns OSError into ModelError."""
        try:
            make_private_folder(self.folder)
            lock = self._locked()
            try:
                self._remove_leftovers()
                yield
            finally:
                lock.release()
        except OSError as error:
            message = tr("The models in {folder} cannot be changed: {cause}.")
            raise ModelError(message.format(folder=self.folder, cause=describe_os_error(error))) from error

    def _locked(self) -> FileLock:
        lock = FileLock.acquire_within(self.folder / _LOCK, LOCK_TIMEOUT_S)
        if lock is None:
            raise _busy_error()
        return lock


def _busy_error() -> ModelError:
    return ModelError(tr("Another window of Evenhand is changing the models. Try again in a moment."))


def _test(model: InstalledModel) -> None:
    """Try a model out; of one that came with the program, its files are checked. Raises BundleError."""
    if model.id is None:
        load_bundle(model.folder, model.role)
    else:
        check_model_loads(model.role, model.folder)


def _active_id(stack: Sequence[Row[Any]]) -> str | None:
    """The model that was promoted last; None, for the bundled one, where it has crashed the program since."""
    promoted: str | None = stack[-1].bundle if stack else None
    return None if promoted is None or has_crashed(promoted) else promoted


def _promotions(connection: Connection, role: str) -> list[Row[Any]]:
    """The promotions of a role, the current one last."""
    found = select(promotions.c.id, promotions.c.bundle).where(promotions.c.role == role)
    return [*connection.execute(found.order_by(promotions.c.id))]


def _drop_repeated_promotions(connection: Connection, role: str) -> None:
    """After a removal two neighbouring promotions may name the same model.

    Keep one, so that each rollback changes it.
    """
    before: str | None = None
    for row in _promotions(connection, role):
        if row.bundle == before:
            connection.execute(delete(promotions).where(promotions.c.id == row.id))
        before = row.bundle
