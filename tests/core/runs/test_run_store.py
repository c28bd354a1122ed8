"""Protects what is known of a training run: how it was asked, how it went, how it ended, and that it can be removed."""

from __future__ import annotations

import math
import os
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from made_runs import BEGUN, a_run, some_points
from sqlalchemy import event, update

from core.runs.folder import RunError, has_bundle, is_alive, log_tail, request_stop, runs_folder
from core.runs.run_store import RunStore
from core.runs.types import ALIVE_LOCK, EVENTS, LOG, STOP_REQUEST, Artefact, MetricPoint, Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store
from core.storage.tables import runs as table

ON_POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs symbolic links")


def begun(runs: RunStore, at: int = 0, **changes: object) -> Run:
    run = a_run(at, **changes)
    runs.begin(run)
    return run


def ended(runs: RunStore, at: int = 0, status: Status = Status.FINISHED, **changes: object) -> Run:
    run = begun(runs, at, **changes)
    runs.finish(run.id, status)
    return run


def changed(store: Store, run: Run, **values: object) -> None:
    with store.writing() as connection:
        connection.execute(update(table).where(table.c.id == run.id).values(values))


# What a run says of itself


def test_a_run_of_an_earlier_version_has_the_present_names(store: Store) -> None:
    run = a_run(recipe="judge", settings={"rate": "5e-05", "seed": "1"})
    RunStore(store).begin(run)
    found = RunStore(store).get(run.id)
    assert found is not None
    assert (found.recipe, found.settings) == ("ideology-classifier", {"learning_rate": "5e-05", "seed": "1"})


def test_a_run_comes_back_as_it_began_after_a_restart(store: Store, runs: RunStore) -> None:
    run = a_run(settings={"learning_rate": "5e-05", "ü": "\ud800"}, data={"babe/sg2.csv": "ab" * 32})
    runs.begin(run)
    store.close()
    again = Store.open()
    assert RunStore(again).get(run.id) == run
    again.close()


def test_progress_and_end_are_kept(runs: RunStore) -> None:
    run = begun(runs)
    runs.progress(run.id, stage="related", step=3, steps=9, eta_s=4.5, message="half a \ud800")
    now = runs.get(run.id)
    assert now is not None
    assert (now.stage, now.step, now.steps, now.eta_s, now.status) == ("related", 3, 9, 4.5, Status.RUNNING)
    assert now.seconds is None
    made = [Artefact("bundle/reader.onnx", 9, "c" * 64), Artefact("bundle/bundle.json", 5, "d" * 64)]
    runs.finish(run.id, Status.FINISHED, message="done", result={"f1": 0.8, "nan": math.nan}, artefacts=made)
    now = runs.get(run.id)
    assert now is not None
    assert (now.status, now.message, now.result, now.eta_s) == (Status.FINISHED, "done", {"f1": 0.8}, 0.0)
    assert now.ended_at is not None
    assert now.seconds == (now.ended_at - BEGUN).total_seconds()
    assert runs.artefacts(run.id) == sorted(made, key=lambda one: one.path)


def test_a_run_that_ends_again_replaces_its_artefacts(runs: RunStore) -> None:
    run = begun(runs)
    runs.finish(run.id, Status.PAUSED, artefacts=[Artefact("checkpoint", 1, "a")])
    runs.begin(run)
    runs.finish(run.id, Status.FINISHED, artefacts=[Artefact("bundle", 2, "b")])
    assert runs.artefacts(run.id) == [Artefact("bundle", 2, "b")]


def test_a_known_run_goes_on_where_it_was(runs: RunStore) -> None:
    run = begun(runs)
    runs.add_data(run.id, {"a": "1", "b": "2"})
    runs.progress(run.id, stage="reader", step=40, steps=90, eta_s=9, message="")
    runs.finish(run.id, Status.PAUSED, message="paused by you", result={"f1": 0.5})
    runs.begin(a_run(7, id=run.id, device="cuda", code="0.2.0"))
    runs.add_data(run.id, {"b": "3"})
    now = runs.get(run.id)
    assert now is not None
    assert (now.status, now.ended_at, now.message, now.device, now.code) == (
        Status.RUNNING,
        None,
        "",
        "cuda",
        "0.2.0",
    )
    assert (now.made_at, now.step, now.result, now.data) == (BEGUN, 40, {"f1": 0.5}, {"a": "1", "b": "3"})


