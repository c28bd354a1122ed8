"""What is found in the title of a work is the wording of others; emphasis in the writer's own voice is marked."""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.documents.incremental import IncrementalParser
from core.formats.loader import open_document, read_opened

TITLE = "The Dreadful Night"


def titles(source: str, kind: Format) -> list[str]:
    if kind is Format.HTML:
        document = read_opened(open_document(source.encode(), name="page.html"))
    else:
        document = parse(source, kind)
        assert IncrementalParser().parse(source, kind) == document
    return [document.source[one.start : one.end] for one in document.suppressed]


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        (Format.WIKITEXT, "The film ''{}'' was shown."),
        (Format.WIKITEXT, "''{}'' was shown."),
        (Format.WIKITEXT, "The film [[{}]] was shown."),
        (Format.WIKITEXT, "The film '''''{}''''' was shown."),
        (Format.WIKITEXT, "The film <cite>{}</cite> was shown."),
        (Format.WIKITEXT, "* ''{}'' (1937)"),
        (Format.MARKDOWN, "The film *{}* was shown."),
        (Format.MARKDOWN, "The film _{}_ was shown."),
        (Format.MARKDOWN, "The film [{}](x) was shown."),
        (Format.MARKDOWN, "The film <i>{}</i> was shown."),
        (Format.HTML, "<p>The film <i>{}</i> was shown."),
        (Format.HTML, "<p>The film <em>{}</em> was shown."),
        (Format.HTML, "<p>The film <a href=x>{}</a> was shown."),
    ],
)
def test_a_title_in_italics_or_linked(kind: Format, source: str) -> None:
    assert titles(source.format(TITLE), kind) == [TITLE]


def test_a_linked_title_in_italics_is_one() -> None:
    source = f"The film ''[[{TITLE}]]'' was shown."
    assert titles(source, Format.WIKITEXT) == [f"[[{TITLE}]]"]


@pytest.mark.parametrize(
    "source",
    [
        "The night was *dreadful* for all.",
        "*Dreadful* it was for all.",
        "It was *Dreadful* for all.",
        "It was a *truly dreadful night* for all.",
        "It was *THE DREADFUL NIGHT* for all.",
        "*A Dreadful Night for the Whole Town*",
        "## How *Dreadful Nights* Came Home",
        "It was **The Dreadful Night** for all.",
        "It was [a dreadful night](x) for all.",
    ],
)
def test_emphasis_and_headlines_are_no_titles(source: str) -> None:
    assert titles(source, Format.MARKDOWN) == []


def test_one_word_is_a_title_only_in_the_middle_of_a_sentence() -> None:
    assert titles("He saw the film *Notorious* in May.", Format.MARKDOWN) == ["Notorious"]
    assert titles("*Notorious* he was in May.", Format.MARKDOWN) == []
