"""A passage that its markup says is in another language is not read, and that is said once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.documents.incremental import IncrementalParser
from core.documents.languages import foreign_passages
from core.documents.suppression import checked_sentences
from core.documents.types import Document
from core.documents.unread import describe_unread
from core.engine.language import without_foreign
from core.formats.loader import open_document, read_opened
from core.text.english import is_foreign
from core.types import UnreadKind

GERMAN = "Der Rat hat das Haus am Montag verkauft."


def read_page(source: str, kind: Format) -> Document:
    if kind is Format.HTML:
        return read_opened(open_document(source.encode(), name="page.html"))
    return parse(source, kind)


def foreign(source: str, kind: Format) -> tuple[list[str], list[str]]:
    """The passages that are foreign, and the sentences that are read all the same."""
    document = read_page(source, kind)
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


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        (Format.MARKDOWN, '<span lang="de">[Schadenfreude]{lang=de}</span>'),
        (Format.MARKDOWN, '<span lang="de">Ein <i lang="de">Haus</i> am <i lang="de">Meer</i></span>'),
        (Format.MARKDOWN, "[Ein [Haus]{lang=de} am Meer]{lang=de}"),
        (Format.MARKDOWN, f'::: {{lang=de}}\n<span lang="de">{GERMAN}</span>\n:::'),
        (Format.MARKDOWN, f'---\nlang: de\n---\n{GERMAN} <i lang="de">{GERMAN}</i>'),
        (Format.WIKITEXT, '<span lang="de">Ein <i lang="de">Haus</i> am Meer</span>'),
        (Format.HTML, '<p lang="de">Ein <i lang="de">Haus</i> am Meer'),
    ],
)
def test_nested_marks_are_one_passage(kind: Format, source: str) -> None:
    assert len(foreign(source, kind)[0]) == 1


@pytest.mark.parametrize(
    ("kind", "source"),
    [
        (Format.MARKDOWN, f'<span lang="de">{GERMAN}</span> {GERMAN} It fell.'),
        (Format.MARKDOWN, f'It fell. {GERMAN} <span lang="de">{GERMAN}</span>'),
        (Format.MARKDOWN, f'<i lang="de">{GERMAN}</i> <i lang="de">{GERMAN}</i> It fell.'),
        (Format.MARKDOWN, f"[{GERMAN}]{{lang=de}} **{GERMAN}** It fell."),
        (Format.WIKITEXT, f'<span lang="de">{GERMAN}</span> {GERMAN} It fell.'),
        (Format.HTML, f'<p><span lang="de">{GERMAN}</span> {GERMAN} It fell.'),
    ],
)
def test_a_passage_that_is_named_and_a_sentence_beside_it_are_one(kind: Format, source: str) -> None:
    document = without_foreign(read_page(source, kind))
    (passage,) = document.unread
    assert document.source[passage.start : passage.end].count(GERMAN) == 2
    assert describe_unread(document.unread) == "Not read: 1 passage in another language."


def test_passages_with_a_word_between_them_are_two() -> None:
    source = f'<span lang="de">{GERMAN}</span> The house was sold to them. {GERMAN}'
    assert len(without_foreign(parse(source, Format.MARKDOWN)).unread) == 2


_PIECES = st.lists(
    st.sampled_from(
        [
            '<span lang="de">',
            '<i lang="de">',
            "</span>",
            "</i>",
            "<div lang=fr>",
            "</div>",
            "::: {lang=de}\n",
            ":::\n",
            "[Wort]{lang=de}",
            "[",
            "]{lang=de}",
            "*",
            f"{GERMAN} ",
            "The house was sold to them. ",
            "\n",
            "\n\n",
            "«",
            "\u200b",
        ]
    ),
    max_size=14,
).map("".join)


@given(source=_PIECES, kind=st.sampled_from([Format.MARKDOWN, Format.WIKITEXT, Format.HTML]))
def test_passages_never_overlap(source: str, kind: Format) -> None:
    document = read_page(source, kind)
    if kind is not Format.HTML:
        assert IncrementalParser().parse(source, kind) == document
    for unread in (document.unread, without_foreign(document).unread):
        last = 0
        for one in unread:
            if one.kind is UnreadKind.FOREIGN:
                assert last <= one.start < one.end <= len(document.source)
                last = one.end


@given(
    text=st.text("ab .,\n«é", max_size=30), spans=st.lists(st.tuples(*[st.integers(0, 30)] * 2), max_size=8)
)
def test_any_spans_make_passages_apart(text: str, spans: list[tuple[int, int]]) -> None:
    places = [(min(start, len(text)), min(end, len(text))) for start, end in spans]
    passages = foreign_passages(text, places)
    last = 0
    for one in passages:
        assert last <= one.start < one.end <= len(text)
        last = one.end
    assert all(
        any(one.start <= place < one.end for one in passages)
        for start, end in places
        for place in range(start, end)
        if text[place].isalpha()
    )
