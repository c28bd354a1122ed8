"""From examples to tokens: each token has the label and the guide's class of the span that it belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer

from core.types import GUIDE_CLASSES, LABELS, Kind
from training.loop.batches import IGNORED, EncodedExample, collate, encode
from training.types import Example, GoldSpan

TEXT = "The shameful council opened the school."
SHAMEFUL = GoldSpan(4, 12, Kind.FRAMING, "judgement")
OPENED = GoldSpan(21, 27, Kind.EPISTEMOLOGICAL)


@pytest.fixture(scope="module")
def tokenizer(tiny_base: Path) -> Any:
    return AutoTokenizer.from_pretrained(str(tiny_base))


def labels(row: EncodedExample) -> dict[str, list[str]]:
    """The labels of the tokens of each word that is marked or unknown."""
    found: dict[str, list[str]] = {}
    for (start, end), tag in zip(row.offsets, row.tags, strict=True):
        if tag != 0 and start < end:
            word = row.example.text[row.example.text.rfind(" ", 0, start) + 1 :].split()[0]
            found.setdefault(word, []).append("?" if tag == IGNORED else LABELS[tag])
    return found


def classes(row: EncodedExample) -> set[tuple[str, str]]:
    names = list(GUIDE_CLASSES)
    return {
        (row.example.text[start:end], names[number])
        for (start, end), number in zip(row.offsets, row.classes, strict=True)
        if number != IGNORED
    }


def test_tokens_of_a_span_have_its_kind_and_those_of_a_span_with_a_class_its_class(tokenizer: Any) -> None:
    (row,) = encode([Example(TEXT, "x", spans=(SHAMEFUL, OPENED))], tokenizer)
    found = labels(row)
    assert set(found) == {"shameful", "opened"}
    assert found["shameful"][0] == "B-framing"
    assert set(found["shameful"][1:]) <= {"I-framing"}
    assert found["opened"][0] == "B-epistemological"
    assert {name for _, name in classes(row)} == {"judgement"}
    assert (
        "".join(word for word, _ in sorted(classes(row), key=lambda pair: TEXT.index(pair[0]))) == "shameful"
    )


def test_without_a_class_there_are_none_and_without_spans_nothing_is_known(tokenizer: Any) -> None:
    rows = encode(
        [Example(TEXT, "x", spans=(OPENED,)), Example(TEXT, "x", spans=()), Example(TEXT, "x")], tokenizer
    )
    assert [row.classes for row in rows] == [[], [], []]
    assert set(rows[1].tags) == {0, IGNORED}
    assert set(rows[2].tags) == {IGNORED}


def test_outside_of_the_known_ranges_nothing_is_known(tokenizer: Any) -> None:
    (row,) = encode([Example(TEXT, "x", spans=(SHAMEFUL,), labelled_ranges=((4, 20),))], tokenizer)
    unknown = {word for word, tags in labels(row).items() if "?" in tags}
    assert unknown == {"The", "opened", "the", "school."}


def test_a_batch_pads_tags_and_classes_with_what_is_ignored(tokenizer: Any) -> None:
    rows = encode([Example(TEXT, "x", spans=(SHAMEFUL,)), Example("The school.", "x", spans=())], tokenizer)
    batch = collate(rows)
    assert batch.ids.shape == batch.attention_mask.shape == batch.tags.shape == batch.classes.shape
    assert batch.attention_mask.sum(dim=1).tolist() == [len(row) for row in rows]
    short = len(rows[1])
    assert batch.tags[1, short:].unique().tolist() == [IGNORED]
    assert batch.classes[1].unique().tolist() == [IGNORED]
    assert batch.classes[0, : len(rows[0])].tolist() == rows[0].classes


def test_truncation_keeps_the_labels_of_what_is_left(tokenizer: Any) -> None:
    (row,) = encode([Example(TEXT, "x", spans=(SHAMEFUL, OPENED))], tokenizer, max_tokens=5)
    assert len(row.ids) == len(row.tags) == len(row.classes) == 5
