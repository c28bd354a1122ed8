"""Scores of tags: hand-worked sentences for each rule of the authors' repair and each count, and what always holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from training.metrics import positive_score
from training.metrics.tags import repaired, spans, tag_counts, tag_scores, tags_of
from training.types import TaggedSentence

NAMES = {"B": "B-bias", "I": "I-bias", "O": "O"}


def tags(letters: str) -> list[str]:
    return [NAMES[letter] for letter in letters]


def letters(full: Sequence[str]) -> str:
    return "".join(tag[0] for tag in full)


def source(text: str, gold: str, *, biased: bool = True, original: bool = True) -> TaggedSentence:
    return TaggedSentence(tuple(text.split()), tuple(tags(gold)), biased, original)


def f1s(gold: Sequence[TaggedSentence], *found: str) -> dict[str, float]:
    scores = tag_scores(gold, [tags(one) for one in found])
    return {name: getattr(scores, name).f1 for name in scores.__slots__}


@pytest.mark.parametrize(
    ("given_tags", "found"),
    [
        ("OOO", []),
        ("OBI", [(1, 3)]),
        ("BIO", [(0, 2)]),
        ("BB", [(0, 1), (1, 2)]),
        ("BIBI", [(0, 2), (2, 4)]),
        ("OIIO", [(1, 3)]),
        ("IOI", [(0, 1), (2, 3)]),
        ("", []),
    ],
)
def test_spans_of_tags(given_tags: str, found: list[tuple[int, int]]) -> None:
    assert spans(tags(given_tags)) == found


def test_another_tag_is_named_with_its_place() -> None:
    with pytest.raises(ValueError, match="'B-PER' at token 2 is no tag"):
        spans(["O", "B-PER"])


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        # A B on an article moves on to the next token of the span.
        ("see the big dog bark", "OBIIO", "OOBIO"),
        # It goes on moving: "and", then "the".
        ("and the dog ran", "BIIO", "OOBO"),
        # A span that is nothing but an article goes.
        ("see The dog", "OBO", "OOO"),
        # ... and a following span is not touched.
        ("a bold claim", "BBO", "OBO"),
        # A trailing article, comma or "and" before an O goes.
        ("bold , he said", "BIOO", "BOOO"),
        ("bold and he said", "BIOO", "BOOO"),
        # Only the last one: when the comma is looked at, "and" after it still is an I.
        ("bold , and he said", "BIIOO", "BIOOO"),
        # Before the B of a next span nothing goes.
        ("bold , great man", "BIBO", "BIBO"),
        # A comma inside stays.
        ("bold , great man", "BIIO", "BIIO"),
        # An I after an O begins a span.
        ("he was bold here", "OOIO", "OOBO"),
        # ... also on an article: the rule of the B had its turn before.
        ("see the dog bark", "OIIO", "OBIO"),
        # ... also where the O came of the repair before: "the" goes, and "dog" begins.
        ("the dog barks", "BIO", "OBO"),
        # The last token of all: an article or a comma goes, "and" stays.
        ("he saw the", "OBI", "OBO"),
        ("he saw and", "OBI", "OBI"),
        ("the", "B", "O"),
        ("", "", ""),
    ],
)
def test_the_repair(text: str, before: str, after: str) -> None:
    assert letters(repaired(text.split(), tags(before))) == after


def test_the_same_tags_differ_untouched_and_repaired() -> None:
    # Gold "the big lie", found "big lie": after the repair both are "big lie".
    scores = f1s([source("it was the big lie .", "OOBIIO")], "OOOBIO")
    assert (scores["strict"], scores["authors_exact"]) == (0.0, 1.0)
    assert scores["overlap"] == scores["authors_partial"] == 1.0


def test_the_repair_can_also_cost_a_span() -> None:
    # Both say "the" alone, which the repair takes away from both: 0 of 0 is no score.
    scores = f1s([source("see the dog", "OBO")], "OBO")
    assert (scores["strict"], scores["authors_exact"]) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("found", "exact", "partial", "overlap"),
    [
        ("OBIIOO", 1.0, 1.0, 1.0),
        ("OBIOOO", 0.0, 0.0, 1.0),  # same start, ends early
        ("OBIIIO", 0.0, 0.0, 1.0),  # same start, ends late
        ("OOBOOO", 0.0, 0.0, 1.0),  # inside
        ("BIIIIO", 0.0, 0.0, 1.0),  # around
        ("OOBIOO", 0.0, 1.0, 1.0),  # same end, begins late
        ("BIIIOO", 0.0, 1.0, 1.0),  # same end, begins early
        ("OOOOBO", 0.0, 0.0, 0.0),  # beside
        ("OOOOOO", 0.0, 0.0, 0.0),  # nothing
        # Three spans, the last of them with the right end: precision 1/3, recall 1, F1 1/2; all three overlap.
        ("OBBBOO", 0.0, 0.5, 1.0),
    ],
)
def test_one_span_found_in_ways(found: str, exact: float, partial: float, overlap: float) -> None:
    scores = f1s([source("he was truly very bold here", "OBIIOO")], found)
    assert (scores["authors_exact"], scores["authors_partial"]) == (exact, partial)
    assert (scores["strict"], scores["overlap"]) == (exact, pytest.approx(overlap))


def test_adjacent_spans_are_two() -> None:
    # Gold: "bold", "brave". Found: "bold brave", whose end is that of "brave".
    # exact 0; partial precision 1/1, recall 1/2 -> 2/3; overlap precision 1/1, recall 2/2.
    scores = f1s([source("a bold brave man", "OBBO")], "OBIO")
    assert scores["authors_exact"] == 0.0
    assert scores["authors_partial"] == pytest.approx(2 / 3)
    assert scores["overlap"] == 1.0


def test_a_comma_inside_and_an_article_at_the_edge() -> None:
    # Gold "the grand , old lie" -> "grand , old lie"; found "grand" and "old lie": only the last end agrees.
    # exact 0/2, 0/1; partial 1/2, 1/1 -> 2/3.
    scores = f1s([source("see the grand , old lie here", "OBIIIIO")], "OOBOBIO")
    assert scores["authors_exact"] == 0.0
    assert scores["authors_partial"] == pytest.approx(2 / 3)


def test_a_sentence_that_ends_in_a_span_ends_the_span() -> None:
    # First sentence: gold and found end together at its last token. Second: found has an I at its start, a span of its
    # own, not the rest of the one before. Exact: 2 of 2 and 2 of 2.
    sentences = [source("he was bold", "OOB"), source("brave it was", "BOO")]
    assert f1s(sentences, "OOB", "IOO")["authors_exact"] == 1.0
    assert f1s(sentences, "OOB", "IOO")["strict"] == 1.0


def test_an_i_after_an_o_is_as_good_as_a_b() -> None:
    assert f1s([source("he was so bold", "OOBI")], "OOII")["strict"] == 1.0


def test_neutral_and_target_sentences_count_in_all_alone() -> None:
    # The biased source: 1 found, 1 gold, 1 hit. The neutral one: 1 found. The target: 1 found, 1 gold, no hit.
    # all: precision 1/3, recall 1/2, F1 2 * 1/6 / (5/6) = 0.4; the others 1.0.
    sentences = [
        source("he was bold", "OOB"),
        source("he was here", "OOO", biased=False),
        source("he was famous here", "OOBO", original=False),
    ]
    scores = f1s(sentences, "OOB", "BOO", "BOOO")
    assert scores["strict_all"] == scores["overlap_all"] == pytest.approx(0.4)
    assert {scores[name] for name in ("authors_exact", "authors_partial", "strict", "overlap")} == {1.0}


def test_counts_are_by_sentence_for_intervals() -> None:
    sentences = [source("it was", "OO", biased=False), source("so bold a man", "BIOO")]
    counts = tag_counts(sentences, [tags("OB"), tags("OBOO")])
    assert counts["authors_partial"].tolist() == [[0, 0, 0, 0], [1, 1, 1, 1]]
    assert counts["strict"].tolist() == [[0, 0, 0, 0], [0, 1, 0, 1]]
    assert counts["strict_all"].tolist() == [[0, 1, 0, 0], [0, 1, 0, 1]]


def test_unequal_lengths_are_told() -> None:
    one = source("he was bold", "OOB")
    with pytest.raises(ValueError, match="There are 2 sentences and tags for 1"):
        tag_scores([one, one], [tags("OOB")])
    with pytest.raises(ValueError, match="Sentence 2 has 3 tokens, 3 gold tags and 2 predicted ones"):
        tag_scores([one, one], [tags("OOB"), tags("OO")])


def test_no_sentence_scores_zero() -> None:
    assert set(f1s([]).values()) == {0.0}


def walked(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> int:
    """Partial hits by the walk that the authors' script makes, sentences parted by an outside token."""
    one, other = ([tag for sentence in side for tag in (*sentence, "O")][:-1] for side in (gold, found))
    hits, before, agreed = 0, ("O", "O"), False
    for pair in zip(one, other, strict=True):
        ended = [last != "O" and tag[0] != "I" for last, tag in zip(before, pair, strict=True)]
        if agreed and all(ended):
            hits, agreed = hits + 1, False
        elif agreed and (ended[0] != ended[1] or pair[0][1:] != pair[1][1:]):
            agreed = False
        agreed = agreed or pair[0][1:] == pair[1][1:]
        before = pair
    return hits + agreed


