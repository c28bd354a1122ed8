"""What a tagger marks outside its domain: counts and phrases by side, what tells sides apart, and F1 against raters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tiny import make_bundle
from training.corpora.political_texts import Passage, Side
from training.papers.wikibias import domains
from training.papers.wikibias.domains import (
    Place,
    TaggedPassage,
    from_bio,
    log_odds,
    score_against_raters,
    to_bio,
    tokens,
)
from training.papers.wikibias.span_ratings import SpanPlan, SpanRatings
from training.types import CorpusError


def passage(text: str, side: Side = Side.LEFT, corpus: str = "books") -> Passage:
    return Passage(text, corpus, side)


def marked(text: str, *words: str, side: Side = Side.LEFT, corpus: str = "books") -> TaggedPassage:
    spans = sorted((text.index(word), text.index(word) + len(word)) for word in words)
    return TaggedPassage(passage(text, side, corpus), tuple(spans))


def test_amounts_count_words_spans_and_stretches_of_several_words() -> None:
    some = [
        marked("a huge scandal broke here", "a huge scandal", "broke"),
        marked("the old law was the best", "the best"),
        marked("nothing to see"),
    ]
    found = domains.summarize_marking(some)
    assert (found.sentences, found.marked, found.words, found.spans, found.multi) == (3, 2, 14, 3, 1)
    assert found.rate.value == pytest.approx(1000 * 3 / 14)
    assert found.rate.low <= found.rate.value <= found.rate.high


def test_phrases_are_alike_whatever_their_case_signs_and_first_article() -> None:
    assert {domains.normalize_phrase(text) for text in ("The big lie", "big  lie", "“a BIG, lie”")} == {
        "big lie"
    }
    assert domains.normalize_phrase("the") == "the"


def test_the_most_frequent_come_first_with_their_count_on_the_other_side_and_an_example() -> None:
    here = [marked(f"it was a very bad deal {at}", "very bad") for at in range(3)]
    here += [marked("a sad, sad end", "sad, sad"), marked("what a lie", "lie"), marked("such a lie", "lie")]
    there = [marked("very bad indeed", "very bad", side=Side.RIGHT)]
    found = domains.rank_phrases(here, there, [*here, *there])
    assert [(row.words, row.count, row.other_count) for row in domains.most_frequent(found, 5)] == [
        ("very bad", 3, 1),
        ("sad sad", 1, 0),
    ]
    assert found[0].sentence == "it was a [very bad] deal 0"
    assert {row.words for row in domains.most_typical(found, 5)} == {"lie"}


def test_long_sentences_are_cut_at_words_around_the_span() -> None:
    text = f"{'before ' * 20}SPAN{' after' * 20}"
    shown = domains.excerpt(text, (140, 144))
    assert shown.startswith("… before ")
    assert shown.endswith(" after …")
    assert "[SPAN]" in shown
    assert domains.excerpt("word", (0, 4)) == "[word]"


def test_log_odds_have_the_sign_of_the_side_and_grow_with_counts() -> None:
    here, there = Counter({"great": 10, "plan": 5, "so": 1}), Counter({"great": 1, "plan": 5, "bad": 12})
    z = log_odds(here, there, here + there)
    assert z["great"] > 1.5 > z["so"] > 0.0
    turned = log_odds(there, here, here + there)
    assert turned["great"] == pytest.approx(-z["great"])
    assert log_odds(Counter({"a": 3}), Counter(), Counter({"a": 3})) == {"a": 0.0}


def test_a_stronger_prior_trusts_a_word_that_is_rare_everywhere_less() -> None:
    here, there = Counter({"odd": 1, "usual": 50}), Counter({"usual": 50})
    weak, strong = (log_odds(here, there, here + there, prior=prior)["odd"] for prior in (1.0, 1000.0))
    assert weak > 0.0
    assert 0.0 < strong < 0.5


def test_a_side_is_set_against_the_others_of_its_corpus_or_else_against_all() -> None:
    left, right, alone = (
        marked("x y", "x", side=Side.LEFT),
        marked("x y", "y", side=Side.RIGHT),
        marked("z", "z", side=Side.RIGHT, corpus="speeches"),
    )
    groups = domains.group_by_side([left, right, alone], of=lambda one: one.passage)
    assert domains.comparison_group(groups, ("books", Side.LEFT)) == [right]
    assert domains.comparison_group(groups, ("speeches", Side.RIGHT)) == [left, right]


def test_a_sample_is_the_same_for_a_seed_and_of_each_side() -> None:
    some = [passage(f"sentence {at}", side) for at in range(50) for side in (Side.LEFT, Side.RIGHT)]
    drawn = domains.sample_passages(some, most=5, seed=1)
    assert Counter(one.side for one in drawn) == {Side.LEFT: 5, Side.RIGHT: 5}
    assert drawn == domains.sample_passages(some, most=5, seed=1)
    assert drawn != domains.sample_passages(some, most=5, seed=2)
    assert domains.sample_passages(some, most=None, seed=1) == sorted(some, key=lambda one: one.side)


def test_a_shipped_reader_marks_places_of_the_text(tmp_path: Path) -> None:
    tagger = domains.reader_tagger(make_bundle(tmp_path / "bundle"))
    found = domains.tag_passages(tagger, [passage("the shameful law"), passage("the law")])
    assert [one.phrases() for one in found] == [["shameful"], []]


def test_without_any_corpus_all_are_named(tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"Real-world samples .*Presidential debates .*Convote"):
        domains.load_passages(tmp_path, most=None, seed=1)


def test_texts_become_tokens_and_tags_and_come_back() -> None:
    text = "It's “very, very” sad."
    assert tokens(text) == ("It's", "“", "very", ",", "very", "”", "sad", ".")
    spans = [(6, 16), (18, 21)]
    tags = to_bio(text, spans)
    assert tags == ("O", "O", "B-bias", "I-bias", "I-bias", "O", "B-bias", "O")
    assert from_bio(text, tags) == spans


def ratings(texts: Sequence[str], *raters: dict[int, tuple[Place, ...]]) -> SpanRatings:
    items = tuple(passage(text) for text in texts)
    names = [f"rater-{at}" for at in range(len(raters))]
    plan = SpanPlan(1, items, {name: {} for name in names})
    return SpanRatings(plan, dict(zip(names, raters, strict=True)), (), 0)


def test_partial_f1_counts_a_span_that_ends_where_the_raters_does() -> None:
    texts = ["a very bad law", "a good law"]
    votes = {0: ((2, 10),), 1: ()}
    found = score_against_raters(ratings(texts, votes, votes), lambda _: [[(7, 10)], []])["books", Side.LEFT]
    assert (found.f1.value, found.sentences, found.raters) == (1.0, 2, 2)
    found = score_against_raters(ratings(texts, votes, votes), lambda _: [[(7, 10)], [(2, 6)]])[
        "books", Side.LEFT
    ]
    assert found.f1.value == pytest.approx(2 / 3)
    assert found.f1.low <= found.f1.value <= found.f1.high


def test_only_sentences_that_someone_rated_are_read_and_counted() -> None:
    asked: list[str] = []

    def tagger(texts: Sequence[str]) -> list[list[Place]]:
        asked.extend(texts)
        return [[] for _ in texts]

    found = score_against_raters(ratings(["a bad law", "not rated"], {0: ((2, 5),)}), tagger)[
        "books", Side.LEFT
    ]
    assert asked == ["a bad law"]
    assert (found.f1.value, found.sentences) == (0.0, 1)
