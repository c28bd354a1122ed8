"""Protects the file under the store: private, refused where it is newer, backed up, put aside where it is damaged."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Engine, event

from core.documents.types import Format
from core.storage import database
from core.storage.migrations import STEPS
from core.storage.store import Store
from core.storage.types import Ignore, StoreError
from core.types import Kind

ROOT = Path(__file__).resolve().parents[3]


def filled(place: Path) -> str:
    store = Store.open(place)
    uid = store.open_draft(None, name="Draft", path=None).uid
    for number in range(30):
        store.save_version(uid, f"{number} " * 3000, format=Format.PLAIN, why="kept")
    store.close()
    return uid


def with_pragma(monkeypatch: pytest.MonkeyPatch, pragma: str) -> Callable[[Path], Engine]:
    made = database.make_engine

    def make(path: Path) -> Engine:
        engine = made(path)
        event.listen(engine, "connect", lambda raw, _: raw.execute(f"PRAGMA {pragma}"))
        return engine

    monkeypatch.setattr(database, "make_engine", make)
    return make


def beside(place: Path, part: str) -> list[Path]:
    return sorted(file for file in place.parent.iterdir() if part in file.name)


# The file


def test_the_file_says_what_it_is_and_is_safe_against_a_power_cut(store: Store) -> None:
    raw = database.driver_connection(store._engine)
    values = {
        name: raw.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "user_version")
    }
    assert values == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "user_version": len(STEPS),
    }


def test_a_newer_store_is_refused_and_left_as_it_is(place: Path) -> None:
    filled(place)
    raw = sqlite3.connect(place)
    raw.execute(f"PRAGMA user_version = {len(STEPS) + 1}")
    raw.close()
    before = place.read_bytes()
    with pytest.raises(StoreError, match="newer version of Evenhand") as raised:
        Store.open(place)
    assert str(raised.value).count(".") == 2
    assert place.read_bytes() == before


def test_a_file_of_another_program_is_refused_and_left_as_it_is(place: Path) -> None:
    place.parent.mkdir(parents=True)
    raw = sqlite3.connect(place)
    raw.execute("CREATE TABLE notes (words)")
    raw.close()
    before = place.read_bytes()
    with pytest.raises(StoreError, match="not an Evenhand database"):
        Store.open(place)
    assert place.read_bytes() == before


def test_a_migration_keeps_a_backup_and_only_two_of_them(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = filled(place)
    for number in range(1, 4):
        steps = (*STEPS, *((f"CREATE TABLE more{at} (x)",) for at in range(number)))
        monkeypatch.setattr(database, "STEPS", steps)
        store = Store.open(place)
        assert len(store.versions(uid)) == 30
        store.close()
    backups = beside(place, "backup")
    assert [backup.name.rpartition("-")[2] for backup in backups] == [
        f"v{len(STEPS) + number}.sqlite3" for number in (1, 2)
    ]
    assert all(stat.S_IMODE(backup.stat().st_mode) == 0o600 for backup in backups)
    monkeypatch.setattr(database, "STEPS", steps[: len(STEPS) + 1])
    old = Store.open(backups[0])
    assert len(old.versions(uid)) == 30
    old.close()


def test_a_migration_that_fails_changes_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    uid = filled(place)
    with monkeypatch.context() as patch:
        patch.setattr(database, "STEPS", (*STEPS, ("CREATE TABLE more (x)", "CREATE TABLE drafts (x)")))
        with pytest.raises(StoreError):
            Store.open(place)
    store = Store.open(place)
    assert len(store.versions(uid)) == 30
    assert store.check() == []
    store.close()


# Damage


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"\0" * len(data),
        lambda _: b"not a database, " * 300,
        lambda data: data[: len(data) // 2],
        lambda data: data[:8192] + os.urandom(len(data) - 8192),
    ],
    ids=["zeros", "text", "half", "noise"],
)
def test_a_damaged_store_is_put_aside_and_a_new_one_begins(
    place: Path, damage: Callable[[bytes], bytes]
) -> None:
    uid = filled(place)
    damaged = damage(place.read_bytes())
    place.write_bytes(damaged)
    store = Store.open(place)
    [aside] = beside(place, "damaged")
    assert aside.read_bytes() == damaged
    assert len(store.notes) == 1
    assert str(aside) in store.notes[0]
    assert store.versions(uid) == []
    assert store.open_draft(None, name="x", path=None)
    store.close()
    assert Store.open(place).notes == ()


def test_damage_that_shows_later_is_said(store: Store, place: Path) -> None:
    uid = store.open_draft(None, name="Draft", path=None).uid
    kept = store.save_version(uid, "words " * 9, format=Format.PLAIN, why="kept")
    assert kept is not None
    database.driver_connection(store._engine).execute("UPDATE versions SET text = x'00'")
    with pytest.raises(StoreError, match="version is damaged"):
        store.text_of(kept.id)


def test_check_finds_a_row_without_its_draft(store: Store) -> None:
    assert store.check() == []
    raw = database.driver_connection(store._engine)
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("INSERT INTO ignores (draft, scope, kind, words, fingerprint) VALUES (9, 'once', '', '', '')")
    assert store.check() == ["a row of ignores without its draft"]


def test_leftovers_of_a_crash_do_no_harm(place: Path) -> None:
    """A lone journal, an unfinished backup and an empty file lie there after a kill at the worst moment."""
    place.parent.mkdir(parents=True)
    place.touch()
    Path(f"{place}-wal").write_bytes(os.urandom(5000))
    Path(f"{place}-shm").write_bytes(os.urandom(500))
    place.with_name(".evenhand.backup-x.sqlite3.unfinished").write_bytes(b"half")
    store = Store.open(place)
    assert store.notes == ()
    assert store.check() == []
    store.close()


# Privacy


def test_folder_and_files_are_private(place: Path) -> None:
    store = Store.open(place)
    store.open_draft(None, name="x", path=None)
    files = list(place.parent.iterdir())
    assert len(files) > 1
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    store.close()
    place.chmod(0o644)
    Store.open(place).close()
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_the_persons_own_store_lies_in_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "own"
    home.mkdir(mode=0o755)
    monkeypatch.setenv("EVENHAND_HOME", str(home))
    store = Store.open()
    assert store.path == home / "evenhand.sqlite3"
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    store.close()


# What the machine refuses


def test_a_full_disk_is_said_and_nothing_is_half_written(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uid = filled(place)
    pages = place.stat().st_size // 4096
    with monkeypatch.context() as patch:
        with_pragma(patch, f"max_page_count = {pages + 2}")
        store = Store.open(place)
        with pytest.raises(StoreError, match="disk is full"):
            store.save_version(uid, os.urandom(50_000).hex(), format=Format.PLAIN, why="kept")
        assert len(store.versions(uid)) == 30
        assert store.ignore(uid, Ignore("once", Kind.FRAMING, "a", "b")).id
        store.close()
    store = Store.open(place)
    assert store.check() == []
    store.close()


def test_a_disk_that_cannot_be_written_is_said(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(place)
    with_pragma(monkeypatch, "query_only = ON")
    store = Store.open(place)
    with pytest.raises(StoreError, match="Change the permissions"):
        store.open_draft(None, name="x", path=None)
    store.close()


def test_a_place_that_cannot_be_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="Start Evenhand again"):
        Store.open(tmp_path / "file" / "evenhand.sqlite3")

    def refused(*_: object) -> int:
        raise PermissionError(13, "no")

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refused)
        with pytest.raises(StoreError, match="Change the permissions"):
            Store.open(tmp_path / "new" / "evenhand.sqlite3")


def test_no_error_tells_what_was_to_be_written(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    filled(place)
    with_pragma(monkeypatch, "query_only = ON")
    store = Store.open(place)
    with pytest.raises(StoreError) as raised:
        store.allow("shameful secret")
    assert "secret" not in str(raised.value)
    store.close()


# Two processes


def test_another_process_that_writes_is_waited_for_and_then_said(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(place)
    monkeypatch.setattr(database, "BUSY_S", 0.05)
    store = Store.open(place)
    other = sqlite3.connect(place, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="another window"):
        store.open_draft(None, name="x", path=None)
    other.execute("ROLLBACK")
    assert store.open_draft(None, name="x", path=None)
    other.close()
    store.close()


WRITER = """
import sys
from pathlib import Path
from core.documents.types import Format
from core.storage.store import Store
store = Store.open(Path(sys.argv[1]))
uid = store.open_draft(None, name="shared", path=Path("/nowhere/shared.md")).uid
for turn in range(25):
    assert store.save_version(uid, f"{sys.argv[2]} {turn}", format=Format.PLAIN, why="kept")
store.close()
"""


def test_two_processes_make_and_write_one_store_at_once(place: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place), name],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in "abc"
    ]
    for process in processes:
        _, told = process.communicate()
        assert process.returncode == 0, told
    store = Store.open(place)
    uid = store.open_draft(None, name="shared", path=Path("/nowhere/shared.md")).uid
    found = [store.text_of(version.id) for version in store.versions(uid)]
    for name in "abc":
        assert [text for text in found if text.startswith(name)] == [f"{name} {turn}" for turn in range(25)]
    assert beside(place, "damaged") == []
    assert store.check() == []
    store.close()
