"""A driver for the run history over a real store and a real job queue, without a window."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from sqlalchemy import update

from app.background.jobs import JobQueue
from app.background.store import StoreAccess
from app.models.app_context import AppContext
from app.runs.run_history import RunHistory
from core.runs.run_store import RunStore
from core.runs.types import LOG, METRICS_FILE, Artefact, MetricPoint, Run, Status
from core.storage.store import Store
from core.storage.tables import runs as table
from tests.core.runs.made_runs import a_run

ALL_METRICS: dict[str, list[dict[str, Any]]] = {
    "confusion": [{"name": "bias", "labels": ["neutral", "biased"], "counts": [[8, 2], [1, 9]]}],
    "reliability": [
        {
            "name": "bias",
            "bins": [{"low": 0.5, "high": 1, "count": 20, "confidence": 0.9, "share": 0.85}],
            "error": 0.05,
        }
    ],
    "published": [
        {"name": "BERT", "metric": "macro F1", "ours": 0.79, "published": 0.804, "source": "BABE, Table 5"}
    ],
}


def add_run(
    runs: RunStore,
    at: int = 0,
    status: Status = Status.FINISHED,
    *,
    seconds: float | None = None,
    result: dict[str, float] | None = None,
    bundle: bool = False,
    **changes: object,
) -> Run:
    """A run in the store as a training leaves it; ``seconds``: how long it took."""
    run = a_run(at, **changes)
    runs.begin(run)
    points = [MetricPoint("reader", step, "step", "loss", 1 / step) for step in range(1, 6)]
    runs.add_points(
        run.id, [*points, *(MetricPoint("reader", step, "eval", "dev", step / 10) for step in (2, 4))]
    )
    (run.folder / LOG).write_text("first\nlast\n")
    if bundle:
        (run.folder / "bundle").mkdir()
        (run.folder / "bundle" / "bundle.json").write_text("{}")
    if status is not Status.RUNNING:
        runs.finish(run.id, status, result=result, artefacts=[Artefact("bundle/x", 5, "ef" * 32)])
    if seconds is not None:
        with runs._store.writing() as connection:
            ended = run.made_at + timedelta(seconds=seconds)
            connection.execute(update(table).where(table.c.id == run.id).values(ended_at=ended))
    return run


def with_metrics(run: Run) -> Run:
    """The run with all sorts of figures in its folder."""
    (run.folder / METRICS_FILE).write_text(json.dumps(ALL_METRICS))
    return run


class HistoryDriver:
    """The history on its own, with what the window would give it."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.background = JobQueue()
        self.store_access = StoreAccess(self.background)
        self.host = QWidget()
        self.context = AppContext(
            SimpleNamespace(background=self.background, store_access=self.store_access), self.host
        )  # type: ignore[arg-type]
        self.message: list[str] = []
        self.context.message.connect(self.message.append)
        self.store_access.open(days=0)
        self.settle()
        assert self.store_access.store is not None
        self.store: Store = self.store_access.store
        self.runs = RunStore(self.store)
        self.history = RunHistory(self.context)

    def show(self, width: int = 900, height: int = 700) -> RunHistory:
        """Show it, and wait until it has read the runs."""
        self.history.resize(width, height)
        self.history.show()
        self.qtbot.waitExposed(self.history)
        self.settle()
        return self.history

    def settle(self) -> None:
        """Wait until nothing is read any more."""
        self.qtbot.waitUntil(lambda: not self.background.busy)

    def notify_changed(self) -> None:
        """Say that runs have changed, and wait until the history knows."""
        self.context.runs_changed.emit()
        self.settle()

    def choose(self, *runs: Run) -> None:
        """Choose runs as the mouse does, and wait until their details are shown."""
        shown_in = self.history.table
        shown_in.view.clearSelection()
        shown = [run.id for run in shown_in.shown]
        for run in runs:
            index = shown_in.view.model().index(shown.index(run.id), 0)
            how = QItemSelectionModel.SelectionFlag
            shown_in.view.selectionModel().select(index, how.Select | how.Rows)
        ids = {run.id for run in runs}
        self.until(lambda: {run.id for run in self.history.details} == ids)

    def until(self, true: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(true)

    def column(self, title: str) -> list[str]:
        """What stands in a column, from the first row to the last."""
        model = self.history.table.view.model()
        names = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
        at = names.index(title)
        return [model.index(row, at).data() for row in range(model.rowCount())]

    def close(self) -> None:
        self.history.close()
        self.history.deleteLater()
        self.store_access.close()
        self.background.close()


def answer_export_path(path: Path) -> Callable[..., tuple[str, str]]:
    """A file dialog that is answered with a path."""
    return lambda *_: (str(path), "")
