"""The HTML report: whatever stands in a draft stays words, the draft can be read back whole, and nothing is loaded."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.engine.cues import Lexicon
from core.engine.engine import bundled_reader
from core.reports.chart_data import count_cues, leaning_interval, paragraph_bars
from core.reports.descriptions import describe_leaning, leaning_caveat
from core.reports.html_report import CONTENT_SECURITY_POLICY, ReportContext, render_page
from core.reports.html_tables import ReportEntry
from core.reports.model_notes import ModelSummary, render_card, summarise_model
from core.reports.svg_charts import bias_by_paragraph, kinds, leaning_by_paragraph
from core.text.diff import TextEdit
from core.text.tokens import WORD
from core.types import (
    KINDS,
    Cue,
    Finding,
    Kind,
    Leaning,
    ParagraphReading,
    Report,
    SentenceReading,
    Suggestion,
    Suggestions,
    Summary,
    count_kinds,
    fingerprint,
)

LEXICON = Lexicon.load()
MADE = datetime(2026, 3, 4, 15, 30, tzinfo=UTC)
CONTEXT = ReportContext(
    MADE,
    "0.1.0",
    (ModelSummary("reader small 1.0", "reader", "run-1", ("It knows <US> news.",)),),
)
LEAN = Leaning(0.2, 0.3, 0.5, 0.1)
ALLOWED = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "header",
        "main",
        "nav",
        "section",
        "h1",
        "h2",
        "h3",
        "h4",
    ),
    *(
        "h5",
        "h6",
        "p",
        "div",
        "ol",
        "ul",
        "li",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "figure",
        "figcaption",
    ),
    *(
        "svg",
        "desc",
        "rect",
        "line",
        "circle",
        "text",
        "mark",
        "sup",
        "a",
        "bdi",
        "code",
        "del",
        "ins",
    ),
    *("span", "em", "strong", "pre", "blockquote", "hr", "br"),
}
EMPTY = {"meta", "rect", "line", "circle", "hr", "br"}
PARTS = (
    *(
        "The shameful ",
        "word ",
        "<script>alert(1)</script>",
        "</p>",
        "</style>",
        "<!-- ",
        "-->",
        "&amp;",
        "&#60;b>",
    ),
    *(
        '" onload="x',
        "' style='x",
        "\u202e",
        "\u2066",
        "\u2069",
        "\ud800",
        "\0",
        "\x1b[31m",
        "\x85",
        "\u2028",
    ),
    *(
        "\n",
        "\r\n",
        "\r",
        "\t",
        "  ",
        "👍🏽",
        "وليد ",
        "e\u0301",
        "]]>",
        "{x}",
        "<mark class=framing>",
        "\ufffe",
    ),
)
TEXTS = st.lists(st.one_of(st.sampled_from(PARTS), st.text(max_size=6)), max_size=30).map("".join)


class Parsed(HTMLParser):
    """The elements of a page in order, and the text of its draft with the signs read back."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.lines: list[str] = []
        self._draft = 0
        self._sign = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in EMPTY:
            self.open.append(tag)
        if (tag, dict(attrs).get("class")) == ("div", "draft"):
            self._draft = len(self.open)
        elif self._draft and tag == "p":
            self.lines.append("")
        self._sign = tag == "code" and dict(attrs).get("class") == "sign"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "every element is closed in its order"
        self._sign = False
        if len(self.open) < self._draft:
            self._draft = 0

    def handle_data(self, data: str) -> None:
        if self._draft and self.open[-1] != "div" and "sup" not in self.open:
            self.lines[-1] += chr(int(data.removeprefix("U+"), 16)) if self._sign else data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")


