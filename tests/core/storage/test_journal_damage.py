"""Protects drafts from a damaged journal beside theirs: each is read by itself, and what is whole in it is offered."""

from __future__ import annotations

import json
import os
import random
import struct
import zlib
from pathlib import Path

import pytest

from core.documents.types import Format
from core.storage import journal as journal_module
from core.storage.journal import Journal, find_orphans
from core.storage.journal_format import (
    FIRST_LINE,
    DraftLocation,
    JournalError,
    change_record,
    place_record,
    replay_journal,
    text_record,
    to_utf16_bytes,
)

PLACE = DraftLocation("u", "n", format=Format.MARKDOWN)


def record(payload: bytes) -> bytes:
    """A record with the right length and checksum, whatever is in it."""
    return struct.pack("<4sII", b"\xf5eh\xf5", len(payload), zlib.crc32(payload)) + payload


def place_with(**changed: object) -> bytes:
    fields = json.loads(place_record(PLACE)[13:])
    return record(b"P" + json.dumps(fields | changed).encode())


WHOLE = FIRST_LINE + place_record(PLACE) + text_record(to_utf16_bytes("all of it"))
ODD_RECORDS = {
    "a text that is no zip": record(b"Tnot packed"),
    "half a character": record(b"T" + zlib.compress(b"abc")),
    "an edit with half a character": change_record(0, 0, b"a"),
    "an edit behind the end": change_record(1 << 62, 1 << 62, b""),
    "a short edit": record(b"E12"),
    "an unknown record": record(b"?"),
    "comments that are no list": record(b"C7"),
    "comments without a text": record(b"C[[1, 2]]"),
    "a comment behind the end": record(b'C[[1, 99, "Who?", "Ann", "2026-01-01"]]'),
    "a comment without end": record(b'C[[1, Infinity, "Who?", "Ann", "2026-01-01"]]'),
    "a comment at no time": record(b'C[[1, 2, "Who?", "Ann", 5]]'),
    "comments that are nested without end": record(b"C" + b"[" * 100_000),
    "a place that is no table": record(b"P[]"),
    "a place that is nested without end": record(b"P" + b"[" * 100_000),
    "a time without end": record(place_with(stamp=[1, 2])[12:].replace(b"[1, 2]", b"[Infinity, 1]")),
    "a path that none can have": place_with(path="a\0b"),
    "a path of another type": place_with(path=["a"]),
    "an unknown format": place_with(format="papyrus"),
}


@pytest.mark.parametrize("name", ODD_RECORDS)
@pytest.mark.parametrize("first", [False, True])
def test_an_odd_record_costs_no_text(name: str, first: bool) -> None:
    odd = ODD_RECORDS[name]
    data = FIRST_LINE + odd + WHOLE[len(FIRST_LINE) :] if first else WHOLE + odd
    assert replay_journal(data).text == "all of it"


def test_a_text_whose_place_is_lost_is_offered() -> None:
    said = replay_journal(FIRST_LINE + text_record(to_utf16_bytes("all of it")))
    assert (said.text, said.damaged, said.unsaved, said.place.path) == ("all of it", True, True, None)
    assert said.place.name


def test_nothing_but_a_journal_error_leaves_a_replay() -> None:
    """Random records with right checksums, and random bytes in whole journals."""
    chance = random.Random(22)
    for _ in range(400):
        data = bytearray(WHOLE)
        for _ in range(chance.randrange(1, 5)):
            kind = chance.choice((b"P", b"T", b"E", b"?"))
            data += record(kind + chance.randbytes(chance.randrange(40)))
        for _ in range(chance.randrange(4)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            said = replay_journal(bytes(data))
        except JournalError:
            continue
        assert isinstance(said.text, str)


def died(folder: Path, text: str) -> Path:
    journal = Journal(folder, DraftLocation(text, text), text="")
    journal.whole(text)
    journal.close(keep=True)
    return journal.path


def test_one_odd_journal_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one whose time is in no calendar, that is a folder, or that cannot be read now."""
    whole = [died(tmp_path, text) for text in ("one", "two")]
    for number, odd in enumerate(ODD_RECORDS.values()):
        (tmp_path / f"{number}.journal").write_bytes(FIRST_LINE + odd)
    os.utime(whole[0], (1 << 38, 1 << 38))
    (tmp_path / "folder.journal").mkdir()
    (tmp_path / "refused.journal").write_bytes(WHOLE)
    opened = journal_module.open_regular

    def refusing(path: Path) -> object:
        if path.stem == "refused":
            raise PermissionError(13, "no")
        return opened(path)

    monkeypatch.setattr(journal_module, "open_regular", refusing)
    found = find_orphans(tmp_path)
    assert {orphan.text for orphan in found.orphans} == {"one", "two"}
    names = {path.name for path in found.unreadable}
    assert names == {f"{number}.damaged" for number in range(len(ODD_RECORDS))} | {
        "folder.damaged",
        "refused.journal",
    }
    for orphan in found.orphans:
        orphan.release()
