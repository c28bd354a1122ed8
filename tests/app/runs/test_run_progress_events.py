"""The events file is read as it grows: no line is lost, split or read twice."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.runs.run_progress import CHUNK_BYTES, Event, EventTail, parse_event


def line(step: int) -> bytes:
    return json.dumps({"event": "step", "stage": "reader", "step": step, "message": "ä\n"}).encode() + b"\n"


def test_a_missing_events_file_is_awaited(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    tail = EventTail(path)
    assert tail.read() == []
    path.write_bytes(line(1))
    assert [event.step for event in tail.read()] == [1]
    assert tail.read() == []
    assert tail.restarts == 0


@settings(max_examples=40)
@given(st.lists(st.integers(0, 200), max_size=12))
def test_partial_lines_are_delivered_whole_and_once(
    tmp_path_factory: pytest.TempPathFactory, cuts: list[int]
) -> None:
    path = tmp_path_factory.mktemp("tail") / "events.jsonl"
    whole = b"".join(line(step) for step in range(1, 6))
    places = sorted({0, len(whole), *(min(cut, len(whole)) for cut in cuts)})
    tail, steps = EventTail(path), []
    for start, end in pairwise(places):
        with path.open("ab") as file:
            file.write(whole[start:end])
        steps += [event.step for event in tail.read()]
    assert steps == [1, 2, 3, 4, 5]


def test_a_truncated_or_replaced_file_is_read_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(line(1) + line(2) + line(3)[:9])
    tail = EventTail(path)
    assert len(tail.read()) == 2
    path.write_bytes(line(7))
    assert [event.step for event in tail.read()] == [7]
    assert tail.restarts == 1
    other = tmp_path / "other"
    other.write_bytes(line(8) + line(9) + line(10))
    other.replace(path)
    assert [event.step for event in tail.read()] == [8, 9, 10]
    assert tail.restarts == 2


def test_a_long_file_is_read_in_chunks(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    count = 3 * CHUNK_BYTES // len(line(1000))
    path.write_bytes(b"".join(line(1000 + number) for number in range(count)))
    tail, read = EventTail(path), []
    for _ in range(4):
        read += tail.read()
        if not tail.has_more:
            break
    assert [event.step for event in read] == [1000 + number for number in range(count)]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", "7", "null", '{"event": 7}', '{"stage": "reader"}', "\x00\x00", "Traceback (most"]
)
def test_invalid_events_are_skipped(text: str) -> None:
    assert parse_event(text.encode()) is None


def test_a_value_of_the_wrong_type_counts_as_missing() -> None:
    row = {"event": "step", "step": "x", "steps": None, "eta_s": -3, "message": 4}
    row["metrics"] = {"a": float("nan"), "b": "c", "d": 1}
    assert parse_event(json.dumps(row).encode()) == Event("step", metrics={"d": 1.0})
    assert parse_event(b'{"event": "step", "metrics": [1], "step": 1e400}') == Event("step")
