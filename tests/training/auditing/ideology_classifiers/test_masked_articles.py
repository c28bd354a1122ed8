"""The classifier learns sides and not outlets: outlet names change nothing, and grouped folds share no outlet."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.auditing.ideology_classifiers.masked_articles import (
    MAX_WORDS,
    PAPER_OUTLETS,
    CrossValidation,
    LabelledArticle,
    PublisherMasks,
    TfidfClassifier,
    cross_validate,
    label_articles,
)
from training.corpora.allsides import Article
from training.types import CorpusError

OUTLETS = (
    *("Fox Online News", "New York Times - News", "The Hill", "Vice", "The Week", "Slate", "Reason", "Salon"),
    *("Rev. Jesse Jackson Sr.", "Walt Handelsman (cartoonist)", "HuffPost", "Washington Times", "BBC News"),
)
MASKS = PublisherMasks(OUTLETS)
SIDES = {True: ("union", "workers", "climate"), False: ("border", "patriots", "taxes")}
COMMON = ("senate", "passed", "the", "bill", "monday", "after", "long", "vote", "members", "spoke")


def articles(count: int, *, seed: int, own: bool = False) -> list[LabelledArticle]:
    """Articles of six outlets a side; with ``own`` only a word of the outlet's own tells its side."""
    draw = random.Random(seed)
    found: list[LabelledArticle] = []
    for number in range(count):
        liberal, publisher = number % 2 == 0, f"publisher{number % 12}"
        telling = (f"habit{number % 12}",) if own else SIDES[liberal]
        words = [draw.choice(telling) if draw.random() < 0.15 else draw.choice(COMMON) for _ in range(40)]
        found.append(LabelledArticle(" ".join(words), liberal, publisher))
    return found


@pytest.fixture(scope="module")
def classifier() -> TfidfClassifier:
    """A classifier whose training part names an outlet in every article of one side."""
    named = [
        LabelledArticle(
            f"{'Fox News' if not row.liberal else 'New York Times'} says {row.text}",
            row.liberal,
            row.publisher,
        )
        for row in articles(120, seed=1)
    ]
    return TfidfClassifier.fit(named, masks=MASKS, seed=1)


def forms(name: str) -> list[str]:
    """A name as people write it."""
    the = f"The {name.removeprefix('The ')}"
    return [name, name.upper(), name.lower(), f"{name}'s", f"{name}’s", the, f"({name})"]


BARE = ("Fox", "Fox News", "New York Times", "Walt Handelsman", "Hill", "Week")
ADDRESSES = ("foxnews.com", "www.nytimes.com/2016/x.html", "https://npr.org/a?b=c")
NAMES = [name for name in (*OUTLETS, *PAPER_OUTLETS, *BARE, *ADDRESSES) if " - " not in name]
WRITTEN = sorted(form for name in NAMES for form in forms(name))


@pytest.mark.parametrize("place", [0, 1, 5, 11])
def test_an_outlet_name_alone_changes_nothing(classifier: TfidfClassifier, place: int) -> None:
    words = "union members spoke on border taxes after a long vote monday".split()
    named = [" ".join([*words[:place], name, *words[place:]]) for name in WRITTEN]
    plain = classifier.p_liberal([" ".join(words)])[0]
    assert plain != 0.5
    moved = [name for name, read in zip(WRITTEN, classifier.p_liberal(named), strict=True) if read != plain]
    assert moved == []
    assert [
        name for name, read in zip(WRITTEN, classifier.p_liberal(WRITTEN), strict=True) if read != 0.5
    ] == []


def test_the_classifier_reads_everything_but_the_masked_parts(classifier: TfidfClassifier) -> None:
    left, right = classifier.p_liberal(["union workers spoke of climate", "patriots spoke of the border"])
    assert left > 0.8
    assert right < 0.2


@pytest.mark.parametrize(
    "dateline",
    [
        "WASHINGTON (CNN) -- ",
        "WASHINGTON — ",
        "NEW YORK, N.Y. (AP) - ",
        "(CNN) - ",
        "Washington (CNN) — ",
        "BEIRUT, Lebanon — ",
        "HARTFORD, Conn. (AP) – ",
    ],
)
def test_a_dateline_is_not_read(dateline: str) -> None:
    text = "Members of the union – many of them – spoke."
    assert MASKS.tokens(dateline + text) == MASKS.tokens(text)
    assert "members" in MASKS.tokens(text)


