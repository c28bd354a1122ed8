"""Protects a person's data from other users of the machine: at a first start, whichever part of it comes first."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.corrections.corpus import choose
from core.models.registry import ModelRegistry
from core.models.types import ModelError
from core.paths import data_folder
from core.storage.disk import make_private_folder
from core.storage.file_lock import FileLock
from core.storage.journal import Journal, journals_folder
from core.storage.journal_format import DraftLocation
from core.storage.store import Store
from tests.core.storage.durability import open_to_others

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


def _write_journal() -> None:
    journal = Journal(journals_folder(), DraftLocation("u", "draft.md"))
    assert journal.wait(journal.edit(0, 0, "secret"))
    journal.close(keep=True)


def _take_lock() -> None:
    assert FileLock.acquire(data_folder() / "locks" / "file.lock") is not None


def _use_registry() -> None:
    store = Store.open(data_folder() / "models" / "store.sqlite3")
    with pytest.raises(ModelError):
        ModelRegistry(store).remove("none")
    store.close()


FIRST: dict[str, Callable[[], object]] = {
    "a journal": _write_journal,
    "a lock": _take_lock,
    "the store": lambda: Store.open().close(),
    "the models": _use_registry,
    "a corpus": lambda: choose([]),
}


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize("first", FIRST)
def test_whatever_is_made_first_is_for_its_owner_only(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "new" / "data"))
    FIRST[first]()
    assert any((tmp_path / "new" / "data").iterdir())
    assert open_to_others(tmp_path / "new") == []


def test_folders_that_are_there_keep_their_permissions(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    make_private_folder(tmp_path / "shared" / "one" / "two")
    make_private_folder(tmp_path / "shared" / "one")
    assert open_to_others(tmp_path / "shared") == [tmp_path / "shared"]
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(OSError, match="file"):
        make_private_folder(tmp_path / "file" / "folder")
    with pytest.raises(FileExistsError):
        make_private_folder(tmp_path / "file")


def test_what_a_symbolic_link_leads_to_keeps_its_permissions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A store or a data folder that somebody has put elsewhere is theirs, as are its permissions."""
    shared = tmp_path / "shared"
    shared.mkdir(mode=0o750)
    Store.open(shared / "team.sqlite3").close()
    (shared / "team.sqlite3").chmod(0o660)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "evenhand.sqlite3").symlink_to(shared / "team.sqlite3")
    Store.open(tmp_path / "own" / "evenhand.sqlite3").close()
    (tmp_path / "link").symlink_to(shared)
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "link"))
    Store.open().close()
    assert stat.S_IMODE((shared / "team.sqlite3").stat().st_mode) == 0o660
    assert stat.S_IMODE(shared.stat().st_mode) == 0o750
