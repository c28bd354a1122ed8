"""Protects folding: closed markup and nothing else, nested or disjoint, the same for every line end.

Whole lines of it, or references and templates inside lines.
"""

from __future__ import annotations

import time
from itertools import combinations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.highlighting import markdown
from core.highlighting.types import Fold, FoldKind

MARKED_UP = [Format.WIKITEXT, Format.MARKDOWN]


def folds(format: Format, text: str) -> list[Fold]:
    found: list[Fold] = FORMATS[format].find_folds(text)
    return found


def hidden(format: Format, text: str) -> list[tuple[str, str, str]]:
    """(kind, line that stays, lines that can be hidden) of all folds."""
    found = []
    for fold in folds(format, text):
        first, _, rest = text[fold.start : fold.end].partition("\n")
        found.append((fold.kind.value, first, rest))
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{{Infobox\n| a = b\n}}\n'''Jane'''", [("template", "{{Infobox", "| a = b\n}}")]),
        ("Jane<ref>cite</ref> is {{who}}.", []),
        ("Jane.<ref>{{cite\n| a = b\n}}</ref>\nIs", [("reference", "Jane.<ref>{{cite", "| a = b\n}}</ref>")]),
        ("A.<ref>{{cite\n| a\n}}</ref> She is", [("reference", "A.<ref>{{cite", "| a")]),
        ("{{a\n}} She is", []),
        ('<ref name="a" />\n<ref name=b>\nc\n</ref>', [("reference", "<ref name=b>", "c\n</ref>")]),
        (
            "<references>\n<ref name=a>\nb</ref>\n</references>",
            [
                ("reference", "<references>", "<ref name=a>\nb</ref>\n</references>"),
                ("reference", "<ref name=a>", "b</ref>"),
            ],
        ),
        ("{|\n|-\n| a || b\n|}\nend", [("table", "{|", "|-\n| a || b\n|}")]),
        ("{{a\n|}}\n{|\n|}", [("template", "{{a", "|}}"), ("table", "{|", "|}")]),
        (
            "{{a\n| b = {{c\n| d\n}}\n}}",
            [("template", "{{a", "| b = {{c\n| d\n}}\n}}"), ("template", "| b = {{c", "| d\n}}")],
        ),
        ("{{a|{{b\n|c\n}}\n|d\n}}", [("template", "{{a|{{b", "|c\n}}\n|d\n}}")]),
        ("{{{{a}}\n|b}}", [("template", "{{{{a}}", "|b}}")]),
        ("<!-- a\n{{b\n-->\nc }}", [("comment", "<!-- a", "{{b\n-->")]),
        ("<pre>\n{{a\n</PRE>\n}}", [("code", "<pre>", "{{a\n</PRE>")]),
        ("{{open\n\nprose\n== Life ==\nprose }}\nend", []),
        ("{{open\n<ref>\na\n</ref>\nprose", [("reference", "<ref>", "a\n</ref>")]),
        ("<ref>open\n{{a\n}}\nprose", [("template", "{{a", "}}")]),
        ("<!-- open\n{{a\n}}", []),
        ("{{a\n| b = c\n\n| d = e\n}}", [("template", "{{a", "| b = c\n\n| d = e\n}}")]),
        ("{{a\n}}{{b\n}}", [("template", "}}{{b", "}}")]),
    ],
)
def test_wikitext(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert hidden(Format.WIKITEXT, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Jane<ref>cite</ref> is", [("reference", "ref", "<ref>cite</ref>")]),
        (
            'A.<ref name="Doe 1" group=n>{{cite\n| a\n}}</ref> She<ref name=b />',
            [
                ("reference", "ref Doe 1", '<ref name="Doe 1" group=n>{{cite\n| a\n}}</ref>'),
                ("template", "cite", "{{cite\n| a\n}}"),
                ("reference", "ref b", "<ref name=b />"),
            ],
        ),
        (
            "{{Infobox\n| born = {{birth date|1970}}\n| list = {{list\n| a\n}}\n}}",
            [("template", "birth date", "{{birth date|1970}}"), ("template", "list", "{{list\n| a\n}}")],
        ),
        (
            "{{sfn|Doe|1999}}{{efn-ua|a}}{{Sfnote}}{{rpm}}",
            [
                ("reference", "sfn", "{{sfn|Doe|1999}}"),
                ("reference", "efn-ua", "{{efn-ua|a}}"),
                ("reference", "Sfnote", "{{Sfnote}}"),
                ("template", "rpm", "{{rpm}}"),
            ],
        ),
        (
            "<references>\n<ref name=a>\nb</ref>\n</references>",
            [("reference", "ref a", "<ref name=a>\nb</ref>")],
        ),
        ("<!-- <ref>a</ref> --><nowiki>{{a}}</nowiki> <ref>open {{open", []),
        ("a <ref>open\n== Life ==\nb</ref> {| c", []),
        (f"{{{{{'a' * 40}}}}}", [("template", f"{'a' * 23}…", f"{{{{{'a' * 40}}}}}")]),
        ("{{ convert <!-- a --> |5}}", [("template", "convert", "{{ convert <!-- a --> |5}}")]),
    ],
)
def test_references_and_templates_in_lines(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = FORMATS[Format.WIKITEXT].find_inline_folds(text)
    assert [(fold.kind.value, fold.label, text[fold.start : fold.end]) for fold in found] == expected


@given(
    st.lists(
        st.sampled_from(["a ", "<ref>", "<ref name=b>", "<ref/>", "</ref>", "{{", "}}", "{", "}", "|", "\n"])
    )
)
@example(["{{", "{{", "\n", "}}", "}}"])
def test_folds_in_lines_are_nested_or_disjoint_and_begin_and_end_with_markup(parts: list[str]) -> None:
    text = "".join(parts)
    found = FORMATS[Format.WIKITEXT].find_inline_folds(text)
    for fold in found:
        assert text[fold.start : fold.end].startswith(("<ref", "{{"))
        assert text[fold.start : fold.end].endswith((">", "}}"))
        assert fold.label
    for first, second in combinations(found, 2):
        assert first.start <= second.start
        assert second.start >= first.end or second.end <= first.end
    assert FORMATS[Format.WIKITEXT].find_inline_folds(text.replace("\n", "\r")) == found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: a --> b\n---\nprose", [("front matter", "---", "title: a --> b\n---")]),
        ("+++\na = 1\n+++", [("front matter", "+++", "a = 1\n+++")]),
        ("prose\n\n---\nmore\n---", []),
        ("```py\na\n```\nprose", [("code", "```py", "a\n```")]),
        ("~~~\n```\n~~~~\nprose", [("code", "~~~", "```\n~~~~")]),
        ("a <!-- b\nc -->\nd", [("comment", "a <!-- b", "c -->")]),
        ("<!-- b\nc\n--> d", [("comment", "<!-- b", "c")]),
        (
            "<!-- a\nb\n--> prose <!-- c\nd -->",
            [("comment", "<!-- a", "b"), ("comment", "--> prose <!-- c", "d -->")],
        ),
        ("`<!--` is code\nprose -->", []),
        ("---\nopen", []),
        ("```\nopen", []),
        ("<!-- open\n```\n", []),
    ],
)
def test_markdown(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert hidden(Format.MARKDOWN, text) == expected


MARKS = (
    *("{{", "}}", "{|\n", "|}\n", "<ref>", "</ref>", '<ref name="a"/>', "<references>", "</references>"),
    *("<!--", "-->", "<pre>", "</pre>", "---\n", "```\n", "~~~", "\n== a ==\n", "\n", "\n\n"),
)
MARKUP = st.lists(st.sampled_from([*MARKS, *"{}|=-`~+!x👍 \n\t"]), max_size=40).map("".join)


@given(MARKUP | st.text(), st.sampled_from(MARKED_UP))
@example("{{{{\n}}\n}}", Format.WIKITEXT)
def test_folds_are_whole_lines_inside_the_text(text: str, format: Format) -> None:
    text = text.replace("\r", "\n")
    for fold in folds(format, text):
        assert 0 <= fold.start < fold.end <= len(text)
        assert fold.start == 0 or text[fold.start - 1] == "\n"
        assert fold.end == len(text) or text[fold.end] == "\n"
        assert "\n" in text[fold.start : fold.end]


@given(MARKUP, st.sampled_from(MARKED_UP))
def test_folds_are_nested_or_disjoint(text: str, format: Format) -> None:
    """Else unfolding one would show a part of another."""
    found = folds(format, text)
    assert found == sorted(found, key=lambda fold: fold.start)
    for one, other in combinations(found, 2):
        assert one.start < other.start
        assert other.end <= one.end or one.end < other.start


@given(MARKUP, st.sampled_from(MARKED_UP), st.sampled_from(["\r\n", "\r"]))
def test_line_ends_do_not_matter(text: str, format: Format, line_end: str) -> None:
    def place(offset: int) -> int:
        return len(text[:offset].replace("\n", line_end))

    expected = [Fold(place(fold.start), place(fold.end), fold.kind) for fold in folds(format, text)]
    assert folds(format, text.replace("\n", line_end)) == expected


@given(MARKUP)
def test_lines_that_can_be_hidden_are_highlighted_as_markup(text: str) -> None:
    """What Markdown shows as prose is never hidden."""
    lines = text.split("\n")
    state, states = markdown.START, []
    for line in lines:
        states.append(state)
        state = markdown.highlight_line(line, state)[1]
    for fold in folds(Format.MARKDOWN, text):
        first, last = text.count("\n", 0, fold.start), text.count("\n", 0, fold.end)
        assert all(states[number] > markdown.BODY for number in range(first + 1, last + 1))


CLOSED = {
    Format.WIKITEXT: (
        *("{{a\n|b\n}}", "{{a|{{b\n}}\n}}", "<ref>\n{{c}}\n</ref>", "<!--\n-->", "<pre>\n\n</pre>", "{{a}}"),
        *("\n{|\n|-\n| a\n|}", "{{a|\n{|\n|}\n}}", "<ref name=a/>", "<ref>{{a\n}}</ref>"),
    ),
    Format.MARKDOWN: ("<!--\n-->", "<!-- a\n\n -->", "<!-- -->", "\n```\na\n```\n", "\n\n~~~\n```\n~~~\n"),
}


@given(st.sampled_from(MARKED_UP), st.data())
def test_no_prose_is_ever_hidden(format: Format, data: st.DataObject) -> None:
    """Words before a template stand on its first line, words behind it keep its last one visible."""
    pieces = st.sampled_from([*CLOSED[format], "prose", "prose\n", " ", "\n", "\n== prose ==\n"])
    text = "".join(data.draw(st.lists(pieces, max_size=12)))
    assert not any("prose" in rest for _, _, rest in hidden(format, text))


@pytest.mark.parametrize(
    "text",
    [
        "{{\n" * 40_000 + "}}" * 40_000,
        "{{" * 80_000 + "\n" + "}}" * 80_000,
        "<pre>\n" * 40_000,
        "<!--\n" * 40_000,
        "<ref \n" * 40_000,
        "= \n" * 40_000,
        "{|\n" * 40_000 + "|}\n" * 40_000,
        " " * 200_000 + "\n",
        "{{\n}}" + " " * 100_000 + "\n```\n" * 20_000,
    ],
)
@pytest.mark.parametrize("format", MARKED_UP)
def test_a_hostile_text_is_read_in_a_moment(text: str, format: Format) -> None:
    began = time.process_time()
    folds(format, text)
    if FORMATS[format].find_inline_folds is not None:
        FORMATS[format].find_inline_folds(text)
    assert time.process_time() - began < 5


def test_every_kind_is_found_that_the_text_shows() -> None:
    """The others follow from how paragraphs look (`tests/app/editor/test_folding_of_notes.py`)."""
    found = folds(Format.WIKITEXT, "{{a\n}}\n{|\n|}\n<ref>\n</ref>\n<!--\n-->\n<pre>\n</pre>")
    found += folds(Format.MARKDOWN, "---\n---\n")
    assert {fold.kind for fold in found} == set(FoldKind) - {FoldKind.NOTES, FoldKind.MARGINS}


def test_only_wikitext_has_folds_in_lines() -> None:
    assert [form for form in Format if FORMATS[form].find_inline_folds is not None] == [Format.WIKITEXT]


def test_formats_without_markup_have_no_folds() -> None:
    assert FORMATS[Format.PLAIN].find_folds is None
    assert FORMATS[Format.DOCX].find_folds is None
