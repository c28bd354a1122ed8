"""A report as one self-contained HTML page: no external resources, no scripts, all text escaped."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape

import resources
from core.documents.unread import notes_with_unread
from core.engine.cues import Lexicon
from core.i18n import ntr, tr
from core.reports.chart_data import paragraph_bars
from core.reports.descriptions import bias_chart_note, leaning_caveat, leaning_chart_note
from core.reports.html_tables import ReportEntry, change_table, finding_table, summary_table
from core.reports.model_notes import ModelSummary
from core.reports.safe_text import (
    GLYPHS,
    LINE_END,
    escape_visibly,
    isolate,
    kind_name,
    mark_findings,
    single_line,
)
from core.reports.svg_charts import bias_by_paragraph, kinds, leaning_by_paragraph
from core.text.diff import compare_texts
from core.types import Report

CONTENT_SECURITY_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


@dataclass(frozen=True, slots=True)
class ReportContext:
    """When and with what the report was made. ``language`` is that of the interface texts."""

    created_at: datetime
    version: str
    models: tuple[ModelSummary, ...] = ()
    language: str = "en"


def render_page(entries: Sequence[ReportEntry], setting: ReportContext, *, lexicon: Lexicon) -> str:
    """One page on all ``entries``, in their order; files with an error included. The text can be encoded as UTF-8."""
    return "".join(render_parts(entries, setting, lexicon=lexicon))


def render_parts(
    entries: Sequence[ReportEntry], setting: ReportContext, *, lexicon: Lexicon
) -> Iterator[str]:
    """The page in parts, so that progress can be shown; the draft comes line by line."""
    name = single_line(entries[0].path) if len(entries) == 1 else ""
    title = tr("Evenhand report: {name}").format(name=name) if name else tr("Evenhand report")
    yield (
        f'<!doctype html>\n<html lang="{escape(setting.language)}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(CONTENT_SECURITY_POLICY)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{escape(title)}</title>\n<style>\n{_style()}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{isolate(title)}</h1>\n<p>{escape_visibly(_made(setting))}</p>\n</header>\n<main>\n"
    )
    if len(entries) > 1:
        yield _contents(entries)
    for number, entry in enumerate(entries, 1):
        yield from _entry(entry, f"f{number}", lexicon)
    yield _models(setting.models)
    with_leaning = (entry.report for entry in entries if entry.report and entry.leaning)
    yield _limitations([report for report in with_leaning if report.summary.leaning])
    yield "</main>\n</body>\n</html>\n"


@cache
def _style() -> str:
    return (resources.ROOT / "report" / "report.css").read_text(encoding="utf-8")


def _made(setting: ReportContext) -> str:
    when = f"{setting.created_at:%Y-%m-%d %H:%M %Z}".strip()
    readers = ", ".join(single_line(model.title) for model in setting.models)
    made = tr("Created {when} with Evenhand {version}.").format(when=when, version=setting.version)
    with_models = tr("Models: {names}.").format(names=readers)
    return f"{made} {with_models}" if readers else made


def _contents(entries: Sequence[ReportEntry]) -> str:
    items = []
    for number, entry in enumerate(entries, 1):
        if entry.report is None:
            note = tr("not read")
        else:
            count = len(entry.report.findings)
            note = ntr("{count} finding", "{count} findings", count).format(count=f"{count:,}")
        items.append(f'<li><a href="#f{number}">{isolate(entry.path)}</a>: {escape(note)}</li>')
    title = tr("Files")
    return f"<nav>\n<h2>{escape(title)}</h2>\n<ol>{''.join(items)}</ol>\n</nav>\n"


def _entry(entry: ReportEntry, anchor: str, lexicon: Lexicon) -> Iterator[str]:
    yield f'<section id="{anchor}">\n<h2>{isolate(entry.path)}</h2>\n'
    report = entry.report
    if report is None:
        yield f'<p class="error">{escape_visibly(entry.error)}</p>\n</section>\n'
        return
    for note in notes_with_unread(report):
        yield f"<p>{escape_visibly(note)}</p>\n"
    yield _heading(tr("Summary")) + summary_table(entry, report)
    yield _charts(report, anchor, leaning=entry.leaning)
    yield _heading(tr("The draft")) + _legend(entry)
    yield '<div class="draft" lang="en">\n'
    for line in mark_findings(entry.source, report.findings, anchor=anchor):
        yield line + "\n"
    yield "</div>\n"
    yield _heading(tr("Findings"))
    yield from finding_table(entry, report, anchor, lexicon)
    if entry.before is not None:
        yield _heading(tr("What was changed"))
        yield from change_table(compare_texts(_plain(entry.before), _plain(entry.source), context=0))
    yield "</section>\n"


def _heading(text: str) -> str:
    return f"<h3>{escape(text)}</h3>\n"


def _charts(report: Report, anchor: str, *, leaning: bool) -> str:
    bars = paragraph_bars(report)
    made = [_chart_figure(tr("Findings by kind"), kinds(report.summary.kinds, name=f"{anchor}-kinds"))]
    if bars:
        chart = bias_by_paragraph(bars, name=f"{anchor}-bias")
        made.append(_chart_figure(tr("Bias by paragraph"), chart, bias_chart_note(bars)))
    if leaning and any(bar.leaning for bar in bars):
        chart = leaning_by_paragraph(bars, name=f"{anchor}-leaning")
        made.append(
            _chart_figure(tr("Political leaning by paragraph"), chart, leaning_chart_note(report.leaning_f1))
        )
    return "".join(made)


def _chart_figure(name: str, chart: str, note: str = "") -> str:
    legend = f'<p class="legend">{escape(note)}</p>\n' if note else ""
    return f"<figure>\n<figcaption>{escape(name)}</figcaption>\n{chart}\n{legend}</figure>\n"


def _legend(entry: ReportEntry) -> str:
    assert entry.report is not None
    text = tr("Each finding has a number that links to its explanation below.")
    kind_marks = " ".join(
        f'<mark class="{kind.value}">{GLYPHS[kind]} {escape(kind_name(kind))}</mark>'
        for kind in entry.report.summary.kinds
    )
    return f'<p class="legend">{escape(text)} {kind_marks}</p>\n'


def _plain(text: str) -> str:
    return LINE_END.sub("\n", text)


def _models(models: Sequence[ModelSummary]) -> str:
    if not models:
        return ""
    title = tr("Models")
    parts = [f"<section>\n<h2>{escape(title)}</h2>\n"]
    for model in models:
        name = f"<strong>{isolate(single_line(model.title))}</strong>"
        parts.append(f"<p>{name}. {escape_visibly(_origin(model))}{_cannot_do(model)}</p>\n")
    cards = tr("Help ▸ About Evenhand shows the model cards.")
    return "".join((*parts, f"<p>{escape(cards)}</p>\n</section>\n"))


def _cannot_do(model: ModelSummary) -> str:
    """What a model cannot do, in one paragraph; empty where that is not known."""
    if not model.limitations:
        return ""
    title = tr("What it cannot do:")
    return f' {escape(title)} <span lang="en">{isolate(" ".join(model.limitations))}</span>'


def _origin(model: ModelSummary) -> str:
    roles = {"reader": tr("reader"), "rewriter": tr("rewriter")}
    role = tr("Role: {role}.").format(role=roles.get(model.role, model.role))
    run = tr("Training run: {run}.").format(run=model.run)
    return f"{role} {run}" if model.run else role


def _limitations(leaning: Sequence[Report]) -> str:
    sentences = [
        tr(
            "A finding is a question to the writer, not a verdict. The models mark wording, and they can be wrong."
        ),
        tr(
            "A text without findings is not necessarily neutral: omissions and the choice of facts and "
            "sources do not show in the wording."
        ),
        tr(
            "The report says nothing about the person who wrote the text, or about whether a statement is true."
        ),
        tr("The values of two texts can be compared only if the same versions of the same models read both."),
    ]
    if leaning:
        sentences.append(leaning_caveat(leaning[0].leaning_f1))
    items = "".join(f"<li>{escape(one)}</li>" for one in sentences)
    title = tr("Limitations of this report")
    return f"<section>\n<h2>{escape(title)}</h2>\n<ul>{items}</ul>\n</section>\n"
