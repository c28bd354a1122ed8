"""Corpora near to bias: only their short spans are taken, and what they leave unmarked hardly counts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from core.types import Kind
from training.corpora import opinion_spans
from training.types import Example


def put(folder: Path, name: str, *rows: dict[str, Any]) -> None:
    path = folder / name.removesuffix(".xz")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def words(example: Example) -> list[str]:
    return [example.text[span.start : span.end] for span in example.spans or ()]


def test_of_an_article_the_sentences_with_short_spans_are_taken(tmp_path: Path) -> None:
    text = "A plain headline\n\nThe vile plan failed. It rained.\n\nNobody knows why the grim and sad old story ended."
    marks = [
        ("vile", "Loaded_Language"),
        ("plan failed", "Doubt"),
        ("the grim and sad old story ended", "Loaded_Language"),
        ("grim and sad", "Name_Calling,Labeling"),
        ("sad old", "Loaded_Language"),
    ]
    spans = [[text.index(part), text.index(part) + len(part), name] for part, name in marks]
    put(tmp_path, opinion_spans.PTC_FACTS.files[0], {"id": "a1", "text": text, "spans": spans})
    found = opinion_spans.load_ptc(tmp_path)
    assert [(one.text, words(one)) for one in found] == [
        ("The vile plan failed.", ["vile"]),
        ("Nobody knows why the grim and sad old story ended.", ["grim and sad"]),
    ]
    assert {one.group for one in found} == {"a1"}


def test_of_subjective_spans_strong_ones_in_the_writers_own_voice_are_taken(tmp_path: Path) -> None:
    text = "He was a monster, said the angry man, and a hopeless fool."

    def span(part: str, name: str, intensity: str | None, source: str) -> list[Any]:
        return [text.index(part), text.index(part) + len(part), name, intensity, "negative", source]

    spans = [
        span("hopeless", "expressive-subjectivity", "high", "w"),
        span("monster", "expressive-subjectivity", "high", "w, man"),
        span("angry", "expressive-subjectivity", "low", "w"),
        span("said", "objective-speech-event", None, "w"),
    ]
    rows = ({"doc": "d1", "text": text, "spans": some} for some in (spans, spans[1:]))
    put(tmp_path, opinion_spans.MPQA_FACTS.files[0], *rows)
    (one,) = opinion_spans.load_mpqa(tmp_path)
    assert (words(one), one.group) == (["hopeless"], "d1")


def test_of_uncertainty_cues_attributions_are_taken(tmp_path: Path) -> None:
    cues = [[0, 4, "doxastic"], [5, 8, "epistemic"]]
    put(
        tmp_path,
        opinion_spans.UNCERTAINTY_FACTS.files[0],
        {"text": "Many may agree.", "cues": cues},
        {"text": "It may rain.", "cues": [[3, 6, "epistemic"]]},
        {"text": "Some agree.", "cues": [[0, 4, "doxastic"]]},
    )
    found = opinion_spans.load_uncertainty(tmp_path)
    assert [words(one) for one in found] == [["Many"], ["Some"]]
    assert {span.kind for one in found for span in one.spans or ()} == {Kind.EPISTEMOLOGICAL}
    assert len({one.group for one in found}) == 2


@pytest.mark.parametrize(
    "load", [opinion_spans.load_ptc, opinion_spans.load_mpqa, opinion_spans.load_uncertainty]
)
def test_what_they_leave_unmarked_hardly_counts_and_nothing_is_said_of_the_sentence(
    load: Callable[[Path], list[Example]], corpora: Path
) -> None:
    found = load(corpora)
    assert found
    for one in found:
        assert (one.unmarked_weight, one.bias) == (opinion_spans.UNMARKED_WEIGHT, None)
        assert words(one)
        assert all(part in one.text and part.strip() for part in words(one))


@pytest.mark.parametrize(
    ("load", "name", "row", "key"),
    [
        (
            opinion_spans.load_ptc,
            opinion_spans.PTC_FACTS.files[0],
            {"id": "1", "text": "A vile plan.", "spans": [[2, 6, "Loaded_Language"]]},
            "spans",
        ),
        (
            opinion_spans.load_mpqa,
            opinion_spans.MPQA_FACTS.files[0],
            {
                "doc": "1",
                "text": "A vile plan.",
                "spans": [[2, 6, "expressive-subjectivity", "high", "negative", "w"]],
            },
            "spans",
        ),
        (
            opinion_spans.load_uncertainty,
            opinion_spans.UNCERTAINTY_FACTS.files[0],
            {"text": "Some say so.", "cues": [[0, 4, "doxastic"]]},
            "cues",
        ),
    ],
)
def test_spans_that_are_none_are_told_and_other_rows_are_read(
    load: Callable[..., list[Example]], name: str, row: dict[str, Any], key: str, tmp_path: Path
) -> None:
    (good,) = row[key]
    bad: list[Any] = [
        [[99, 104, *good[2:]]],
        [[6, 2, *good[2:]]],
        [[-1, 3, *good[2:]]],
        [good[:2]],
        [["a", *good[1:]]],
    ]
    put(tmp_path, name, row, *({**row, key: spans} for spans in bad))
    told: list[str] = []
    assert len(load(tmp_path, told.append)) == 1
    assert len(told) == 1
    assert (
        "5 rows cannot be read and are left out (row 2: span 99 to 104 is outside of its text; row 3"
        in told[0]
    )
