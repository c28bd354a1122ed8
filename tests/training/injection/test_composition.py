"""Undoing an injection gives the neutral sentence back: spacing, commas, capitals, and *a* or *an*."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.types import Kind
from tests.training.injection.parsed_sentences import ALL, FILM, SAID
from training.injection import vocabulary
from training.injection.composition import compose, fit_article, restore
from training.injection.inflection import article, plural, verb
from training.injection.selection import RULES, InjectionSampler
from training.types import InjectionSite, Sentence, Statement


def _company() -> vocabulary.Cooccurrence:
    words = vocabulary.load()
    cooccurrence = vocabulary.Cooccurrence(words.first_words())
    cooccurrence.read(
        f"{word} {noun}"
        for row in (*words.adjectives, *words.adverbs)
        for word in row.words
        for noun in (
            "film",
            "award",
            "soldiers",
            "killed",
            "said",
            "harmful",
            "safe",
            "won",
            "brings",
            "bridge",
        )
    )
    return cooccurrence


COMPANY = _company()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(ALL))
def test_every_row_can_be_undone(seed: int, sentence: Sentence) -> None:
    chooser = InjectionSampler(seed, COMPANY)
    for row in chooser.inject(sentence, Statement(sentence.text, "g", "train", "cw_hard"), 3):
        assert row.biased != row.neutral == sentence.text
        assert restore(row.biased, row.edits) == sentence.text
        assert all(row.biased[edit.start : edit.end] == edit.before for edit in row.edits)
        ends = [0, *(edit.end for edit in row.edits)]
        assert all(edit.start >= end for edit, end in zip(row.edits, ends, strict=False))


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_option_of_every_slot_can_be_undone(data: st.DataObject) -> None:
    sentence = data.draw(st.sampled_from(ALL))
    sites = [site for rule in RULES for site in rule(sentence, vocabulary.load()) if site.options]
    site = data.draw(st.sampled_from(sites))
    words = data.draw(st.sampled_from(list(site.options)))
    named = sentence.tokens[0].tag == "NNP"
    biased, edits = compose(sentence.text, [(site, words)], keep_case=named)
    assert restore(biased, edits) == sentence.text
    assert "  " not in biased


def test_an_insertion_puts_the_article_right() -> None:
    place = FILM.text.index("award")
    site = InjectionSite(place, place, ("prestigious",), "puffery", Kind.FRAMING, suffix=" ")
    biased, edits = compose(FILM.text, [(site, "prestigious")], keep_case=False)
    assert biased == "The film won a prestigious award in Norway."
    assert [(edit.before, edit.after) for edit in edits] == [("prestigious", "")]


def test_an_opening_takes_the_capital() -> None:
    site = InjectionSite(0, 0, ("Sadly",), "editorialising", Kind.FRAMING, suffix=", ")
    biased, edits = compose(SAID.text, [(site, "Sadly")], keep_case=False)
    assert biased == "Sadly, the minister said that the bridge was safe."
    assert restore(biased, edits) == SAID.text


def test_the_same_seed_gives_the_same_rows() -> None:
    def rows(seed: int) -> list[str]:
        chooser = InjectionSampler(seed, COMPANY)
        return [
            row.biased
            for sentence in ALL
            for row in chooser.inject(sentence, Statement(sentence.text, "g", "train", "x"), 3)
        ]

    assert rows(3) == rows(3)
    assert any(rows(3) != rows(seed) for seed in (4, 5))


@pytest.mark.parametrize(
    ("word", "wanted"),
    [("hour", "an"), ("unique", "a"), ("unusual", "an"), ("honest", "an"), ("European", "a"), ("FBI", "an"),
     ("useful", "a"), ("uninformed", "an"), ("unanimous", "a"), ("one-sided", "a"), ("8-year", "an"), ("11th", "an"),
     ("universal", "a"), ("award", "an"), ("house", "a"), ("uninspired", "an"), ("unimpressive", "an"),
     ("urgent", "an"), ("uranium", "a"), ("US", "a"), ("ugly", "an"), ("union", "a"), ("utterly", "an")],
)  # fmt: skip
def test_articles_follow_the_sound(word: str, wanted: str) -> None:
    assert article(word) == wanted
    assert fit_article("It was a ", word) == f"It was {wanted} "
    assert fit_article("It was Hannah's ", word) == "It was Hannah's "


@pytest.mark.parametrize(
    ("phrase", "tag", "wanted"),
    [("claim", "VBD", "claimed"), ("point out", "VBD", "pointed out"), ("admit", "VBG", "admitting"),
     ("slay", "VBN", "slain"), ("falsely accuse", "VBD", "falsely accused"), ("deny", "VBZ", "denies"),
     ("flee", "VBG", "fleeing"), ("axe", "VBD", "axed"), ("crush", "VBZ", "crushes"), ("slam", "VBD", "slammed"),
     ("storm out of", "VBG", "storming out of"), ("be", "VBP", "are"), ("let slip", "VBD", "let slip"),
     ("brag", "VBD", "bragged"), ("star in", "VBD", "starred in"), ("shut down", "VBD", "shut down"),
     ("compel", "VBN", "compelled"), ("trek", "VBG", "trekking"), ("extol", "VBZ", "extols")],
)  # fmt: skip
def test_verbs_take_the_form_of_their_tag(phrase: str, tag: str, wanted: str) -> None:
    assert verb(phrase, tag) == wanted


@pytest.mark.parametrize(
    ("phrase", "wanted"),
    [("work of art", "works of art"), ("policeman", "policemen"), ("crony", "cronies"), ("crisis", "crises"),
     ("witch hunt", "witch hunts"), ("Mohammedan", "Mohammedans"), ("hero", "heroes"), ("human", "humans")],
)  # fmt: skip
def test_plurals(phrase: str, wanted: str) -> None:
    assert plural(phrase) == wanted


def test_no_change_fills_more_than_its_share() -> None:
    from training.injection.dataset import cap_repetitions

    chooser = random.Random(1)
    rows = [
        row
        for seed in range(200)
        for row in InjectionSampler(seed, COMPANY).inject(
            chooser.choice(ALL), Statement("x", f"g{seed}", "train", "x"), 2
        )
    ]
    kept = cap_repetitions(rows)
    counts: dict[tuple[str, str], int] = {}
    for row in kept:
        for edit in {(edit.before.lower(), edit.after.lower()) for edit in row.edits}:
            counts[edit] = counts.get(edit, 0) + 1
    assert kept
    assert max(counts.values()) <= max(1, int(0.004 * len(rows)))
