"""The section of the models over a real window with tiny models, and what is put on the shelf there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QDialog, QVBoxLayout
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.models.app_context import Desk
from app.models.model_preview import TrialDialog
from app.models.models_section import ModelsSection
from core.models.registry import Shelf
from core.models.types import Installed
from core.runs.run_store import Runs, runs_folder
from core.runs.types import Run, Status
from core.storage.store import Store
from tests.core.runs.made_runs import a_run
from tests.tiny import RUN, describe

STRICT = {"span": 1.0, "bias": 1.0, "political": 1.0}
"""Thresholds of a reader that marks nothing."""


@dataclass
class Room:
    """A window, a section beside it, and what was told."""

    window: MainWindow
    widget: QDialog
    desk: Desk
    section: ModelsSection
    qtbot: QtBot
    told: list[str] = field(default_factory=list)

    @property
    def shelf(self) -> Shelf:
        assert self.window.store is not None
        return Shelf(self.window.store)

    def titles(self, role: str = "reader") -> list[str]:
        rows = self.section.roles[role].rows
        return [rows.item(row).text() for row in range(rows.count())]

    def choose(self, model: Installed) -> None:
        """Choose a model in its list, once it is there."""
        rows = self.section.roles[model.role].rows
        self.section.refresh()
        self.qtbot.waitUntil(lambda: model.title in self.titles(model.role))
        rows.choose(model.id)
        assert rows.chosen is not None
        assert rows.chosen.id == model.id

    def dialog(self) -> TrialDialog:
        """The question whether a model is to be used, once it is asked."""
        self.qtbot.waitUntil(lambda: self._dialog() is not None)
        found = self._dialog()
        assert found is not None
        return found

    def asks(self) -> bool:
        return self._dialog() is not None

    def said(self, words: str) -> None:
        """Wait until a sentence with these words is told."""
        self.qtbot.waitUntil(lambda: any(words in one for one in self.told))

    def marked(self, words: list[str]) -> None:
        """Wait until these words are marked in the draft."""
        self.qtbot.waitUntil(lambda: [mark.finding.text for mark in self.window.pane.marks] == words)

    def _dialog(self) -> TrialDialog | None:
        return next((one for one in self.widget.findChildren(TrialDialog) if one.isVisible()), None)


def open_room(window: MainWindow, qtbot: QtBot) -> Room:
    """The section of a window whose store is open."""
    qtbot.waitUntil(lambda: window.store is not None)
    widget = QDialog(window)
    desk = Desk(window.outside, widget)
    section = ModelsSection(desk)
    QVBoxLayout(widget).addWidget(section)
    widget.resize(560, 520)
    room = Room(window, widget, desk, section, qtbot)
    desk.told.connect(room.told.append)
    widget.show()
    qtbot.waitUntil(lambda: bool(room.titles()))
    return room


def made(tiny: Path, folder: Path, version: str, **changes: object) -> Path:
    """A reader in a folder of its own."""
    shutil.copytree(tiny, folder)
    describe(folder, version=version, **changes)
    return folder


def finished_run(
    store: Store, make: Callable[[Path], Path], *, status: Status = Status.FINISHED, run_id: str = RUN
) -> Run:
    """A run in the store, whose model ``make`` writes into a folder."""
    folder = runs_folder() / run_id
    make(folder / "bundle")
    run = a_run(id=run_id, status=status, folder=folder)
    Runs(store).begin(run)
    Runs(store).finish(run_id, status)
    return run
