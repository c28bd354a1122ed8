"""What counts as misspelled: not in the dictionary, in its script, not an own word, not ignored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.spelling.checker import SpellingChecker, SpellingChoices, WordSet
from core.spelling.dictionary import SpellingDictionary


@pytest.fixture(scope="module")
def checker(dictionary: SpellingDictionary) -> SpellingChecker:
    return SpellingChecker(dictionary)


def misspelled(checker: SpellingChecker, source: str, *own: str, form: Format = Format.PLAIN) -> list[str]:
    found = checker.check(parse(source, form), accepted=[WordSet(own)])
    assert all(source[word.start : word.end] == word.text for word in found)
    return [word.text for word in found]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("The senatr said: the record is shamefull.", ["senatr", "shamefull"]),
        ("The senator’s well-known record, London’s letters", []),
        ("A well-kown senator", ["kown"]),
        ("👍🏽 The 👍🏽 senatr", ["senatr"]),
        ("The cafe\u0301s and the naïve, the cafés", []),
        ("He dont and don’t", ["dont"]),
        ("NATO and MPs and XQZ’s", []),
        ("The iPhone of 1990s", []),
        ("Слово and 言葉", []),
        ("The The", []),
    ],
)
def test_misspelled_words_are_found(checker: SpellingChecker, source: str, found: list[str]) -> None:
    assert misspelled(checker, source) == found


@given(st.lists(st.sampled_from(["the", "wrod", "senator", "👍🏽", "—", "xyzzi", "don’t"]), max_size=12))
def test_every_misspelled_word_is_found_at_its_place(
    dictionary: SpellingDictionary, parts: list[str]
) -> None:
    source = " ".join(parts)
    found = SpellingChecker(dictionary).check(parse(source, Format.PLAIN))
    assert [source[word.start : word.end] for word in found] == [
        part for part in parts if part in ("wrod", "xyzzi")
    ]


def test_own_words_count_in_their_forms(checker: SpellingChecker) -> None:
    assert misspelled(checker, "Wrod, wrod’s, WROD’s and wrods", "wrod") == ["wrods"]
    assert misspelled(checker, "Xyzzi’s xyzzi", "Xyzzi") == ["xyzzi"]
    assert misspelled(checker, "An e-wrod", "e-wrod", "An") == []


def test_capitals_and_quotations_are_checked_by_choice(checker: SpellingChecker) -> None:
    document = parse("The XQZW said “a wrod” to him.", Format.PLAIN)

    def found(**choices: bool) -> list[str]:
        return [word.text for word in checker.check(document, choices=SpellingChoices(**choices))]

    assert found() == ["wrod"]
    assert found(capitals=True) == ["XQZW", "wrod"]
    assert found(quotations=False) == []
    assert found() == ["wrod"], "the cache must not keep a choice"


def test_each_word_is_looked_up_once() -> None:
    """A draft of 50,000 words has a few thousand different ones."""
    asked: list[str] = []

    class Counting:
        scripts = frozenset(("LATIN",))

        def has(self, word: str) -> bool:
            asked.append(word)
            return word != "wrod"

        def corrections(self, word: str) -> tuple[str, ...]:
            return ()

    checker = SpellingChecker(Counting())
    document = parse("the wrod of the wrod\n\n" * 300, Format.PLAIN)
    assert len(checker.check(document)) == 600
    assert sorted(asked) == ["of", "the", "wrod"]
    checker.check(document)
    assert len(asked) == 3


def test_a_cancelled_check_ends(checker: SpellingChecker) -> None:
    document = parse("wrod " * 2_000, Format.PLAIN)
    assert len(checker.check(document, cancelled=lambda: True)) == 0


def test_corrections_keep_the_apostrophe_of_the_word_and_know_own_words(checker: SpellingChecker) -> None:
    assert "don't" in checker.corrections("do'nt", WordSet())
    assert "don’t" in checker.corrections("do’nt", WordSet())
    assert checker.corrections("Kavanuagh", WordSet(["Kavanaugh"]))[0] == "Kavanaugh"
    assert len(checker.corrections("wor", WordSet(["wora", "worb", "worc"]))) <= 5


def test_words_in_another_language_of_a_page_are_left_alone(checker: SpellingChecker) -> None:
    from core.types import Unread, UnreadKind

    source = "The senator said: das ist ein Wort. The wrod."
    start = source.index("das")
    document = parse(
        source, Format.HTML, unread=[Unread(UnreadKind.FOREIGN, start, source.index(" The wrod"))]
    )
    assert [word.text for word in checker.check(document)] == ["wrod"]