def report_on(
    source: str, *, flagged: Sequence[tuple[int, int]] | None = None, leaning: Leaning | None = LEAN
) -> Report:
    """A sound report on any text: every third word is a finding, every line a sentence and a paragraph."""
    if flagged is None:
        flagged = [match.span() for match in list(WORD.finditer(source))[::3]]
    findings = tuple(
        Finding(
            start,
            end,
            source[start:end],
            KINDS[number % 3],
            0.5,
            quoted=False,
            why=(Cue(source[start:end], "puffery", "MOS:PUFFERY"),) if number % 2 else (),
            fingerprint=fingerprint(Kind.FRAMING, source[start:end], "", ""),
        )
        for number, (start, end) in enumerate(flagged)
    )
    lines = [match.span() for match in re.finditer(r"[^\r\n]+", source)]
    sentences = tuple(SentenceReading(*line, 0.6, True, False, LEAN) for line in lines)
    paragraphs = tuple(ParagraphReading(*line, 0.6, 1, leaning) for line in lines)
    summary = Summary(len(lines), len(lines), 0.6, leaning, count_kinds(findings))
    return Report("draft.md", "markdown", len(source), summary, sentences, findings, (), paragraphs)


def shown_draft(html: str) -> str:
    return "\n".join(Parsed(html).lines)


def only_allowed(html: str) -> Parsed:
    parsed = Parsed(html)
    for tag, attributes in parsed.tags:
        assert tag in ALLOWED
        assert not any(name.startswith("on") or name in ("style", "src", "srcdoc") for name in attributes)
        address = attributes.get("href", "#")
        assert address is not None
        assert address.startswith(("#", "https://", "http://"))
    assert not parsed.open
    return parsed


@given(TEXTS)
@settings(max_examples=120)
def test_any_text_stays_words(source: str) -> None:
    html = render_page([ReportEntry("draft.md", report_on(source), source)], CONTEXT, lexicon=LEXICON)
    html.encode("utf-8")
    only_allowed(html)
    assert shown_draft(html) == re.sub("\r\n?", "\n", source)


@given(TEXTS, TEXTS)
@settings(max_examples=60)
def test_names_notes_changes_and_suggestions_are_escaped(bad: str, before: str) -> None:
    """Everything that comes from outside, not the draft alone."""
    source = "A shameful end."
    report = replace(report_on(source, flagged=[(2, 10)]), notes=(bad,), path=bad)
    offered = Suggestions((Suggestion((TextEdit(2, 10, bad),), bad, 0.9, 0.8, 0.2),))
    context = replace(CONTEXT, version=bad, models=(ModelSummary(bad, bad, bad, (bad,)),))
    entries = [
        ReportEntry(bad, report, source, {report.findings[0]: offered}, before=before + bad),
        ReportEntry(bad, error=bad),
    ]
    html = render_page(entries, context, lexicon=LEXICON)
    html.encode("utf-8")
    only_allowed(html)


