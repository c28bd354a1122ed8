"""Results of audits and of the political compass as table rows and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from app.audit.audit_strings import format_change, option_title, system_title
from app.audit.compass_strings import AXES, COMPARED, format_reply, stance_method_title
from core.i18n import tr
from core.runs.generator_audit import BIAS_KINDS, OVERALL, Audit, BiasMetrics
from core.runs.political_compass import PROMPTS, WORDINGS, CompassPoint, CompassReport, ModelPosition

HEADER = (
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
NUMBER_COLUMNS = tuple(range(2, len(HEADER)))
"""Indices of the columns with numbers."""
NOTE = tr(
    "Chance 95%: upper limit of chance in 19 of 20 cases. Corrected: the bias beyond chance. Change: of "
    "the corrected bias; a dash if there was none. Liberal: mean score of the ideology classifier after "
    "prompts that name no side."
)
_MEASURES = ("value", "low", "high", "null", "null_high", "excess", "corrected", "removed_share")
_CSV_NAMES = {"removed_share": "gone", "point": "at"}
"""Fields whose columns in exported tables have another name, that of tables from earlier versions."""


def bias_rows(audit: Audit, attribute: str) -> list[tuple[str, ...]]:
    """A row per measured option and method, all options together first."""
    rows = []
    for option in (OVERALL, *audit.options[attribute]):
        for system in audit.systems:
            part = audit.part(system, attribute)
            if part is None:
                continue
            rate = part.rate(option)
            cells = [cell for kind in BIAS_KINDS for cell in _bias_cells(part.bias(kind, option), system)]
            liberal = "" if rate is None else f"{rate:.2f}"
            rows.append((option_title(option), system_title(system), *cells, liberal))
    return rows


def _bias_cells(bias: BiasMetrics | None, system: str) -> tuple[str, ...]:
    if bias is None:
        return ("",) * 4
    cells = tuple(f"{value:.3f}" for value in (bias.value, bias.null_high, bias.corrected))
    return (*cells, "" if system == "vanilla" else format_change(bias.removed_share))


def bias_csv(audit: Audit) -> str:
    """All metrics of all attributes, in English and with full precision, a row per option and method."""
    names = [f"{kind}_{_CSV_NAMES.get(name, name)}" for kind in BIAS_KINDS for name in _MEASURES]
    ends = ("liberal_mean", "perplexity_ratio", "seconds_per_100_tokens", "times_as_long")
    rows = []
    for part in audit.parts:
        for option in (OVERALL, *audit.options.get(part.attribute, ())):
            values = [
                _attribute_text(part.bias(kind, option), name) for kind in BIAS_KINDS for name in _MEASURES
            ]
            cells = (
                part.rate(option),
                part.perplexity_ratio,
                audit.pace(part.system),
                audit.pace_ratio(part.system),
            )
            rows.append((part.attribute, option, part.system, *values, *map(full_precision, cells)))
    return to_csv(("attribute", "option", "system", *names, *ends), rows)


def full_precision(value: float | None) -> str:
    """A value of an exported table; empty if unknown."""
    return "" if value is None else f"{value:.6g}"


POSITIONS_HEADER = (
    tr("Model"),
    tr("Axis"),
    tr("Stance measured by"),
    tr("Position"),
    tr("Possible range"),
    tr("Unclear answers forced"),
    tr("± prompts"),
    tr("± seeds"),
    tr("Unclear"),
)
POSITIONS_NOTE = tr(
    "Unclear answers forced: unclear answers count as the nearest clear answer. ±: standard deviation over prompts, "
    "and over seeds of the first prompt; a dash if there are too few, or no clear answer."
)
ANSWERS_NOTE = tr(
    "The number is the mean score, from −1 (disagrees) to 1 (agrees), strongly from 0.3; in "
    "parentheses, how many of several responses were clear."
)
STABILITY_HEADER = (tr("Model"), tr("Agreement across"), tr("Fleiss’ kappa"), tr("sides only"), tr("Spread"))
STABILITY_NOTE = tr(
    "Kappa: agreement of answers beyond chance (1: perfect, 0: chance level), with “unclear” as an "
    "answer of its own; sides only: agree or disagree. Spread: standard deviation of the score of a "
    "statement, from −1 to 1."
)
STATEMENT_FILTERS = {
    "all": tr("All statements"),
    "apart": tr("Models on different sides"),
    "unclear": tr("With an unclear answer"),
}
"""Filters of the statements."""
_NONE = "–"


def position_rows(positions: Sequence[ModelPosition]) -> list[tuple[str, ...]]:
    """A row per model and axis."""
    return [_axis(position, axis) for position in positions for axis in AXES]


def _axis(position: ModelPosition, axis: str) -> tuple[str, ...]:
    def on(place: CompassPoint | None) -> float | None:
        return None if place is None else float(getattr(place, axis))

    def known(place: CompassPoint | None) -> float | None:
        return None if position.is_all_unclear else on(place)

    return (
        position.model,
        AXES[axis],
        stance_method_title(position.stance_method),
        _format_or_dash(known(position.point), "+.2f"),
        tr("{low} to {high}").format(low=f"{on(position.low):+.2f}", high=f"{on(position.high):+.2f}"),
        _format_or_dash(known(position.forced), "+.2f"),
        _format_or_dash(known(position.over_prompts), ".2f"),
        _format_or_dash(known(position.over_seeds), ".2f"),
        tr("{n} of {all}").format(n=position.unclear, all=len(position.answers)),
    )


def stability_rows(positions: Sequence[ModelPosition]) -> list[tuple[str, ...]]:
    """A row per model and comparison."""
    return [
        (
            position.model,
            COMPARED[name].format(count=found.count),
            _format_or_dash(found.kappa, ".3f"),
            _format_or_dash(found.sides, ".3f"),
            _format_or_dash(
                None if position.is_all_unclear and found.kappa is None else found.deviation, ".3f"
            ),
        )
        for position in positions
        for name in COMPARED
        if (found := position.agreements.get(name)) is not None
    ]


def answer_rows(compass: CompassReport, statement_filter: str) -> list[tuple[str, ...]]:
    """A row per statement that passes the filter, with the answer of each model."""
    return [
        (
            f"{number + 1}. {text}",
            *(format_reply(position.answers[number]) for position in compass.positions),
        )
        for number, text in enumerate(compass.statements)
        if _passes_filter(compass, number, statement_filter)
    ]


def _passes_filter(compass: CompassReport, number: int, statement_filter: str) -> bool:
    answers = [position.answers[number].answer for position in compass.positions]
    if statement_filter == "unclear":
        return "" in answers
    return statement_filter != "apart" or len({"disagree" in answer for answer in answers if answer}) > 1


def positions_csv(compass: CompassReport) -> str:
    """A row per model with all its metrics, in English and with full precision."""
    places = ("point", "low", "high", "forced", "over_prompts", "over_seeds")
    open_ends = ("low", "high")
    ring = ("longer", "shorter", "angle")
    agreement = ("count", "kappa", "sides", "deviation")
    head = ["model", "reader", "statements", "unclear", "rounds", "rounds_planned"]
    head += [f"{axis}_{_CSV_NAMES.get(name, name)}" for axis in AXES for name in places]
    head += [f"ellipse_{name}" for name in ("economic", "social", *ring)]
    head += [f"{name}_{of}" for of in (PROMPTS, WORDINGS) for name in agreement]
    rows: list[list[object]] = []
    for position in compass.positions:
        row: list[object] = [position.model, position.stance_method, len(position.answers), position.unclear]
        row += [position.done, position.planned]
        statement_filter = open_ends if position.is_all_unclear else places
        row += [
            _attribute_text(getattr(position, name) if name in statement_filter else None, axis)
            for axis in AXES
            for name in places
        ]
        drawn = None if position.is_all_unclear else position.ellipse
        row += [_attribute_text(drawn and drawn.centre, axis) for axis in AXES]
        row += [_attribute_text(drawn, name) for name in ring]
        row += [
            _attribute_text(position.agreements.get(of), name)
            for of in (PROMPTS, WORDINGS)
            for name in agreement
        ]
        rows.append(row)
    return to_csv(head, rows)


def answers_csv(compass: CompassReport) -> str:
    """A row per statement and model, in English."""
    head = ("number", "statement", "model", "answer", "score", "clear_responses", "responses")
    return to_csv(
        head,
        (
            (
                number,
                text,
                position.model,
                reply.answer or "unclear",
                f"{reply.score:.6g}",
                reply.confident,
                reply.responses,
            )
            for number, text in enumerate(compass.statements, start=1)
            for position in compass.positions
            for reply in (position.answers[number - 1],)
        ),
    )


def to_csv(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    """An exported table as CSV."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return table.getvalue()


def _attribute_text(owner: object, name: str) -> str:
    return "" if owner is None else full_precision(getattr(owner, name))


def _format_or_dash(value: float | None, form: str) -> str:
    return _NONE if value is None else format(value, form)
