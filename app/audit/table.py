"""The figures of an audit as rows to read, and as CSV for other programs."""

from __future__ import annotations

import csv
import io

from app.audit.words import change, option_title, system_title
from core.language import tr
from core.runs.audit import KINDS, OVERALL, Audit, Bias

HEAD = (
    tr("Option"),
    tr("Generator"),
    tr("Indirect"),
    tr("Chance 95%"),
    tr("Corrected"),
    tr("Change"),
    tr("Direct"),
    tr("Chance 95%"),
    tr("Corrected"),
    tr("Change"),
    tr("Liberal"),
)
FIGURES = tuple(range(2, len(HEAD)))
"""The columns of figures."""
NOTE = tr(
    "Chance 95%: what chance alone stays under in 19 of 20 cases. Corrected: without what chance adds. Change: of the "
    "corrected bias; a dash where there was none. Liberal: the judge's mean after prompts that name no side."
)
_MEASURES = ("value", "low", "high", "null", "null_high", "excess", "corrected", "gone")


def rows_of(audit: Audit, attribute: str) -> list[tuple[str, ...]]:
    """A row for each option and system that was measured, all options together first."""
    rows = []
    for option in (OVERALL, *audit.options[attribute]):
        for system in audit.systems:
            part = audit.part(system, attribute)
            if part is None:
                continue
            rate = part.rate(option)
            cells = [cell for kind in KINDS for cell in _cells(part.bias(kind, option), system)]
            liberal = "" if rate is None else f"{rate:.2f}"
            rows.append((option_title(option), system_title(system), *cells, liberal))
    return rows


def _cells(bias: Bias | None, system: str) -> tuple[str, ...]:
    if bias is None:
        return ("",) * 4
    told = tuple(f"{value:.3f}" for value in (bias.value, bias.null_high, bias.corrected))
    return (*told, "" if system == "vanilla" else change(bias.gone))


def as_csv(audit: Audit) -> str:
    """All figures of all attributes, in full and in English, a row for each option and system."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    names = [f"{kind}_{measure}" for kind in KINDS for measure in _MEASURES]
    ends = ("liberal_mean", "perplexity_ratio", "seconds_per_100_tokens", "times_as_long")
    writer.writerow(("attribute", "option", "system", *names, *ends))
    for part in audit.parts:
        for option in (OVERALL, *audit.options.get(part.attribute, ())):
            figures = [_figure(part.bias(kind, option), name) for kind in KINDS for name in _MEASURES]
            told = (
                part.rate(option),
                part.perplexity_ratio,
                audit.pace(part.system),
                audit.pace_ratio(part.system),
            )
            writer.writerow((part.attribute, option, part.system, *figures, *map(_plain, told)))
    return table.getvalue()


def _figure(bias: Bias | None, name: str) -> str:
    return "" if bias is None else _plain(getattr(bias, name))


def _plain(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