def test_marks_are_numbered_and_lead_to_their_findings() -> None:
    """A mark is told by words and a number, not by its colour alone; number and row lead to each other."""
    source = "A shameful plan. The chairman\nclaims it."
    report = report_on(source, flagged=[(2, 10), (21, 36)])
    html = render_page([ReportEntry("draft.md", report, source)], CONTEXT, lexicon=LEXICON)
    parsed = only_allowed(html)
    ids = [attributes["id"] for _, attributes in parsed.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = [attributes["href"] for tag, attributes in parsed.tags if tag == "a"]
    assert {"#f1-1", "#f1-2", "#f1-m1", "#f1-m2"} <= set(links)
    assert all(link is not None and (link[0] != "#" or link[1:] in ids) for link in links)
    marks = [attributes for tag, attributes in parsed.tags if tag == "mark" and attributes.get("title")]
    assert [mark["class"] for mark in marks] == ["framing", "epistemological", "epistemological"]
    assert marks[0]["title"] == "framing, confidence 50%"
    assert "●1" in html
    assert "MOS:PUFFERY" in html
    assert "No word list contains this wording" in html


def test_the_page_loads_and_runs_nothing() -> None:
    source = "A shameful plan. See https://example.org."
    html = render_page([ReportEntry("draft.md", report_on(source), source)], CONTEXT, lexicon=LEXICON)
    parsed = only_allowed(html)
    metas = [attributes for tag, attributes in parsed.tags if tag == "meta"]
    assert metas[0] == {"charset": "utf-8"}
    assert {"http-equiv": "Content-Security-Policy", "content": CONTENT_SECURITY_POLICY} in metas
    assert CONTENT_SECURITY_POLICY == "default-src 'none'; style-src 'unsafe-inline'"
    style = html[html.index("<style>") : html.index("</style>")]
    assert not re.search(r"url\(|@import|@font-face|expression", style)
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    assert parsed.tags[0] == ("html", {"lang": "en"})


def test_it_says_when_what_and_what_it_cannot_say() -> None:
    source = "A shameful plan."
    entry = ReportEntry(
        "draft.md",
        replace(report_on(source), leaning_f1=0.5424),
        source,
        ignored=3,
        before="A plan.",
        include_quotes=True,
        leaning=True,
    )
    html = render_page([entry], CONTEXT, lexicon=LEXICON)
    for told in (
        "2026-03-04 15:30 UTC",
        "Evenhand 0.1.0",
        "reader small 1.0",
        "Training run: run-1",
        "It knows &lt;US&gt; news.",
        "1 of 1 (100%)",
        "The wording most resembles that of right outlets.",
        "macro-F1 is 0.54",
        "Limitations of this report",
        "<ins>shameful</ins>",
        "1 change since the text was opened.",
    ):
        assert told in html
    assert re.search(r"not listed</th><td>3<", html)
    assert re.search(r"Quotations</th><td>included<", html)
    levels = [int(tag[1]) for tag, _ in Parsed(html).tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    heads = [attributes for tag, attributes in Parsed(html).tags if tag == "th"]
    assert all(attributes.get("scope") in ("row", "col") for attributes in heads)


def test_the_political_leaning_is_only_there_where_it_is_wanted() -> None:
    """Not in the summary, not as a chart, and no caveat about it either."""
    source = "A shameful plan."
    entry = ReportEntry("draft.md", replace(report_on(source), leaning_f1=0.5424), source)
    there = [
        "eaning" in render_page([replace(entry, leaning=on)], CONTEXT, lexicon=LEXICON)
        for on in (False, True)
    ]
    assert there == [False, True]


def test_several_files_and_errors_keep_their_order() -> None:
    source = "A shameful plan."
    entries = [
        ReportEntry("gone.md", error="gone.md is not there."),
        ReportEntry("b.md", report_on(source), source),
    ]
    html = render_page(entries, CONTEXT, lexicon=LEXICON)
    assert html.index("gone.md is not there.") < html.index("The draft")
    assert '<a href="#f2">' in html
    assert render_page([], CONTEXT, lexicon=LEXICON).count("<section>") == 2


def test_missing_findings_leaning_and_changes_are_stated() -> None:
    source = "A plan."
    entry = ReportEntry(
        "draft.md", report_on(source, flagged=[], leaning=None), source, before=source, leaning=True
    )
    html = render_page([entry], CONTEXT, lexicon=LEXICON)
    for told in ("Nothing is marked.", "No leaning is given", "Nothing: the text is as it was opened."):
        assert told in html
    assert "0.399" not in html
    empty = render_page([ReportEntry("e.md", report_on(""), "")], CONTEXT, lexicon=LEXICON)
    assert shown_draft(empty) == ""
    assert empty.count("<svg") == 1


def test_a_megabyte_of_one_word() -> None:
    """No blow-up in time or size, and the finding is cut where it is told again."""
    source = "x" * 1_000_000
    html = render_page(
        [ReportEntry("draft.md", report_on(source, flagged=[(0, len(source))]), source)],
        CONTEXT,
        lexicon=LEXICON,
    )
    assert shown_draft(html) == source
    assert len(html) < 1_100_000


@pytest.mark.parametrize("count", [0, 1, 7, 1_000])
def test_charts_are_xml_by_themselves(count: int) -> None:
    """Also what a PDF draws them from: real text, no reference, a title and the figures in words."""
    source = "\n".join(f"Line {number}." for number in range(count))
    report = report_on(source)
    bars = paragraph_bars(report)
    assert len(bars) <= 120
    assert sum(bar.last - bar.first + 1 for bar in bars) == count
    assert sum(sum(bar.kinds.values()) for bar in bars) == len(report.findings)
    for svg in (
        bias_by_paragraph(bars, name="a"),
        leaning_by_paragraph(bars, name="b"),
        kinds(report.summary.kinds, name="c"),
    ):
        root = Xml.fromstring(svg)
        texts = [part for part in root.iter() if part.tag.endswith("}text")]
        assert texts
        assert root.get("role") == "img"
        assert "url(" not in svg
        assert all("nan" not in value for part in root.iter() for value in part.attrib.values())


def test_cards_are_rendered_without_their_own_markup() -> None:
    """A card may come from an imported bundle: no HTML, no image, no address but of the web."""
    card = (
        "# Big\n\n<script>x</script> **bold** [bad](javascript:alert(1)) [good](https://example.org)\n\n"
        "![picture](https://example.org/x.png) [data](data:text/html,x) ![data](data:image/png;base64,x)\n\n"
        "| a | b |\n|:--|--:|\n| 1 | <img src=x onerror=y> |\n"
    )
    html = render_card(card, level=4)
    assert html.startswith("<h4>")
    assert "<script" not in html
    assert "<img" not in html
    assert "style=" not in html
    assert re.findall(r'href="([^"]*)"', html) == ["https://example.org", "https://example.org/x.png"]


def test_every_report_names_the_limitations_of_the_models_and_says_where_their_cards_are() -> None:
    """What the bundled reader cannot do is in every report, from its bundle. Its card is not, nor a path to it."""
    from core.bundles.reader import load_reader_bundle

    bundle = load_reader_bundle(bundled_reader())
    summary = summarise_model(bundle)
    assert summary.limitations
    assert bundle.card is not None
    card = " ".join(bundle.card.read_text(encoding="utf-8").split())
    assert all(" ".join(sentence.split()) in card for sentence in summary.limitations)
    source = "A shameful plan."
    entries = [ReportEntry("draft.md", report_on(source, flagged=[(2, 10)]), source)]
    html = render_page(entries, replace(CONTEXT, models=(summary,)), lexicon=LEXICON)
    assert "Help ▸ About Evenhand shows the model cards." in html
    assert "file:" not in html
    assert all(sentence in html for sentence in summary.limitations)
    assert "<details" not in html


@pytest.mark.parametrize(("f1", "shown"), [(0.5424, "macro-F1 is 0.54"), (None, "unreliable for outlets")])
def test_the_score_of_a_leaning_is_that_of_the_reader_or_none(f1: float | None, shown: str) -> None:
    """A score is quoted only where the bundle of the reader that read the text has it."""
    caveat = leaning_caveat(f1)
    assert shown in caveat
    assert ("macro-F1" in caveat) == (f1 is not None)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 2))
