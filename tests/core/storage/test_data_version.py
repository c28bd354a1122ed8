"""Protects the data of earlier versions: brought up whole or left as it was, kept beforehand, untouched where newer."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from core.cli import main
from core.documents.types import Format
from core.models.active import promoted_folder
from core.paths import data_folder
from core.runs.run_store import RunStore
from core.storage import data_version, database
from core.storage.data_version import (
    DATA_VERSION,
    VERSION_FILE,
    NewerDataError,
    backups,
    is_newer_data,
    read_data_version,
    refuse_newer_data,
)
from core.storage.file_lock import FileLock
from core.storage.journal import find_orphans, journal_folders, journals_folder
from core.storage.migrations import STEPS
from core.storage.store import Store
from core.storage.types import FILE, StoreError
from core.training_env.types import SetupError
from tests.core.storage.updating import look
from tests.old_data import NAMES, RUN, everything, lay_out

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(params=NAMES)
def old(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of an earlier version, as the person's own."""
    folder = lay_out(request.param, tmp_path / "writer")
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    return folder


@pytest.fixture
def first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That of the first schema."""
    folder = lay_out("schema-1", tmp_path / "writer")
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    return folder


@pytest.fixture
def newer(first: Path) -> Path:
    """A data folder that a later version has brought up."""
    (first / VERSION_FILE).write_text(
        json.dumps({"format": DATA_VERSION + 1, "more": "of it"}), encoding="utf-8"
    )
    return first


def schema(path: Path) -> int:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as raw:
        return int(raw.execute("PRAGMA user_version").fetchone()[0])


def test_the_number_rises_with_the_schema() -> None:
    """Who waits for another program to bring the folder up knows by the number that there is something to wait for."""
    assert len(STEPS) <= DATA_VERSION


# Older


def test_what_an_earlier_version_left_is_all_there_with_a_backup(old: Path) -> None:
    number = schema(old / FILE)
    look(old, number)
    copies = [path for path in old.iterdir() if path.name.startswith("evenhand.backup-")]
    assert [schema(copy) for copy in copies] == [number]


@pytest.mark.usefixtures("old")
def test_a_version_that_an_earlier_version_kept_can_be_named() -> None:
    store = Store.open()
    with store.reading() as connection:
        uid = str(connection.exec_driver_sql("SELECT uid FROM drafts").scalar_one())
    store.name_version(store.versions(uid)[0].id, "The first one")
    assert [version.name for version in store.versions(uid)] == ["The first one", ""]
    store.close()


def test_a_second_start_changes_nothing_more(old: Path) -> None:
    Store.open().close()
    before = everything(old)
    Store.open().close()
    assert everything(old) == before


def test_the_model_in_use_is_in_use_before_and_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = lay_out("schema-2", tmp_path / "writer")
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    used = promoted_folder("reader")
    assert used is not None
    assert used.is_dir()
    Store.open().close()
    assert promoted_folder("reader") == used


def test_a_model_is_in_use_while_the_store_is_of_an_earlier_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the first start after an update the reader is loaded before the store has been brought up."""
    folder = lay_out("schema-2", tmp_path / "writer")
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    monkeypatch.setattr("core.models.active.STEPS", (*STEPS, ("CREATE TABLE later (x)",)))
    assert promoted_folder("reader") is not None


def test_runs_are_found_where_the_data_folder_was_moved_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = lay_out("schema-2", tmp_path / "writer")
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    store = Store.open()
    (run,) = RunStore(store).list_runs()
    store.close()
    assert run.folder == folder / "runs" / RUN
    assert (run.folder / "bundle" / "bundle.json").is_file()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("name", NAMES)
def test_a_kill_at_any_step_loses_nothing(name: str, tmp_path: Path) -> None:
    """In a process of its own: it forks, which does no good beside Qt's threads."""
    command = [sys.executable, "-m", "tests.core.storage.updating", str(tmp_path), name]
    told = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=told, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 20


