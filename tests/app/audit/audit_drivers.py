"""Drivers for the two pages of the audit window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.audit.audit_window import AuditWindow, BiasPage, CompassPage
from app.main_window.window import MainWindow
from core.runs.run_store import RunStore
from core.runs.types import Run

LONG_MS = 60_000


class BiasAuditDriver:
    """A window with the audit window open, and what a person does there."""

    def __init__(
        self, window: MainWindow, qtbot: QtBot, corpora: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.window, self.qtbot, self.corpora, self.environment = window, qtbot, corpora, monkeypatch
        self.until(lambda: window.components.store_access.store is not None)
        self.open()

    @property
    def dialog(self) -> AuditWindow:
        dialog = self.window.findChild(AuditWindow)
        assert dialog is not None
        return dialog

    @property
    def page(self) -> BiasPage:
        return self.dialog.page

    def open(self) -> None:
        """As a person does, from the menu."""
        self.window.ui.actions["audit"].trigger()

    def close(self) -> None:
        self.dialog.close()
        self.until(lambda: self.window.findChild(AuditWindow) is None)

    def until(self, true: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(true, timeout=LONG_MS)

    def wait_until_ready(self) -> None:
        """Wait until the form can be filled in."""
        form = self.page.form
        self.until(lambda: self.page.page is form and form.device.count() > 1 and form.start.isEnabled())

    def fill(self, base: str = "some/generator") -> None:
        form = self.page.form
        form.base.combo.setEditText(base)
        form.data.combo.setEditText(str(self.corpora))

    def start(self, how: str) -> None:
        """Fill in the form and start an audit that goes as ``how`` says."""
        self.environment.setenv("FAKE_CHILD", how)
        self.wait_until_ready()
        self.fill()
        self.page.form.start.click()
        assert self.page.page is self.page.view

    def wait_until_held(self) -> Run:
        """Wait until the audit waits in the midst of its second part, and that the first one is shown."""
        view = self.page.view
        self.until(
            lambda: view.progress.left.startswith("12 of") and view.progress.buttons["pause"].isEnabled()
        )
        self.until(lambda: view.results.isVisible())
        assert view.run is not None
        return view.run

    def wait_until_ended(self) -> Run:
        view = self.page.view
        self.until(lambda: view.run is not None and not view.is_running)
        assert view.run is not None
        return view.run

    def runs(self) -> list[Run]:
        assert self.window.components.store_access.store is not None
        return RunStore(self.window.components.store_access.store).list_runs()


class CompassDriver(BiasAuditDriver):
    """The same on page two."""

    @property
    def page(self) -> CompassPage:  # type: ignore[override]
        return self.dialog.compass

    def open(self) -> None:
        super().open()
        self.dialog.tabs.setCurrentWidget(self.dialog.compass)

    def fill(self, *models: str) -> None:  # type: ignore[override]
        """Name models (two where none is said), those but the last by Enter."""
        form = self.page.form
        for model in models or ("some/masked", "some/generator"):
            form.models.path_field.combo.setEditText(model)
            form.models.path_field.combo.lineEdit().returnPressed.emit()
        form.data.combo.setEditText(str(self.corpora))

    def start(self, how: str, *models: str) -> None:  # type: ignore[override]
        """Fill in the form and start a run that goes as ``how`` says."""
        self.environment.setenv("FAKE_CHILD", how)
        self.wait_until_ready()
        self.fill(*models)
        self.page.form.start.click()
        assert self.page.page is self.page.view

    def wait_until_held(self) -> Run:
        """Wait until the run waits in the midst of its second model, and that the first one is shown."""
        view = self.page.view
        self.until(
            lambda: view.progress.left.startswith("72 of") and view.progress.buttons["pause"].isEnabled()
        )
        self.until(lambda: view.results.isVisible() and view.results.chart.count() == 2)
        assert view.run is not None
        return view.run
