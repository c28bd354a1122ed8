"""The training page creates its sections when they are first shown and passes runs between them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from training_driver import TrainingDriver
from windows import Make

from app.models.models_section import ModelsSection
from app.runs.run_history import RunHistory
from app.settings.settings import PAGES
from app.settings.settings_dialog import SettingsDialog
from app.training.training_page import TrainingPage
from core.runs.types import Status

ROOT = Path(__file__).resolve().parents[3]


def test_starting_the_window_does_not_import_the_training_page() -> None:
    """pyqtgraph takes half a second to import, and a writer waits for the window."""
    code = (
        "import sys, app.main_window.window; "
        "print({'pyqtgraph', 'sqlalchemy', 'app.training.training_section'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_training_page_is_created_when_it_is_first_shown(make: Make, qtbot: QtBot) -> None:
    window = make()
    window.ui.actions["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    assert dialog.findChild(TrainingPage) is None
    dialog.pages.setCurrentRow(list(PAGES).index("models"))
    page = dialog.findChild(TrainingPage)
    assert page is not None
    assert page.isVisible()
    qtbot.waitUntil(lambda: page.findChild(ModelsSection) is not None)
    assert page.findChild(RunHistory) is None
    dialog.search.setText("corrections training")
    assert dialog.setting_rows["keep_corrections"].isVisible()
    dialog.search.clear()
    assert not dialog.setting_rows["keep_corrections"].isVisible()


def test_no_page_changes_the_size_of_the_settings(make: Make) -> None:
    """A window that grows at one page stands elsewhere for all others: pages scroll instead."""
    window = make()
    window.ui.actions["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    sizes = {dialog.size().toTuple()}
    for number in (*range(dialog.pages.count()), 0):
        dialog.pages.setCurrentRow(number)
        QApplication.processEvents()
        sizes.add(dialog.size().toTuple())
    dialog.pages.setCurrentRow(list(PAGES).index("models"))
    page = dialog.findChild(TrainingPage)
    assert page is not None
    for part in ("models", "retrain", "runs", "corrections"):
        page.show_section(part)
        QApplication.processEvents()
        sizes.add(dialog.size().toTuple())
    dialog.search.setText("corrections training")
    QApplication.processEvents()
    sizes.add(dialog.size().toTuple())
    assert len(sizes) == 1


@pytest.mark.parametrize("part", ["models", "retrain", "runs"])
def test_tab_reaches_the_training_page_before_the_buttons_below(part: str, make: Make, qtbot: QtBot) -> None:
    window = make()
    window.ui.actions["settings"].trigger()
    dialog = window.findChild(SettingsDialog)
    assert dialog is not None
    dialog.pages.setCurrentRow(list(PAGES).index("models"))
    page = dialog.findChild(TrainingPage)
    assert page is not None
    qtbot.waitUntil(lambda: page.findChild(ModelsSection) is not None)
    dialog.pages.setFocus()
    qtbot.keyClick(dialog.pages, Qt.Key.Key_Tab)
    page.show_section(part)
    dialog.pages.setFocus()
    reached = []
    for _ in range(60):
        qtbot.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        reached.append(dialog.focusWidget())
        if reached[-1] is dialog.reset_all_button:
            break
    inside = [page.isAncestorOf(widget) for widget in reached]
    assert inside[0]
    assert reached[-2:] == [dialog.reset_page_button, dialog.reset_all_button]
    assert all(inside[:-2])


def test_a_run_can_be_followed_across_the_sections(training: TrainingDriver) -> None:
    training.start("finish")
    run = training.wait_until_ended()
    training.section.view.buttons["show"].click()
    history = training.training_page.section("runs")
    assert isinstance(history, RunHistory)
    assert history.isVisible()
    training.until(lambda: [one.id for one in history.details] == [run.id])


def test_a_run_is_resumed_from_the_history(training: TrainingDriver) -> None:
    training.start("wait")
    run = training.wait_until_held()
    training.section.view.buttons["pause"].click()
    assert training.wait_until_ended().status is Status.PAUSED
    training.release()
    training.reopen()
    history = training.training_page.show_section("runs")
    assert isinstance(history, RunHistory)
    history.show_run(run.id)
    training.until(lambda: [one.id for one in history.details] == [run.id])
    history.resume_requested.emit(run.id)
    assert training.section.isVisible()
    training.wait_until_running()
    done = training.wait_until_ended()
    assert (done.id, done.status) == (run.id, Status.FINISHED)


@pytest.mark.parametrize("width", [340, 700, 1200])
def test_the_training_section_fits_any_width(training: TrainingDriver, width: int) -> None:
    """Nothing is cut off at the side: what does not fit goes below, or is scrolled down to."""
    training.wait_until_ready()
    training.dialog.resize(width, 600)
    QApplication.processEvents()
    area = training.training_page.tabs.currentWidget()
    assert area.widget().width() <= area.viewport().width()
    training.start("finish")
    training.wait_until_ended()
    QApplication.processEvents()
    assert area.widget().width() <= area.viewport().width()
