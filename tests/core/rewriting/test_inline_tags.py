"""Protects the tags that are written after words: the right ones, where the format has a place for them, and outside of
links and emphasis.
"""

from __future__ import annotations

from datetime import date

import pytest

from core.documents.types import Format
from core.engine.guide_classes import GuideClass, read_guide_classes
from core.rewriting.inline_tags import fitting_tags, tag_place, tag_text
from core.types import Cue, Finding, Kind
from resources import ROOT


def finding(guide_class: str = "", category: str = "") -> Finding:
    why = (Cue("some", category, "MOS:WEASEL"),) if category else ()
    return Finding(0, 4, "some", Kind.FRAMING, 0.9, False, why, "1", guide_class=guide_class)


@pytest.mark.parametrize(
    ("guide_class", "category", "names"),
    [
        ("weasel", "puffery", ("who", "according to whom")),
        ("puffery", "", ("peacock inline",)),
        ("certainty", "", ("citation needed", "according to whom")),
        ("judgement", "", ("according to whom", "citation needed")),
        ("", "puffery", ("peacock inline",)),
        ("", "unsupported_attribution", ("who", "according to whom")),
        ("cliche", "puffery", ()),
        ("", "", ()),
    ],
)
def test_the_class_decides_which_tags_fit(guide_class: str, category: str, names: tuple[str, ...]) -> None:
    assert fitting_tags(finding(guide_class, category), Format.WIKITEXT) == names
    assert fitting_tags(finding(guide_class, category), Format.MARKDOWN) == names
    for form in (Format.PLAIN, Format.HTML, Format.DOCX, Format.ODT):
        assert fitting_tags(finding(guide_class, category), form) == ()


def test_the_classes_are_those_of_the_guides() -> None:
    known: dict[str, GuideClass] = read_guide_classes(ROOT / "lexicons" / "guide_classes.tsv")
    assert {"weasel", "puffery", "certainty", "judgement"} <= known.keys()


def test_a_template_has_the_month_in_english() -> None:
    assert tag_text("who", Format.WIKITEXT, today=date(2026, 3, 1)) == "{{who|date=March 2026}}"
    assert tag_text("who", Format.WIKITEXT) == "{{who}}"
    assert tag_text("who", Format.MARKDOWN, today=date(2026, 3, 1)) == "<!-- who -->"


@pytest.mark.parametrize(
    ("source", "form", "after"),
    [
        ("a famous, plan", Format.WIKITEXT, "famous"),
        ("a '''famous''' plan", Format.WIKITEXT, "famous'''"),
        ("a [[fame|famous]] plan", Format.WIKITEXT, "famous]]"),
        ("a ''[[fame|famous poet]]'' plan", Format.WIKITEXT, "famous poet]]''"),
        ("a [http://x famous poet] plan", Format.WIKITEXT, "famous poet]"),
        ("a famous [[poet]] plan", Format.WIKITEXT, "famous"),
        ("a **famous** plan", Format.MARKDOWN, "famous**"),
        ("a [famous](http://x) plan", Format.MARKDOWN, "famous](http://x)"),
        ("a *[famous][1]* plan", Format.MARKDOWN, "famous][1]*"),
        ("a famous (good) plan", Format.MARKDOWN, "famous"),
    ],
)
def test_a_tag_stands_behind_link_and_emphasis(source: str, form: Format, after: str) -> None:
    at = tag_place(source, source.index("famous") + len("famous"), form)
    assert source[:at].endswith(after)
    assert at == source.index(after) + len(after)
