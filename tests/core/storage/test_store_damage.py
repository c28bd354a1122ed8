"""Protects what is whole in a damaged store: each row is read by itself, and a damaged schema is put aside."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from core.corrections.correction_store import CorrectionStore
from core.corrections.types import Correction, Verdict
from core.documents.types import Format
from core.storage.store import Store
from core.storage.types import UNKNOWN_TIME, Ignore, Scores, StoreError
from core.types import Kind, Leaning

DAMAGE = (
    "X'ff'",
    "CAST(X'61ff62' AS TEXT)",
    "'\ufffd'",
    "-1",
    "9223372036854775807",
    "1e300",
    "''",
    "'{'",
    "'[1]'",
)
SCORES = Scores(0.4, 2, 9, {Kind.FRAMING: 3}, Leaning(0.2, 0.5, 0.3, 0.1))
SENTENCE = "Only a fool would repeal the rule."


def fill(place: Path) -> str:
    with closing(Store.open(place)) as store:
        uid = store.open_draft(None, name="Draft", path=None).uid
        for text in ("first", "second", "third"):
            store.save_version(uid, text, format=Format.MARKDOWN, why="saved", scores=SCORES)
        for words in ("one", "two", "three"):
            store.ignore(uid, Ignore("words", Kind.FRAMING, words, ""))
        kept = CorrectionStore(store)
        for start, end in ((5, 11), (0, 4), (12, 17)):
            assert kept.add(uid, Correction(Verdict.REJECTED, Kind.FRAMING, SENTENCE, start, end, ""))
    return uid


def damage(place: Path, statement: str) -> None:
    with closing(sqlite3.connect(place)) as raw:
        raw.execute("PRAGMA ignore_check_constraints = ON")
        with raw:
            assert raw.execute(statement).rowcount == 1


def columns_of(table: str) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as raw:
        from core.storage.migrations import STEPS

        for statement in (one for step in STEPS for one in step):
            raw.execute(statement)
        names = [str(row[1]) for row in raw.execute(f"PRAGMA table_info({table})")]
    return [name for name in names if name not in ("id", "draft", "text")]


@pytest.mark.parametrize("column", columns_of("versions"))
def test_a_damaged_version_hides_no_other_and_keeps_its_text(tmp_path: Path, column: str) -> None:
    """Whatever stands in a column: three versions are listed, and those whose hash is whole have their text."""
    place = tmp_path / "store.sqlite3"
    uid = fill(place)
    for value in DAMAGE:
        damage(place, f'UPDATE versions SET "{column}" = {value} WHERE id = 2')
        with closing(Store.open(place)) as store:
            found = store.versions(uid)
            assert [version.id for version in found] == [1, 2, 3]
            assert not found[0].damaged
            assert not found[2].damaged
            assert found[0].scores == found[2].scores == SCORES
            texts = [store.text_of(version.id) for version in (found[0], found[2])]
            assert texts == ["first", "third"]
            if column == "sha256":
                with pytest.raises(StoreError, match="damaged"):
                    store.text_of(2)
            else:
                assert store.text_of(2) == "second"


def test_a_version_says_that_its_record_is_damaged(tmp_path: Path) -> None:
    place = tmp_path / "store.sqlite3"
    uid = fill(place)
    damage(place, "UPDATE versions SET format = 'papyrus', made_at = X'00', kinds = '{' WHERE id = 2")
    with closing(Store.open(place)) as store:
        version = store.versions(uid)[1]
        copy = store.save_version(uid, "fourth", format=Format.PLAIN, why="saved")
    assert version.damaged
    assert version.format is Format.PLAIN
    assert version.scores is None
    assert version.made_at == UNKNOWN_TIME
    assert copy is not None


@pytest.mark.parametrize("table", ["ignores", "corrections"])
def test_a_damaged_entry_is_put_aside_and_said_once(tmp_path: Path, table: str) -> None:
    """Whatever stands in a column: the other entries are read, and one that cannot be read is kept in a file."""
    for number, (column, value) in enumerate((name, value) for name in columns_of(table) for value in DAMAGE):
        place = tmp_path / str(number) / "store.sqlite3"
        uid = fill(place)
        damage(place, f'UPDATE {table} SET "{column}" = {value} WHERE id = 2')
        with closing(Store.open(place)) as store:
            notes = store.notes
            entries = store.ignores(uid) if table == "ignores" else CorrectionStore(store).list_all()
        aside = [path for path in place.parent.iterdir() if ".damaged-" in path.name]
        assert {1, 3} <= {entry.id for entry in entries}
        assert len(entries) + len(aside) == 3
        assert len(notes) == len(aside)
        if aside:
            assert str(aside[0]) in notes[0]
            assert json.loads(aside[0].read_text())["id"] == 2
            assert aside[0].stat().st_mode & 0o077 == 0
        with closing(Store.open(place)) as store:
            assert store.notes == ()


def test_a_damaged_draft_hides_no_other(tmp_path: Path) -> None:
    place, path = tmp_path / "store.sqlite3", tmp_path / "a.txt"
    with closing(Store.open(place)) as store:
        uids = [store.open_draft(None, name="a", path=one).uid for one in (path, None)]
        for uid in uids:
            store.save_version(uid, uid, format=Format.PLAIN, why="saved")
    for column, value in ((name, value) for name in ("name", "made_at") for value in DAMAGE):
        damage(place, f"UPDATE drafts SET {column} = {value} WHERE id = 1")
        with closing(Store.open(place)) as store:
            assert store.open_draft(None, name="a", path=path).uid == uids[0]
            assert [len(store.versions(uid)) for uid in uids] == [1, 1]
            assert len(store.versions(store.open_draft(uids[0], name="b", path=path).uid)) == 1
            store.prune(30)


# The schema


def test_a_flipped_byte_in_the_schema_ends_no_start(tmp_path: Path) -> None:
    """Every start ends with a store, and with a note where the old one was put aside; none ends with an exception."""
    place = tmp_path / "store.sqlite3"
    fill(place)
    whole = place.read_bytes()
    size = int.from_bytes(whole[16:18], "big")
    pages = [at for at in range(0, len(whole), size) if not at or b"CREATE TABLE" in whole[at : at + size]]
    chance = random.Random(38)
    letters = [at for page in pages for at in range(page + 100 * (not page), page + size) if whole[at]]
    put_aside = 0
    for number, at in enumerate(chance.sample(letters, 120)):
        folder = tmp_path / str(number)
        folder.mkdir()
        changed = bytearray(whole)
        changed[at] ^= 1 << chance.randrange(8)
        (folder / place.name).write_bytes(changed)
        with closing(Store.open(folder / place.name)) as store:
            uid = store.open_draft(None, name="new", path=None).uid
            store.save_version(uid, "text", format=Format.PLAIN, why="saved", scores=SCORES)
            store.ignore(uid, Ignore("once", Kind.FRAMING, "words", "x"))
            assert store.versions(uid)
            put_aside += bool(store.notes)
        with closing(Store.open(folder / place.name)) as store:
            assert store.notes == ()
    assert put_aside > 40


@pytest.mark.parametrize(
    ("whole", "changed"),
    [(b"bias FLOAT", b"b\xffas FLOAT"), (b"fingerprint TEXT", b"fingerprunt TEXT"), (b"'words'", b"'wards'")],
)
def test_a_schema_that_is_not_ours_is_put_aside(tmp_path: Path, whole: bytes, changed: bytes) -> None:
    place = tmp_path / "store.sqlite3"
    fill(place)
    data = place.read_bytes()
    assert data.count(whole) == 1
    place.write_bytes(data.replace(whole, changed))
    with closing(Store.open(place)) as store:
        assert "damaged" in store.notes[0]
    assert [path.read_bytes() for path in tmp_path.iterdir() if ".damaged-" in path.name] == [
        data.replace(whole, changed)
    ]
