"""Checks that what the storage code reports as done survives a power cut and is protected.

Each raises AssertionError where it does not.
"""

from __future__ import annotations

import os
import random
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.storage import database
from core.storage import journal as journal_module
from core.storage import store as store_module
from core.storage.data_version import backups
from core.storage.disk import replace_file
from core.storage.file_lock import FileLock
from core.storage.files import write_bytes
from core.storage.journal import Journal
from core.storage.journal_format import DraftLocation, JournalError, replay_journal
from core.storage.store import Store
from core.storage.types import FILE, Ignore
from core.types import Kind
from tests.core.storage.fake_protection import ME, FakeProtection, faking
from tests.core.storage.power_cut import PowerCut, power_cut
from tests.old_data import lay_out

OLD, NEW = b"What was in it before.\n", b"What was saved.\n"
_OWNER, _ATTRIBUTES = (1234, 44), {"user.source": b"agency"}
_INHERITED = {"system.posix_acl_default": b"everybody"}


def open_to_others(root: Path) -> list[Path]:
    """What is in a folder, itself included, and can be read or changed by others."""
    return [path for path in (root, *root.rglob("*")) if stat.S_IMODE(path.lstat().st_mode) & 0o077]


def check_new_file(folder: Path) -> None:
    """A new file is there once it is saved."""
    with power_cut(folder) as disk:
        write_bytes(folder / "draft.md", NEW)
        assert disk.left(folder / "draft.md") == NEW
        assert disk.faults == []


def check_replaced_file(folder: Path) -> None:
    """A file is replaced by a new one with the same protection, and is the old or the new one at any moment."""
    path = folder / "draft.md"
    path.write_bytes(OLD)
    path.chmod(0o640)
    inode = path.stat().st_ino
    protection = FakeProtection(inherited=dict(_INHERITED))
    protection.give(path, _OWNER, _ATTRIBUTES)
    with power_cut(folder) as disk, faking(protection, path):
        disk.before_flush.append(lambda: _require(disk.left(path) in (OLD, NEW)))
        write_bytes(path, NEW)
        assert disk.left(path) == NEW
        assert disk.faults == []
    assert protection.of(path) == (_OWNER, _ATTRIBUTES)
    assert protection.exposed == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.stat().st_ino != inode, "it was overwritten, though it could be replaced"


def check_file_with_given_permissions(folder: Path) -> None:
    """A file that is saved with permissions of its own has them, and keeps its owner."""
    path = folder / "corpus.jsonl"
    path.write_bytes(OLD)
    path.chmod(0o640)
    protection = FakeProtection()
    protection.give(path, _OWNER, {})
    with power_cut(folder) as disk, faking(protection, path):
        replace_file(path, NEW, mode=0o604)
        assert disk.left(path) == NEW
    assert protection.of(path)[0] == _OWNER
    assert protection.exposed == []
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def check_file_with_two_names(folder: Path) -> None:
    """A file that is overwritten is the new one once it is saved; at any moment, it or its copy is whole."""
    path = folder / "draft.md"
    path.write_bytes(OLD)
    os.link(path, folder / "other.md")
    protection = FakeProtection()
    with power_cut(folder) as disk, faking(protection, path):
        write_bytes(path, NEW)
        assert disk.left(path) == disk.left(folder / "other.md") == NEW
        assert disk.faults == []
    assert protection.of(path)[0] == ME
    assert protection.exposed == []


def check_journal(folder: Path) -> None:
    """A key is acknowledged after its flush, in a new journal, in a grown one and in one that is written anew."""
    with power_cut(folder) as disk, pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_module, "LARGE_JOURNAL", 1_500)
        patch.setattr(journal_module, "MAX_GROWTH", 2)
        patch.setattr(journal_module, "WRITE_INTERVAL_S", 0.0)
        journal = Journal(folder / "data" / "journals", DraftLocation("u", "draft.md"), text="a")
        try:
            _type(journal, disk)
            assert disk.faults == []
            assert disk.flushes.count(journal.path) > 10, "records are appended"
            assert disk.flushes.count(journal.path.parent) > 2, "and the journal is written anew"
            assert open_to_others(folder / "data") == []
        finally:
            journal.close(keep=True)