WORDS = st.sampled_from(["the", "a", ",", "and", "bold", "man", "An"])
SENTENCES = st.lists(
    st.tuples(
        st.lists(st.tuples(WORDS, st.sampled_from("BIO"), st.sampled_from("BIO")), min_size=1, max_size=7),
        st.booleans(),
        st.booleans(),
    ),
    max_size=6,
)
Drawn = list[tuple[list[tuple[str, str, str]], bool, bool]]


def built(drawn: Drawn) -> tuple[list[TaggedSentence], list[list[str]]]:
    gold = [
        TaggedSentence(tuple(row[0] for row in rows), tuple(NAMES[row[1]] for row in rows), biased, original)
        for rows, biased, original in drawn
    ]
    return gold, [[NAMES[row[2]] for row in rows] for rows, _, _ in drawn]


@settings(max_examples=60)
@given(SENTENCES)
def test_what_always_holds(drawn: Drawn) -> None:
    gold, found = built(drawn)
    scores = tag_scores(gold, found)
    assert scores.authors_partial.f1 >= scores.authors_exact.f1
    assert scores.overlap.f1 >= scores.strict.f1
    assert scores.overlap_all.f1 >= scores.strict_all.f1
    kept = [at for at, one in enumerate(gold) if one.biased and one.original]
    alone = tag_scores([gold[at] for at in kept], [found[at] for at in kept])
    assert alone.authors_exact == scores.authors_exact
    assert alone.authors_partial == scores.authors_partial
    assert (alone.strict_all, alone.overlap_all) == (scores.strict, scores.overlap)


