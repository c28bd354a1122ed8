"""The run history: what is listed, how it sorts, which commands a run has, and stable selection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from history_driver import HistoryDriver, add_run, answer_export_path
from PySide6.QtCore import Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from windows import answer

from app.runs.store_queries import read_runs
from core.runs.types import ALIVE_LOCK, Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store


@pytest.fixture
def driver(qtbot: QtBot) -> Iterator[HistoryDriver]:
    made = HistoryDriver(qtbot)
    yield made
    made.close()


def enabled(driver: HistoryDriver) -> set[str]:
    return {name for name, button in driver.history.buttons.items() if button.isEnabled()}


# What is listed


def test_an_empty_history_explains_how_to_start_a_run(driver: HistoryDriver) -> None:
    history = driver.show()
    assert "press the Train button" in history.placeholder_text
    add_run(driver.runs)
    driver.notify_changed()
    assert history.placeholder_text == ""
    assert len(history.table.shown) == 1


def test_an_unreadable_store_is_reported(driver: HistoryDriver) -> None:
    driver.store_access.failed = True
    assert "cannot be opened" in driver.show().placeholder_text


def test_a_dead_run_is_listed_as_interrupted(driver: HistoryDriver) -> None:
    add_run(driver.runs, status=Status.RUNNING)
    driver.show()
    assert driver.column("Status") == ["died"]


def test_the_newest_run_is_first_and_metrics_sort_numerically(driver: HistoryDriver) -> None:
    runs = driver.runs
    times = (9.0, 100.0, 3_600.0, None)
    results = ({"f1": 0.5}, {"f1": 10.0}, {}, {"f1": -2.0})
    for at, (seconds, result) in enumerate(zip(times, results, strict=True)):
        status = Status.FINISHED if seconds else Status.RUNNING
        run = add_run(runs, at, status, seconds=seconds, result=result, seed=at)
        if status is Status.RUNNING:
            alive = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert alive is not None
    history = driver.show()
    assert [run.seed for run in history.table.shown] == [3, 2, 1, 0]
    history.table.filter_bar.sort_by("time")
    assert driver.column("Time") == ["1:00:00", "1:40", "0:09", ""]
    history.table.filter_bar.sort_by("time")
    assert driver.column("Time") == ["0:09", "1:40", "1:00:00", ""]
    history.table.filter_bar.sort_by("f1")
    assert driver.column("f1") == ["10.0000", "0.5000", "", ""]
    alive.release()


def test_a_header_click_sorts_and_a_second_reverses(driver: HistoryDriver) -> None:
    for at, base in enumerate(("b/alpha", "a/Gamma", "c/beta")):
        add_run(driver.runs, at, base=base)
    history = driver.show()
    header = history.table.view.horizontalHeader()
    at = [driver.history.table.view.model().headerData(n, Qt.Orientation.Horizontal) for n in range(7)].index(
        "Base"
    )
    history.table.view.horizontalScrollBar().setValue(9_999)
    for wanted in (["alpha", "beta", "Gamma"], ["Gamma", "beta", "alpha"]):
        where = header.viewport().rect().center()
        where.setX(header.sectionViewportPosition(at) + header.sectionSize(at) // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
        assert driver.column("Base") == wanted
    assert history.table.filter_bar.sort_key == "base"


def test_filters_narrow_the_list_and_its_metrics(driver: HistoryDriver) -> None:
    add_run(driver.runs, 0, result={"babe_f1": 0.5})
    add_run(driver.runs, 1, Status.PAUSED)
    add_run(driver.runs, 2, recipe="rewriter", result={"dev_keep_auc": 0.9})
    bar = driver.show().table.filter_bar
    assert driver.column("babe f1") == ["", "", "0.5000"]
    bar.select(recipe="rewriter")
    assert driver.column("dev keep auc") == ["0.9000"]
    with pytest.raises(ValueError, match="babe f1"):
        driver.column("babe f1")
    bar.select(recipe="", status="paused")
    assert driver.column("Status") == ["paused"]
    bar.select(recipe="rewriter")
    assert driver.history.table.shown == []
    assert driver.history.placeholder_text == ""


def test_selection_and_order_survive_updates(driver: HistoryDriver) -> None:
    kept = [add_run(driver.runs, at, seed=9 - at) for at in range(4)]
    history = driver.show()
    history.table.filter_bar.sort_by("scale")
    driver.choose(kept[1], kept[2])
    add_run(driver.runs, 9, scale="full", result={"f1": 0.5})
    driver.notify_changed()
    assert {run.id for run in history.table.selected} == {kept[1].id, kept[2].id}
    assert history.table.filter_bar.sort_key == "scale"
    assert driver.column("Scale")[0] == "Full"
    driver.runs.delete(kept[1].id)
    driver.notify_changed()
    driver.until(lambda: [run.id for run in history.details] == [kept[2].id])


def test_details_follow_an_active_run(driver: HistoryDriver) -> None:
    run = add_run(driver.runs, status=Status.RUNNING)
    lock = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert lock is not None
    history = driver.show()
    driver.choose(run)
    assert enabled(driver) == {"export", "folder"}
    driver.runs.finish(run.id, Status.FAILED, message="The disk is full.")
    lock.release()
    driver.notify_changed()
    driver.until(lambda: history.run_details.explanation == "The disk is full.")
    assert enabled(driver) == {"export", "folder", "delete"}


def test_many_runs_are_read_with_one_query(driver: HistoryDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Details are read of what is chosen only, and not of what the arrow keys pass by."""
    for at in range(40):
        add_run(driver.runs, at)
    read: list[list[str]] = []

    def counted(store: Store, chosen: list[Run]) -> object:
        read.append([run.id for run in chosen])
        return read_runs(store, chosen)

    monkeypatch.setattr("app.runs.run_history.read_runs", counted)
    history = driver.show()
    history.table.view.setFocus()
    history.table.view.selectRow(0)
    for _ in range(20):
        QTest.keyClick(history.table.view, Qt.Key.Key_Down)
    wanted = [history.table.shown[20].id]
    driver.until(lambda: [run.id for run in history.details] == wanted)
    assert read == [wanted]


