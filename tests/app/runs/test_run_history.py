"""Protects the history of runs: what is listed, how it sorts, what can be done with a run, and that nothing jumps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest
from histories import Bench, exported_to, keep
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
def bench(qtbot: QtBot) -> Iterator[Bench]:
    made = Bench(qtbot)
    yield made
    made.close()


def enabled(bench: Bench) -> set[str]:
    return {name for name, button in bench.history.buttons.items() if button.isEnabled()}


# What is listed


def test_without_runs_it_says_how_to_get_one(bench: Bench) -> None:
    history = bench.show()
    assert "press the Train button" in history.placeholder_text
    keep(bench.runs)
    bench.changed()
    assert history.placeholder_text == ""
    assert len(history.table.shown) == 1


def test_a_store_that_cannot_be_opened_is_said(bench: Bench) -> None:
    bench.store_access.failed = True
    assert "cannot be opened" in bench.show().placeholder_text


def test_a_run_that_died_is_listed_so(bench: Bench) -> None:
    keep(bench.runs, status=Status.RUNNING)
    bench.show()
    assert bench.column("Status") == ["died"]


def test_the_newest_is_first_and_figures_sort_as_numbers(bench: Bench) -> None:
    runs = bench.runs
    times = (9.0, 100.0, 3_600.0, None)
    results = ({"f1": 0.5}, {"f1": 10.0}, {}, {"f1": -2.0})
    for at, (seconds, result) in enumerate(zip(times, results, strict=True)):
        status = Status.FINISHED if seconds else Status.RUNNING
        run = keep(runs, at, status, seconds=seconds, result=result, seed=at)
        if status is Status.RUNNING:
            alive = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert alive is not None
    history = bench.show()
    assert [run.seed for run in history.table.shown] == [3, 2, 1, 0]
    history.table.filter_bar.sort_by("time")
    assert bench.column("Time") == ["1:00:00", "1:40", "0:09", ""]
    history.table.filter_bar.sort_by("time")
    assert bench.column("Time") == ["0:09", "1:40", "1:00:00", ""]
    history.table.filter_bar.sort_by("f1")
    assert bench.column("f1") == ["10.0000", "0.5000", "", ""]
    alive.release()


def test_a_click_on_a_header_sorts_and_a_second_turns(bench: Bench) -> None:
    for at, base in enumerate(("b/alpha", "a/Gamma", "c/beta")):
        keep(bench.runs, at, base=base)
    history = bench.show()
    header = history.table.view.horizontalHeader()
    at = [bench.history.table.view.model().headerData(n, Qt.Orientation.Horizontal) for n in range(7)].index(
        "Base"
    )
    history.table.view.horizontalScrollBar().setValue(9_999)
    for wanted in (["alpha", "beta", "Gamma"], ["Gamma", "beta", "alpha"]):
        where = header.viewport().rect().center()
        where.setX(header.sectionViewportPosition(at) + header.sectionSize(at) // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
        assert bench.column("Base") == wanted
    assert history.table.filter_bar.sort_key == "base"


def test_filters_narrow_the_list_and_its_metrics(bench: Bench) -> None:
    keep(bench.runs, 0, result={"babe_f1": 0.5})
    keep(bench.runs, 1, Status.PAUSED)
    keep(bench.runs, 2, recipe="rewriter", result={"dev_keep_auc": 0.9})
    bar = bench.show().table.filter_bar
    assert bench.column("babe f1") == ["", "", "0.5000"]
    bar.select(recipe="rewriter")
    assert bench.column("dev keep auc") == ["0.9000"]
    with pytest.raises(ValueError, match="babe f1"):
        bench.column("babe f1")
    bar.select(recipe="", status="paused")
    assert bench.column("Status") == ["paused"]
    bar.select(recipe="rewriter")
    assert bench.history.table.shown == []
    assert bench.history.placeholder_text == ""


def test_choice_and_order_stay_when_runs_come_and_change(bench: Bench) -> None:
    kept = [keep(bench.runs, at, seed=9 - at) for at in range(4)]
    history = bench.show()
    history.table.filter_bar.sort_by("scale")
    bench.choose(kept[1], kept[2])
    keep(bench.runs, 9, scale="full", result={"f1": 0.5})
    bench.changed()
    assert {run.id for run in history.table.selected} == {kept[1].id, kept[2].id}
    assert history.table.filter_bar.sort_key == "scale"
    assert bench.column("Scale")[0] == "Full"
    bench.runs.delete(kept[1].id)
    bench.changed()
    bench.until(lambda: [run.id for run in history.details] == [kept[2].id])


def test_details_follow_a_run_that_goes_on(bench: Bench) -> None:
    run = keep(bench.runs, status=Status.RUNNING)
    lock = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert lock is not None
    history = bench.show()
    bench.choose(run)
    assert enabled(bench) == {"export", "folder"}
    bench.runs.finish(run.id, Status.FAILED, message="The disk is full.")
    lock.release()
    bench.changed()
    bench.until(lambda: history.run_details.explanation == "The disk is full.")
    assert enabled(bench) == {"export", "folder", "delete"}


def test_many_runs_cost_one_reading_of_the_list(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Details are read of what is chosen only, and not of what the arrow keys pass by."""
    for at in range(40):
        keep(bench.runs, at)
    read: list[list[str]] = []

    def counted(store: Store, chosen: list[Run]) -> object:
        read.append([run.id for run in chosen])
        return read_runs(store, chosen)

    monkeypatch.setattr("app.runs.run_history.read_runs", counted)
    history = bench.show()
    history.table.view.setFocus()
    history.table.view.selectRow(0)
    for _ in range(20):
        QTest.keyClick(history.table.view, Qt.Key.Key_Down)
    wanted = [history.table.shown[20].id]
    bench.until(lambda: [run.id for run in history.details] == wanted)
    assert read == [wanted]