@settings(max_examples=60)
@given(SENTENCES)
def test_the_gold_itself_scores_one_wherever_there_is_a_span(drawn: Drawn) -> None:
    gold, _ = built(drawn)
    same = [one.tags for one in gold]
    counts = tag_counts(gold, same)
    for name, score in zip(counts, astuple(tag_scores(gold, same)), strict=True):
        assert score == ((1.0, 1.0, 1.0) if counts[name][:, 3].sum() else (0.0, 0.0, 0.0))


@settings(max_examples=100)
@given(SENTENCES)
def test_partial_is_the_walk_without_its_hit_at_the_end(drawn: Drawn) -> None:
    gold, found = built([(rows, True, True) for rows, _, _ in drawn])
    mended = [
        [repaired(one.tokens, tags_) for one, tags_ in zip(gold, side, strict=True)]
        for side in ([one.tags for one in gold], found)
    ]
    spurious = bool(gold) and mended[0][-1][-1] == mended[1][-1][-1] == "O"
    hits = int(tag_counts(gold, found)["authors_partial"][:, 0].sum()) if gold else 0
    assert walked(*mended) - spurious == (hits if gold else 0)


@given(st.lists(st.tuples(WORDS, st.sampled_from("BIO")), max_size=8))
@example([("bold", "B"), (",", "I"), ("and", "I"), ("he", "O")])
def test_the_repair_only_takes_away_and_settles(rows: list[tuple[str, str]]) -> None:
    # Once is not always enough (the case above), but each repair takes away or changes nothing.
    words, now = [word for word, _ in rows], tags("".join(tag for _, tag in rows))
    for _ in range(len(rows) + 1):
        before, now = now, repaired(words, now)
        assert {at for at, tag in enumerate(now) if tag != "O"} <= {
            at for at, tag in enumerate(before) if tag != "O"
        }
    assert repaired(words, now) == now


@given(st.lists(st.sampled_from("BO"), max_size=10))
def test_tags_of_spans_and_back(drawn: list[str]) -> None:
    given_tags = tags("".join(drawn))
    assert tags_of(spans(given_tags), len(given_tags)) == given_tags


def test_score_of_the_positive_class() -> None:
    # 2 of 3 found ones are right, 2 of 4 gold ones found: F1 2 * (2/3) * (1/2) / (7/6) = 4/7.
    found = positive_score([1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0])
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 1 / 2, 4 / 7))
    assert positive_score([], []).f1 == 0.0
    assert np.isclose(positive_score([1, 0], [1, 0]).f1, 1.0)
