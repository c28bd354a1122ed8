"""Which words of a draft are looked up, and where they are: apostrophes, hyphens, accents, emoji, markup, code."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.spelling.words import WordFinder, find_words, is_checked, normalise, parts_of, without_possessive

LETTERS = st.text("abcçdeéñoößzABCÉ", min_size=1, max_size=8)
WORDS = st.lists(LETTERS, min_size=1, max_size=3).map("-".join) | st.lists(
    LETTERS, min_size=2, max_size=2
).map("’".join)
SEPARATORS = st.sampled_from(
    [" ", ", ", " 👍🏽 ", "\n", " — ", "… ", " “", "” ", " (", ") ", "! ", "; ", " 🇪🇺 "]
)


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in find_words(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("He said: don’t, won't – “it’s”.", ["He", "said", "don’t", "won't", "it’s"]),
        ("the senators' well-known record", ["the", "senators", "well-known", "record"]),
        ("naïve cafe\u0301s, 👍🏽word", ["naïve", "cafe\u0301s", "word"]),
        ("In 1990s COVID-19 the 2nd mp3 wave", ["In", "the", "wave"]),
        ("and/or he/she/they", ["and", "or", "he", "she", "they"]),
        ("Open /usr/share/dict or ~/notes or C:\\temp\\file now", ["Open", "or", "or", "now"]),
        (
            "Mail @someone about #hashtag in report.pdf at example.com, e.g. here",
            ["Mail", "about", "in", "at", "here"],
        ),
        ("snake_case is __init__ here", ["is", "here"]),
        ("’Tis the ’em of it", ["the", "of", "it"]),
        ("", []),
    ],
)
def test_numbers_names_and_symbols_are_not_words(text: str, found: list[str]) -> None:
    assert [word for word in words(text) if len(word) > 1] == found


@given(st.lists(st.tuples(WORDS, SEPARATORS), min_size=1, max_size=8))
@example([("é", " 👍🏽 "), ("a’b", " ")])
def test_a_word_is_found_whole_and_where_it_stands(parts: list[tuple[str, str]]) -> None:
    """With a place that is off by one, the wrong letters are underlined and replaced."""
    text = "".join(word + separator for word, separator in parts)
    assert words(text) == [word for word, _ in parts]


@given(st.text(max_size=60))
@example("👍🏽it's-é")
@example("a\u200db")
def test_any_text_has_words_in_order_that_touch_no_digit(text: str) -> None:
    last = 0
    for start, end in find_words(text):
        assert last <= start < end <= len(text)
        assert any(map(str.isalpha, text[start:end]))
        assert not any(map(str.isdigit, text[start:end]))
        last = end


@given(st.text("ab-‐‑’", max_size=12))
def test_parts_are_what_is_between_hyphens(word: str) -> None:
    parts = parts_of(word)
    assert "".join(word[start:end] for start, end in parts) == "".join(
        sign for sign in word if sign not in "-‐‑"
    )
    assert all(not set("-‐‑") & set(word[start:end]) and start < end for start, end in parts)


@given(LETTERS)
def test_a_word_is_the_same_however_its_accents_are_written(word: str) -> None:
    assert normalise(unicodedata.normalize("NFD", word)) == unicodedata.normalize("NFC", word)


def test_apostrophes_are_one_for_the_dictionary() -> None:
    assert {normalise(word) for word in ("don't", "don’t", "donʼt")} == {"don't"}
    assert without_possessive("senator’s") == without_possessive("senator's") == "senator"
    assert without_possessive("’s") == "’s"


@pytest.mark.parametrize(
    ("word", "plain", "in_capitals"),
    [
        ("word", True, True),
        ("Word", True, True),
        ("a", False, False),
        ("NATO", False, True),
        ("NATO’s", False, True),
        ("MPs", False, True),
        ("iPhone", False, False),
        ("getName", False, False),
        ("McDonald", True, True),
    ],
)
def test_capitals_are_looked_up_by_choice_and_names_like_iphone_never(
    word: str, plain: bool, in_capitals: bool
) -> None:
    assert is_checked(word) is plain
    assert is_checked(word, capitals=True) is in_capitals


def in_draft(source: str, form: Format, *, quotations: bool = True) -> list[str]:
    found = [*WordFinder().words(parse(source, form), quotations=quotations)]
    assert all(source[word.start : word.end] == word.text for word in found)
    return [word.text for word in found]


def test_code_front_matter_addresses_and_markup_of_markdown_are_left_alone() -> None:
    source = (
        "---\ntitel: Xyzzy\n---\n\n# Headlne\n\nA 👍🏽 *wrod* and `cdoe` at https://exmaple.org/pth "
        "or me@exmaple.org.\n\n```py\nipmort os\n```\n\n[linkk](targt.html) <!-- commnt -->\n"
    )
    assert in_draft(source, Format.MARKDOWN) == ["Headlne", "A", "wrod", "and", "at", "or", "linkk"]


def test_templates_and_references_of_wikitext_are_left_alone() -> None:
    source = (
        "{{Infobx|nme=Xyzzy}}\nThe '''wrod''' is<ref>{{cite wbe|url=http://x.org}}</ref> [[Tragt|shwon]] here. "
        "<nowiki>cdoe</nowiki>\n"
    )
    found = in_draft(source, Format.WIKITEXT)
    assert [word for word in found if word in ("Infobx", "nme", "Xyzzy", "cite", "wbe", "Tragt")] == []
    assert found[:5] == ["The", "wrod", "is", "shwon", "here"]


def test_quotations_are_left_out_by_choice() -> None:
    source = "He said “a wrod of it” to her."
    assert "wrod" in in_draft(source, Format.PLAIN)
    assert in_draft(source, Format.PLAIN, quotations=False) == ["He", "said", "to", "her"]


def test_what_is_switched_off_is_not_checked() -> None:
    source = "One wrod.\n\n<!-- evenhand off -->\n\nAnother wrod.\n\n<!-- evenhand on -->\n\nLast.\n"
    assert in_draft(source, Format.MARKDOWN) == ["One", "wrod", "Last"]


def test_a_word_with_markup_inside_is_left_alone() -> None:
    """A correction would remove the markup."""
    assert in_draft("A w**ro**d here.", Format.MARKDOWN) == ["A", "here"]


def test_paragraphs_are_found_again_where_they_have_moved() -> None:
    finder = WordFinder()
    first = [*finder.words(parse("One wrod.\n\nTwo.", Format.PLAIN))]
    second = [*finder.words(parse("New.\n\nOne wrod.\n\nTwo.", Format.PLAIN))]
    assert [word.text for word in second] == ["New", *(word.text for word in first)]
    assert [word.start for word in second[1:]] == [word.start + 6 for word in first]
