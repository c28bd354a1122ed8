"""A driver for the training section in a real window over a fake trainer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.settings.settings import PAGES
from app.settings.settings_dialog import SettingsDialog
from app.training.training_page import TrainingPage
from app.training.training_section import TrainingSection
from core.runs.run_store import RunStore
from core.runs.types import Run
from core.training_env import TrainingPython

CHILD = Path(__file__).with_name("fake_child.py")
FAKE = TrainingPython((sys.executable, str(CHILD)), "fake", managed=False)
LONG_MS = 60_000


class TrainingDriver:
    """A window with the training page open, and shortcuts for what a person does there."""

    def __init__(self, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.window = window
        self.qtbot = qtbot
        self.environment = monkeypatch
        self.until(lambda: window.components.store_access.store is not None)
        self.training_page = self.open()

    @property
    def section(self) -> TrainingSection:
        section = self.training_page.section("retrain")
        assert isinstance(section, TrainingSection)
        return section

    def open(self) -> TrainingPage:
        """Open the settings on the training page, as a user would, and show the training section."""
        self.window.ui.actions["settings"].trigger()
        dialog = self.window.findChild(SettingsDialog)
        assert dialog is not None
        dialog.pages.setCurrentRow(list(PAGES).index("models"))
        page = dialog.findChild(TrainingPage)
        assert page is not None
        page.tabs.setCurrentIndex(1)
        self.training_page = page
        self.dialog = dialog
        return page

    def reopen(self) -> None:
        """Close the settings and open them again."""
        self.close()
        self.open()

    def close(self) -> None:
        """Close the settings."""
        self.dialog.close()
        self.until(lambda: self.window.findChild(SettingsDialog) is None)

    def until(self, true: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(true, timeout=LONG_MS)

    def wait_until_ready(self) -> None:
        self.until(lambda: self.section.page is self.section.form and self.section.form.device.count() > 1)

    def start(self, how: str) -> None:
        """Fill in the form and start a training that goes as ``how`` says."""
        self.environment.setenv("FAKE_CHILD", how)
        self.wait_until_ready()
        self.section.form.start.click()
        assert self.section.page is self.section.view

    def wait_until_held(self) -> Run:
        """Wait until the training waits in its midst."""
        view = self.section.view
        self.until(lambda: view.follower.progress.step == 10 and view.buttons["pause"].isEnabled())
        assert view.run is not None
        return view.run

    def release(self) -> None:
        assert self.section.view.run is not None
        (self.section.view.run.folder / "go").touch()

    def wait_until_running(self) -> None:
        """Wait until a run goes on again."""
        self.until(lambda: self.section.view.is_running)

    def wait_until_ended(self) -> Run:
        view = self.section.view
        self.until(lambda: view.run is not None and not view.is_running)
        assert view.run is not None
        return view.run

    def runs(self) -> list[Run]:
        assert self.window.components.store_access.store is not None
        return RunStore(self.window.components.store_access.store).list_runs()
