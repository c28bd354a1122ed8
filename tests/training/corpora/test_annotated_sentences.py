"""Sentences that are marked in full: what a row says, and parts that hang on the name of a group alone."""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.types import GUIDE_CLASSES, KINDS, Kind
from training.corpora import annotated_sentences, wikipedia
from training.corpora.annotated_sentences import AnnotatedSentence, is_held_out, split, text_key
from training.corpora.files import read_lines
from training.text.near_duplicates import NearDuplicateIndex
from training.types import CorpusError, GoldSpan

TEXT = "Critics claim that the shameful plan was rammed through."


def span(words: str, kind: str, guide_class: str, severity: int, *suggestions: str) -> dict[str, Any]:
    start = TEXT.index(words)
    return {
        "start": start,
        "end": start + len(words),
        "kind": kind,
        "class": guide_class,
        "severity": severity,
        "wordings": list(suggestions),
    }


LOADED = span("shameful ", "framing", "judgement", 2, "")
CLAIM = span("claim", "epistemological", "doubt", 1, "say", "state")


def row(**fields: Any) -> dict[str, Any]:
    return {"id": 7, "source": "News|left|a1", "text": TEXT, "bias": 2, "spans": [LOADED, CLAIM], **fields}


def read(folder: Path, *rows: dict[str, Any], told: list[str] | None = None) -> list[AnnotatedSentence]:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in rows), encoding="utf-8")
    return annotated_sentences.read(path, "editors", (told if told is not None else []).append)


def test_a_row_has_its_spans_in_order_with_class_severity_and_suggestions(tmp_path: Path) -> None:
    (one,) = read(tmp_path, row(set="said"))
    assert one.example.spans == (
        GoldSpan(8, 13, Kind.EPISTEMOLOGICAL, "doubt", is_clear=False),
        GoldSpan(23, 32, Kind.FRAMING, "judgement", is_clear=True),
    )
    assert one.references == (("say", "state"), ("",))
    assert (one.grade, one.written_for, one.example.group) == (2, "said", "News|left|a1")
    assert one.example.unmarked_weight == 1.0, "its silence is evidence"


@pytest.mark.parametrize(("grade", "bias"), [(0, 0.0), (1, 0.35), (2, 1.0), (3, 1.0)])
def test_a_grade_is_how_likely_the_sentence_counts_as_biased(grade: int, bias: float, tmp_path: Path) -> None:
    (one,) = read(tmp_path, row(bias=grade))
    assert one.example.bias == bias


def test_sentences_of_an_article_stay_together_and_others_stand_alone(tmp_path: Path) -> None:
    found = read(tmp_path, row(id=1), row(id=2), row(id=3, source="wiki"), row(id=4, source="wiki"))
    assert [one.example.group for one in found] == ["News|left|a1", "News|left|a1", "wiki 3", "wiki 4"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"bias": 4}, "unknown bias 4"),
        ({"bias": -1}, "unknown bias -1"),
        ({"spans": [{**LOADED, "end": 99}]}, "span 23 to 99 is outside of its sentence"),
        ({"spans": [{**LOADED, "end": 23}]}, "is outside of its sentence"),
        ({"spans": [{**LOADED, "class": "rude"}]}, "unknown class 'rude'"),
        ({"spans": [{**LOADED, "kind": "rude"}]}, "'rude' is not a valid Kind"),
        ({"spans": [LOADED, {**LOADED, "start": 25}]}, "spans overlap"),
        ({"spans": None}, "another layout"),
    ],
)
def test_a_row_that_cannot_be_right_is_left_out_and_told(
    fields: dict[str, Any], why: str, tmp_path: Path
) -> None:
    told: list[str] = []
    assert len(read(tmp_path, row(), row(**fields), told=told)) == 1
    assert len(told) == 1
    assert why in told[0]


def test_without_the_corpus_it_is_said_where_to_put_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"editors/sentences\.jsonl\.xz is not in"):
        annotated_sentences.load(tmp_path)


