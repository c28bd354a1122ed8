"""Protects Markdown: mark-up and code are never read as prose, labels always are, offsets are the file's."""

from __future__ import annotations

import re
import sys
from types import FrameType
from typing import Any

import pytest

from core.documents import Format, parse, prose
from core.documents.unread import describe_unread


def sentences(source: str) -> list[str]:
    document = parse(source, Format.MARKDOWN)
    return [prose(document, sentence).text for sentence in document.sentences]


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("A **bold**, *leaning* and ***both*** ~~gone~~ word.", ["A bold, leaning and both   word."]),
        ("A_b_c and 2 * 3 * 4 stay, *open too.", ["A_b_c and 2 * 3 * 4 stay, *open too."]),
        ("Run `rm *x*` and ``a`b``.", ["Run   and  ."]),
        ("An `open tick stays.", ["An `open tick stays."]),
        ('A [**label** one](http://x.y/z "A title. Two.") here.', ["A label one here."]),
        (
            "A [label][ref] and [ref] and [none].\n\n[ref]: http://x.y 'Title'",
            ["A label and ref and [none]."],
        ),
        ("See ![the *alt* text](pic.png) now.", ["See the alt text now."]),
        ("[![alt](a.png) label](http://b.c)", ["alt label"]),
        ("Go <http://x.y> or http://x.y/z_(w), a@b.cd.", ["Go   or  ,  ."]),
        ("An <b>html</b> tag<!-- hidden -->, a<br>break, x&nbsp;y.", ["An html tag, a break, x y."]),
        (r"It\'s \*not\* \a.", [r"It's *not* \a."]),
        ("# One #\n\nTwo\n===\n\n### Three", ["One", "Two", "Three"]),
        ("> Quoted\n> [long\n> label](u) text.", ["Quoted\n long\n label text."]),
        ("- one\n  goes on\n- [x] two\n  1. three\n\n     four", ["one\n  goes on", "two", "three", "four"]),
        ("```py\ncode = 1.\n```\n\nText.\n\n    indented. code.\n\n~~~\nopen fence. Never.", ["Text."]),
        ("<div>\nA block. Of HTML.\n</div>\n\nText.", ["A block.", "Of HTML.", "Text."]),
        ("| a | b |\n|---|---|\n| c. D | e |\n\nText.", ["a", "b", "c. D", "e", "Text."]),
        ("---\ntitle: Pros. Cons\ntags: [c]\n---\n\nText.", ["Pros.", "Cons", "Text."]),
        ("---\ntitle: The Mayor\n---\n\nText.", ["Text."]),
        ("---\n\nA rule first.\n\n---\n", ["A rule first."]),
        ("Note[^1] here.\n\n[^1]: The note.", ["Note  here.", "The note."]),
        ("A break\\\nand  \ntwo.", ["A break\nand  \ntwo."]),
    ],
)
def test_only_prose_is_read(source: str, read: list[str]) -> None:
    assert sentences(source) == read
    windows = [text.replace("\n", "\r\n") for text in read]
    assert sentences(source.replace("\n", "\r\n")) == windows


def test_blocks_end_sentences() -> None:
    assert sentences("# A title\nText goes on\n* item\n> quote\n\nLast") == [
        "A title", "Text goes on", "item", "quote", "Last",
    ]  # fmt: skip


def test_a_word_found_in_prose_stands_there_in_the_file() -> None:
    source = "> - A *brave* [man](http://brave.example/brave) said\n>   `brave` is brave.\n"
    document = parse(source, Format.MARKDOWN)
    (sentence,) = document.sentences
    read = prose(document, sentence)
    at = [i for i in range(len(read.text)) if read.text.startswith("brave", i)]
    places = [read.offsets[i] for i in at]
    assert places == [source.index("brave"), source.rindex("brave")]


def test_a_marker_that_looks_like_text_is_not_taken_for_it() -> None:
    assert sentences("1. 1\n2. 2 eggs\n\n# # x") == ["1", "2 eggs", "# x"]
    document = parse("1. 1\n", Format.MARKDOWN)
    assert document.sentences[0].start == 3


@pytest.mark.parametrize(
    "deep",
    [
        "> " * 5000 + "deep",
        "- " * 500 + "deep",
        ">" * 100 + "- " * 100 + "1. " * 100 + "deep",
        "\n".join("  " * depth + "- deep" for depth in range(300)),
        "\n".join("\t" * depth + "1. deep" for depth in range(300)),
    ],
)
def test_deep_nesting_hides_nothing_that_follows(deep: str) -> None:
    """The parser gives up on all that follows once its depth is used up: it must not come to that."""
    assert sentences(deep + "\n\nShallow.")[-1] == "Shallow."


