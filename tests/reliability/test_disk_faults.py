"""Protects the text where the disk fails: at every write, flush, rename and open in turn, with each of its errors."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core.documents.types import Format
from core.storage import journal as journal_module
from core.storage.files import FileError, write_bytes, write_text
from core.storage.journal import Journal, find_orphans
from core.storage.journal_format import DraftLocation, replay_journal
from core.storage.store import Store
from core.storage.types import StoreError

ERRORS = {
    errno.ENOSPC: "disk is full",
    errno.EIO: "disk reports an error",
    errno.EACCES: "no permission",
    errno.EROFS: "disk is read-only",
}
CALLS = ("open", "write", "fsync", "replace", "ftruncate", "chmod", "unlink")
OLD, NEW = "The old words.\n", "The new words 👍🏽, and more of them.\n"


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, number: int, error: int) -> Iterator[Callable[[], bool]]:
    """The ``number``-th call that changes the disk fails, and all after it; tells whether it was reached."""
    count = 0
    with monkeypatch.context() as patch:
        for name in CALLS:
            real = getattr(os, name)

            def call(*arguments: Any, _real: Callable[..., Any] = real, **more: Any) -> Any:
                nonlocal count
                count += 1
                if count >= number:
                    raise OSError(error, os.strerror(error))
                return _real(*arguments, **more)

            patch.setattr(os, name, call)
        yield lambda: count >= number


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize(
    "save",
    [lambda path: write_text(path, NEW, encoding="utf-8"), lambda path: write_bytes(path, NEW.encode())],
)
def test_a_save_that_fails_anywhere_leaves_the_old_file_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, save: Callable[[Path], None]
) -> None:
    path = tmp_path / "draft.md"
    for number in range(1, 30):
        path.write_text(OLD, encoding="utf-8")
        said = ""
        with failing(monkeypatch, number, error) as reached:
            try:
                save(path)
            except FileError as failed:
                said = str(failed)
        found = path.read_text(encoding="utf-8")
        if said:
            assert found == OLD
            assert ERRORS[error] in said
            assert "previous content" in said
        else:
            # The folder's own flush comes last: the file is whole by then.
            assert found == NEW
        for litter in tmp_path.glob(".*"):
            litter.unlink()
        if not reached():
            assert number > 4
            return
    raise AssertionError("a save has fewer calls than that")


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("large", [1, 4_000_000], ids=["begun anew each time", "appended"])
def test_a_journal_that_fails_anywhere_tells_the_last_sound_text_and_then_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: int, large: int
) -> None:
    monkeypatch.setattr(journal_module, "LARGE_JOURNAL", large)
    monkeypatch.setattr(journal_module, "MAX_GROWTH", 1)
    monkeypatch.setattr(journal_module, "_AGAIN_S", 0.005)
    monkeypatch.setattr(journal_module, "WRITE_INTERVAL_S", 0.001)
    for number in range(1, 40):
        told: list[str] = []
        folder = tmp_path / f"{large}-{number}"
        journal = Journal(folder, DraftLocation("u", "draft.md"), text="One", on_error=told.append)
        states = ["One", "One two", "One two three"]
        with failing(monkeypatch, number, error) as reached:
            journal.edit(3, 0, " two")
            journal.wait(1, 0.03)
            journal.edit(7, 0, " three")
            journal.wait(2, 0.03)
            sound = journal.written_revision
            if journal.path.exists():
                assert replay_journal(journal.path.read_bytes()).text in states[sound:]
            else:
                assert not sound
            missed = reached() and sound < 2
        assert journal.wait(2, 10), "when the disk is good again, all of it is written"
        assert replay_journal(journal.path.read_bytes()).text == states[2]
        journal.close(keep=True)
        [orphan] = find_orphans(folder).orphans
        assert orphan.text == states[2]
        orphan.release()
        if missed:
            assert ERRORS[error] in told[0]
            assert "The text is only in this window" in told[0]
        if not reached():
            assert number > 4
            return
    raise AssertionError("two edits have fewer calls than that")


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits on file sizes")
def test_a_version_that_cannot_be_kept_is_told_and_the_store_stays_sound(tmp_path: Path) -> None:
    import resource

    path = tmp_path / "store.sqlite3"
    store = Store.open(path)
    draft = store.open_draft(None, name="draft.md", path=None)
    first = store.save_version(draft.uid, OLD, format=Format.MARKDOWN, why="saved")
    assert first is not None
    long = "".join(f"{number * 7919 % 100_003} words. " for number in range(60_000))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for size in (0, 20_000, 60_000):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
        try:
            with pytest.raises(StoreError) as failed:
                store.save_version(draft.uid, long, format=Format.MARKDOWN, why="saved")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert str(failed.value).rstrip().endswith(".")
        assert [store.text_of(version.id) for version in store.versions(draft.uid)] == [OLD]
    assert store.save_version(draft.uid, long, format=Format.MARKDOWN, why="saved") is not None
    store.close()
    again = Store.open(path)
    assert [again.text_of(version.id) for version in again.versions(draft.uid)] == [OLD, long]
    again.close()