def test_the_interval_never_claims_more_than_is_known(first: float, second: float, spread: float) -> None:
    """It holds its value, stays on the scale, and is at least as wide as the windows disagree."""
    left, right = min(first, second), abs(first - second)
    leaning = Leaning(left, max(0.0, 1 - left - right), right, spread)
    value, low, high = leaning_interval(leaning)
    assert -1 <= low <= value <= high <= 1
    assert high - low >= min(spread, 1 - abs(value)) - 1e-9


def test_a_close_call_names_no_side() -> None:
    """One side is named only where it leads."""
    assert "left" in describe_leaning(Leaning(0.6, 0.3, 0.1))
    assert "any side" in describe_leaning(Leaning(0.36, 0.34, 0.3))


def test_the_class_stands_before_the_cues() -> None:
    source = "word other"
    report = report_on(source, flagged=[(0, 4), (5, 10)])
    named = replace(report, findings=tuple(replace(one, guide_class="label") for one in report.findings))
    html = render_page([ReportEntry("draft.md", named, source)], CONTEXT, lexicon=LEXICON)
    label = LEXICON.guide_classes["label"]
    only_allowed(html)
    assert html.count(escape(label.text)) == 2
    assert f"{escape(label.text)} {escape(LEXICON.explain(report.findings[1].why[0]))}" in html
    assert 'href="https://en.wikipedia.org/wiki/MOS:LABEL"' in html
    assert "No word list" not in html
    before = render_page([ReportEntry("draft.md", report, source)], CONTEXT, lexicon=LEXICON)
    assert escape(label.explanation) not in before
    assert "No word list" in before


def test_cues_are_counted_by_class_and_word() -> None:
    source = "word Word other plain"
    report = report_on(source, flagged=[(0, 4), (5, 9), (10, 15), (16, 21)])
    one, two = count_cues(report.findings)
    assert (one.count, two.count) == (2, 2)
    assert {one.category, two.category} == {"", "puffery"}
    assert sum(len(cue.findings) for cue in (one, two)) == 4