def test_a_sentence_of_a_corpus_is_looked_up_there_and_one_that_is_not_there_is_left_out(
    corpora: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = next(one.text for one in wikipedia.load_cw_hard(corpora))
    span = {**LOADED, "start": 0, "end": text.index(" "), "wordings": [""]}
    rows = [
        {"source": "cw_hard", "text": text_key(text), "bias": 2, "spans": [span]},
        {"source": "cw_hard", "text": "0" * 16, "bias": 0, "spans": []},
        {"source": "nowhere", "text": "0" * 16, "bias": 0, "spans": []},
    ]
    path = tmp_path / "rows.jsonl.xz"
    with lzma.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    monkeypatch.setattr(annotated_sentences, "CORPUS_SENTENCES", path)
    told: list[str] = []
    (one,) = annotated_sentences.load_corpus_sentences(corpora, told.append)
    assert (one.example.text, one.grade, one.references) == (text, 2, (("",),))
    assert one.example.group == f"cw_hard {text_key(text)}"
    assert any("unknown corpus" in line for line in told)


def test_without_a_corpus_its_sentences_are_missing_and_a_message_says_so(tmp_path: Path) -> None:
    told: list[str] = []
    assert annotated_sentences.load_corpus_sentences(tmp_path, told.append) == []
    assert any("annotated sentences of news_pool" in line for line in told)


def test_the_sentences_of_corpora_are_named_without_their_text() -> None:
    keys: list[str] = []
    for line in read_lines(annotated_sentences.CORPUS_SENTENCES):
        row = json.loads(line)
        keys.append(row["text"])
        assert row.keys() == {"source", "text", "bias", "spans"}
        assert len(row["text"]) == 16
        for span in row["spans"]:
            assert 0 <= span["start"] < span["end"]
            assert GUIDE_CLASSES[span["class"]] == span["kind"]
            assert all(len(words) < 120 for words in span["wordings"])
    assert len(keys) > 8000
    assert len(set(keys)) == len(keys)


@given(st.text())
def test_the_part_of_a_group_is_always_the_same(group: str) -> None:
    assert is_held_out(group) is is_held_out(group)


def test_one_group_in_five_is_dev_by_its_name_and_whatever_else_is_there(corpora: Path) -> None:
    """The parts are recorded here: another rule would move sentences that decided something into the training."""
    assert [number for number in range(30) if is_held_out(f"news|{number}")] == [0, 9, 18, 19, 25, 28]
    share = sum(is_held_out(f"group {number}") for number in range(2000)) / 2000
    assert 0.17 < share < 0.23
    known = annotated_sentences.load(corpora)
    train, dev = split(known)
    assert Counter(map(id, known)) == Counter(map(id, [*train, *dev]))
    assert not {one.example.group for one in train} & {one.example.group for one in dev}
    assert split(reversed(known[:20]))[1] == [one for one in reversed(known[:20]) if one in dev]


@pytest.fixture(scope="module")
def written() -> list[AnnotatedSentence]:
    told: list[str] = []
    found = annotated_sentences.load_written(told.append)
    assert told == [], "every row can be read"
    return found


def test_written_sentences_have_every_kind_and_class_and_each_class_its_kind(
    written: list[AnnotatedSentence],
) -> None:
    spans = [span for one in written for span in one.example.spans or ()]
    assert {span.guide_class for span in spans} == set(GUIDE_CLASSES)
    assert {span.kind for span in spans} == set(KINDS)
    assert [span for span in spans if GUIDE_CLASSES[span.guide_class] is not span.kind] == []


def test_a_neutral_written_sentence_has_no_marks_and_a_biased_one_has_some(
    written: list[AnnotatedSentence],
) -> None:
    assert [one.example.text for one in written if one.grade == 0 and one.example.spans] == []
    assert [one.example.text for one in written if one.grade >= 2 and not one.example.spans] == []


def test_no_suggestion_of_a_written_sentence_is_what_stands_there(written: list[AnnotatedSentence]) -> None:
    same = [
        one.example.text
        for one in written
        for span, suggestions in zip(one.example.spans or (), one.references, strict=True)
        if one.example.text[span.start : span.end].strip() in map(str.strip, suggestions)
    ]
    assert same == []


def test_spans_of_written_sentences_begin_and_end_between_words(written: list[AnnotatedSentence]) -> None:
    for one in written:
        text = one.example.text
        for span in one.example.spans or ():
            for at in (span.start, span.end):
                assert not text[at - 1 : at + 1].isalnum() or at in (0, len(text)), (text, span)


def test_the_parts_of_the_written_sentences_hold_no_near_duplicates_of_each_other(
    written: list[AnnotatedSentence],
) -> None:
    train, dev = split(written)
    assert len(dev) > len(written) / 8
    index = NearDuplicateIndex(one.example.text for one in dev)
    assert [one.example.text for one in train if index.has_near_duplicate(one.example.text)] == []
    texts = Counter(one.example.text for one in written)
    assert max(texts.values()) == 1


def test_twins_are_two_and_differ(written: list[AnnotatedSentence]) -> None:
    groups: dict[str, list[AnnotatedSentence]] = {}
    for one in written:
        if one.example.group.startswith(annotated_sentences.MINIMAL_PAIRS):
            groups.setdefault(one.example.group, []).append(one)
    assert len(groups) > 100
    for pair in groups.values():
        assert len(pair) == 2
        assert pair[0].written_for == pair[1].written_for
        assert [span.kind for span in pair[0].example.spans or ()] == [
            span.kind for span in pair[1].example.spans or ()
        ]
