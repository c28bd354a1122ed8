"""Protects plain text: where paragraphs end, what is masked, and how a format is told."""

from __future__ import annotations

import pytest

from core.documents import Format, parse, prose
from core.documents.format_specs import detect_format


def sentences(source: str) -> list[str]:
    document = parse(source, Format.PLAIN)
    return [prose(document, sentence).text for sentence in document.sentences]


def test_blank_lines_end_sentences_of_any_line_end() -> None:
    for end in ("\n", "\r\n", "\r"):
        assert sentences(f"A title{end}{end}One. Two{end}{end}{end}three") == [
            "A title",
            "One.",
            "Two",
            "three",
        ]


def test_a_wrapped_line_goes_on_and_a_short_one_does_not() -> None:
    wrapped = "The committee met for three hours on\nMonday and then rejected the proposal\nof the mayor. Nobody spoke."
    assert sentences(wrapped) == [
        "The committee met for three hours on\nMonday and then rejected the proposal\nof the mayor.",
        "Nobody spoke.",
    ]
    assert sentences("Mayor resigns\nThe mayor resigned on Monday after a long dispute.") == [
        "Mayor resigns",
        "The mayor resigned on Monday after a long dispute.",
    ]


def test_list_items_are_apart_and_their_markers_are_not_read() -> None:
    assert sentences("We need:\n- milk\n- two eggs\n1. first\n2. second") == [
        "We need:", "milk", "two eggs", "first", "second",
    ]  # fmt: skip
    assert sentences("J. Smith came.") == ["J. Smith came."]


def test_a_number_at_the_start_of_a_wrapped_line_is_no_list_marker() -> None:
    assert sentences(
        "The treaty was signed in the city of Rome on June\n12. Then the war ended for good in all of Italy."
    ) == [
        "The treaty was signed in the city of Rome on June\n12.",
        "Then the war ended for good in all of Italy.",
    ]


@pytest.mark.parametrize(
    ("source", "read"),
    [
        ("See https://a.b/c_(d)?e=f. Then go.", ["See  .", "Then go."]),
        ("(See http://a.b/c)", ["(See  )"]),
        ("Write to jane.doe+x@mail.example.org, please.", ["Write to  , please."]),
        ("Go to www.example.org now", ["Go to   now"]),
        ("An @name, a@b and 3:4 stay.", ["An @name, a@b and 3:4 stay."]),
    ],
)
def test_addresses_are_read_as_one_space(source: str, read: list[str]) -> None:
    assert sentences(source) == read


def test_rules_are_no_prose() -> None:
    assert sentences("One\n-----\nTwo\n* * *\n***\nThree") == ["One", "Two", "Three"]


@pytest.mark.parametrize(
    ("path", "source", "kind"),
    [
        ("a.md", "[[x]]", Format.MARKDOWN),
        ("A.MARKDOWN", "", Format.MARKDOWN),
        ("a.wiki", "plain", Format.WIKITEXT),
        ("a.mediawiki", "plain", Format.WIKITEXT),
        ("dir.md/a.wikitext", "plain", Format.WIKITEXT),
        ("-", "It is [[London|a city]].", Format.WIKITEXT),
        ("a.txt", "{{Infobox person\n| name = A\n}}\n", Format.WIKITEXT),
        ("", "Text.<ref name='a'>b</ref>", Format.WIKITEXT),
        ("", "Text.<ref>b</ref>", Format.WIKITEXT),
        ("a.txt", "An array a[0][1], a {set}, a < b, # not a heading.", Format.PLAIN),
        ("", "", Format.PLAIN),
    ],
)
def test_the_format_is_told_by_suffix_then_by_mark_up(path: str, source: str, kind: Format) -> None:
    assert detect_format(path, source) is kind
