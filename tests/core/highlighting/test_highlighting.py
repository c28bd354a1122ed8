"""Protects what an editor shows of markup: each part of a line has its role, and open markup reaches further lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.highlighting.types import STATES, LineHighlighter, MarkupRole


def highlighter(format: Format) -> LineHighlighter:
    found = FORMATS[format].highlighter
    assert found is not None
    return found


def parts(format: Format, text: str) -> list[tuple[str, str]]:
    """(role, words) of all spans of a text, in order."""
    state = 0
    found = []
    for line in text.split("\n"):
        spans, state = highlighter(format)(line, state)
        found += [(span.role.value, line[span.start : span.end]) for span in spans]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("== Early life ==", [("heading", "== Early life =="), ("mark", "=="), ("mark", "==")]),
        ("'''Jane'''", [("mark", "'''"), ("strong", "Jane"), ("mark", "'''")]),
        ("''a'' b", [("mark", "''"), ("emphasis", "a"), ("mark", "''")]),
        ("[[A|b]]", [("mark", "[["), ("target", "A|"), ("label", "b"), ("mark", "]]")]),
        ("[[b]]", [("mark", "[["), ("label", "b"), ("mark", "]]")]),
        (
            "[[File:A.jpg|thumb|Words]]",
            [("mark", "[["), ("target", "File:A.jpg|"), ("target", "thumb|"), ("mark", "]]")],
        ),
        ("[https://a.org b]", [("target", "[https://a.org"), ("label", " b"), ("target", "]")]),
        ("a{{who|b={{c}}}} d", [("template", "{{who|b={{c}}}}")]),
        ("{{a\n| b = [[c]]\n}} d", [("template", "{{a"), ("template", "| b = [[c]]"), ("template", "}}")]),
        ("{{open\n\nfree", [("template", "{{open")]),
        ('x<ref name="a">{{cite}}</ref>', [("reference", '<ref name="a">{{cite}}'), ("reference", "</ref>")]),
        (
            "<ref name=a/> ''b''",
            [("reference", "<ref name=a/>"), ("mark", "''"), ("emphasis", "b"), ("mark", "''")],
        ),
        ("<!-- a\n{{b --> c", [("comment", "<!-- a"), ("comment", "{{b -->")]),
        ("<nowiki>[[a]]</nowiki>", [("code", "<nowiki>"), ("code", "[[a]]</nowiki>")]),
        (
            "{|\n|-\n! a !! b\n| c || d",
            [("mark", "{|"), ("mark", "|-"), ("mark", "!"), ("mark", "!!"), ("mark", "|"), ("mark", "||")],
        ),
        ("** item", [("mark", "**")]),
    ],
)
def test_wikitext(text: str, expected: list[tuple[str, str]]) -> None:
    assert parts(Format.WIKITEXT, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "## A *b*",
            [("heading", "## A *b*"), ("mark", "## "), ("emphasis", "b"), ("mark", "*"), ("mark", "*")],
        ),
        ("a **b** c", [("strong", "b"), ("mark", "**"), ("mark", "**")]),
        ("~~b~~", [("struck", "b"), ("mark", "~~"), ("mark", "~~")]),
        ("snake_case_name and 2 * 3 * 4", []),
        ("[a](http://b)", [("label", "a"), ("mark", "["), ("target", "](http://b)")]),
        ("`*a*`", [("code", "`*a*`")]),
        ("\\*a*", [("mark", "\\")]),
        ("- [x] a", [("mark", "- [x] ")]),
        ("> a", [("mark", "> ")]),
        ("---\ntitle: a\n---\nb", [("metadata", "---"), ("metadata", "title: a"), ("metadata", "---")]),
        ("a\n\n---\nb", [("mark", "---")]),
        (
            "```py\n*a*\n```\n*b*",
            [
                ("code", "```py"),
                ("code", "*a*"),
                ("code", "```"),
                ("emphasis", "b"),
                ("mark", "*"),
                ("mark", "*"),
            ],
        ),
        ("a <!-- b\nc --> d", [("comment", "<!-- b"), ("comment", "c -->")]),
        ("| a | b |", [("mark", "|"), ("mark", "|"), ("mark", "|")]),
        ("[^1]: Note", [("mark", "[^1]: ")]),
        ("[a]: http://b", [("mark", "[a]: "), ("target", "http://b")]),
    ],
)
def test_markdown(text: str, expected: list[tuple[str, str]]) -> None:
    assert parts(Format.MARKDOWN, text) == expected


MARKUP = st.lists(
    st.sampled_from([*"{}[]|'<>=*_`~#-+!:\\a \n", "ref>", "<ref", "<!--", "-->", "nowiki>"])
).map("".join)


@given(MARKUP | st.text(), st.sampled_from([Format.WIKITEXT, Format.MARKDOWN]))
def test_any_line_has_spans_inside_it_and_a_state(text: str, format: Format) -> None:
    state = 0
    for line in text.split("\n"):
        spans, state = highlighter(format)(line, state)
        assert 0 <= state < STATES
        assert all(0 <= span.start < span.end <= len(line) for span in spans)


@pytest.mark.parametrize(
    "line", ["[" * 19_000, "`" * 9_000 + "a`" * 4_000, "<ref " * 3_000, "{{" * 9_000, "*a " * 6_000]
)
@pytest.mark.parametrize("format", [Format.WIKITEXT, Format.MARKDOWN])
def test_a_hostile_line_is_read_in_a_moment(line: str, format: Format) -> None:
    highlighter(format)(line, 1)


def test_every_role_is_used_by_some_format() -> None:
    shown = parts(Format.WIKITEXT, "{{a}}<ref>b</ref>") + parts(
        Format.MARKDOWN, "---\n---\n# a\n**b** *c* ~~d~~ `e` [f](g) <!-- h -->"
    )
    assert {role for role, _ in shown} == {role.value for role in MarkupRole}