def test_a_run_that_is_asked_for_is_chosen_whatever_the_filter(bench: Bench) -> None:
    wanted = keep(bench.runs, 0)
    keep(bench.runs, 1, recipe="rewriter")
    history = bench.show()
    history.table.filter_bar.select(recipe="rewriter")
    history.show_run(wanted.id)
    bench.until(lambda: [run.id for run in history.details] == [wanted.id])


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
def test_what_can_be_done_with_a_run(bench: Bench, status: Status, bundle: bool, can: set[str]) -> None:
    run = keep(bench.runs, status=status, bundle=bundle)
    history = bench.show()
    assert enabled(bench) == set()
    bench.choose(run)
    assert enabled(bench) == can
    asked: list[tuple[str, str]] = []
    history.use_requested.connect(lambda run_id: asked.append(("use", run_id)))
    history.resume_requested.connect(lambda run_id: asked.append(("resume", run_id)))
    for name in ("use", "resume"):
        history.buttons[name].click()
    assert asked == [(name, run.id) for name in ("use", "resume") if name in can]


def test_export_writes_a_file_and_says_so(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = keep(bench.runs)
    bench.show()
    bench.choose(run)
    for target in (tmp_path / "run.zip", tmp_path / "no" / "run.zip"):
        monkeypatch.setattr(QFileDialog, "getSaveFileName", exported_to(target))
        bench.history.buttons["export"].click()
        bench.settle()
    with ZipFile(tmp_path / "run.zip") as archive:
        assert "run.json" in archive.namelist()
    assert bench.message[0] == f"The run was saved in {tmp_path / 'run.zip'}."
    assert "run.zip was not written" in bench.message[1]


def test_deleting_asks_first_and_names_the_runs(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    gone, stays = keep(bench.runs, 0), keep(bench.runs, 1)
    bench.show()
    bench.choose(gone)
    asked = answer(monkeypatch, QMessageBox.StandardButton.No)
    bench.history.buttons["delete"].click()
    bench.settle()
    assert asked == ["Delete runs"]
    assert gone.folder.is_dir()
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    QTest.keyClick(bench.history.table.view, Qt.Key.Key_Delete)
    bench.until(lambda: [run.id for run in bench.history.table.shown] == [stays.id])
    assert not gone.folder.exists()
    bench.until(lambda: bench.history.details == [])
    assert bench.message == []


def test_what_cannot_be_deleted_is_said(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine").mkdir()
    run = keep(bench.runs, folder=tmp_path / "mine")
    bench.show()
    bench.choose(run)
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    bench.history.buttons["delete"].click()
    bench.settle()
    assert "does not lie among the runs" in bench.message[0]
    assert (tmp_path / "mine").is_dir()


def test_the_folder_is_opened_or_missed(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    run = keep(bench.runs)
    bench.show()
    bench.choose(run)
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: not opened.append(url.toLocalFile()))
    bench.history.buttons["folder"].click()
    assert opened == [str(run.folder)]
    run.folder.rename(run.folder.with_name("other"))
    bench.history.buttons["folder"].click()
    assert bench.message == ["The folder of this run no longer exists."]


def test_nothing_is_read_while_nobody_sees_it(bench: Bench) -> None:
    bench.context.runs_changed.emit()
    assert not bench.background.busy
