"""Protects the tags that are written after words: the right ones, where the format has a place for them, and outside of
links and emphasis.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from core.documents.types import Format
from core.engine.guide_classes import GuideClass, read_guide_classes
from core.rewriting.inline_tags import (
    attribution,
    fitting_comment,
    fitting_tags,
    lacks_source,
    tag_place,
    tag_text,
)
from core.text.diff import apply_edits
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


@pytest.mark.parametrize("form", Format)
def test_where_a_tag_fits_in_wikitext_a_comment_does_in_files_that_hold_them_beside_the_text(
    form: Format,
) -> None:
    beside = form in (Format.HTML, Format.DOCX, Format.ODT)
    for guide_class, category in (
        ("weasel", ""),
        ("puffery", ""),
        ("certainty", ""),
        ("judgement", ""),
        ("", "puffery"),
    ):
        text = fitting_comment(finding(guide_class, category), form)
        assert bool(text) == beside
        assert text.endswith(".") == beside
    assert fitting_comment(finding("cliche", "puffery"), form) == fitting_comment(finding(), form) == ""


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


def attributed(source: str, words: str, form: Format = Format.PLAIN) -> str:
    """The source with an attribution for a finding of these words."""
    start = source.index(words)
    return apply_edits(source, [attribution(source, start, start + len(words), form)])


@pytest.mark.parametrize(
    ("source", "words", "after"),
    [
        ("Critics say the plan failed.", "Critics say", "[who?] says the plan failed."),
        ("Critics say the plan failed.", "Critics", "[who?] says the plan failed."),
        ("But many experts said it failed.", "many experts", "But [who?] said it failed."),
        ("Some people believe that it failed.", "Some people", "[who?] says that it failed."),
        ("It is widely believed that it failed.", "widely believed", "[who?] says that it failed."),
        ("It had been claimed that it failed.", "claimed", "[who?] said that it failed."),
        ("It is\nsaid that it failed.", "said", "[who?] says that it failed."),
        ("Critics claim victory.", "Critics", "Critics [who?] claim victory."),
        ("It failed, according to critics.", "critics", "It failed, according to critics [who?]."),
        ("Critics say it. Observers say that.", "Observers", "Critics say it. [who?] says that."),
        ("It is\n\nsaid that it failed.", "said", "It is\n\nsaid [who?] that it failed."),
        ("Visit said that.", "said", "Visit said [who?] that."),
    ],
)
def test_an_attribution_leaves_the_name_open_and_the_sentence_sound(
    source: str, words: str, after: str
) -> None:
    assert attributed(source, words) == after


def test_an_attribution_stands_behind_the_link_of_its_words() -> None:
    assert attributed("A [rumour](http://x) of it.", "rumour", Format.MARKDOWN) == (
        "A [rumour](http://x) [who?] of it."
    )


def test_attributions_are_for_claims_without_a_source_where_no_template_asks() -> None:
    weasel = finding("weasel")
    assert lacks_source(weasel, Format.PLAIN)
    assert lacks_source(finding("", "unsupported_attribution"), Format.DOCX)
    assert not lacks_source(weasel, Format.WIKITEXT)
    assert not lacks_source(replace(weasel, quoted=True), Format.PLAIN)
    assert not lacks_source(finding("puffery"), Format.PLAIN)
