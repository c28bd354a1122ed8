"""Results of audits and of the compass as table rows, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from app.audit.audit_strings import change, option_title, system_title
from app.audit.compass_strings import AXES, COMPARED, answered, reader_title
from core.i18n import tr
from core.runs.generator_audit import KINDS, OVERALL, Audit, Bias
from core.runs.political_compass import PROMPTS, WORDINGS, Compass, Place, Stand

# The figures of an audit as rows to read, and as CSV for other programs.


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


# The compass as rows to read, and as CSV for other programs.


POSITIONS = (
    tr("Model"),
    tr("Axis"),
    tr("Read by"),
    tr("Position"),
    tr("Unclear filled any way"),
    tr("All forced"),
    tr("± prompts"),
    tr("± seeds"),
    tr("Unclear"),
)
POSITIONS_NOTE = tr(
    "All forced: unclear answers are taken for what they are nearest to. ±: standard deviation over prompts and over "
    "seeds of the first prompt; a dash where there are too few, or no answer is clear."
)
ANSWERS_NOTE = tr(
    "The figure is the mean score, from −1 (disagrees) to 1 (agrees), strongly from 0.3 on; behind it how many of "
    "several responses were clear enough to count."
)
STABILITY = (tr("Model"), tr("Compared"), tr("Fleiss’ kappa"), tr("of sides alone"), tr("Spread"))
STABILITY_NOTE = tr(
    "Kappa: how far answers agree beyond chance (1: wholly, 0: as chance has it), unclear being an answer of its own; "
    "of sides alone: agreeing and disagreeing. Spread: standard deviation of a statement’s score, from −1 to 1."
)
SHOWN = {
    "all": tr("All statements"),
    "apart": tr("Where models are on different sides"),
    "unclear": tr("Where an answer is unclear"),
}
"""Which statements are shown."""
_NONE = "–"


def positions(stands: Sequence[Stand]) -> list[tuple[str, ...]]:
    """Two rows for each model, one for each axis."""
    return [_axis(stand, axis) for stand in stands for axis in AXES]


def _axis(stand: Stand, axis: str) -> tuple[str, ...]:
    def on(place: Place | None) -> float | None:
        return None if place is None else float(getattr(place, axis))

    def known(place: Place | None) -> float | None:
        return None if stand.says_nothing else on(place)

    return (
        stand.model,
        AXES[axis],
        reader_title(stand.reader),
        _coordinate(known(stand.at), "+.2f"),
        tr("{low} to {high}").format(low=f"{on(stand.low):+.2f}", high=f"{on(stand.high):+.2f}"),
        _coordinate(known(stand.forced), "+.2f"),
        _coordinate(known(stand.over_prompts), ".2f"),
        _coordinate(known(stand.over_seeds), ".2f"),
        tr("{n} of {all}").format(n=stand.unclear, all=len(stand.replies)),
    )


def stability(stands: Sequence[Stand]) -> list[tuple[str, ...]]:
    """A row for each model and what its answers are compared over."""
    return [
        (
            stand.model,
            COMPARED[name].format(count=found.count),
            _coordinate(found.kappa, ".3f"),
            _coordinate(found.sides, ".3f"),
            _coordinate(None if stand.says_nothing and found.kappa is None else found.deviation, ".3f"),
        )
        for stand in stands
        for name in COMPARED
        if (found := stand.agreements.get(name)) is not None
    ]


def answers(compass: Compass, shown: str) -> list[tuple[str, ...]]:
    """A row for each statement that ``shown`` asks for, with the answer of each model."""
    return [
        (
            f"{number + 1}. {text}",
            *(answered(stand.replies[number]) for stand in compass.stands),
        )
        for number, text in enumerate(compass.statements)
        if _is_shown(compass, number, shown)
    ]


def _is_shown(compass: Compass, number: int, shown: str) -> bool:
    said = [stand.replies[number].answer for stand in compass.stands]
    if shown == "unclear":
        return "" in said
    return shown != "apart" or len({"disagree" in answer for answer in said if answer}) > 1


def positions_csv(compass: Compass) -> str:
    """A row for each model with all its figures, in full and in English."""
    places = ("at", "low", "high", "forced", "over_prompts", "over_seeds")
    open_ends = ("low", "high")
    ring = ("longer", "shorter", "angle")
    agreement = ("count", "kappa", "sides", "deviation")
    head = ["model", "reader", "statements", "unclear", "rounds", "rounds_planned"]
    head += [f"{axis}_{name}" for axis in AXES for name in places]
    head += [f"ellipse_{name}" for name in ("economic", "social", *ring)]
    head += [f"{name}_{of}" for of in (PROMPTS, WORDINGS) for name in agreement]
    rows: list[list[object]] = []
    for stand in compass.stands:
        row: list[object] = [stand.model, stand.reader, len(stand.replies), stand.unclear]
        row += [stand.done, stand.planned]
        shown = open_ends if stand.says_nothing else places
        row += [
            _of(getattr(stand, name) if name in shown else None, axis) for axis in AXES for name in places
        ]
        drawn = None if stand.says_nothing else stand.ring
        row += [_of(drawn and drawn.centre, axis) for axis in AXES]
        row += [_of(drawn, name) for name in ring]
        row += [_of(stand.agreements.get(of), name) for of in (PROMPTS, WORDINGS) for name in agreement]
        rows.append(row)
    return _csv(head, rows)


def answers_csv(compass: Compass) -> str:
    """A row for each statement and model; an answer that is unclear is called so."""
    head = ("number", "statement", "model", "answer", "score", "clear_responses", "responses")
    return _csv(
        head,
        (
            (number, text, stand.model, reply.answer or "unclear", f"{reply.score:.6g}", reply.kept, reply.of)
            for number, text in enumerate(compass.statements, start=1)
            for stand in compass.stands
            for reply in (stand.replies[number - 1],)
        ),
    )


def _csv(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return table.getvalue()


def _of(whole: object, name: str) -> str:
    value = None if whole is None else getattr(whole, name)
    return "" if value is None else f"{value:.6g}"


def _coordinate(value: float | None, form: str) -> str:
    return _NONE if value is None else format(value, form)
