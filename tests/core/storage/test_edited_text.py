"""Protects the time that recovery takes: a long journal is replayed in steps that grow as it does, and exactly."""

from __future__ import annotations

import random
import struct
import sys
import zlib
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.storage import edited_text
from core.storage.edited_text import EditedText
from core.storage.journal_format import (
    FIRST_LINE,
    DraftLocation,
    change_record,
    place_record,
    replay_journal,
    text_record,
    to_utf16_bytes,
)

PLACE = place_record(DraftLocation("u", "draft.md", digest="d"))
WHERE: dict[str, Callable[[int, int, random.Random], int]] = {
    "typed in one place": lambda number, units, _: units // 2 + number // 2,
    "at the start": lambda _number, _units, _some: 0,
    "at both ends": lambda number, units, _: units * (number % 2),
    "replaced throughout": lambda number, units, _: number * 37 % units,
    "anywhere": lambda _number, units, some: some.randrange(units),
}


@given(
    st.binary(max_size=200),
    st.lists(st.tuples(st.integers(0, 300), st.integers(0, 90), st.binary(max_size=60)), max_size=30),
)
def test_a_text_in_blocks_is_the_same_as_one_in_one_piece(
    start: bytes, edits: list[tuple[int, int, bytes]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edited_text, "_LEAST_BLOCK", 4)
        patch.setattr(edited_text, "isqrt", lambda _: 0)
        text, expected = EditedText(start), bytearray(start)
        for at, removed, inserted in edits:
            at = min(at, len(expected))
            end = min(at + removed, len(expected))
            expected[at:end] = inserted
            text.replace(at, end, inserted)
            assert (bytes(text), text.length) == (bytes(expected), len(expected))
            assert max(map(len, text._blocks)) <= 8, "an edit never moves more than a block"


def steps(work: Callable[[], Any]) -> int:
    """The lines that run in the storage code."""
    count = 0

    def line(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, _event: str, _argument: Any) -> Any:
        return line if "storage" in frame.f_code.co_filename else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("where", WHERE)
def test_twice_the_edits_on_twice_the_text_take_twice_the_steps(where: str) -> None:
    """A step moves one block at the most, whose size grows with the root of the text's."""
    taken = []
    for units in (50_000, 100_000, 200_000):
        some = random.Random(5)
        text = bytearray(to_utf16_bytes("ab cd " * (units // 6)))
        records = [FIRST_LINE, PLACE, text_record(text)]
        for number in range(units // 100):
            at = WHERE[where](number, len(text) // 2 - 4, some)
            inserted = to_utf16_bytes("word"[: number % 4])
            records.append(change_record(at, number % 3, inserted))
            text[2 * at : 2 * (at + number % 3)] = inserted
        data = b"".join(records)
        assert replay_journal(data).text == text.decode("utf-16-le")
        taken.append(steps(lambda data=data: replay_journal(data)))
    assert taken[1] < 2.5 * taken[0]
    assert taken[2] < 2.5 * taken[1]


def test_damaged_bytes_that_look_like_records_are_not_all_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = 0
    crc32 = zlib.crc32

    def count(payload: bytes) -> int:
        nonlocal checked
        checked += len(payload)
        return crc32(payload)

    whole = FIRST_LINE + PLACE + text_record(to_utf16_bytes("The text."))
    sizes = []
    for number in (500, 1_000, 2_000):
        left = range(12 * number - 12, -1, -12)
        heads = b"".join(struct.pack("<4sII", b"\xf5eh\xf5", length, 1) for length in left)
        data = whole + heads + change_record(0, 9, to_utf16_bytes("Another."))
        with monkeypatch.context() as patch:
            found = replay_journal(data)
            assert (found.text, found.damaged) == ("The text.", True)
            patch.setattr(zlib, "crc32", count)
            replay_journal(data)
        sizes.append(checked / len(data))
        checked = 0
    assert max(sizes) < 11


def test_an_edit_by_half_a_unit_is_damage_and_ends_nothing() -> None:
    data = FIRST_LINE + PLACE + text_record(to_utf16_bytes("one")) + change_record(0, 0, b"x")
    assert (replay_journal(data).text, replay_journal(data).damaged) == ("one", True)
