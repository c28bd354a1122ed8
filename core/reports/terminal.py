"""The report as text for a terminal."""

from __future__ import annotations

import os
import sys
import textwrap
import unicodedata
from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TextIO

from core.documents.unread import notes_with_unread
from core.engine.cue_classes import explain_style, explain_without_cue
from core.engine.cues import Lexicon
from core.reports.descriptions import describe_leaning, explain_missing_leaning
from core.reports.safe_text import GLYPHS, LINE_END
from core.text.diff import apply_edits
from core.text.tokens import WORD
from core.types import KINDS, Finding, Kind, Report, Suggestion, Suggestions, Summary

_COLOURS = {Kind.FRAMING: "35", Kind.EPISTEMOLOGICAL: "36", Kind.DEMOGRAPHIC: "33", Kind.STYLE: "34"}
_BOLD, _FAINT, _UNDERLINE = "1", "2", "4"
NO_SUGGESTIONS: Mapping[Finding, Suggestions] = MappingProxyType({})
_TERM_DEPENDENT = (
    " (This finding depends on the word itself: with a more general word it would not be there.)"
)
_MAX_WORDS_SHOWN = 40
_NARROWEST, _WIDEST = 40, 100


def render_text(
    report: Report,
    source: str,
    *,
    lexicon: Lexicon,
    suggestions: Mapping[Finding, Suggestions] = NO_SUGGESTIONS,
    term_dependent: Collection[Finding] = frozenset(),
    width: int = 80,
    colour: bool = False,
    leaning: bool = False,
) -> str:
    """The report on ``source`` in lines of at most ``width`` columns, except for longer words.

    Lines and columns are counted from 1, columns in code points. ``suggestions`` are printed below their findings;
    findings in ``term_dependent`` have a remark. ``colour`` adds colour and underline, and
    ``leaning`` the political leaning.
    """
    paint = _paint if colour else _plain
    width = min(max(width, _NARROWEST), _WIDEST)
    lines = [f"{paint(printable(report.path), _BOLD)} · {report.format}"]
    for note in notes_with_unread(report):
        lines += _wrapped(note, width, 2)
    lines += _findings(
        report.findings,
        source,
        lexicon,
        suggestions=suggestions,
        term_dependent=term_dependent,
        width=width,
        colour=colour,
    )
    lines += _wrapped(_counts(report.summary), width, 2)
    if leaning:
        lines += _wrapped(_leaning(report.summary), width, 2)
    return "\n".join(lines) + "\n"


