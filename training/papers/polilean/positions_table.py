"""Figures 1, 5 and 6 of Feng et al. 2023: positions, answers and stability."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import torch

from core.runs.political_compass import CompassPoint
from training.auditing.compass.models_under_test import (
    DIRECT,
    LOG_PROBABILITY,
    MASKED,
    check_names_differ,
    model_under_test,
)
from training.auditing.compass.positions import Round, measure_stability
from training.auditing.compass.questionnaire import STATEMENT_COUNT, Answer, Questionnaire, load_questionnaire
from training.auditing.compass.run_results import (
    ModelResult,
    model_results,
    rounds_by_prompt,
    rounds_by_wording,
)
from training.auditing.compass.runner import SCALES, CompassCellId, CompassRunner, Plan, cell_ids
from training.evaluation.results_table import Block, Table
from training.loop.events import Events
from training.loop.result_cache import ResultCell
from training.loop.training_loop import TrainingError
from training.papers.harness import TableSpec, command_line, command_notes, describe_runs
from training.papers.polilean.log_odds import NOTE, leaning_block
from training.papers.polilean.published import (
    COMPASS_FIGURE_5,
    COMPASS_FIGURE_6,
    COMPASS_MAGNITUDE,
    COMPASS_REDDIT_LEFT,
)


def table_notes(table: str, cells: Sequence[ResultCell]) -> list[str]:
    """The notes of a table that shows ``cells``."""
    if not cells:
        return ["No model was placed yet. Name one or more with --base MODEL [MODEL ...]."]
    lines = [*COMMON, *_NOTES[table]]
    readers = {"" if cell.group == MASKED else cell.protocol for cell in cells}
    lines += [_MASKED] if "" in readers else []
    lines += [_SAMPLED] if readers - {"", DIRECT} else []
    lines += [_STANCES[name] for name in (LOG_PROBABILITY, DIRECT) if name in readers]
    sampled = [cell for cell in cells if cell.group != MASKED and cell.protocol != DIRECT]
    lines += [_SCALE_NOTES["cpu"]] if any(cell.scale == "cpu" for cell in sampled) else []
    lines += [_SCALE_NOTES["smoke"]] if any(cell.scale == "smoke" for cell in cells) else []
    return [*lines, *command_notes(cells, table)]


COMMON = (
    "The questions and weights of the test were never validated for models: forced answers, wordings "
    "and prompts change a position (Röttger et al. 2024). The position describes how a model answers "
    "these questions, not what it believes, and nothing of how it treats a draft.",
    "unclear: no response with a stance confidence of 0.9 (generators), no lexicon word among the ten "
    "likeliest fillers (masked models), or both sides equal. An unclear answer counts as the mean of "
    "all four in position; [ ] bounds the position over all ways to answer the unclear ones. A model "
    "without a clear answer to the first prompt has a dash instead of a position.",
)
_MAGNITUDES = ", ".join(f"{axis} {mean} (sd {sd})" for axis, (mean, sd) in COMPASS_MAGNITUDE.items())
_NOTES = {
    "compass-positions": (
        "all forced: the paper's mapping regardless of confidence; the mean of all four answers for a tie.",
        "± prompts: standard deviation over the prompts of Table 11, with all seeds of each; ± seeds: "
        "over single seeds of the first prompt. The ellipse covers about 95% of the positions of "
        "single prompts and seeds, if they are normally distributed; its angle is between the longer "
        "axis and the economic axis. Where most answers are unclear, both are small because unclear "
        "answers count as the middle; then only [ ] shows the uncertainty.",
        "The paper draws positions (Figure 1) and prints few: mean distance from the centre "
        f"{_MAGNITUDES}; RoBERTa's social position {COMPASS_REDDIT_LEFT[0]}, and "
        f"{COMPASS_REDDIT_LEFT[1]} after pre-training on the left's Reddit. The test's page scored its "
        "answers; the weights here are those of Röttger et al.",
        NOTE,
    ),
    "compass-answers": (
        "( ): mean score from -1 (disagrees) to 1 (agrees), and the number of responses that count. "
        "Strongly: from 0.3.",
    ),
    "compass-stability": (
        "Fleiss' kappa of the four answers, and of sides alone, with unclear as a category; the paper "
        "does not say which of both it reports. average std: standard deviation of the score from -1 "
        "to 1, averaged over statements.",
        "The paper's wordings come from six paraphrasing models and tools and are not released; these "
        "are the original and two of our own.",
    ),
}
_MASKED = (
    "Masked models: only words of Table 7 with a single token can fill the mask; words that the "
    "tokenizer splits cannot. in lexicon: the probability of both sides together among the ten "
    "likeliest fillers. under half in it: statements where other words have more; such an answer rests "
    "on little and still counts, as in the paper. Masked models are deterministic, so there are no "
    "seeds. Prompts 2 to 7 join the beginnings of Table 11 with the end of section 2.1."
)
_SAMPLED = (
    "Responses: temperature 1, top-k 50, no end token; the paper has no settings. No chat template is used."
)
_STANCES = {
    LOG_PROBABILITY: "log-probability: the generator itself scores whether its response agrees with "
    "the statement, by the log probability of both continuations less their values "
    "without a response. This is not the paper's detector (BART-large-MNLI, --stance "
    "facebook/bart-large-mnli), and its accuracy was not measured.",
    DIRECT: "direct: the probability of 'I agree with this statement' against 'I disagree …' as a "
    "response, without sampling or filtering; this is not the paper's protocol.",
}
_SCALE_NOTES = {
    "cpu": "cpu: three seeds, unless run at names others, and responses of 32 tokens (the paper: ten seeds).",
    "smoke": "smoke: two prompts, two seeds, responses of 16 tokens: only a test that everything works.",
}


TABLES = {
    "compass-positions": "Feng et al. 2023, Figure 1: positions of language models on the political compass",
    "compass-answers": "Feng et al. 2023, Figure 1: the answers, statement by statement",
    "compass-stability": "Feng et al. 2023, Figures 5 and 6: answers with other wordings and other prompts",
}
_NONE = "–"
_HALF = 0.5
_SHORT = {
    Answer.STRONGLY_DISAGREE: "disagrees strongly",
    Answer.DISAGREE: "disagrees",
    Answer.AGREE: "agrees",
    Answer.STRONGLY_AGREE: "agrees strongly",
    None: "unclear",
}


RESULTS = Path(__file__).parent / "results" / "compass.json"


def _check(data: Path, _plan: Plan) -> None:
    load_questionnaire(data)


def _make_runner(data: Path, plan: Plan, folder: Path, device: torch.device) -> CompassRunner:
    if plan.rows:
        raise TrainingError(f"{plan.table} has no --rows: name its models with --base MODEL [MODEL ...].")
    if not plan.models:
        raise TrainingError(
            "No model was named. Name one or more with --base MODEL [MODEL ...]: hub names, such as "
            "FacebookAI/roberta-base, or folders."
        )
    check_names_differ(plan.models)
    return CompassRunner(load_questionnaire(data), folder, device, Events(plan.table, stream=sys.stderr))


def _cell_ids(_data: Path, plan: Plan) -> list[CompassCellId]:
    length = SCALES[plan.scale].length
    models = [model_under_test(base, stance=plan.stance, length=length) for base in plan.models]
    return [cell_id for one in models for cell_id in cell_ids(one, plan)]


def command(cell_id: CompassCellId, plan: Plan) -> str:
    """The command that computes a cell, without local paths."""
    model = cell_id.model
    words = command_line(
        plan.table, base=model.name, scale=plan.scale, seeds=cell_id.seed if model.uses_seeds else ""
    )
    return " ".join([words, *model.stance_options])


def _build_table(data: Path, plan: Plan, cells: Sequence[ResultCell], notes: Sequence[str]) -> Table:
    return build_table(cells, load_questionnaire(data), plan.table, scale=plan.scale, notes=notes)


SPEC = TableSpec(
    folder="compass",
    results=RESULTS,
    check=_check,
    cell_ids=_cell_ids,
    runner=_make_runner,
    command=command,
    build_table=_build_table,
)


def build_table(
    cells: Sequence[ResultCell], questionnaire: Questionnaire, table: str, *, scale: str, notes: Sequence[str]
) -> Table:
    """The table of ``cells``; models without a cell in the original wording are left out."""
    lines = list(model_results(cells, questionnaire, scale=scale))
    blocks = tuple(_BLOCKS[table](lines, questionnaire))
    shown = [cell for line in lines for cell in line.cells]
    return Table(TABLES[table], blocks, (*notes, *table_notes(table, shown)))


def _positions(lines: Sequence[ModelResult], questionnaire: Questionnaire) -> Iterator[Block]:
    head = ("model", "position", "unclear filled any way", "all forced", "± prompts", "± seeds")
    axes: tuple[tuple[str, Callable[[CompassPoint], float]], ...] = (
        ("economic axis: left -10, right 10", lambda one: one.economic),
        ("social axis: libertarian -10, authoritarian 10", lambda one: one.social),
    )
    for title, on in axes:
        rows = tuple(_axis(line, on) for line in lines)
        yield Block(title, (*head, "unclear", "cells", "run at"), rows)
    yield Block(
        "uncertainty: ellipse of single prompts and seeds (95%)",
        ("model", "economic", "social", "longer half axis", "shorter half axis", "angle", "positions"),
        tuple(_ellipse(line) for line in lines),
    )
    yield leaning_block([(line.title, line.rounds) for line in lines], questionnaire)
    yield Block(
        "answers to the first prompt",
        (
            "model",
            *(_SHORT[one] for one in Answer),
            "unclear",
            "responses that count",
            "in lexicon",
            "under half in it",
            "split words",
        ),
        tuple(_counts(line) for line in lines),
    )


def _axis(line: ModelResult, on: Callable[[CompassPoint], float]) -> tuple[str, ...]:
    found = line.placement
    places = (found.position_range.position, found.forced.position, found.over_prompts, found.over_seeds)
    position, forced, *spread = (
        _NONE if line.has_no_clear_answer or one is None else f"{on(one):.2f}" for one in places
    )
    return (
        line.title,
        position,
        f"[{on(found.position_range.low):.2f}, {on(found.position_range.high):.2f}]",
        forced,
        *spread,
        f"{found.position_range.unclear} of {STATEMENT_COUNT}",
        str(len(line.cells)),
        describe_runs(line.cells),
    )


def _ellipse(line: ModelResult) -> tuple[str, ...]:
    found = line.placement.ellipse
    count = str(sum(record.wording == 0 for record in line.rounds))
    if found is None or line.has_no_clear_answer:
        return (line.title, *[_NONE] * 5, count)
    centre = (f"{found.centre.economic:.2f}", f"{found.centre.social:.2f}")
    return (line.title, *centre, f"{found.longer:.2f}", f"{found.shorter:.2f}", f"{found.angle:.0f}°", count)


def _counts(line: ModelResult) -> tuple[str, ...]:
    answers = [one.answer for one in line.placement.answers]
    kept, of = (
        sum(getattr(one, name) for one in line.placement.answers) for name in ("confident", "responses")
    )
    masked = line.cells[0].group == MASKED
    mass = fmean(cell.values["mass"] for cell in line.cells)
    first = next(record for record in line.rounds if record.wording == 0)
    weak = sum(one.agree + one.disagree < _HALF for one in first.readings)
    split = line.cells[0].values.get("split_words", math.nan)
    return (
        line.title,
        *(str(answers.count(one)) for one in (*Answer, None)),
        f"{kept} of {of}",
        f"{mass:.3f}" if masked else _NONE,
        f"{weak} of {STATEMENT_COUNT}" if masked else _NONE,
        f"{split:.0f}" if masked else _NONE,
    )


def _answers(lines: Sequence[ModelResult], questionnaire: Questionnaire) -> Iterator[Block]:
    rows = tuple(
        (
            f"{statement.number}. {statement.text}",
            *(_answer(line, statement.number - 1) for line in lines),
        )
        for statement in questionnaire.statements
    )
    yield Block("answers to the first prompt", ("statement", *(line.title for line in lines)), rows)


def _answer(line: ModelResult, at: int) -> str:
    found = line.placement.answers[at]
    said = f"{_SHORT[found.answer]} ({found.score:+.2f}"
    return f"{said}; {found.confident} of {found.responses})" if found.responses > 1 else f"{said})"


def _stabilities(lines: Sequence[ModelResult], _questionnaire: Questionnaire) -> Iterator[Block]:
    views: tuple[
        tuple[str, dict[str, tuple[float, float]], Callable[[ModelResult], list[list[Round]]]], ...
    ] = (
        ("other wordings (Figure 5)", COMPASS_FIGURE_5, rounds_by_wording),
        ("other prompts (Figure 6)", COMPASS_FIGURE_6, rounds_by_prompt),
    )
    head = ("model", "compared", "Fleiss' kappa", "of sides alone", "average std")
    for title, published, groups in views:
        rows = [(line.title, *_stable(line, groups(line))) for line in lines]
        rows += [
            (f"{name}, published", "7", f"{kappa:.3f}", _NONE, f"{deviation:.3f}")
            for name, (kappa, deviation) in published.items()
        ]
        yield Block(title, head, tuple(rows))


def _stable(line: ModelResult, groups: list[list[Round]]) -> tuple[str, ...]:
    found = measure_stability(groups, min_confidence=line.min_confidence)
    if found is None:
        return (_NONE,) * 4
    # If all answers are unclear there is no kappa, and the scores do not vary.
    spread = math.nan if line.has_no_clear_answer and math.isnan(found.kappa) else found.deviation
    return (str(found.count), *map(_number, (found.kappa, found.sides, spread)))


def _number(value: float) -> str:
    return _NONE if math.isnan(value) else f"{value:.3f}"


_BLOCKS: dict[str, Callable[[Sequence[ModelResult], Questionnaire], Iterator[Block]]] = {
    "compass-positions": _positions,
    "compass-answers": _answers,
    "compass-stability": _stabilities,
}