def test_points_come_back_in_order_without_what_is_no_number(runs: RunStore) -> None:
    run = begun(runs)
    points = some_points(3)
    runs.add_points(run.id, [*points, MetricPoint("reader", 4, "step", "loss", math.nan)])
    runs.add_points(
        run.id,
        [MetricPoint("reader", 5, "eval", "dev", math.inf), MetricPoint("reader", 5, "eval", "dev", 1.0)],
    )
    runs.add_points(run.id, [])
    assert runs.points(run.id) == [*points, MetricPoint("reader", 5, "eval", "dev", 1.0)]


def test_steps_that_were_done_again_count_once(runs: RunStore) -> None:
    """A killed run goes on from its last checkpoint, which lies before its last word."""
    run = begun(runs)
    runs.add_points(run.id, some_points(5))
    again = [MetricPoint("reader", step, "step", "loss", 9.0) for step in (4, 5, 6)]
    runs.add_points(run.id, again)
    assert runs.points(run.id) == [*some_points(3), *again]


def test_a_missing_run_is_reported(runs: RunStore) -> None:
    deeds = (
        lambda: runs.progress("x", stage="", step=0, steps=0, eta_s=0, message=""),
        lambda: runs.add_points("x", some_points(1)),
        lambda: runs.add_data("x", {}),
        lambda: runs.finish("x", Status.FAILED),
        lambda: runs.delete("x"),
        lambda: runs.export("x", Path("x.zip")),
    )
    for deed in deeds:
        with pytest.raises(RunError, match="no run x"):
            deed()
    assert runs.get("x") is None
    assert runs.points("x") == runs.artefacts("x") == []


def test_no_run_ends_by_running(runs: RunStore) -> None:
    with pytest.raises(ValueError, match="finished run cannot be running"):
        runs.finish(begun(runs).id, Status.RUNNING)


# Lists


def test_the_list_has_the_newest_first_and_reads_no_points(store: Store, runs: RunStore) -> None:
    made = [ended(runs, at) for at in (2, 0, 1)]
    for run in made:
        runs.add_points(run.id, some_points(20))
    said: list[str] = []
    engine = store._engine
    event.listen(engine, "before_cursor_execute", lambda *call: said.append(call[2]))
    assert [run.id for run in runs.list_runs()] == [made[0].id, made[2].id, made[1].id]
    asked = [statement for statement in said if "SELECT" in statement]
    assert len(asked) == 1
    assert "run_metrics" not in asked[0]


def test_ids_are_found_by_their_beginning(runs: RunStore) -> None:
    for name in ("aa-1", "aa-10", "ab-1", "a_-2"):
        begun(runs, id=name)
    assert runs.find_ids("aa-") == ["aa-1", "aa-10"]
    assert runs.find_ids("aa-1") == ["aa-1"]
    assert runs.find_ids("a_") == ["a_-2"]
    assert runs.find_ids("b") == []


@pytest.mark.parametrize("broken", [{"settings": "x{"}, {"result": "[1]"}, {"data": ""}, {"status": "odd"}])
def test_a_damaged_record_hides_no_other_and_can_be_deleted(
    store: Store, runs: RunStore, broken: dict[str, str]
) -> None:
    good, bad = ended(runs, 0), ended(runs, 1)
    ((name, value),) = broken.items()
    with store.writing() as connection:
        connection.exec_driver_sql(f"UPDATE runs SET {name} = ? WHERE id = ?", (value, bad.id))
    listed = runs.list_runs()
    assert [run.id for run in listed] == [bad.id, good.id]
    assert listed[0].status is Status.FAILED
    assert "damaged" in listed[0].message
    with pytest.raises(RunError, match=f"{bad.id} is damaged"):
        runs.get(bad.id)
    runs.delete(bad.id)
    assert [run.id for run in runs.list_runs()] == [good.id]


# Life and death


def test_only_who_holds_the_lock_is_alive(runs: RunStore) -> None:
    run = begun(runs)
    assert not is_alive(run)
    lock = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert lock is not None
    assert is_alive(run)
    assert runs.mark_died() == []
    lock.release()
    assert not is_alive(run)
    assert [one.id for one in runs.mark_died()] == [run.id]
    assert runs.mark_died() == []
    assert list(run.folder.iterdir()) == []


def test_a_dead_run_ended_with_its_last_word(runs: RunStore) -> None:
    run = begun(runs)
    (run.folder / EVENTS).write_text("{}\n")
    moment = datetime(2026, 3, 1, 13, 0, tzinfo=UTC)
    os.utime(run.folder / EVENTS, (moment.timestamp(),) * 2)
    (died,) = runs.mark_died()
    assert (died.status, died.ended_at, died.seconds) == (Status.DIED, moment, 3600.0)


