"""A passage that its markup says is in another language is not read, and that is said once."""

from __future__ import annotations

import pytest

from core.documents import Format, parse
from core.documents.languages import foreign_passages
from core.documents.suppression import checked_sentences
from core.formats.loader import open_document, read_opened
from core.text.english import is_foreign
from core.types import UnreadKind

GERMAN = "Der Rat hat das Haus am Montag verkauft."


def foreign(source: str, kind: Format) -> tuple[list[str], list[str]]:
    """The passages that are foreign, and the sentences that are read all the same."""
    if kind is Format.HTML:
        document = read_opened(open_document(source.encode(), name="page.html"))
    else:
        document = parse(source, kind)
    read = checked_sentences(document.sentences, document.suppressed)
    return (
        [document.source[one.start : one.end] for one in document.unread if one.kind is UnreadKind.FOREIGN],
        [document.source[one.start : one.end] for one in read],
    )


@pytest.mark.parametrize(
    ("kind", "source", "passages", "read"),
    [
        (Format.HTML, f'<html lang="en"><p lang="de">{GERMAN}</p><p>It fell.</p>', [GERMAN], ["It fell."]),
        (
            Format.HTML,
            f"<div xml:lang=de-AT><p>{GERMAN}</p><p>{GERMAN}</p></div>",
            [f"{GERMAN}\n{GERMAN}"],
            [],
        ),
        (
            Format.HTML,
            f'<p lang="de">{GERMAN} <span lang="en">It fell.</span></p>',
            [f"{GERMAN} "],
            ["It fell."],
        ),
        (Format.HTML, '<p lang="">It fell.</p><p lang="en-GB">It rose.</p>', [], ["It fell.", "It rose."]),
        (
            Format.HTML,
            '<html lang="de"><p>The council sold the house and left.</p>',
            [],
            ["The council sold the house and left."],
        ),
        (
            Format.HTML,
            "<p>A kind of <i lang=de>Freude am Schaden</i>, he said.</p>",
            [" Freude am Schaden, "],
            ["A kind of Freude am Schaden, he said."],
        ),
        (Format.MARKDOWN, f'<span lang="de">{GERMAN}</span> It fell.', [GERMAN], ["It fell."]),
        (Format.MARKDOWN, f"[{GERMAN}]{{lang=de}} It fell.", [GERMAN], ["It fell."]),
        (
            Format.MARKDOWN,
            f'<p lang="de">\n{GERMAN}\n</p>\n\nIt fell.',
            [f"\n{GERMAN}\n".strip("\n")],
            ["It fell."],
        ),
        (
            Format.MARKDOWN,
            f"::: {{lang=de}}\n{GERMAN}\n\n{GERMAN}\n:::\n\nIt fell.",
            [f"{GERMAN}\n\n{GERMAN}"],
            ["It fell."],
        ),
        (Format.MARKDOWN, f"---\nlang: de\n---\n{GERMAN}", [GERMAN], []),
        (Format.MARKDOWN, f"+++\nlanguage = 'de'\n+++\n{GERMAN}", [GERMAN], []),
        (Format.MARKDOWN, "---\nlang: en-US\n---\nIt fell.", [], ["It fell."]),
        (Format.WIKITEXT, f'<span lang="de">{GERMAN}</span> It fell.', [GERMAN], ["It fell."]),
        (
            Format.WIKITEXT,
            f'<div lang="de">\n{GERMAN}\n\n{GERMAN}\n</div>\nIt fell.',
            [f"{GERMAN}\n\n{GERMAN}"],
            ["It fell."],
        ),
        (Format.WIKITEXT, f'<span lang="de">{GERMAN}', [], [GERMAN]),
    ],
)
def test_attributes_are_honoured(kind: Format, source: str, passages: list[str], read: list[str]) -> None:
    found, sentences = foreign(source, kind)
    assert [one.strip() for one in found] == [one.strip() for one in passages]
    assert sentences == read


@pytest.mark.parametrize(
    ("tag", "is_other"),
    [
        ("de", True),
        ("DE-at", True),
        ("pt_BR", True),
        ("en", False),
        ("en-US", False),
        ("", False),
        ("x-none", False),
        ("und", False),
    ],
)
def test_tags(tag: str, is_other: bool) -> None:
    assert is_foreign(tag) is is_other


def test_a_tag_that_the_words_contradict_is_not_believed() -> None:
    english = "The council has sold the house that was built for them."
    for text, count in (
        (english, 0),
        (GERMAN, 1),
        ("De raad heeft het huis in mei verkocht en is weg.", 1),
        ("12", 0),
    ):
        assert len(foreign_passages(text, [(0, len(text))])) == count
