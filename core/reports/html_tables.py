"""The tables of the HTML report: the summary, the findings with explanations, and the changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import islice

from core.engine.cues import Lexicon
from core.i18n import ntr, tr
from core.reports.descriptions import describe_leaning, explain_missing_leaning, format_probabilities
from core.reports.safe_text import GLYPHS, LINE_END, escape_visibly, isolate, kind_name, single_line
from core.text.diff import DiffRow, DiffSegment, TextDiff
from core.types import Finding, Kind, Report, Suggestion, Suggestions, Summary

MAX_ROWS = 800
"""Changed paragraphs that are shown; of the rest only the number is given."""


@dataclass(frozen=True, slots=True)
class ReportEntry:
    """One document of an HTML report.

    Without a ``report``, ``error`` says why there is none. ``source`` is the text to which the report's offsets refer;
    ``before`` is the text as it was opened, None where changes are not reported; ``ignored`` is the number of ignored
    findings, which are left out; ``words`` is the number of words of its prose. Without
    ``leaning`` the political leaning is left out.
    """

    path: str
    report: Report | None = None
    source: str = ""
    suggestions: Mapping[Finding, Suggestions] = field(default_factory=dict)
    before: str | None = None
    ignored: int = 0
    include_quotes: bool = False
    error: str = ""
    words: int = 0
    leaning: bool = False


def summary_table(entry: ReportEntry, report: Report) -> str:
    """Words, biased sentences, mean bias, findings of each kind, and the political leaning if it is wanted."""
    summary = report.summary
    rows = [
        (tr("Words"), f"{entry.words:,}"),
        (tr("Sentences that read as biased"), _biased(summary)),
        (tr("Mean bias, from 0 (neutral) to 1"), f"{summary.bias:.2f}"),
        *(
            (_with_glyph(kind_name(kind), GLYPHS[kind]), f"{count:,}")
            for kind, count in summary.kinds.items()
        ),
        (tr("Ignored findings, not listed"), f"{entry.ignored:,}"),
        (tr("Quotations"), tr("included") if entry.include_quotes else tr("left out")),
    ]
    if entry.leaning:
        rows.append((tr("Leaning"), _leaning(summary)))
    cells = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>\n' for name, value in rows
    )
    return f'<table class="figures">\n{cells}</table>\n'


def _with_glyph(name: str, glyph: str) -> str:
    return tr("{glyph} Findings, {kind}").format(glyph=glyph, kind=name)


def _biased(summary: Summary) -> str:
    share = round(100 * summary.biased_sentences / summary.sentences) if summary.sentences else 0
    return tr("{biased} of {all} ({share}%)").format(
        biased=f"{summary.biased_sentences:,}", all=f"{summary.sentences:,}", share=share
    )


def _leaning(summary: Summary) -> str:
    if summary.leaning is None:
        return explain_missing_leaning(summary.no_leaning)
    return f"{describe_leaning(summary.leaning)} {format_probabilities(summary.leaning)}."


def finding_table(entry: ReportEntry, report: Report, anchor: str, lexicon: Lexicon) -> Iterator[str]:
    """The findings, one row each, in parts; row and mark link to each other by ``anchor``."""
    if not report.findings:
        nothing = tr("Nothing is marked.")
        yield f"<p>{escape(nothing)}</p>\n"
        return
    names = [tr("No."), tr("Words"), tr("Kind"), tr("Confidence"), tr("Line"), tr("Why")]
    if entry.suggestions:
        names.append(tr("Suggestions (bias before → after)"))
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    style = "findings suggested" if entry.suggestions else "findings"
    yield f'<table class="{style}">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n'
    quoted_label = escape(tr("quoted"))
    line = 1
    ends = LINE_END.finditer(entry.source)
    end = next(ends, None)
    for number, finding in enumerate(report.findings, 1):
        while end is not None and end.end() <= finding.start:
            line += 1
            end = next(ends, None)
        quoted = f" ({quoted_label})" if finding.quoted else ""
        cells = [
            f'<th scope="row" id="{anchor}-{number}"><a href="#{anchor}-m{number}">{number}</a></th>',
            f'<td lang="en">{isolate(single_line(finding.shown))}</td>',
            f'<td class="{finding.kind.value}">{GLYPHS[finding.kind]} {escape(kind_name(finding.kind))}{quoted}</td>',
            "<td></td>" if finding.kind is Kind.STYLE else f"<td>{round(100 * finding.confidence)}%</td>",
            f"<td>{line:,}</td>",
            f"<td>{_why(finding, lexicon)}</td>",
        ]
        if entry.suggestions:
            cells.append(f'<td lang="en">{_suggestions(entry, finding)}</td>')
        yield f"<tr>{''.join(cells)}</tr>\n"
    yield "</tbody>\n</table>\n"


def _why(finding: Finding, lexicon: Lexicon) -> str:
    reasons = lexicon.reasons(finding)
    if not (finding.guide_class or finding.why or finding.style):
        return isolate(f"{' '.join(reasons)} {lexicon.explain_kind(finding.kind)}")
    guides = " ".join(
        f'<a href="{escape(address)}">{escape(name)}</a>' for name, address in lexicon.guides(finding)
    )
    return f"{isolate(' '.join(reasons))} {guides}".rstrip()


def _suggestions(entry: ReportEntry, finding: Finding) -> str:
    suggestions = entry.suggestions.get(finding, Suggestions())
    if not suggestions.items:
        return escape_visibly(suggestions.note)
    items = "".join(f"<li>{_suggestion(one, entry.source)}</li>" for one in suggestions.items)
    return f"<ol>{items}</ol>"


def _suggestion(suggestion: Suggestion, source: str) -> str:
    changes = " ".join(
        f"{_old(source[edit.start : edit.end])} → {_new(edit.text)}" for edit in suggestion.edits
    )
    return f"{changes} ({suggestion.bias_before:.2f} → {suggestion.bias_after:.2f})"


def _old(words: str) -> str:
    return f"<del>{isolate(single_line(words))}</del>"


def _new(words: str) -> str:
    return f"<ins>{isolate(single_line(words))}</ins>" if words.strip() else escape(tr("(deleted)"))


def change_table(difference: TextDiff) -> Iterator[str]:
    """The changed paragraphs before and after, in parts."""
    if not difference.changes:
        nothing = tr("Nothing: the text is as it was opened.")
        yield f"<p>{escape(nothing)}</p>\n"
        return
    count = len(difference.changes)
    text = ntr(
        "{count} change since the text was opened.", "{count} changes since the text was opened.", count
    )
    yield f"<p>{escape(text.format(count=f'{count:,}'))}</p>\n"
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (tr("As opened"), tr("Now")))
    yield f'<table class="changes">\n<thead><tr>{heads}</tr></thead>\n<tbody>\n'
    changed = [row for row in difference.rows if _differs(row)]
    for row in islice(changed, MAX_ROWS):
        sides = (_side(row.before, "del"), _side(row.after, "ins"))
        yield "<tr>" + "".join(f'<td dir="auto">{side}</td>' for side in sides) + "</tr>\n"
    yield "</tbody>\n</table>\n"
    if len(changed) > MAX_ROWS:
        left = tr("{left} more changed paragraphs are not shown.").format(left=f"{len(changed) - MAX_ROWS:,}")
        yield f"<p>{escape(left)}</p>\n"


def _differs(row: DiffRow) -> bool:
    return not row.skipped and (row.before != row.after or any(part.changed for part in row.before))


def _side(stretches: Sequence[DiffSegment], tag: str) -> str:
    return "".join(
        f"<{tag}>{escape_visibly(part.text)}</{tag}>" if part.changed else escape_visibly(part.text)
        for part in stretches
    )