def test_a_requested_run_is_selected_despite_the_filter(driver: HistoryDriver) -> None:
    wanted = add_run(driver.runs, 0)
    add_run(driver.runs, 1, recipe="rewriter")
    history = driver.show()
    history.table.filter_bar.select(recipe="rewriter")
    history.show_run(wanted.id)
    driver.until(lambda: [run.id for run in history.details] == [wanted.id])


# What can be done


@pytest.mark.parametrize(
    ("status", "bundle", "can"),
    [
        (Status.FINISHED, True, {"use", "export", "folder", "delete"}),
        (Status.FINISHED, False, {"export", "folder", "delete"}),
        (Status.FAILED, True, {"export", "folder", "delete"}),
        (Status.PAUSED, False, {"resume", "export", "folder", "delete"}),
        (Status.DIED, False, {"resume", "export", "folder", "delete"}),
        (Status.CANCELLED, False, {"export", "folder", "delete"}),
    ],
)
def test_commands_match_the_state_of_the_run(
    driver: HistoryDriver, status: Status, bundle: bool, can: set[str]
) -> None:
    run = add_run(driver.runs, status=status, bundle=bundle)
    history = driver.show()
    assert enabled(driver) == set()
    driver.choose(run)
    assert enabled(driver) == can
    asked: list[tuple[str, str]] = []
    history.use_requested.connect(lambda run_id: asked.append(("use", run_id)))
    history.resume_requested.connect(lambda run_id: asked.append(("resume", run_id)))
    for name in ("use", "resume"):
        history.buttons[name].click()
    assert asked == [(name, run.id) for name in ("use", "resume") if name in can]


def test_export_writes_and_reports_a_file(
    driver: HistoryDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = add_run(driver.runs)
    driver.show()
    driver.choose(run)
    for target in (tmp_path / "run.zip", tmp_path / "no" / "run.zip"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", answer_export_path(target))
        driver.history.buttons["export"].click()
        driver.settle()
    with ZipFile(tmp_path / "run.zip") as archive:
        assert "run.json" in archive.namelist()
    assert driver.message[0] == f"The run was exported to {tmp_path / 'run.zip'}."
    assert "run.zip was not written" in driver.message[1]


def test_deleting_confirms_and_names_the_runs(driver: HistoryDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, stays = add_run(driver.runs, 0), add_run(driver.runs, 1)
    driver.show()
    driver.choose(gone)
    asked = answer(monkeypatch, QMessageBox.StandardButton.No)
    driver.history.buttons["delete"].click()
    driver.settle()
    assert asked == ["Delete runs"]
    assert gone.folder.is_dir()
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    QTest.keyClick(driver.history.table.view, Qt.Key.Key_Delete)
    driver.until(lambda: [run.id for run in driver.history.table.shown] == [stays.id])
    assert not gone.folder.exists()
    driver.until(lambda: driver.history.details == [])
    assert driver.message == []


def test_a_failed_deletion_is_reported(
    driver: HistoryDriver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    run = add_run(driver.runs, folder=tmp_path / "mine")
    driver.show()
    driver.choose(run)
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    driver.history.buttons["delete"].click()
    driver.settle()
    assert "is not in the folder of the runs" in driver.message[0]
    assert (tmp_path / "mine").is_dir()


def test_the_folder_is_opened_or_reported_missing(
    driver: HistoryDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = add_run(driver.runs)
    driver.show()
    driver.choose(run)
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: not opened.append(url.toLocalFile()))
    driver.history.buttons["folder"].click()
    assert opened == [str(run.folder)]
    run.folder.rename(run.folder.with_name("other"))
    driver.history.buttons["folder"].click()
    assert driver.message == ["The folder of this run no longer exists."]


def test_a_hidden_history_reads_nothing(driver: HistoryDriver) -> None:
    driver.context.runs_changed.emit()
    assert not driver.background.busy
