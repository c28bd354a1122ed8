"""Protects the findings of rules in a report: the reader's stay as they are, and one place is one finding."""

from __future__ import annotations

import itertools
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.documents import Format, parse
from core.engine.engine import Engine
from core.style.matcher import StyleMatcher
from core.style.packs import StylePack, StyleRule
from core.style.style_findings import StyleChecker, merge_findings
from core.types import Finding, Kind, StyleNote


def checker(*terms: str, **options: bool) -> StyleChecker:
    rule = StyleRule("p/r", "P", "No “{match}”.", terms=terms, replacements=("x",), **options)  # type: ignore[arg-type]
    return StyleChecker(StyleMatcher([StylePack("p", Path(), "P", rules=(rule,))]))


def flagged(engine: Engine, source: str, form: Format, rules: StyleChecker, **options: bool) -> list[str]:
    """The words that rules alone flag in a source."""
    document = parse(source, form)
    report = rules.add_to(engine.analyse(document), document, **options)
    found = [one for one in report.findings if one.kind is Kind.STYLE]
    assert all(one.text == source[one.start : one.end] for one in found)
    assert report.summary.style == len(found)
    return [one.text for one in found]


@pytest.mark.parametrize(
    ("source", "form", "words"),
    [
        ("The meeting is on Monday.", Format.PLAIN, ["meeting"]),
        (
            "The ''meet''ing and the [[Meeting (law)|meeting]] of {{meeting}}.",
            Format.WIKITEXT,
            ["meet''ing", "meeting"],
        ),
        ("She said: “The meeting is on Monday, as you know.”", Format.PLAIN, []),
        ("<!-- evenhand off -->\n\nThe meeting is on Monday.\n", Format.MARKDOWN, []),
        ("<!-- evenhand off framing -->\n\nThe meeting is on Monday.\n", Format.MARKDOWN, ["meeting"]),
        ("<!-- evenhand off style -->\n\nThe meeting is on Monday.\n", Format.MARKDOWN, []),
        ("😀 The meeting `meeting` is on Monday.", Format.MARKDOWN, ["meeting"]),
    ],
)
def test_rules_read_what_the_reader_reads(
    engine: Engine, source: str, form: Format, words: list[str]
) -> None:
    assert flagged(engine, source, form, checker("meeting")) == words


def test_a_rule_can_count_in_quotations_and_leave_headings_out(engine: Engine) -> None:
    quoted = "She said: “The meeting is on Monday, as you know.”"
    assert flagged(engine, quoted, Format.PLAIN, checker("meeting", quotations=True)) == ["meeting"]
    assert flagged(engine, quoted, Format.PLAIN, checker("meeting"), include_quotes=True) == ["meeting"]
    page = "== The meeting ==\nThe meeting is on Monday.\n"
    assert flagged(engine, page, Format.WIKITEXT, checker("meeting")) == ["meeting", "meeting"]
    assert flagged(engine, page, Format.WIKITEXT, checker("meeting", headings=False)) == ["meeting"]


@pytest.mark.parametrize(
    ("source", "form"),
    [
        ("# The meeting\n\nThe meeting is on Monday.\n", Format.MARKDOWN),
        ("The meeting\n---\n\nThe meeting is on Monday.\n", Format.MARKDOWN),
        ("= The meeting =\nThe meeting is on Monday.\n", Format.WIKITEXT),
    ],
)
def test_headings_in_the_text_are_left_out(engine: Engine, source: str, form: Format) -> None:
    assert flagged(engine, source, form, checker("meeting")) == ["meeting", "meeting"]
    assert flagged(engine, source, form, checker("meeting", headings=False)) == ["meeting"]


def test_headings_that_the_file_tells_are_left_out(engine: Engine) -> None:
    document = parse(
        "The meeting\nThe meeting is on Monday. The meeting is late.", Format.DOCX, headings=[(0, 11)]
    )
    report = checker("meeting", headings=False).add_to(engine.analyse(document), document)
    assert [one.start for one in report.findings if one.kind is Kind.STYLE] == [16, 42]


def test_the_readers_findings_are_the_same_with_and_without_rules(engine: Engine) -> None:
    document = parse("The senator said this shameful policy. The meeting is shameful.", Format.PLAIN)
    alone = engine.analyse(document)
    assert alone.findings
    both = checker("shameful policy", "meeting").add_to(alone, document)
    by_reader = [replace(one, style=None) for one in both.findings if one.kind is not Kind.STYLE]
    assert by_reader == list(alone.findings)
    assert both.summary.kinds == alone.summary.kinds
    assert [one.text for one in both.findings if one.style] == ["shameful", "meeting"]


_SPANS = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 5)), max_size=8)


def _findings(spans: list[tuple[int, int]], kind: Kind) -> list[Finding]:
    found: list[Finding] = []
    for start, length in sorted(spans):
        if not found or found[-1].end <= start:
            note = StyleNote("P", f"p/{start}", "m") if kind is Kind.STYLE else None
            found.append(Finding(start, start + length, "x" * length, kind, 1.0, False, style=note))
    return found


@given(_SPANS, _SPANS)
def test_merged_findings_are_sorted_disjoint_and_complete(
    ones: list[tuple[int, int]], others: list[tuple[int, int]]
) -> None:
    reader, rules = _findings(ones, Kind.FRAMING), _findings(others, Kind.STYLE)
    merged = merge_findings(reader, rules)
    assert all(one.end <= other.start for one, other in itertools.pairwise(merged))
    assert [replace(one, style=None) for one in merged if one.kind is Kind.FRAMING] == reader
    for rule in rules:
        assert rule in merged or any(
            one.style and one.start < rule.end and rule.start < one.end for one in merged
        )
