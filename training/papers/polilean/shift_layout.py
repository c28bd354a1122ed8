"""Layout of Figures 2, 3 and 4 of Feng et al. 2023: positions of partisan models and their distances."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from core.runs.political_compass import CompassPoint
from training.auditing.compass.positions import aggregate_rounds, locate
from training.auditing.compass.questionnaire import Questionnaire
from training.auditing.compass.run_results import ModelResult, model_results
from training.evaluation.results_table import Block, Table
from training.loop.result_cache import ResultCell
from training.metrics.resampling import Floats
from training.papers.harness import command_notes, describe_runs
from training.papers.polilean.log_odds import NOTE, gap_block, leaning_block, log_odds
from training.papers.polilean.positions_table import COMMON
from training.papers.polilean.pretraining import SCALES
from training.papers.polilean.published import COMPASS_CHANGE

TABLES = {
    "compass-shift": "Feng et al. 2023, Figures 2 and 3: positions before and after partisan pre-training",
    "compass-trajectory": "Feng et al. 2023, Figure 4: positions after more epochs and more texts",
}
_NONE = "–"
_WHOLE = 100
_NAME = re.compile(
    r"(?P<base>.+?)-(?P<domain>news|speech)-(?P<side>left|center|right)"
    r"(?P<rest>(?P<period>-before|-after)?(?:-(?P<part>\d+)pc)?(?:-(?P<epochs>\d+)ep)?)(?:-seed(?P<seed>\d+))?"
)
_AXES: tuple[tuple[str, Callable[[CompassPoint], float]], ...] = (
    ("economic", lambda one: one.economic),
    ("social", lambda one: one.social),
)
_Corpus = tuple[str, str, str]
"""Domain, side, and the rest of the name of a partisan model."""
_Places = dict[int, dict[int, CompassPoint]]
"""Positions by pre-training seed and prompt."""
_HEAD = ("model", *(f"{axis} {what}" for axis, _ in _AXES for what in ("position", "change")))


@dataclass(frozen=True, slots=True)
class _PartisanModel:
    """A partisan model: its corpus, the ``part`` of it in percent, epochs, seed, and its results.

    ``rest`` is the part of its name with period, share and epochs.
    """

    domain: str
    side: str
    period: str
    rest: str
    part: int
    epochs: int
    seed: int
    line: ModelResult

    @property
    def corpus(self) -> _Corpus:
        """The corpus with the amount of it."""
        return self.domain, self.side, self.rest

    @property
    def texts(self) -> tuple[str, str, str]:
        """The corpus regardless of the amount."""
        return self.domain, self.side, self.period


def build_table(
    cells: Sequence[ResultCell], questionnaire: Questionnaire, table: str, *, scale: str, notes: Sequence[str]
) -> Table:
    """The table of ``cells``: base models and their partisan models.

    A trajectory shows corpora with several amounts, the smallest first; the other table shows whole corpora.
    """
    lines = list(model_results(cells, questionnaire, scale=scale))
    blocks: list[Block] = []
    shown: list[ModelResult] = []
    far: list[tuple[str, ...]] = []
    for base in lines:
        own = _SELECTIONS[table](list(_partisan_models(base, lines)))
        if own:
            here = [base, *(one.line for one in own)]
            shown += here
            far += _distance_rows(base, own, questionnaire)
            rows = [_base_row(base, questionnaire), *(_row(base, one.line, questionnaire) for one in own)]
            blocks.append(
                Block(f"{base.title}: before and after", (*_HEAD, "unclear", "run at"), tuple(rows))
            )
            apart = tuple(_difference_rows(own, questionnaire))
            blocks.append(
                Block(
                    f"{base.title}: differences between corpora",
                    ("corpora", *(axis for axis, _ in _AXES), "interval over"),
                    apart,
                )
            )
            blocks.append(leaning_block([(one.title, one.rounds) for one in here], questionnaire))
            blocks.append(gap_block(base.title, list(_pairs_of_odds(base, own)), questionnaire))
    far += [
        (f"RoBERTa, {name}, published", *(f"{row[axis]:.2f}" for axis, _ in _AXES), _NONE)
        for name, row in COMPASS_CHANGE.items()
    ]
    blocks.append(
        Block(
            "mean distance moved", ("model and corpora", *(axis for axis, _ in _AXES), "models"), tuple(far)
        )
    )
    how = (
        [*COMMON, *_NOTES, NOTE]
        if shown
        else ["There is nothing to compare yet. Name a model with --base MODEL."]
    )
    every = [cell for line in shown for cell in line.cells]
    return Table(TABLES[table], tuple(blocks), (*notes, *how, *command_notes(every, table)))


def _partisan_models(base: ModelResult, lines: Sequence[ModelResult]) -> Iterator[_PartisanModel]:
    """The partisan models of a base with the same stance reader."""
    name, reader = base.cells[0].row.rpartition("/")[2], base.cells[0].protocol
    for line in lines:
        found = _NAME.fullmatch(line.cells[0].row)
        if found is not None and (found["base"], line.cells[0].protocol) == (name, reader):
            yield _PartisanModel(
                domain=found["domain"],
                side=found["side"],
                period=found["period"] or "",
                rest=found["rest"],
                part=int(found["part"] or _WHOLE),
                epochs=int(found["epochs"] or SCALES[line.cells[0].scale].epochs),
                seed=int(found["seed"] or 1),
                line=line,
            )


def _read_whole(own: Sequence[_PartisanModel]) -> list[_PartisanModel]:
    return [one for one in own if one.part == _WHOLE]


def _in_amounts(own: Sequence[_PartisanModel]) -> list[_PartisanModel]:
    """The models of corpora with several amounts, the smallest first."""
    several = [one for one in own if len({other.corpus for other in own if other.texts == one.texts}) > 1]
    return sorted(several, key=lambda one: (one.texts, one.part, one.epochs, one.seed))


_SELECTIONS: dict[str, Callable[[Sequence[_PartisanModel]], list[_PartisanModel]]] = {
    "compass-shift": _read_whole,
    "compass-trajectory": _in_amounts,
}


def _base_row(base: ModelResult, questionnaire: Questionnaire) -> tuple[str, ...]:
    found = _mean(base, questionnaire)
    cells = [
        part for _, on in _AXES for part in (_NONE if base.has_no_clear_answer else f"{on(found):.2f}", "")
    ]
    return (base.title, *cells, f"{base.placement.position_range.unclear} of 62", describe_runs(base.cells))


def _row(base: ModelResult, line: ModelResult, questionnaire: Questionnaire) -> tuple[str, ...]:
    cells: list[str] = []
    ours, theirs = _by_prompt(line, questionnaire), _by_prompt(base, questionnaire)
    found = _mean(line, questionnaire)
    for _, on in _AXES:
        moved = [] if base.has_no_clear_answer or line.has_no_clear_answer else _gaps(ours, theirs, on)
        cells += [_NONE if line.has_no_clear_answer else f"{on(found):.2f}", _interval(moved)]
    return (line.title, *cells, f"{line.placement.position_range.unclear} of 62", describe_runs(line.cells))


def _difference_rows(
    own: Sequence[_PartisanModel], questionnaire: Questionnaire
) -> Iterator[tuple[str, ...]]:
    """Right less left for each domain, period and amount, and after less before for each corpus."""
    corpora = dict.fromkeys(one.corpus for one in own)
    places = {
        key: {one.seed: _by_prompt(one.line, questionnaire) for one in own if one.corpus == key}
        for key in corpora
    }
    mute = {one.corpus for one in own if one.line.has_no_clear_answer}
    for one, other in _corpus_pairs(own):
        found = None if mute & {one, other} else _difference(places[one], places[other])
        if found is not None:
            yield (_pair_title(one, other), *found)


def _corpus_pairs(own: Sequence[_PartisanModel]) -> Iterator[tuple[_Corpus, _Corpus]]:
    """The corpora to compare: right with left, after with before."""
    corpora = dict.fromkeys(one.corpus for one in own)
    for domain, side, rest in corpora:
        pairs = [(domain, "left", rest)] if side == "right" else []
        pairs += [(domain, side, rest.replace("-after", "-before"))] if "-after" in rest else []
        yield from (((domain, side, rest), pair) for pair in pairs if pair in corpora)


def _pair_title(one: _Corpus, other: _Corpus) -> str:
    return f"{one[0]}-{one[1]}{one[2]} less {other[0]}-{other[1]}{other[2]}"


def _pairs_of_odds(base: ModelResult, own: Sequence[_PartisanModel]) -> Iterator[tuple[str, Floats, Floats]]:
    """The log-odds of the pairs, and of each corpus and the base; seeds of a corpus are pooled."""

    def odds(corpus: _Corpus) -> Floats:
        return log_odds([record for one in own if one.corpus == corpus for record in one.line.rounds])

    for one, other in _corpus_pairs(own):
        yield _pair_title(one, other), odds(one), odds(other)
    before = log_odds(base.rounds)
    for corpus in dict.fromkeys(one.corpus for one in own):
        yield f"{corpus[0]}-{corpus[1]}{corpus[2]} less base", odds(corpus), before


def _difference(one: _Places, other: _Places) -> tuple[str, ...] | None:
    """The difference of two corpora on each axis, and what the interval is over: seeds of pre-training, if several.

    None without a common seed.
    """
    seeds = sorted(one.keys() & other.keys())
    if not seeds:
        return None
    several = len(seeds) > 1
    cells = []
    for _, on in _AXES:
        gaps = [_gaps(one[seed], other[seed], on) for seed in seeds]
        cells.append(_interval([fmean(row) for row in gaps] if several else gaps[0]))
    return (*cells, f"{len(seeds)} trainings" if several else f"{len(one[seeds[0]])} prompts")


def _distance_rows(
    base: ModelResult, own: Sequence[_PartisanModel], questionnaire: Questionnaire
) -> Iterator[tuple[str, ...]]:
    """The mean absolute distance from the base for each domain, period and amount."""
    before = _mean(base, questionnaire)
    for domain, rest in dict.fromkeys((one.domain, one.rest) for one in own):
        alike = [one.line for one in own if (one.domain, one.rest) == (domain, rest)]
        after = [_mean(line, questionnaire) for line in alike if not line.has_no_clear_answer]
        title = f"{base.title}, {domain}{rest}"
        if base.has_no_clear_answer or not after:
            yield (title, _NONE, _NONE, _NONE)
            continue
        far = (fmean(abs(on(one) - on(before)) for one in after) for _, on in _AXES)
        yield (title, *(f"{value:.2f}" for value in far), str(len(after)))


def _mean(line: ModelResult, questionnaire: Questionnaire) -> CompassPoint:
    """The mean position over prompts."""
    found = _by_prompt(line, questionnaire).values()
    return CompassPoint(fmean(one.economic for one in found), fmean(one.social for one in found))


def _by_prompt(line: ModelResult, questionnaire: Questionnaire) -> dict[int, CompassPoint]:
    """The position for each prompt, over all of its seeds."""
    own = [record for record in line.rounds if record.wording == 0]
    return {
        prompt: locate(
            questionnaire,
            [
                one.answer
                for one in aggregate_rounds([one for one in own if one.prompt == prompt], line.min_confidence)
            ],
        ).position
        for prompt in sorted({record.prompt for record in own})
    }


def _gaps(
    one: dict[int, CompassPoint], other: dict[int, CompassPoint], on: Callable[[CompassPoint], float]
) -> list[float]:
    """The differences for the prompts that both have."""
    return [on(one[prompt]) - on(other[prompt]) for prompt in sorted(one.keys() & other.keys())]


def _interval(gaps: Sequence[float]) -> str:
    """The mean difference with its 95% interval (Student's t); for a single one, without an interval."""
    from scipy.stats import t as student

    if not gaps:
        return _NONE
    middle = fmean(gaps)
    if len(gaps) < 2:
        return f"{middle:+.2f}"
    reach = float(student.ppf(0.975, len(gaps) - 1)) * stdev(gaps) / math.sqrt(len(gaps))
    return f"{middle:+.2f} [{middle - reach:+.2f}, {middle + reach:+.2f}]"


_NOTES = (
    "position: mean over prompts, with all seeds of each. [ ]: 95% interval of the mean difference "
    "(Student's t), over the prompts of a single model; differences between corpora are over "
    "pre-training seeds, if there are several, else over prompts, which says nothing of another "
    "training.",
    "An encoder without a masked language modeling layer gets a new one over its word embeddings, with "
    "ten times the learning rate: after few texts its fillers are hardly answers.",
    "cpu: 1,280 blocks of 64 tokens, one epoch, unless the model's name has epochs (ep) or a share "
    "(pc); smoke: 8 blocks of 32. One pre-training each, with seed 1, unless the name has a seed; the "
    "seed in run at is that of responses, 0 where nothing is sampled.",
    "News is AllSides articles by the rating of their outlet; speech (House of 2005 and debates of "
    "2016, by party) replaces the paper's Reddit. before, after: 20 January 2017. Near-duplicates of "
    "dev and test texts of downstream tasks are left out; hateful texts only with --hate-filter. At "
    "full scale the corpora differ in size; the paper's are about equal.",
    "Pre-training follows Table 9 (learning rate 2e-5, weight decay 1e-5, batch size 32, warm-up 0.06, "
    "twenty epochs at full scale), by AdamW with the library's betas and epsilon; the paper's Adam has "
    "(0.9, 0.98) and 1e-6. An interval that contains 0 is no shift beyond that of prompts; a dash: no "
    "answer was clear. Intervals and p are not corrected for their number: about one in twenty "
    "intervals excludes 0 by chance.",
)
