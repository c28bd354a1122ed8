"""One word is one word in every format, whatever mark-up or invisible signs stand in it."""

from __future__ import annotations

import pytest

from core.documents import Format, parse, prose
from core.documents.characters import is_invisible
from core.formats.loader import open_document, read_opened

MARKED = [Format.MARKDOWN, Format.WIKITEXT]


def read(source: str, kind: Format) -> list[str]:
    if kind is Format.HTML:
        document = read_opened(open_document(f"<p>{source}</p>".encode(), name="page.html"))
    else:
        document = parse(source, kind)
    return [prose(document, sentence).text for sentence in document.sentences]


SIGNS = ["\u200b", "\u2060", "\u00ad", "\ufeff", "\u200c", "\u200d", "\u200e", "\u202a", "\u2066", "\u2063"]


@pytest.mark.parametrize("kind", [Format.PLAIN, Format.HTML, *MARKED])
@pytest.mark.parametrize("sign", SIGNS)
def test_an_invisible_sign_does_not_cut_a_word(kind: Format, sign: str) -> None:
    assert read(f"A dread{sign}ful day.", kind) == ["A dreadful day."]


@pytest.mark.parametrize("kind", [Format.HTML, *MARKED])
@pytest.mark.parametrize(
    "reference", ["&shy;", "&#173;", "&#xAD;", "&#8203;", "&ZeroWidthSpace;", "&NoBreak;", "&zwnj;"]
)
def test_an_invisible_reference_does_not_cut_a_word(kind: Format, reference: str) -> None:
    assert read(f"A dread{reference}ful day.", kind) == ["A dreadful day."]
    assert kind is Format.HTML or is_invisible(reference)


@pytest.mark.parametrize("kind", [Format.HTML, *MARKED])
@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("A clich&eacute; here.", "A cliché here."),
        ("A clich&#233; here.", "A cliché here."),
        ("Salt &amp; pepper.", "Salt & pepper."),
        ("One&nbsp;day.", "One day."),
        ("He waited&hellip;", "He waited…"),
    ],
)
def test_a_character_reference_is_read_as_its_character(kind: Format, source: str, shown: str) -> None:
    assert [text.replace("\xa0", " ") for text in read(source, kind)] == [shown]


@pytest.mark.parametrize("kind", [Format.PLAIN, Format.HTML, *MARKED])
@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("The \ufb01nal o\ufb03ce.", "The final office."),
        ("A \uff44\uff52\uff45\uff41\uff44 day.", "A dread day."),
        ("A \U0001d41d\U0001d42b\U0001d41e\U0001d41a\U0001d41d day.", "A dread day."),
    ],
)
def test_letters_in_one_sign_are_read_as_letters(kind: Format, source: str, shown: str) -> None:
    assert read(source, kind) == [shown]


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        (Format.WIKITEXT, "The [[dread]]ful day."),
        (Format.WIKITEXT, "The [[fear|dread]]ful day."),
        (Format.WIKITEXT, "The '''d'''readful day."),
        (Format.WIKITEXT, "The dread<!-- note -->ful day."),
        (Format.MARKDOWN, "The **d**readful day."),
        (Format.MARKDOWN, "The [dread](x)ful day."),
        (Format.MARKDOWN, "The dread<b>ful</b> day."),
        (Format.HTML, "The <b>d</b>readful day."),
        (Format.HTML, "The dread<wbr>ful day."),
    ],
)
def test_mark_up_does_not_cut_a_word(kind: Format, source: str) -> None:
    assert read(source, kind) == ["The dreadful day."]


def test_joiners_of_emoji_and_of_other_scripts_stay() -> None:
    for text in (
        "A \U0001f469\u200d\U0001f52c came.",
        "The word \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 came.",
    ):
        assert read(text, Format.PLAIN) == [text]


@pytest.mark.parametrize(
    ("text", "shows"), [("&amp;", False), ("&unknown;", False), ("''", False), ("\u200b&shy;", True)]
)
def test_what_shows_nothing(text: str, shows: bool) -> None:
    assert is_invisible(text) is shows


def test_a_quotation_by_references_is_one() -> None:
    for kind in MARKED:
        source = "He said &ldquo;it was a dread day&rdquo;. All left."
        document = parse(source, kind)
        assert [source[start:end] for start, end in document.quotes] == ["&ldquo;it was a dread day&rdquo;"]
