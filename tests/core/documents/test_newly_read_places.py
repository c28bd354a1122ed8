"""Protects edits where words are wrapped in markup: each word that is read can be replaced alone, and is read again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import Document, Format, parse, prose
from core.text.tokens import WORD

PLACES = {
    Format.WIKITEXT: (
        "[[File:A.png|thumb|alt=Her long walk|A walk with [[dog|her dog]].]]",
        "She ran.{{efn|name=a|A note ''of'' hers.}} She hid.",
        "She ran.<ref group=n>Another note.</ref>",
        "A {{nowrap|very {{small|small}} town}} lies here.",
        "{|\n|+ The caption\n! One !! width=3 | two\n|-\n| three || {{abbr|four|five}}\n|}",
        "<gallery>\nFile:A.png|A gate\nB.png|alt=Over|Some wall\n</gallery>",
        "{{Infobox town\n| name = Ayr\n| caption = The gate\n| motto = Always true words\n}}",
        "{{quote|Her own words.|Ann}}",
        "<table><tr><td>Five<td>six</table>",
        "{{Short description|A town in a valley}}",
    ),
    Format.MARKDOWN: (
        "| One | *two* |\n|---|:-:|\n| `x` three | four \\| five |",
        "<details><summary>Six</summary>\nSeven &amp; <b>eight</b>\n</details>",
        "<p><img src='a.png' alt='Nine gates'> ten</p>",
        "> <div>\n> eleven\n> twelve\n> </div>",
        "<Card kind='x'>\nThirteen *fourteen*\n</Card>",
        "- item\n\n  | a | b |\n  |---|---|\n  | c | d |",
    ),
}
FIELDS = (
    "---\ntitle: \"The \\\"old\\\" gate: a guide\"\nsubtitle: 'It''s old'\n"
    "summary: >-\n  One line\n  and more\n---\n\n"
)


def read(document: Document) -> list[str]:
    return [prose(document, sentence).text for sentence in document.sentences]


@pytest.mark.parametrize("format", PLACES)
def test_a_replaced_word_is_read_where_the_old_one_was(format: Format) -> None:
    @given(st.lists(st.sampled_from(PLACES[format]), min_size=1, max_size=4), st.booleans(), st.data())
    def check(parts: list[str], with_fields: bool, data: st.DataObject) -> None:
        before = FIELDS if with_fields and format is Format.MARKDOWN else ""
        source = before + "\n\n".join(parts)
        document = parse(source, format)
        number = data.draw(st.integers(0, len(document.sentences) - 1))
        shown = prose(document, document.sentences[number])
        word = data.draw(st.sampled_from(list(WORD.finditer(shown.text))))
        start, end = shown.offsets[word.start()], shown.end(word.end() - 1)
        if source[start:end] != word.group():
            return
        after = parse(f"{source[:start]}swapped{source[end:]}", format)
        expected = read(document)
        expected[number] = shown.text[: word.start()] + "swapped" + shown.text[word.end() :]
        assert read(after) == expected

    check()


@pytest.mark.parametrize("format", PLACES)
def test_everything_in_these_places_is_read(format: Format) -> None:
    for place in PLACES[format]:
        document = parse(place, format)
        assert document.sentences, place
        assert document.unread == (), place