def test_marks_other_than_the_papers_are_not_read() -> None:
    assert MASKS.tokens("“No”, he said; it's (not) a #hoax: is it? Yes! 5%...") == (
        *(
            "no",
            ",",
            "he",
            "said",
            "it's",
            "not",
            "a",
            "hoax",
            "is",
            "it",
            "?",
            "yes",
            "!",
            "5",
            ".",
            ".",
            ".",
        ),
    )


@given(st.integers(0, 30))
def test_a_hundred_tokens_are_read_after_masking(names: int) -> None:
    text = " ".join(f"word{number}" for number in range(MAX_WORDS + 20))
    found = MASKS.tokens("Vice and Fox News " * names + text)
    assert len(found) == MAX_WORDS
    assert found[-1] == f"word{MAX_WORDS - 1 - names}"


def test_a_text_without_words_has_probability_one_half(classifier: TfidfClassifier) -> None:
    assert classifier.p_liberal(["", "?! ...", "“”", "CNN"]).tolist() == [0.5] * 4
    assert classifier.p_liberal([]).shape == (0,)


def fit(train: Sequence[LabelledArticle]) -> TfidfClassifier:
    return TfidfClassifier.fit(train, masks=MASKS, seed=1)


def test_sides_generalize_to_unseen_outlets_and_habits_do_not() -> None:
    sides, habits = (
        cross_validate(articles(240, seed=2, own=own), fit, seed=3, folds=3) for own in (False, True)
    )
    assert min(sides.random.macro_f1, sides.grouped.macro_f1) > 0.95
    assert habits.random.macro_f1 > 0.95
    assert habits.grouped.macro_f1 < 0.7
    assert len(sides.grouped.folds) == 3
    assert np.mean(sides.grouped.folds) == pytest.approx(sides.grouped.macro_f1, abs=0.05)


def test_the_same_seed_gives_the_same_folds() -> None:
    def examined() -> CrossValidation:
        return cross_validate(articles(60, seed=4), fit, seed=3, folds=3)

    assert examined() == examined()


def test_no_fold_is_scored_by_a_classifier_that_saw_its_outlets() -> None:
    labelled = articles(120, seed=5)
    publisher_of = {row.text: row.publisher for row in labelled}
    seen: list[tuple[set[str], set[str]]] = []

    class Watching:
        def __init__(self, train: Sequence[LabelledArticle]) -> None:
            self.publishers = {row.publisher for row in train}

        def p_liberal(self, texts: Sequence[str]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
            seen.append((self.publishers, {publisher_of[text] for text in texts}))
            return np.zeros(len(texts))

    found = cross_validate(labelled, Watching, seed=1, folds=4)
    assert len(seen) == 8
    assert all(trained & read for trained, read in seen[:4])
    assert not any(trained & read for trained, read in seen[4:])
    assert found.grouped.macro_f1 == pytest.approx(1 / 3)


def test_only_left_and_right_articles_are_labelled() -> None:
    sentences = ("One sentence here.", "And another.")
    given = [Article(f"Outlet{at} - Opinion", at % 3, "x", sentences) for at in range(6)]
    found = label_articles(given)
    assert [row.liberal for row in found] == [True, False, True, False]
    assert (found[0].text, found[0].publisher) == ("One sentence here. And another.", "outlet0")
    with pytest.raises(CorpusError, match="no row that is conservative"):
        label_articles(given[:2])
    with pytest.raises(CorpusError, match="no row that is liberal"):
        label_articles(given[1:3])


def test_unsuitable_articles_are_refused() -> None:
    one_sided = [row for row in articles(40, seed=6) if row.liberal]
    with pytest.raises(CorpusError, match="no row that is conservative"):
        fit(one_sided)
    with pytest.raises(CorpusError, match="No two training articles share a word"):
        fit([LabelledArticle("alpha alpha beta", True, "a"), LabelledArticle("gamma delta", False, "b")])
    with pytest.raises(CorpusError, match="conservative articles come from 6 outlets; 7"):
        cross_validate(articles(80, seed=7), fit, seed=1, folds=7)
