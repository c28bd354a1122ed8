"""WIKIBIAS's manual corpus: tokens and tags become text and spans, and every span has a kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.types import Kind
from training.corpora import wikibias_manual
from training.corpora.wikibias_manual import ManualSentence, to_example
from training.metrics.tags import spans
from training.types import BEGIN, INSIDE, OUTSIDE, CorpusError, TaggedSentence


def row(tags: str, types: list[str], **fields: Any) -> dict[str, Any]:
    names = {"B": "B-bias", "I": "I-bias", "O": "O"}
    return {
        "id": "3_0",
        "side": "source",
        "tokens": ["The", "``", "cruel", "''", "king", "did", "n't", "win", "."],
        "tags": [names[tag] for tag in tags],
        "types": types,
        "class_label": 1,
        **fields,
    }


def load(folder: Path, *rows: dict[str, Any], told: list[str] | None = None) -> list[ManualSentence]:
    (folder / "wikibias").mkdir(exist_ok=True)
    lines = "".join(json.dumps(one) + "\n" for one in rows)
    (folder / "wikibias" / "train.jsonl").write_text(lines, encoding="utf-8")
    return wikibias_manual.load(folder, "train", (told if told is not None else []).append)


def test_a_row_has_its_side_label_and_pair(tmp_path: Path) -> None:
    one, other = load(
        tmp_path,
        row("OOBOOOOOO", ["framing"]),
        row("OOOOOOOOO", [], id="3_1", side="target", class_label=0),
    )
    assert (one.tagged.biased, one.tagged.original, one.kinds) == (True, True, (Kind.FRAMING,))
    assert (other.tagged.biased, other.tagged.original, other.kinds) == (False, False, ())
    assert one.tagged.group == other.tagged.group == "wikibias-train-3"


@pytest.mark.parametrize(
    ("tags", "types", "kinds"),
    [
        ("OOBOBOOOO", ["framing", "demographic"], ["framing", "demographic"]),
        ("OOBOBOBOO", ["framing", "demographic"], ["framing", "demographic", "demographic"]),
        ("OOBOBOOOO", ["epistemological"], ["epistemological", "epistemological"]),
        ("OOBOOOOOO", ["framing", "demographic"], ["framing"]),
        ("OOBOOOOOO", [], ["framing"]),
        ("OOIIBOOOO", ["demographic", "framing"], ["demographic", "framing"]),
    ],
)
def test_where_fewer_kinds_are_named_than_there_are_spans_the_last_one_goes_on(
    tags: str, types: list[str], kinds: list[str], tmp_path: Path
) -> None:
    (one,) = load(tmp_path, row(tags, types))
    assert list(one.kinds) == kinds
    assert one.tagged.kinds == set(types)


def test_its_text_has_the_tokens_with_spaces_between_or_reads_like_prose(tmp_path: Path) -> None:
    (one,) = load(tmp_path, row("OOBOOBIOO", ["framing", "epistemological"]))
    spaced, prose = (to_example(one, prose=prose) for prose in (False, True))
    assert spaced.text == "The `` cruel '' king did n't win ."
    assert prose.text == 'The "cruel" king didn\'t win.'
    for example, words in ((spaced, ["cruel", "did n't"]), (prose, ["cruel", "didn't"])):
        assert [example.text[span.start : span.end] for span in example.spans or ()] == words
        assert [span.kind for span in example.spans or ()] == [Kind.FRAMING, Kind.EPISTEMOLOGICAL]
        assert (example.bias, example.group) == (1.0, "wikibias-train-3")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "plan", "n't", "``", "''", ",", "(", ")", "'s", "$"]),
            st.sampled_from([BEGIN, INSIDE, OUTSIDE]),
        ),
        min_size=1,
        max_size=15,
    ),
    st.booleans(),
)
def test_every_span_holds_the_tokens_of_its_tags(pairs: list[tuple[str, str]], prose: bool) -> None:
    tokens, tags = zip(*pairs, strict=True)
    ranges = spans(tags)
    tagged = TaggedSentence(tokens, tags, biased=True, original=True)
    example = to_example(ManualSentence(tagged, (Kind.FRAMING,) * len(ranges)), prose=prose)
    quotes = {"``": '"', "''": '"'} if prose else {}
    assert [example.text[span.start : span.end].replace(" ", "") for span in example.spans or ()] == [
        "".join(quotes.get(token, token) for token in tokens[start:end]) for start, end in ranges
    ]


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (row("OB", ["framing"]), "2 tags for 9 tokens"),
        (row("", [], tokens=[]), "0 tags for 0 tokens"),
        (row("OOBOOOOOO", ["rude"]), "'rude' is not a valid Kind"),
        ({**row("OOBOOOOOO", ["framing"]), "tags": ["X"] * 9}, "'X' at token 1 is no tag"),
        ({"tokens": [], "tags": []}, "no types"),
    ],
)
def test_a_row_that_cannot_be_right_is_left_out_and_told(
    wrong: dict[str, Any], why: str, tmp_path: Path
) -> None:
    told: list[str] = []
    assert len(load(tmp_path, wrong, row("OOBOOOOOO", ["framing"]), told=told)) == 1
    assert len(told) == 1
    assert why in told[0]


def test_without_the_corpus_it_is_said_where_to_put_it(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"wikibias/dev\.jsonl\.xz is not in"):
        wikibias_manual.load(tmp_path, "dev")
