"""Protects a promise: after *Forget this draft* nothing of it is left in the files of the store."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

from core.documents.types import Format
from core.storage import database
from core.storage.migrations import STEPS
from core.storage.store import Store
from core.storage.types import Ignore
from core.types import Kind

_PIECE = 40


def secret_text(number: int) -> str:
    """Words that compress badly, so that their packed form is long."""
    some = random.Random(number)
    return " ".join(f"zebrafinch{some.getrandbits(60):x}" for _ in range(1500))


def traces(texts: list[str]) -> list[bytes]:
    """What gives a draft away: its name and path, the words ignored in it, and pieces of its packed texts."""
    found = [b"Quagmire", b"quixotic"]
    for text in texts:
        packed = zlib.compress(text.encode())
        found += [packed[at : at + _PIECE] for at in range(0, len(packed) - _PIECE, 3000)]
    return found


def seen(folder: Path, needles: list[bytes]) -> list[bytes]:
    data = b"\x00".join(file.read_bytes() for file in sorted(folder.iterdir()))
    return [needle for needle in needles if needle in data]


def secret(store: Store, tmp_path: Path) -> tuple[str, list[str]]:
    """A draft among others, written in turns with them so that their rows share pages."""
    uid = store.open_draft(None, name="Quagmire.md", path=tmp_path / "Quagmire.md").uid
    others = [
        store.open_draft(None, name=f"Other {at}", path=tmp_path / f"other{at}.md").uid for at in range(3)
    ]
    texts = [secret_text(number) for number in range(12)]
    for number, text in enumerate(texts):
        store.save_version(uid, text, format=Format.PLAIN, why="kept")
        store.ignore(uid, Ignore("words", Kind.FRAMING, f"quixotic{number}", f"f{number}"))
        for other in others:
            store.save_version(other, f"harmless {number} {other}", format=Format.PLAIN, why="kept")
            for more in range(8):
                store.ignore(other, Ignore("once", Kind.FRAMING, f"plain {number} {more}", "f" * 16))
    return uid, texts


def test_nothing_of_a_forgotten_draft_is_left_in_the_files(store: Store, place: Path, tmp_path: Path) -> None:
    uid, texts = secret(store, tmp_path)
    needles = traces(texts)
    assert len(seen(place.parent, needles)) == len(needles)
    assert store.forget(uid) == ()
    assert seen(place.parent, needles) == []
    assert seen(place.parent, [b"plain 7 3"])
    store.close()
    assert seen(place.parent, needles) == []
    again = Store.open(place)
    assert again.versions(uid) == []
    assert again.ignores(uid) == []
    assert again.check() == []
    again.close()


def test_a_draft_at_the_same_path_begins_anew(store: Store, tmp_path: Path) -> None:
    uid, _ = secret(store, tmp_path)
    store.forget(uid)
    again = store.open_draft(uid, name="Quagmire.md", path=tmp_path / "Quagmire.md")
    assert store.versions(again.uid) == []


def test_another_window_that_is_open_does_not_keep_it(store: Store, place: Path, tmp_path: Path) -> None:
    uid, texts = secret(store, tmp_path)
    other = Store.open(place)
    assert len(other.versions(uid)) == 12
    assert store.forget(uid) == ()
    assert seen(place.parent, traces(texts)) == []
    other.close()


def test_a_reader_in_the_way_is_told(place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While another process reads, its journal cannot be emptied: that is said, not hushed up."""
    monkeypatch.setattr(database, "BUSY_S", 0.05)
    store, other = Store.open(place), Store.open(place)
    uid, texts = secret(store, tmp_path)
    raw = database.driver_connection(other._engine)
    raw.execute("BEGIN")
    raw.execute("SELECT count(*) FROM versions").fetchone()
    assert store.forget(uid) == (Path(f"{place}-wal"),)
    raw.execute("COMMIT")
    other.close()
    store.close()
    assert seen(place.parent, traces(texts)) == []


def test_backups_go_too_and_damaged_files_are_named(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store.open(place)
    uid, texts = secret(store, tmp_path)
    store.close()
    damaged = place.with_name("evenhand.damaged-20260101-000000-000000.sqlite3")
    damaged.write_bytes(b"x")
    monkeypatch.setattr(database, "STEPS", (*STEPS, ("CREATE TABLE more (x)",)))
    store = Store.open(place)
    assert any("backup" in file.name for file in place.parent.iterdir())
    assert store.forget(uid) == (damaged,)
    assert not any("backup" in file.name for file in place.parent.iterdir())
    assert seen(place.parent, traces(texts)) == []
    store.close()