def test_two_that_start_at_once_bring_it_up_once(first: Path) -> None:
    opening = "from core.storage.store import Store; print(Store.open(settings='{}').notes)"
    command = [sys.executable, "-c", opening]
    # One that is at it: both wait, then one of them does it.
    lock = FileLock.acquire(first / "update.lock")
    assert lock is not None
    both = [
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    time.sleep(1)
    lock.release()
    for one in both:
        out, err = one.communicate()
        assert (one.returncode, out) == (0, "()\n"), err
    look(first, 1)


def test_an_earlier_window_that_is_still_open_is_told_of_and_not_disturbed(
    first: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_S", 0.1)
    with closing(sqlite3.connect(first / FILE)) as earlier:
        earlier.execute("SELECT count(*) FROM drafts").fetchone()
        with pytest.raises(StoreError, match="an earlier version is still running") as raised:
            Store.open()
        assert "\n" not in str(raised.value)
        assert earlier.execute("PRAGMA user_version").fetchone()[0] == 1
        earlier.execute("INSERT INTO allowed VALUES ('zeal', 'zeal')")
        earlier.commit()
    store = Store.open()
    assert store.allowed() == ["Chairman", "mankind", "zeal"]
    store.close()


def test_who_only_looked_in_for_a_moment_is_waited_for(first: Path) -> None:
    """The reading thread asks the store's file which model is in use, just when the store is opened."""
    looking, looked = threading.Event(), threading.Event()

    def look_in() -> None:
        with closing(sqlite3.connect(first / FILE)) as raw:
            raw.execute("SELECT count(*) FROM drafts").fetchone()
            looking.set()
            looked.wait(0.5)

    thread = threading.Thread(target=look_in)
    thread.start()
    assert looking.wait(30)
    Store.open(settings="{}").close()
    thread.join()
    look(first, 1)


def test_a_disk_that_is_full_leaves_it_as_it_was(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = everything(first)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(data_version, "_copy", full)
        with pytest.raises(
            StoreError, match=r"cannot be upgraded to this version of Evenhand: the disk is full"
        ):
            Store.open(settings="{}")
    assert everything(first) == before
    look(first, 1)


def test_forgetting_a_draft_takes_it_out_of_the_backup_too(old: Path) -> None:
    store = Store.open()
    with store.reading() as connection:
        uid = str(connection.exec_driver_sql("SELECT uid FROM drafts").scalar_one())
    store.forget(uid)
    store.close()
    assert backups(old) == []
    assert not [path for path in old.iterdir() if "backup" in path.name]


# New


def test_a_new_folder_has_the_number_and_no_backup() -> None:
    Store.open().close()
    assert read_data_version(data_folder()) == DATA_VERSION
    assert backups(data_folder()) == []
    assert (data_folder() / VERSION_FILE).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": "3"}', '{"format": true}', '{"format": -1}'])
def test_a_number_that_cannot_be_read_is_written_anew(damage: str) -> None:
    Store.open().close()
    (data_folder() / VERSION_FILE).write_text(damage, encoding="utf-8")
    store = Store.open()
    store.open_draft(None, name="Draft", path=None)
    store.close()
    assert read_data_version(data_folder()) == DATA_VERSION


def test_asking_makes_no_folder(tmp_path: Path) -> None:
    assert not is_newer_data()
    refuse_newer_data()
    assert main.main(["check", str(tmp_path / "nothing.txt")]) == 2
    assert not data_folder().exists()


def test_another_place_starts_empty_and_says_once_where_the_data_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open()
    store.allow("zeal")
    store.close()
    own = data_folder()
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "elsewhere"))
    store = Store.open()
    (note,) = store.notes
    assert note.startswith(
        f"The history of your drafts is in {own}, but EVENHAND_HOME is set to {tmp_path / 'elsewhere'}"
    )
    store.close()
    assert Store.open().notes == ()
    shutil.rmtree(tmp_path / "elsewhere")
    shutil.copytree(own, tmp_path / "elsewhere")
    store = Store.open()
    assert (store.notes, store.allowed()) == ((), ["zeal"])
    store.close()


# Newer


def test_a_newer_folder_is_refused_and_nothing_in_it_is_touched(newer: Path) -> None:
    before = everything(newer)
    with pytest.raises(
        NewerDataError, match=r"by a newer version of Evenhand and was not changed\. Update Evenhand"
    ):
        Store.open(settings="{}")
    assert promoted_folder("reader") is None
    assert everything(newer) == before


@pytest.mark.parametrize("argv", [["models", "list"], ["models", "rollback"], ["models", "import", "x"]])
def test_the_command_line_refuses_a_newer_folder_in_one_line(
    newer: Path, argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = everything(newer)
    code = main.main(argv)
    assert code == (0 if argv[-1] == "list" else 2)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "newer version of Evenhand" in said
    assert everything(newer) == before


def test_files_are_checked_beside_a_newer_folder_with_a_word_on_it(
    newer: Path,
    tiny_bundle: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    draft = tmp_path / "draft.txt"
    draft.write_text("A shameful record.\n", encoding="utf-8")
    before = everything(newer)
    assert main.main(["check", str(draft)]) == 1
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert "Until then the models that came with Evenhand are used." in said.err
    assert everything(newer) == before


def test_training_is_not_set_up_in_a_newer_folder(newer: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.training_env import setup

    before = everything(newer)
    plan = type("Plan", (), {"folder": newer / "training"})()
    with pytest.raises(SetupError, match="newer version of Evenhand"):
        next(setup.set_up(plan))
    assert everything(newer) == before


def test_journals_are_kept_beside_a_newer_folder_and_found_after_the_update(newer: Path) -> None:
    from core.storage.journal import Journal
    from core.storage.journal_format import DraftLocation

    before = everything(newer)
    journal = Journal(journals_folder(), DraftLocation("1" * 32, "Draft", format=Format.PLAIN), text="")
    journal.wait(journal.edit(0, 0, "typed meanwhile"), 30)
    journal.close(keep=True)
    assert everything(newer) == before
    assert not journals_folder().is_relative_to(newer)
    (newer / VERSION_FILE).unlink()
    found = find_orphans(*journal_folders())
    assert "typed meanwhile" in [orphan.text for orphan in found.orphans]
    for orphan in found.orphans:
        orphan.release()
    shutil.rmtree(newer.with_name(f"{newer.name}-meanwhile"))
