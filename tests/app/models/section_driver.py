"""A driver for the models section in a real window with tiny models, and helpers that install models."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtWidgets import QDialog, QVBoxLayout
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.models.app_context import AppContext
from app.models.model_preview import PreviewDialog
from app.models.models_section import ModelsSection
from core.models.registry import ModelRegistry
from core.models.types import InstalledModel
from core.runs.folder import runs_folder
from core.runs.run_store import RunStore
from core.runs.types import Run, Status
from core.storage.store import Store
from tests.core.runs.made_runs import a_run
from tests.tiny import RUN, describe

STRICT = {"span": 1.0, "bias": 1.0, "political": 1.0}
"""Thresholds of a reader that marks nothing."""


@dataclass
class SectionDriver:
    """A window, a section beside it, and what was told."""

    window: MainWindow
    widget: QDialog
    context: AppContext
    section: ModelsSection
    qtbot: QtBot
    message: list[str] = field(default_factory=list)

    @property
    def registry(self) -> ModelRegistry:
        assert self.window.components.store_access.store is not None
        return ModelRegistry(self.window.components.store_access.store)

    def titles(self, role: str = "reader") -> list[str]:
        rows = self.section.roles[role].list
        return [rows.item(row).text() for row in range(rows.count())]

    def select(self, model: InstalledModel) -> None:
        """Choose a model in its list, once it is there."""
        rows = self.section.roles[model.role].list
        self.section.refresh()
        self.qtbot.waitUntil(lambda: model.title in self.titles(model.role))
        rows.select(model.id)
        assert rows.selected_model is not None
        assert rows.selected_model.id == model.id

    def dialog(self) -> PreviewDialog:
        """The question whether a model is to be used, once it is asked."""
        self.qtbot.waitUntil(lambda: self._dialog() is not None)
        found = self._dialog()
        assert found is not None
        return found

    def has_dialog(self) -> bool:
        return self._dialog() is not None

    def wait_for_message(self, words: str) -> None:
        """Wait until a sentence with these words is told."""
        self.qtbot.waitUntil(lambda: any(words in one for one in self.message))

    def wait_for_findings(self, words: list[str]) -> None:
        """Wait until these words are marked in the draft."""
        self.qtbot.waitUntil(lambda: [mark.finding.text for mark in self.window.ui.editor.marks] == words)

    def _dialog(self) -> PreviewDialog | None:
        return next((one for one in self.widget.findChildren(PreviewDialog) if one.isVisible()), None)


def open_section(window: MainWindow, qtbot: QtBot) -> SectionDriver:
    """The section of a window whose store is open."""
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)
    widget = QDialog(window)
    context = AppContext(window.components.services, widget)
    section = ModelsSection(context)
    QVBoxLayout(widget).addWidget(section)
    widget.resize(560, 520)
    open_driver = SectionDriver(window, widget, context, section, qtbot)
    context.message.connect(open_driver.message.append)
    widget.show()
    qtbot.waitUntil(lambda: bool(open_driver.titles()))
    return open_driver


def make_bundle(tiny: Path, folder: Path, version: str, **changes: object) -> Path:
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
    RunStore(store).begin(run)
    RunStore(store).finish(run_id, status)
    return run