def supports_colour(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal whose user has not asked for plain text (no-color.org)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    return sys.platform != "win32" or "WT_SESSION" in os.environ


def printable(text: str) -> str:
    """``text`` on one line, without control characters that affect a terminal; lone surrogates as escapes."""
    return "".join(_shown(character) for character in " ".join(text.split()))


def line_columns(source: str, offsets: Sequence[int]) -> list[tuple[int, int]]:
    """(line, column) of each offset, counted from 1. LF, CRLF and CR end a line."""
    starts = [0, *(match.end() for match in LINE_END.finditer(source))]
    lines = [bisect_right(starts, offset) for offset in offsets]
    return [(line, offset - starts[line - 1] + 1) for line, offset in zip(lines, offsets, strict=True)]


def _findings(
    findings: Sequence[Finding],
    source: str,
    lexicon: Lexicon,
    *,
    suggestions: Mapping[Finding, Suggestions],
    term_dependent: Collection[Finding],
    width: int,
    colour: bool,
) -> list[str]:
    if not findings:
        return ["", "  No findings.", ""]
    paint = _paint if colour else _plain
    places = [f"{line}:{column}" for line, column in line_columns(source, [f.start for f in findings])]
    words = [_shortened(printable(finding.shown)) for finding in findings]
    labels = [_label(finding, lexicon) for finding in findings]
    place_width, word_width, label_width = (max(map(len, column)) for column in (places, words, labels))
    lines = [""]
    for finding, place, word, label in zip(findings, places, words, labels, strict=True):
        style = _COLOURS[finding.kind]
        marked = paint(word, f"{_UNDERLINE};{style}") + " " * (word_width - len(word))
        quoted = " quoted" if finding.quoted else ""
        sure = "" if finding.kind is Kind.STYLE else _share(finding.confidence)
        lines.append(
            f"  {place:>{place_width}}  {paint(GLYPHS[finding.kind], style)} {marked}  "
            f"{label:<{label_width}}  {sure}{quoted}".rstrip()
        )
        remark = _TERM_DEPENDENT if finding in term_dependent else ""
        why = _wrapped(_why(finding, lexicon) + remark, width, place_width + 6)
        lines += [paint(line, _FAINT) for line in why]
        for suggestion in format_suggestions(suggestions.get(finding, Suggestions()), source):
            lines += _wrapped(suggestion, width, place_width + 6)
    return [*lines, ""]


def format_suggestions(suggestions: Suggestions, source: str) -> list[str]:
    """A line for each suggestion: the changed words with one word of context, and the bias before and after."""
    shown = [
        f"→ {_changed(suggestion, source)}  {_share(suggestion.bias_before)} → {_share(suggestion.bias_after)}"
        for suggestion in suggestions.items
    ]
    return shown or [suggestions.note] * bool(suggestions.note)


def _changed(suggestion: Suggestion, source: str) -> str:
    first, last = suggestion.edits[0].start, suggestion.edits[-1].end
    line_start = max(source.rfind("\n", 0, first), source.rfind("\r", 0, first)) + 1
    before = list(WORD.finditer(source, max(line_start, first - _MAX_WORDS_SHOWN), first))
    after = WORD.search(source, last, last + _MAX_WORDS_SHOWN)
    start = before[-1].start() if before else first
    end = after.end() if after else last
    return f"“{printable(apply_edits(source[start:end], suggestion.edits, offset=start))}”"


def _label(finding: Finding, lexicon: Lexicon) -> str:
    """The kind, and the class by the guide or of the first cue, or "from context"; of a style rule its pack."""
    if finding.kind is Kind.STYLE and finding.style:
        return f"{finding.kind.value} · {printable(finding.style.pack)}"
    named = lexicon.guide_class(finding)
    reason = lexicon.classes[finding.why[0].category].label if finding.why else "from context"
    reason = named.title if named else reason
    return f"{finding.kind.value} · {reason}"


def _why(finding: Finding, lexicon: Lexicon) -> str:
    named = lexicon.guide_class(finding)
    cues = [lexicon.explain(cue) for cue in finding.why[:1]]
    if finding.style:
        return " ".join([explain_style(finding.style), *([named.text] if named else cues)])
    if named or cues:
        return " ".join([named.text, *cues] if named else cues)
    return f"{explain_without_cue(finding.kind)} {lexicon.explain_kind(finding.kind)}"


def _counts(summary: Summary) -> str:
    noun = "sentence reads" if summary.sentences == 1 else "sentences read"
    kinds = ", ".join(f"{summary.kinds[kind]} {kind.value}" for kind in KINDS)
    style = f", {summary.style} style" if summary.style else ""
    return f"{summary.biased_sentences} of {summary.sentences} {noun} as biased · {kinds}{style}"


def _leaning(summary: Summary) -> str:
    leaning = summary.leaning
    if leaning is None:
        return explain_missing_leaning(summary.no_leaning)
    sides = (("left", leaning.left), ("center", leaning.center), ("right", leaning.right))
    shares = ", ".join(f"{side} {_share(value)}" for side, value in sides)
    hint = "Weak on outlets not seen before: a hint, not a verdict."
    return f"Leaning: {describe_leaning(leaning)} ({shares}; spread {_share(leaning.spread)}) {hint}"


def _share(value: float) -> str:
    """A probability with two digits and no zero before the point."""
    return f"{value:.2f}".removeprefix("0")


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_WORDS_SHOWN else text[: _MAX_WORDS_SHOWN - 1] + "…"


def _wrapped(text: str, width: int, indent: int) -> list[str]:
    space = " " * indent
    return textwrap.wrap(
        printable(text), width, initial_indent=space, subsequent_indent=space, break_long_words=False
    )


def _shown(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Cs":
        return f"\\u{ord(character):04x}"
    steers = category == "Cc" or character in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return "\ufffd" if steers else character


def _paint(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m"


def _plain(text: str, _style: str) -> str:
    return text
