"""Protects what is carried from each format, construct by construct, and what is counted as lost."""

from __future__ import annotations

import pytest

from core.conversion.read_markdown import read_markdown
from core.conversion.read_plain import read_plain
from core.conversion.read_wikitext import read_wikitext
from core.conversion.types import (
    Block,
    CodeBlock,
    Heading,
    ItemList,
    Loss,
    Paragraph,
    Quote,
    Run,
    Table,
    ThematicBreak,
)
from core.storage.files import FileError


def text(said: str) -> Paragraph:
    return Paragraph((Run(said),))


@pytest.mark.parametrize(
    ("source", "block"),
    [
        ("## A *b*", Heading(2, (Run("A "), Run("b", italic=True)))),
        ("**a**~~b~~`c`", Paragraph((Run("a", bold=True), Run("b", struck=True), Run("c", code=True)))),
        ("[a](http://b.c)", Paragraph((Run("a", link="http://b.c"),))),
        ("a\nb  \nc", text("a b\nc")),
        ("3. a\n   - b\n4. c", ItemList(((text("a"), ItemList(((text("b"),),))), (text("c"),)), True, 3)),
        ("> a\n>\n> b", Quote((text("a"), text("b")))),
        ("```\na\n  b\n```", CodeBlock("a\n  b")),
        ("| a | b |\n|---|---|\n| c | |", Table((((Run("a"),), (Run("b"),)), ((Run("c"),), ())))),
        ("a[^x]\n\n[^x]: b", Paragraph((Run("a"), Run("", note=(text("b"),))))),
        ("***", ThematicBreak()),
        ("a <b>c</b>", Paragraph((Run("a "), Run("c", bold=True)))),
        ("$$\nx_1\n$$", CodeBlock("$$\nx_1\n$$")),
    ],
)  # fmt: skip
def test_markdown(source: str, block: Block) -> None:
    content = read_markdown(source)
    assert content.blocks == (block,)
    assert not +content.losses


@pytest.mark.parametrize(
    ("source", "loss"),
    [
        ("---\ntitle: A\n---\nb", Loss.FRONT_MATTER),
        ("![](x.png) a", Loss.IMAGE),
        ("a {{ b }}", Loss.TEMPLATE),
        ("a <!-- b -->", Loss.COMMENT),
        ("<!-- b -->\n\na", Loss.COMMENT),
        ("a <u>b</u>", Loss.TAG),
        ("a {--b--}", Loss.CHANGE),
        ("::: note\n\na", Loss.OTHER),
    ],
)
def test_what_is_lost_of_markdown_is_counted(source: str, loss: Loss) -> None:
    assert +read_markdown(source).losses == {loss: 1}


def test_a_footnote_that_nothing_refers_to_is_kept_as_text() -> None:
    assert read_markdown("a\n\n[^x]: b").blocks == (text("a"), text("b"))


def test_a_footnote_that_refers_to_itself_ends() -> None:
    (paragraph,) = read_markdown("a[^x]\n\n[^x]: b[^x]").blocks
    assert paragraph == Paragraph((Run("a"), Run("", note=(text("b[^x]"),))))


def test_markdown_that_the_parser_would_cut_off_is_refused() -> None:
    with pytest.raises(FileError, match="nested too deeply"):
        read_markdown("> " * 300 + "a")


WIKIPEDIA = "https://en.wikipedia.org/wiki/"


@pytest.mark.parametrize(
    ("source", "block"),
    [
        ("== A ''b'' ==", Heading(2, (Run("A "), Run("b", italic=True)))),
        ("'''a''' b", Paragraph((Run("a", bold=True), Run(" b")))),
        ("[[B c|a]]", Paragraph((Run("a", link=f"{WIKIPEDIA}B_c"),))),
        ("[[a b]]", Paragraph((Run("a b", link=f"{WIKIPEDIA}a_b"),))),
        ("[[:de:Köln|a]]", Paragraph((Run("a", link="https://de.wikipedia.org/wiki/K%C3%B6ln"),))),
        ("[http://b.c a]", Paragraph((Run("a", link="http://b.c"),))),
        ("* a\n*# b\n* c", ItemList(((text("a"), ItemList(((text("b"),),), True)), (text("c"),)))),
        ("<blockquote>a</blockquote>", Quote((text("a"),))),
        ("<pre>a\n b</pre>", CodeBlock("a\n b")),
        ("a <code>b</code>", Paragraph((Run("a "), Run("b", code=True)))),
        ("{|\n! a !! b\n|-\n| c || d\n|}", Table((((Run("a"),), (Run("b"),)), ((Run("c"),), (Run("d"),))))),
        ("a<ref>b</ref>", Paragraph((Run("a"), Run("", note=(text("b"),))))),
        ("a {{efn|A note of words.}}.", Paragraph((Run("a "), Run("", note=(text("A note of words."),)), Run(".")))),
        ("a<ref name=n>b</ref> c<ref name=n />", Paragraph(
            (Run("a"), Run("", note=(text("b"),)), Run(" c"), Run("", note=(text("b"),)))
        )),
        ("a &amp; b", text("a & b")),
        ("----", ThematicBreak()),
    ],
)  # fmt: skip
def test_wikitext(source: str, block: Block) -> None:
    content = read_wikitext(source)
    assert content.blocks == (block,)
    assert not +content.losses


def test_the_source_that_a_citation_names_is_written_out() -> None:
    cite = "{{cite web|last=Ott|first=Eva|title=The record|date=2010|url=http://a.b/c}}"
    (paragraph,) = read_wikitext(f"a<ref>{cite}</ref>").blocks
    said = Run("Ott, Eva. The record. 2010", link="http://a.b/c")
    assert paragraph == Paragraph((Run("a"), Run("", note=(Paragraph((said,)),))))


@pytest.mark.parametrize(
    ("source", "loss", "number"),
    [
        ("{{Infobox}} a {{cn}}", Loss.TEMPLATE, 2),
        ("{{nowrap|a b}} c", Loss.TEMPLATE, 1),
        ("[[File:x.png|thumb|A caption]]", Loss.IMAGE, 1),
        ("<gallery>\nFile:a.png|One caption\nFile:b.png|Two captions\n</gallery>", Loss.IMAGE, 2),
        ("a\n[[Category:B]]", Loss.CATEGORY, 1),
        ("a <!-- b -->", Loss.COMMENT, 1),
        ("H<sub>2</sub>O", Loss.TAG, 1),
    ],
)
def test_what_is_lost_of_wikitext_is_counted(source: str, loss: Loss, number: int) -> None:
    assert +read_wikitext(source).losses == {loss: number}


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("a line that is\nwrapped\n\nb", (text("a line that is wrapped"), text("b"))),
        ("- a\n  - b\n- c", (ItemList(((text("a"), ItemList(((text("b"),),))), (text("c"),))),)),
        ("3. a\n4. b", (ItemList(((text("a"),), (text("b"),)), True, 3),)),
        ("a\n\n-----\n\nb", (text("a"), ThematicBreak(), text("b"))),
        ("a *b* [[c]]", (text("a *b* [[c]]"),)),
        ("", ()),
    ],
)
def test_plain_text(source: str, blocks: tuple[Block, ...]) -> None:
    assert read_plain(source).blocks == blocks
