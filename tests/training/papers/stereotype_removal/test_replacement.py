"""Stage 2: only the words change, the same seed gives the same rows, and each strategy does what its section says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from training.corpora.hate_speech import LabelledText, tokens
from training.loop.training_loop import TrainingError
from training.modeling.word_vectors import VectorSpace
from training.papers.stereotype_removal.detection import TermFinder
from training.papers.stereotype_removal.replacement import (
    CentroidReplacer,
    NeighbourReplacer,
    NerReplacer,
    PosReplacer,
    Replacer,
    Tag,
    WordNetReplacer,
)

GLOVE = {
    "gay": (1, 0, 0.1),
    "lesbian": (1, 0.1, 0),
    "homosexual": (1, 0.2, 0),
    "merry": (1, 0.3, 0),
    "bisexual": (1, 0.4, 0),
    "cheerful": (1, 0.5, 0),
    "queer": (1, 0.6, 0),
    "nerd": (0, 1, 0),
    "geek": (0, 1, 0.1),
    "donkey": (0, 1, 0.2),
    "hit": (0, 1, 0.3),
    "african": (0, 0, 1),
    "american": (0, 0.5, 1),
    "european": (0, 0.2, 1),
    "3": (0, 1, 0.01),
    ",": (0, 1, 0.01),
}
ADJECTIVES = ("gay", "merry", "cheerful", "vile")
WORDS = ("gay", "nerd", "african american", "african", "old", "zzz")


def tagger(rows: Sequence[Sequence[str]]) -> list[tuple[Tag, ...]]:
    """Adjectives are those above, but *gay* after an article is a noun; *african* is a group where a word follows."""

    def tag(row: Sequence[str], at: int) -> Tag:
        after_article = at > 0 and row[at - 1] in ("a", "the")
        group = row[at] == "african" and at + 1 < len(row)
        pos = "ADJ" if row[at] in ADJECTIVES and not after_article else "VERB" if row[at] == "hit" else "NOUN"
        return Tag(pos, "NORP" if group else "")

    return [tuple(tag(row, at) for at in range(len(row))) for row in rows]


class Senses:
    """A WordNet that knows that a gay, a nerd and an african are persons."""

    def synsets(self, form: str) -> list[Any]:
        return [self] if form in ("gay", "nerd", "african") else []

    def pos(self) -> str:
        return "n"

    def lemma_names(self) -> list[str]:
        return ["person"]


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> VectorSpace:
    path = tmp_path_factory.mktemp("glove") / "glove.txt"
    lines = (f"{word} {' '.join(map(str, values))}" for word, values in GLOVE.items())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return VectorSpace.read(path)


TRAIN = [
    LabelledText(text, tokens(text), True)
    for text in (
        "he is gay",
        "a gay",
        "so gay",
        "a nerd hit a person",
        "an african american nerd",
        "an african",
    )
]


def every(space: VectorSpace, seed: int = 1) -> list[Replacer]:
    """Each strategy, fitted."""
    untaught: list[Replacer] = [
        NerReplacer(tagger),
        PosReplacer(tagger),
        NeighbourReplacer(space, seed=seed),
        WordNetReplacer(Senses(), level=0, seed=seed),
        CentroidReplacer(space, tagger),
        CentroidReplacer(space, tagger, per="word"),
    ]
    return [one.fit(TRAIN, WORDS) for one in untaught]


ROWS = some.lists(
    some.sampled_from(
        ("gay", "nerd", "african", "american", "old", "zzz", "a", "lamp", "hit", "@abc", "<url>")
    ),
    max_size=9,
)


@settings(max_examples=40, deadline=None)
@given(row=ROWS, others=some.lists(ROWS, max_size=3))
def test_only_the_words_change_whatever_was_asked_before(
    space: VectorSpace, row: list[str], others: list[list[str]]
) -> None:
    found = TermFinder(WORDS).find(row)
    inside = {at for one in found for at in range(one.start, one.end)}
    kept = [token for at, token in enumerate(row) if at not in inside]
    for replacer, again in zip(every(space), every(space), strict=True):
        new = replacer(row)
        joined = sum(one.end - one.start - 1 for one in found)
        assert len(row) - joined <= len(new) <= len(row)
        rest = list(new)
        for token in kept:
            rest = rest[rest.index(token) + 1 :]
        assert replacer.replace_all([*others, row])[-1] == new
        assert again.replace_all([row])[0] == new
        assert (
            not found
            or any(token not in row for token in new)
            or type(replacer) in (NerReplacer, NeighbourReplacer, WordNetReplacer)
        )
        if not found:
            assert new == tuple(row)


def test_no_words_or_no_rows_replace_nothing(space: VectorSpace) -> None:
    row = ("a", "gay", "nerd")
    for replacer in every(space):
        assert replacer.replace_all([]) == []
        assert replacer(()) == ()
        assert replacer.fit(TRAIN, [])(row) == row
        assert replacer.fit(TRAIN, ["", "!"])(row) == row
    assert PosReplacer(tagger)(row) == row


def test_part_of_speech_is_that_of_the_occurrence_and_of_a_terms_last_word() -> None:
    replacer = PosReplacer(tagger).fit(TRAIN, WORDS)
    assert replacer(tokens("he is gay, a gay african american")) == (
        "he",
        "is",
        "<adj>",
        "a",
        "<noun>",
        "<noun>",
    )


def test_only_a_word_in_a_named_entity_becomes_its_type() -> None:
    replacer = NerReplacer(tagger).fit(TRAIN, ["african", "gay"])
    assert replacer(tokens("an african gay african")) == ("an", "<norp>", "gay", "african")


def test_near_words_are_drawn_for_each_occurrence_and_the_word_is_among_them(space: VectorSpace) -> None:
    assert space.nearest("nerd", 3) == ("geek", "donkey", "hit")
    row = ("nerd",) * 200
    drawn = NeighbourReplacer(space, seed=1, k=3).fit(TRAIN, WORDS)(row)
    assert set(drawn) == {"nerd", "geek", "donkey", "hit"}
    assert drawn != NeighbourReplacer(space, seed=2, k=3).fit(TRAIN, WORDS)(row)
    assert NeighbourReplacer.training_only


def test_a_word_without_a_vector_has_no_near_words(space: VectorSpace) -> None:
    assert space.of("zzz") is None
    assert space.of("african zzz") is None
    assert space.nearest("zzz", 5) == ()
    assert NeighbourReplacer(space, seed=1).fit(TRAIN, WORDS)(("zzz",) * 50) == ("zzz",) * 50


def test_a_term_of_several_words_lies_between_them(space: VectorSpace) -> None:
    vector = space.of("african american")
    assert vector is not None
    assert vector.tolist() == pytest.approx([0, 0.25, 1])
    assert space.nearest("african american", 1) == ("european",)


def test_more_near_words_than_there_are(space: VectorSpace) -> None:
    assert len(space.nearest("gay", 99)) == len(GLOVE) - 3


def test_the_centroid_is_of_near_words_of_the_same_part_of_speech(space: VectorSpace) -> None:
    replacer = CentroidReplacer(space, tagger, k=3, per="word").fit(TRAIN, ["nerd", "gay"])
    assert replacer(tokens("so gay, a gay nerd")) == ("so", "<adj-2>", "a", "<noun-2>", "<noun-1>")
    found = replacer.vectors()
    assert set(found) == {"<adj-2>", "<noun-1>", "<noun-2>"}
    assert found["<adj-2>"] == pytest.approx(
        np.mean([GLOVE["gay"], GLOVE["merry"], GLOVE["cheerful"]], axis=0)
    )
    assert found["<noun-2>"] == pytest.approx(
        np.mean([GLOVE["gay"], GLOVE["lesbian"], GLOVE["homosexual"]], axis=0)
    )
    assert found["<noun-1>"] == pytest.approx(
        np.mean([GLOVE["nerd"], GLOVE["geek"], GLOVE["donkey"]], axis=0)
    )


def test_the_shared_tag_is_the_mean_of_the_words_by_how_often_they_come(space: VectorSpace) -> None:
    own = CentroidReplacer(space, tagger, k=3, per="word").fit(TRAIN, ["nerd", "gay"]).vectors()
    shared = CentroidReplacer(space, tagger, k=3).fit(TRAIN, ["nerd", "gay"])
    assert shared(tokens("so gay, a gay nerd")) == ("so", "<adj>", "a", "<noun>", "<noun>")
    assert shared.vectors()["<adj>"] == pytest.approx(own["<adj-2>"])
    assert shared.vectors()["<noun>"] == pytest.approx((2 * own["<noun-1>"] + own["<noun-2>"]) / 3)


def test_a_word_that_never_came_in_training_is_tagged_alone(space: VectorSpace) -> None:
    assert CentroidReplacer(space, tagger).fit([], ["merry"])(("merry",)) == ("<adj>",)
    assert set(CentroidReplacer(space, tagger).fit([], ["merry"]).vectors()) == {"<adj>"}


@pytest.mark.parametrize("per", ["pos", "word"])
def test_a_word_without_a_vector_takes_the_shared_tag(space: VectorSpace, per: Any) -> None:
    replacer = CentroidReplacer(space, tagger, k=3, per=per).fit(TRAIN, ["nerd", "zzz"])
    assert replacer(("zzz",)) == ("<noun>",)
    assert "<noun>" in replacer.vectors()
    alone = CentroidReplacer(space, tagger, per=per).fit(TRAIN, ["zzz"])
    assert alone(("zzz",)) == ("<noun>",)
    assert alone.vectors() == {}


def test_a_part_of_speech_that_training_did_not_have(space: VectorSpace) -> None:
    seen_as_noun = [LabelledText("a gay", ("a", "gay"), True)]
    for per, expected in (("pos", "<noun>"), ("word", "<noun-1>")):
        replacer = CentroidReplacer(space, tagger, per=per).fit(seen_as_noun, ["gay"])  # type: ignore[arg-type]
        assert replacer(("so", "gay")) == ("so", expected)


def test_a_file_without_vectors_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / "glove.txt").write_text("nothing\n", encoding="utf-8")
    with pytest.raises(TrainingError, match="contains no word vectors"):
        VectorSpace.read(tmp_path / "glove.txt")
