"""The person's dictionary: it lets pass what it names, as whole words, and nothing else, however the text is set."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents.suppression import MAX_PHRASE_LENGTH, AllowedPhrases, clean_phrase, normalize_phrase
from core.text.tokens import WORD

WORDS = st.sampled_from(
    ["Niger", "kung", "fu", "the", "straße", "don’t", "delta", "x", "İzmir", "well-known"]
)
LISTS = st.lists(WORDS, min_size=1, max_size=4)
PHRASES = LISTS.map(" ".join)
GAPS = st.sampled_from([" ", "  ", "\n", "\t", "\u00a0"])


def covers(phrases: list[str], text: str, words: str) -> bool:
    start = text.index(words)
    return AllowedPhrases(phrases).covers(text, start, start + len(words))


@pytest.mark.parametrize(
    ("phrase", "text", "words", "passes"),
    [
        ("Niger", "They went to Niger today.", "Niger", True),
        ("niger", "They went to NIGER today.", "NIGER", True),
        ("Niger", "They went to Nigeria today.", "Nigeria", False),
        ("kung fu", "A kung\n fu film.", "kung\n fu", True),
        ("kung fu", "A kung fu master.", "kung fu master", False),
        ("kung fu", "A kung fu film.", "fu", True),
        ("kung fu", "What fu is, kung knows.", "fu", False),
        ("kung fu", "He said kung, fu too.", "kung", False),
        ("“disabled”", "A disabled person.", "disabled", True),
        ("Niger Delta", "Oil of the Niger Delta.", "Niger", True),
        ("Niger Delta", "Oil of the Niger.", "Niger", False),
        ("well", "A well-known man.", "well-known", False),
        ("", "A plan.", "plan", False),
        ("…", "A … plan.", "plan", False),
    ],
)
def test_what_a_phrase_lets_pass(phrase: str, text: str, words: str, passes: bool) -> None:
    assert covers([phrase], text, words) is passes


def test_two_phrases_together_cover_what_neither_does_alone() -> None:
    text = "An old kung fu master came."
    assert not covers(["kung fu"], text, "kung fu master")
    assert covers(["kung fu", "master"], text, "kung fu master")


def test_far_away_words_do_not_count_and_long_texts_are_cut_between_words() -> None:
    text = "kung " + "plain " * 80 + "fu"
    assert not covers(["kung fu"], text, "fu")
    text = "a" * 239 + "kung fu" + "b" * 300
    assert not covers(["kung fu", "fu"], text, "fu")


def test_a_sentence_is_no_phrase() -> None:
    assert clean_phrase("word " * 60) == ""
    assert clean_phrase("  the\n“famous”  man! ") == "the “famous” man"
    assert len(clean_phrase("a" * MAX_PHRASE_LENGTH)) == MAX_PHRASE_LENGTH


@given(LISTS, GAPS, st.text(max_size=12), st.text(max_size=12), st.booleans())
@settings(max_examples=150)
def test_a_phrase_is_found_wherever_it_stands(
    words: list[str], gap: str, before: str, after: str, shout: bool
) -> None:
    shown = gap.join(words)
    shown = shown.title() if shout and normalize_phrase(shown.title()) == normalize_phrase(shown) else shown
    text = f"{before} — {shown} — {after}"
    start = len(before) + 3
    assert AllowedPhrases([" ".join(words)]).covers(text, start, start + len(shown))


@given(st.lists(PHRASES, max_size=3), PHRASES, PHRASES, st.data())
@settings(max_examples=150)
def test_more_phrases_never_let_less_pass_and_nothing_passes_by_itself(
    phrases: list[str], another: str, text: str, data: st.DataObject
) -> None:
    places = [match.span() for match in WORD.finditer(text)]
    first = data.draw(st.integers(0, len(places) - 1))
    last = data.draw(st.integers(first, len(places) - 1))
    place = places[first][0], places[last][1]
    assert not AllowedPhrases().covers(text, *place)
    fewer, more = AllowedPhrases(phrases), AllowedPhrases([*phrases, another])
    assert more.covers(text, *place) or not fewer.covers(text, *place)
    known = {normalize_phrase(word) for phrase in [*phrases, another] for word in WORD.findall(phrase)}
    if more.covers(text, *place):
        assert {normalize_phrase(text[a:b]) for a, b in places[first : last + 1]} <= known