@pytest.mark.parametrize(
    ("source", "read"),
    [
        (
            "| Town | Verdict |\n|:--|--:|\n| *Ayr* | A dull | pipe |\n| x \\| y | `a\\|b` z \\| |\n",
            ["Town", "Verdict", "Ayr", "A dull", "x | y", "z |"],
        ),
        ("- > a | b\n  > --|--\n  > `one`, two | [three](four)\n", ["a", "b", ", two", "three"]),
        ("1. | 1 | 2 |\n   |---|---|\n   | same | same |\n", ["1", "2", "same", "same"]),
        ("<details><summary>What <b>she</b> did</summary>\nShe ran.<br>It hurt.\n</details>", None),
        ("<p align=center>\nOne &amp; two\n</p><p>three", ["One & two", "three"]),
        ('<Card kind="x">\nIts *own* words.\n</Card>\nAfter it.', ["Its own words.", "After it."]),
        ("> <div>\n> Inside\n> a quotation\n> </div>", ["Inside\n a quotation"]),
        ("<ul><li>One<li>two <!-- three --> four</ul>", ["One", "two  four"]),
        ("<table><tr><td>One<td>two</table>", ["One", "two"]),
        ('<p><img src="a" alt="Ann &quot;the&quot; mayor"> spoke.</p>', ['Ann "the" mayor spoke.']),
        ("Here <img alt='Ann' src=b> spoke, <IMG SRC=a> too.", ["Here Ann spoke,  too."]),
        ("<pre>\nno. Prose\n</pre>\n\n<style>\na b {}\n</style>\n\nText.", ["Text."]),
        ("<p>Run <code>rm it</code> now, <script>a b</script> ok.</p>", ["Run   now,   ok."]),
        ("<p hidden>Not shown.</p><p>Shown.</p>", ["Shown."]),
        ("<svg><svg><p>Never closed.", ["Never closed."]),
        (
            '!!! note "Why"\n\n    It was *her* town.\n    It is.\n\n    So it was.\n\nText.\n\n    code is. Not\n',
            ['!!! note "Why"', "It was her town.", "It is.", "So it was.", "Text."],
        ),
    ],
)
def test_tables_and_html_are_read(source: str, read: list[str] | None) -> None:
    assert sentences(source) == (read or ["What she did", "She ran.", "It hurt."])


@pytest.mark.parametrize(
    ("fields", "read", "unread"),
    [
        ("title: A town: its fall # why\nlayout: post", ["A town: its fall"], ""),
        (
            "title: \"The \\\"new\\\" mayor\"\nSubtitle: 'It''s here' # c",
            ['The "new" mayor', "It's here"],
            "",
        ),
        (
            "description: >-\n  One line\n  goes on.\n\n  Then two.\nx: y",
            ["One line\n  goes on.", "Then two."],
            "",
        ),
        ("summary: One line\n  goes on\n  at last\nx: y", ["One line\n  goes on\n  at last"], ""),
        (
            "seo:\n  meta-description: Deep down\nitems:\n  - title: Another one",
            ["Deep down", "Another one"],
            "",
        ),
        ("title: [a, b]\nsubtitle: *anchor\nlead:\nx: y", [], ""),
        ("title: 'never closed\nx: y", [], "1 metadata field"),
        (
            "bio: She was no mayor\nnotes:\n  - of no use\n  - at all times",
            [],
            "2 metadata fields",
        ),
        ("# a comment in here\nslug: a-long-way\ntags: [a b, c d]", [], ""),
    ],
)
def test_titles_and_descriptions_before_the_text_are_read(fields: str, read: list[str], unread: str) -> None:
    source = f"---\n{fields}\n---\n\nText."
    assert sentences(source) == [*read, "Text."]
    expected = f"Not read: {unread}." if unread else ""
    assert describe_unread(parse(source, Format.MARKDOWN).unread) == expected


def test_what_controls_show_is_said() -> None:
    document = parse("<p>Text <select><option>so many lies</option></select></p>", Format.MARKDOWN)
    (part,) = document.unread
    assert document.source[part.start : part.end] == "<select><option>so many lies</option></select>"


def test_words_of_cells_and_fields_stand_where_they_are_in_the_file() -> None:
    title, table = "---\ntitle: a petty crook\n---\n\n", "| a | a crook |\n|---|---|\n| \\| | crook |\n\n"
    source = f"{title}{table}<b\nid=crook>\ncrook</b>\n"
    document = parse(source, Format.MARKDOWN)
    places = []
    for sentence in document.sentences:
        read = prose(document, sentence)
        places += [read.offsets[at.start()] for at in re.finditer("crook", read.text)]
    assert places == [at.start() for at in re.finditer("(?<!id=)crook", source)]


@pytest.mark.parametrize(
    "piece",
    ["<svg>", "<p>x", "<blockquote>", "| a ", "<img alt='a", "<div>\n", "<code><p>", "</p><q>", "\\|"],
)
def test_the_work_grows_with_the_length(piece: str) -> None:
    """Tokens of HTML and searches for cells go over a text once."""

    def steps(count: int) -> int:
        taken = 0

        def trace(_frame: FrameType, event: str, _arg: object) -> Any:
            nonlocal taken
            taken += event == "line"
            return trace

        source = f"<div>\n{piece * count}\n\n| a | b |\n|---|---|\n| {piece * count} |\n"
        was = sys.gettrace()
        sys.settrace(trace)
        try:
            parse(source, Format.MARKDOWN)
        finally:
            sys.settrace(was)
        return taken

    steps(1)
    once, twice, fourfold = steps(40), steps(80), steps(160)
    assert fourfold - twice < 3 * (twice - once) + 2000
