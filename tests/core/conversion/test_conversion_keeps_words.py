"""Protects the words: a draft that is made into another format and opened again says the same, in the same order."""

from __future__ import annotations

import re
from itertools import count

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.conversion.convert import read_content, write_content
from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    merged,
)
from core.documents.types import Format
from core.formats.loader import open_document
from core.formats.office_document import OfficeDocument
from tests.core.formats.checks import main_text

NAMES = {Format.DOCX: "x.docx", Format.ODT: "x.odt", Format.MARKDOWN: "x.md", Format.PLAIN: "x.txt"}
OFFICE = (Format.DOCX, Format.ODT)

# In each piece of a draft every @ is a word that is shown; all else is markup, or is left out.
PIECES = {
    Format.PLAIN: [
        "@ @ @.", "- @\n- @ @\n  - @", "1. @\n2. @", "@, @\n@ @.", "-----", "@ @ <@> *@* [[@]] & @", "“@” @ – @'@",
    ],
    Format.MARKDOWN: [
        "# @ *@*", "@ **@** *@ `@`* @.", "- @\n- @\n  1. @\n  2. @ @", "> @ @\n>\n> - @",
        "@[^n] @\n\n[^n]: hidden *note*",
        "| @ | @ |\n|---|---|\n| @ | **@** |", "```\n@ @\n  @\n```", "@ [@ *@*](http://a.b/c_d) @", "![@](x.png) @",
        "@  \n@ ~~@~~ {{ left }} @", "* * *", "@ <b>@</b> <!-- hidden --> @", "<div>\n@ @\n</div>",
        "3. @\n\n   @\n4. @",
        "@ \\* @ \\_@\\_ &amp; @", "@\n===", "- @\n\n  > @\n\n  ```\n  @\n  ```",
    ],
    Format.WIKITEXT: [
        "== @ ''@'' ==", "'''@''' ''@ @'' '''''@''''' @.", "* @\n** @ [[@]]\n# @\n## @", ": @ @", "; @ : @",
        "@ [[Hidden|@ @]] [http://hidden.org @] @", "@<ref>Hidden {{cite web|title=Hidden}}</ref> @<ref name='a' />.",
        "{{Unknown|hidden}}@ @", "{|\n|+ @\n! @ !! @\n|-\n| @ || ''@''\n|-\n| style='x' | @\n| [[@]] {{hidden}}\n|}",
        "<blockquote>@ @</blockquote>", "<pre>@\n @</pre>", "[[Category:Hidden]]", "@ &amp; @ <br/> @", "----",
        "@ <code>@</code> <nowiki>@</nowiki>", "[[File:x.png|thumb|@ @]]", "{{quote|@ @}}", "@ <!-- hidden --> @",
    ],
}  # fmt: skip


def words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text)


def reopened(content: Content, target: Format) -> str:
    opened = open_document(write_content(content, target, name="x"), name=NAMES[target])
    return main_text(opened.container) if isinstance(opened.container, OfficeDocument) else opened.text


@st.composite
def sources(draw: st.DrawFn, format: Format) -> tuple[str, list[str]]:
    """A draft of some pieces, each a paragraph apart, and the words that it shows."""
    pieces = draw(st.lists(st.sampled_from(PIECES[format]), min_size=1, max_size=8))
    numbers = count(1)
    shown: list[str] = []

    def next_word(_: re.Match[str]) -> str:
        shown.append(f"Word{next(numbers)}")
        return shown[-1]

    text = "\n\n".join(pieces)
    if format is Format.MARKDOWN:
        labels = count(1)
        text = re.sub(r"(?s)\[\^n\](.*?)\[\^n\]", lambda one: f"[^{(n := next(labels))}]{one[1]}[^{n}]", text)
    return re.sub("@", next_word, text), shown


@pytest.mark.parametrize("target", OFFICE)
@pytest.mark.parametrize("format", list(PIECES))
@settings(max_examples=10)
@given(data=st.data())
def test_a_draft_made_into_a_word_processors_file_has_its_words(
    format: Format, target: Format, data: st.DataObject
) -> None:
    source, shown = data.draw(sources(format))
    assert words(reopened(read_content(source, format), target)) == shown


WORD = st.sampled_from(
    ["one", "Two", "drei", "naïve", "a_b", "*x*", "#", "1.", "-", "[y]", "<b>", "`", "&amp;", "|", "$z$"]
)
TEXT = st.lists(WORD, min_size=1, max_size=4).map(" ".join)
LINKS = st.sampled_from(["", "", "https://a.b/c(d)_e", "http://x.org/?q=1&r=2"])
RUN = st.builds(
    Run,
    st.builds(str.__add__, TEXT, st.sampled_from(["", " "])),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    link=LINKS,
)
NOTE = st.builds(lambda text: Run("", note=(Paragraph((Run(text),)),)), TEXT)
RUNS = st.lists(st.one_of(RUN, RUN, NOTE), min_size=1, max_size=4).map(merged)
LEAVES = st.one_of(
    st.builds(Paragraph, RUNS),
    st.builds(Heading, st.integers(1, 6), RUNS),
    st.builds(CodeBlock, st.lists(TEXT, min_size=1, max_size=3).map("\n  ".join)),
    st.builds(
        Table, st.lists(st.lists(RUNS, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3).map(tuple)
    ),
)


def containers(inner: st.SearchStrategy[Block]) -> st.SearchStrategy[Block]:
    blocks = st.lists(inner, min_size=1, max_size=3).map(tuple)
    lists = st.builds(
        ItemList, st.lists(blocks, min_size=1, max_size=3).map(tuple), st.booleans(), st.integers(1, 20)
    )
    return st.one_of(lists, st.builds(Quote, blocks))


CONTENTS = st.lists(st.recursive(LEAVES, containers, max_leaves=5), min_size=1, max_size=4).map(
    lambda blocks: Content(tuple(blocks))
)


def shown_words(blocks: tuple[Block, ...]) -> list[str]:
    """The words of blocks without those of footnotes."""
    found: list[str] = []
    for block in blocks:
        match block:
            case Paragraph(runs) | Heading(_, runs):
                found += words(text_of(runs))
            case CodeBlock(text):
                found += words(text)
            case Quote(inner):
                found += shown_words(inner)
            case ItemList(items):
                for item in items:
                    found += shown_words(item)
            case Table(rows):
                for row in rows:
                    for cell in row:
                        found += words(text_of(cell))
    return found


def text_of(runs: Runs) -> str:
    return "".join(run.text for run in runs)


@pytest.mark.parametrize("target", OFFICE)
@settings(max_examples=10)
@given(content=CONTENTS)
def test_a_word_processors_file_read_again_has_the_words_that_its_editor_shows(
    target: Format, content: Content
) -> None:
    opened = open_document(write_content(content, target, name="x"), name=NAMES[target])
    assert isinstance(opened.container, OfficeDocument)
    assert words(main_text(opened.container)) == shown_words(content.blocks)
    again = read_content("", target, opened.container)
    assert shown_words(again.blocks) == shown_words(content.blocks)
    assert not +again.losses


@settings(max_examples=40)
@given(content=CONTENTS)
@example(content=Content((Paragraph((Run("a "), Run("*x*", bold=True), Run("b", italic=True))),)))
def test_markdown_read_again_has_the_words_that_were_written(content: Content) -> None:
    again = read_content(reopened(content, Format.MARKDOWN), Format.MARKDOWN)
    assert shown_words(again.blocks) == shown_words(content.blocks)
