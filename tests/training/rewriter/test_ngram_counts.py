"""The counts of word sequences are those of the sentences, and words in similar places share a class."""

from __future__ import annotations

import numpy as np

from core.rewriting.fluency import RARE_NAMES, FluencyScorer
from training.rewriter.ngram_counts import count_ngrams

SENTENCES = [
    f"The {noun} {verb} a {thing} ."
    for noun in ("mayor", "judge", "teacher")
    for verb in ("saw", "bought")
    for thing in ("house", "boat", "garden")
] * 3


def test_pairs_and_words_are_counted_and_rare_words_share_a_name() -> None:
    tables = count_ngrams(
        [*SENTENCES, "The walkings saw a house .", "Too short"],
        min_word=2,
        min_pair=1,
        min_triple=1,
        classes=4,
        own_classes=2,
    )
    numbers = {name: number for number, name in enumerate(tables.names)}
    assert "walkings" not in numbers
    assert set(RARE_NAMES) <= numbers.keys()
    assert tables.words[numbers["mayor"]] == 18
    pairs = dict(zip(tables.pairs[0].tolist(), tables.pairs[1].tolist(), strict=True))
    assert pairs[numbers["the"] * len(numbers) + numbers["mayor"]] == 18
    assert pairs[numbers["the"] * len(numbers) + numbers["<s>"]] == 1
    assert (np.diff(tables.pairs[0]) > 0).all()
    assert tables.class_pairs.sum() == tables.words.sum() - 1


def test_words_between_the_same_words_share_a_class_and_a_pair_never_seen_is_usual() -> None:
    unseen = [one for one in SENTENCES if one != "The mayor saw a boat ."]
    tables = count_ngrams(unseen, min_word=2, min_pair=1, min_triple=1, classes=5, own_classes=0)
    classes = dict(zip(tables.names, tables.classes.tolist(), strict=True))
    assert classes["mayor"] == classes["judge"] == classes["teacher"]
    assert classes["mayor"] != classes["saw"]
    scorer = FluencyScorer(tables)
    usual, odd = (
        scorer.score("The mayor saw a boat .", 10, 13),
        scorer.score("The mayor boat a saw .", 10, 14),
    )
    assert usual.by_class > odd.by_class
