"""The runs in the store: started, followed, finished, listed, deleted. Safe for several processes at once."""

from __future__ import annotations

import json
import math
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Text, delete, insert, select, type_coerce, update
from sqlalchemy.dialects.sqlite import insert as insert_or

from core.i18n import tr
from core.runs.archive import write_archive
from core.runs.folder import RunError, hold_if_idle, runs_folder
from core.runs.recipes import current_settings, recipe_name
from core.runs.types import ALIVE_LOCK, EVENTS, LOG, Artefact, MetricPoint, Run, Status
from core.storage.files import describe_os_error
from core.storage.store import Store
from core.storage.tables import run_artefacts, run_metrics, runs, storable

_TABLES = ("settings", "data", "result")
# Read as text: one damaged row must not hide the others.
_COLUMNS = [type_coerce(one, Text).label(one.name) if one.name in _TABLES else one for one in runs.c]


class RunStore:
    """All runs of one store. What a method has returned is on the disk. Raises ``RunError`` and ``StoreError``."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def begin(self, run: Run) -> None:
        """Record a run that has started, or one that is resumed, with its new device and code.

        Its process must already hold the lock in its folder; otherwise the run counts as dead.
        """
        values = _columns(run) | {"status": Status.RUNNING.value}
        again = {name: values[name] for name in ("status", "device", "code", "ended_at", "message", "eta_s")}
        statement = insert_or(runs).values(values).on_conflict_do_update(index_elements=["id"], set_=again)
        with self._store.writing() as connection:
            connection.execute(statement)

    def progress(self, run_id: str, *, stage: str, step: int, steps: int, eta_s: float, message: str) -> None:
        """Record the progress and last message of a run."""
        eta_s = eta_s if math.isfinite(eta_s) else 0.0
        self._change(
            run_id, stage=storable(stage), step=step, steps=steps, eta_s=eta_s, message=storable(message)
        )

    def add_points(self, run_id: str, points: Iterable[MetricPoint]) -> None:
        """Record metrics. Values that are not finite are left out: no chart can show them."""
        rows = [{"run": run_id, **asdict(point)} for point in points if math.isfinite(point.value)]
        with self._store.writing() as connection:
            _require(connection, run_id)
            if rows:
                connection.execute(insert(run_metrics), rows)

    def add_data(self, run_id: str, data: Mapping[str, str]) -> None:
        """Record the SHA-256 of corpus files that were read, by path, in addition to those already known."""
        with self._store.writing() as connection:
            known = _run(_require(connection, run_id)).data
            connection.execute(update(runs).where(runs.c.id == run_id).values(data=known | dict(data)))

    def finish(
        self,
        run_id: str,
        status: Status,
        *,
        message: str = "",
        result: Mapping[str, float] | None = None,
        artefacts: Iterable[Artefact] = (),
    ) -> None:
        """Record how a run ended, with its final metrics and the files it wrote (which replace earlier ones)."""
        if status is Status.RUNNING:
            raise ValueError("a finished run cannot be running")
        values: dict[str, Any] = {"status": status.value, "ended_at": _now(), "eta_s": 0.0}
        values["message"] = storable(message)
        if result is not None:
            values["result"] = {name: float(value) for name, value in result.items() if math.isfinite(value)}
        made = [{"run": run_id, **asdict(one), "path": storable(one.path)} for one in artefacts]
        with self._store.writing() as connection:
            _require(connection, run_id)
            connection.execute(update(runs).where(runs.c.id == run_id).values(values))
            if made:
                connection.execute(delete(run_artefacts).where(run_artefacts.c.run == run_id))
                connection.execute(insert(run_artefacts), made)

    def mark_died(self) -> list[Run]:
        """Mark running runs whose process is gone as died, ended at their last output; returns them."""
        died: list[str] = []
        for run in self._read(runs.c.status == Status.RUNNING.value):
            with hold_if_idle(run) as idle:
                if not idle:
                    continue
                values = {"status": Status.DIED.value, "ended_at": _last_output(run), "eta_s": 0.0}
                still = update(runs).where(runs.c.id == run.id, runs.c.status == Status.RUNNING.value)
                with self._store.writing() as connection:
                    died += [run.id] * connection.execute(still.values(values)).rowcount
        return self._read(runs.c.id.in_(died)) if died else []

    def get(self, run_id: str) -> Run | None:
        """The run of this id. Raises RunError where its record is damaged."""
        with self._store.reading() as connection:
            row = connection.execute(select(*_COLUMNS).where(runs.c.id == run_id)).first()
        return None if row is None else _run(row)

    def list_runs(self) -> list[Run]:
        """All runs, newest first. A damaged record is listed as failed, with a message."""
        return self._read()

    def find_ids(self, start: str) -> list[str]:
        """The ids that begin with ``start``, sorted; only ``start`` itself where it is an id."""
        with self._store.reading() as connection:
            found = connection.scalars(
                select(runs.c.id).where(runs.c.id.startswith(start, autoescape=True)).order_by(runs.c.id)
            ).all()
        return [start] if start in found else list(found)

    def points(self, run_id: str) -> list[MetricPoint]:
        """The metrics of a run in order. Steps that were repeated after a crash count once, with their last value."""
        kept = [column for column in run_metrics.c if column.name not in ("id", "run")]
        statement = select(*kept).where(run_metrics.c.run == run_id).order_by(run_metrics.c.id)
        latest: dict[tuple[str, int, str, str], MetricPoint] = {}
        with self._store.reading() as connection:
            for row in connection.execute(statement):
                point = MetricPoint(*row)
                key = (point.stage, point.step, point.event, point.name)
                latest.pop(key, None)
                latest[key] = point
        return list(latest.values())

    def artefacts(self, run_id: str) -> list[Artefact]:
        """The files that a run wrote, by path."""
        kept = [column for column in run_artefacts.c if column.name != "run"]
        statement = select(*kept).where(run_artefacts.c.run == run_id).order_by(run_artefacts.c.path)
        with self._store.reading() as connection:
            return [Artefact(*row) for row in connection.execute(statement)]

    def export(self, run_id: str, target: Path, *, with_bundle: bool = False) -> None:
        """Write a run into one zip file, atomically; its model only with ``with_bundle``."""
        run = self._known(run_id)
        write_archive(
            run, self.points(run_id), self.artefacts(run_id), target=target, with_bundle=with_bundle
        )

    def delete(self, run_id: str) -> None:
        """Remove a run and its folder. Raises RunError for a running one or one outside the folder of runs."""
        with self._store.reading() as connection:
            row = _require(connection, run_id)
        run = _run_or_placeholder(row)
        folder = run.folder
        there = folder.exists() or folder.is_symlink()
        if there and (folder.name != run_id or folder.resolve() != runs_folder().resolve() / run_id):
            message = tr("The run {id} was not deleted: {folder} is not in the folder of the runs.")
            raise RunError(message.format(id=run_id, folder=folder))
        with hold_if_idle(run) as idle:
            if not idle:
                message = tr("The run {id} is running. Cancel it before you delete it.")
                raise RunError(message.format(id=run_id))
            _empty(run)
        _remove(run)
        with self._store.writing() as connection:
            connection.execute(delete(runs).where(runs.c.id == run_id))

    def _known(self, run_id: str) -> Run:
        run = self.get(run_id)
        if run is None:
            raise _unknown(run_id)
        return run

    def _read(self, *conditions: Any) -> list[Run]:
        statement = select(*_COLUMNS).where(*conditions).order_by(runs.c.made_at.desc(), runs.c.id)
        with self._store.reading() as connection:
            return [_run_or_placeholder(row) for row in connection.execute(statement)]

    def _change(self, run_id: str, **values: object) -> None:
        with self._store.writing() as connection:
            if not connection.execute(update(runs).where(runs.c.id == run_id).values(values)).rowcount:
                raise _unknown(run_id)


def _folder_of(row: Row[Any]) -> Path:
    """The folder of the run: as recorded, or in the present data folder if that was moved since."""
    recorded, moved = Path(row.folder), runs_folder() / row.id
    return moved if not recorded.is_dir() and moved.is_dir() else recorded


def _columns(run: Run) -> dict[str, Any]:
    values = {column.name: getattr(run, column.name) for column in runs.c}
    texts = {name: storable(value) for name, value in values.items() if isinstance(value, str)}
    return values | texts | {"folder": storable(str(run.folder)), "status": run.status.value}


def _run(row: Row[Any]) -> Run:
    """The run in a row. Raises RunError where the row is damaged."""
    try:
        tables = {name: _table(getattr(row, name)) for name in _TABLES}
        return Run(**_plain(row) | tables | {"settings": current_settings(tables["settings"])})
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        message = tr("The record of the run {id} is damaged. Delete it; the other runs are not touched.")
        raise RunError(message.format(id=row.id)) from error


def _run_or_placeholder(row: Row[Any]) -> Run:
    try:
        return _run(row)
    except RunError as error:
        empty: dict[str, Any] = {name: {} for name in _TABLES}
        return Run(**_plain(row, Status.FAILED) | empty | {"message": str(error)})


def _plain(row: Row[Any], status: Status | None = None) -> dict[str, Any]:
    facts = {
        "recipe": recipe_name(row.recipe),
        "status": status or Status(row.status),
        "folder": _folder_of(row),
    }
    return dict(row._mapping) | facts


def _table(text: str) -> dict[str, Any]:
    table = json.loads(text)
    if not isinstance(table, dict):
        raise ValueError("not a table")
    return table


def _require(connection: Connection, run_id: str) -> Row[Any]:
    row = connection.execute(select(*_COLUMNS).where(runs.c.id == run_id)).first()
    if row is None:
        raise _unknown(run_id)
    return row


def _unknown(run_id: str) -> RunError:
    return RunError(tr("There is no run {id}. It may have been deleted.").format(id=run_id))


def _last_output(run: Run) -> datetime:
    """When the run last wrote anything; else now."""
    moments = [
        datetime.fromtimestamp(path.stat().st_mtime, UTC)
        for name in (EVENTS, LOG)
        if (path := run.folder / name).is_file()
    ]
    return max([run.made_at, *moments]) if moments else _now()


def _empty(run: Run) -> None:
    """Remove everything in the folder except the held lock, which some systems cannot delete."""
    if not run.folder.is_dir():
        return
    for path in run.folder.iterdir():
        if path.name != ALIVE_LOCK:
            _discard(run, path)


def _remove(run: Run) -> None:
    if run.folder.exists():
        _discard(run, run.folder)


def _discard(run: Run, path: Path) -> None:
    try:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        message = tr("The run {id} was only partly deleted: {cause}. Delete the run again afterwards.")
        raise RunError(message.format(id=run.id, cause=describe_os_error(error))) from error


def _now() -> datetime:
    return datetime.now(UTC)