def test_a_run_whose_folder_is_gone_died_and_none_is_made(runs: RunStore) -> None:
    run = begun(runs)
    run.folder.rmdir()
    assert [one.status for one in runs.mark_died()] == [Status.DIED]
    assert not run.folder.exists()


def test_what_has_ended_does_not_die(runs: RunStore) -> None:
    for status in set(Status) - {Status.RUNNING}:
        ended(runs, status=status)
    assert runs.mark_died() == []


def test_an_order_is_written_only_to_who_can_hear_it(runs: RunStore) -> None:
    run = begun(runs)
    with pytest.raises(RunError, match="not running"):
        request_stop(run, "pause")
    assert not (run.folder / STOP_REQUEST).exists()
    lock = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert lock is not None
    request_stop(run, "pause")
    request_stop(run, "cancel")
    assert (run.folder / STOP_REQUEST).read_text() == "cancel"
    lock.release()


def test_the_end_of_the_log(runs: RunStore) -> None:
    run = begun(runs)
    assert log_tail(run) == ""
    (run.folder / LOG).write_bytes(b"\xff\n" + b"".join(b"line %d\n" % at for at in range(9_000)))
    assert log_tail(run, 2) == "line 8998\nline 8999"


# Deleting


def test_deleting_removes_folder_and_all_rows(store: Store, runs: RunStore) -> None:
    kept, gone = ended(runs), ended(runs)
    for run in (kept, gone):
        (run.folder / "bundle").mkdir()
        (run.folder / "bundle" / "bundle.json").write_text("{}")
        runs.add_points(run.id, some_points(4))
    assert has_bundle(gone)
    runs.delete(gone.id)
    assert not gone.folder.exists()
    assert runs.get(gone.id) is None
    assert runs.points(gone.id) == []
    assert has_bundle(kept)
    assert len(runs.points(kept.id)) == 4
    assert store.check() == []


def test_a_running_one_is_not_deleted(runs: RunStore) -> None:
    run = begun(runs)
    lock = FileLock.acquire(run.folder / ALIVE_LOCK)
    assert lock is not None
    with pytest.raises(RunError, match="Cancel it before"):
        runs.delete(run.id)
    assert run.folder.is_dir()
    assert runs.get(run.id) is not None
    lock.release()
    runs.delete(run.id)
    assert runs.list_runs() == []


def test_a_folder_elsewhere_is_not_touched(tmp_path: Path, runs: RunStore) -> None:
    other = tmp_path / "mine"
    for folder in (other, runs_folder(), runs_folder() / "deep" / "er", runs_folder() / ".." / "runs"):
        run = ended(runs, folder=folder)
        with pytest.raises(RunError, match="is not in the folder of the runs"):
            runs.delete(run.id)
        assert folder.is_dir()
        assert runs.get(run.id) is not None


@ON_POSIX
def test_a_link_to_elsewhere_is_not_followed(tmp_path: Path, runs: RunStore) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "file").write_text("x")
    linked, holding = ended(runs), ended(runs)
    linked.folder.rmdir()
    linked.folder.symlink_to(tmp_path / "mine")
    with pytest.raises(RunError, match="is not in the folder of the runs"):
        runs.delete(linked.id)
    (holding.folder / "link").symlink_to(tmp_path / "mine")
    runs.delete(holding.id)
    assert not holding.folder.exists()
    assert (tmp_path / "mine" / "file").read_text() == "x"


def test_a_run_without_its_folder_can_be_deleted(tmp_path: Path, runs: RunStore) -> None:
    for folder in (None, tmp_path / "of" / "another" / "home"):
        run = ended(runs) if folder is None else ended(runs, folder=folder)
        run.folder.rmdir()
        runs.delete(run.id)
    assert runs.list_runs() == []


def test_what_cannot_be_removed_stays_listed(runs: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ended(runs)
    (run.folder / "bundle").mkdir()

    def refuse(_path: Path) -> None:
        raise PermissionError(13, "no")

    with monkeypatch.context() as patched:
        patched.setattr("core.runs.run_store.shutil.rmtree", refuse)
        with pytest.raises(RunError, match="only partly deleted"):
            runs.delete(run.id)
    assert runs.get(run.id) is not None
    runs.delete(run.id)
    assert not run.folder.exists()
