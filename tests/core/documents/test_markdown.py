"""Protects Markdown: mark-up and code are never read as prose, labels always are, offsets are the file's."""

from __future__ import annotations

import pytest

from core.documents import Format, parse, prose


def sentences(source: str) -> list[str]:
    document = parse(source, Format.MARKDOWN)
    return [prose(document, sentence).text for sentence in document.sentences]


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("A **bold**, *leaning* and ***both*** ~~gone~~ word.", ["A bold, leaning and both gone word."]),
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
        ("<div>\nA block. Of HTML.\n</div>\n\nText.", ["Text."]),
        ("| a | b |\n|---|---|\n| c. D | e |\n\nText.", ["Text."]),
        ("---\ntitle: A. B\ntags: [c]\n---\n\nText.", ["Text."]),
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
