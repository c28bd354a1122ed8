"""anno-lexical: a sentence is as biased as the share of the votes for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from training.corpora import anno_lexical


def load(
    folder: Path, *rows: dict[str, Any], told: list[str] | None = None
) -> list[tuple[float | None, str]]:
    (folder / "anno_lexical").mkdir()
    lines = "".join(json.dumps({"text": "A plan.", "article": "a1", **row}) + "\n" for row in rows)
    (folder / "anno_lexical" / "sentences.jsonl").write_text(lines, encoding="utf-8")
    found = anno_lexical.load(folder, (told if told is not None else []).append)
    assert all(one.spans is None or one.bias == 0 for one in found)
    return [(one.bias, one.group) for one in found]


def test_votes_decide_and_where_there_are_none_the_label(tmp_path: Path) -> None:
    found = load(
        tmp_path,
        {"label": 1, "llm_votes": ["1.0", "1.0", "0.0"]},
        {"label": 0, "llm_votes": ["0.0", "0.0", "0.0"]},
        {"label": 1, "llm_votes": []},
        {"label": 0, "llm_votes": None},
    )
    assert found == [(pytest.approx(2 / 3), "a1"), (0.0, "a1"), (1.0, "a1"), (0.0, "a1")]


def test_a_sentence_that_every_vote_calls_neutral_has_no_spans_and_this_counts_less(tmp_path: Path) -> None:
    (tmp_path / "anno_lexical").mkdir()
    rows = [["0.0", "0.0", "0.0"], ["0.0", "1.0", "0.0"], []]
    lines = "".join(
        json.dumps({"text": "A plan.", "article": "a1", "label": 0, "llm_votes": votes}) + "\n"
        for votes in rows
    )
    (tmp_path / "anno_lexical" / "sentences.jsonl").write_text(lines, encoding="utf-8")
    found = anno_lexical.load(tmp_path)
    assert [one.spans for one in found] == [(), None, None]
    assert {one.unmarked_weight for one in found} == {anno_lexical.UNMARKED_WEIGHT}
    assert anno_lexical.UNMARKED_WEIGHT < 1


def test_votes_that_are_none_are_told(tmp_path: Path) -> None:
    told: list[str] = []
    found = load(
        tmp_path,
        {"label": 1, "llm_votes": ["1.0"]},
        {"label": 1, "llm_votes": ["7"]},
        {"label": 1, "llm_votes": ["yes"]},
        {"label": None, "llm_votes": []},
        {"llm_votes": []},
        told=told,
    )
    assert found == [(1.0, "a1")]
    assert len(told) == 1
    assert "4 rows cannot be read and are left out (row 2: votes of 7 on average, not 0 to 1;" in told[0]