def _type(journal: Journal, disk: PowerCut) -> None:
    """Type, some keys at a time; before each flush and after each acknowledgement the journal is what it must be."""
    some = random.Random(7)
    texts = ["a"]

    def left_revisions() -> list[int]:
        data = disk.left(journal.path)
        try:
            text = "a" if data is None else replay_journal(data).text
        except JournalError:
            return []
        return [revision for revision, known in enumerate(texts) if known == text]

    disk.before_flush.append(
        lambda: _require(max(left_revisions(), default=-1) >= journal.written_revision, disk)
    )
    for number in range(40):
        for key in range(some.randint(1, 3)):
            inserted = f" {number}.{key}"
            texts.append(texts[-1] + inserted)
            journal.edit(len(texts[-2]), 0, inserted)
        assert journal.wait(journal.revision, 10)
        assert left_revisions() == [journal.revision]


def check_first_start(folder: Path) -> None:
    """A store and a lock in new folders: private, and the store's name is there after a power cut."""
    protection = FakeProtection()
    with power_cut(folder) as disk, faking(protection, folder):
        Store.open(folder / "new" / "data" / FILE).close()
        assert disk.left(folder / "new" / "data" / FILE) is not None
        lock = FileLock.acquire(folder / "new" / "locks" / "file.lock")
        assert lock is not None
        assert open_to_others(folder / "new") == []
        assert protection.exposed == []
        lock.release()


def check_damaged_row(folder: Path) -> None:
    """A row that cannot be read is in a private file, on the disk, before it is deleted."""
    path = folder / "store.sqlite3"
    store = Store.open(path)
    uid = store.open_draft(None, name="draft", path=None).uid
    store.ignore(uid, Ignore("words", Kind.FRAMING, "secret", ""))
    store.close()
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        raw.execute("UPDATE ignores SET kind = X'ff'")
    with power_cut(folder) as disk, closing(Store.open(path)) as store:
        [aside] = folder.glob("store.damaged-*")
        assert store.ignores(uid) == []
        assert b"secret" in (disk.left(aside) or b"")
        assert open_to_others(aside) == []
        assert disk.faults == []


def check_earlier_data(folder: Path) -> None:
    """The data of an earlier version becomes private; its backups are whole before anything is changed."""
    with pytest.MonkeyPatch.context() as patch:
        data = lay_out("schema-1", folder / "person")
        patch.setenv("EVENHAND_HOME", str(data))
        for path in data.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        data.chmod(0o755)
        with power_cut(folder) as disk:

            def before(call: Callable[..., Any]) -> Callable[..., Any]:
                """The call, once it is certain that the backups are whole on the disk."""

                def checked(argument: Any) -> Any:
                    copies = [*data.glob("evenhand.backup-*"), *backups(data)[0].rglob("*")]
                    assert all(path.is_dir() or disk.left(path) == path.read_bytes() for path in copies)
                    return call(argument)

                return checked

            patch.setattr(store_module, "open_database", before(database.open_database))
            patch.setattr(database, "_migrate", before(database._migrate))
            Store.open(settings='{"view": "dark"}').close()
            copies = [*data.glob("evenhand.backup-*")]
            assert len(copies) == 1
            assert open_to_others(copies[0]) == []
            assert {path.name for path in backups(data)[0].iterdir()} == {"journals", "settings.json"}
            assert [*(backups(data)[0] / "journals").iterdir()]
            assert open_to_others(backups(data)[0]) == []
            assert stat.S_IMODE(data.stat().st_mode) == 0o700
            assert stat.S_IMODE((data / FILE).stat().st_mode) == 0o600
            assert stat.S_IMODE((data / "format.json").stat().st_mode) == 0o600
            assert disk.left(data / "format.json") == (data / "format.json").read_bytes()
            assert disk.faults == []


def _require(holds: bool, disk: PowerCut | None = None) -> None:
    """Fail; in another thread by a note on the disk."""
    if not holds and disk is not None:
        disk.faults.append("a key was acknowledged before it was flushed")
    elif not holds:
        raise AssertionError("a file would be torn")


CHECKS: dict[str, Callable[[Path], None]] = {
    "a new file": check_new_file,
    "a replaced file": check_replaced_file,
    "a file with given permissions": check_file_with_given_permissions,
    "a file with two names": check_file_with_two_names,
    "a journal": check_journal,
    "a first start": check_first_start,
    "a damaged row": check_damaged_row,
    "earlier data": check_earlier_data,
}
