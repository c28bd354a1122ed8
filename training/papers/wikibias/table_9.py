"""WIKIBIAS's Table 9: what a tagger marks in books, headlines and speeches, and its F1 against raters.

The paper's F1 is measured on 50 sentences of each corpus that crowd workers marked, which are not released. Here the
column is filled from the sheets of one's own raters (``evenhand train ratings sheet --protocol wikibias-spans``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from core.bundles.reader import load_reader_bundle
from core.engine.engine import bundled_reader
from training.corpora.political_texts import BOOKS, CONGRESS, DEBATES, NEWS, SPEECHES, Side
from training.evaluation.results_table import Block, Table
from training.papers.harness import check_rows
from training.papers.wikibias import domains, span_ratings, tables
from training.papers.wikibias.domains import (
    PRIOR,
    Group,
    Phrase,
    RaterScore,
    TaggedPassage,
    Tagger,
    score_against_raters,
    trained_tagger,
)
from training.papers.wikibias.published import WIKIBIAS_TABLE_9
from training.papers.wikibias.systems import ROWS
from training.types import print_to_stderr

SCALES: dict[str, int | None] = {"smoke": 20, "cpu": 200, "full": None}
"""Sentences of each side; the released samples have 200."""
PHRASES = 6
TITLES: dict[Group, str] = {
    (BOOKS, Side.LEFT): "books, liberal",
    (BOOKS, Side.RIGHT): "books, conservative",
    (NEWS, Side.LEFT): "news, liberal",
    (NEWS, Side.RIGHT): "news, conservative",
    (NEWS, Side.NONE): "news, sensational",
    (SPEECHES, Side.RIGHT): "Trump, campaign 2016",
    (DEBATES, Side.LEFT): "Clinton, debates 2016",
    (DEBATES, Side.RIGHT): "Trump, debates 2016",
    (CONGRESS, Side.LEFT): "Democrats, House 2005",
    (CONGRESS, Side.RIGHT): "Republicans, House 2005",
}
_ELSEWHERE = {(DEBATES, Side.LEFT): "Biden", (DEBATES, Side.RIGHT): "Trump"}
_HEADER = (
    "",
    "sentences",
    "marked",
    "words",
    "spans",
    "per 1,000 words [95%]",
    "multi-word",
    "published F1",
    "F1 here [95%]",
)
_PHRASES_HEADERER = ("", "here", "there", "z", "around")
_SHOWN_FAULTS = 10


@dataclass(frozen=True, slots=True)
class Plan:
    """The tagger, the scale and the folder of filled sheets.

    The tagger is the reader of a bundle (default: the bundled one); with ``trained`` it is the first cell of that plan
    for Table 7.
    """

    reader: Path | None = None
    trained: tables.Plan | None = None
    scale: str = "cpu"
    seed: int = 42
    ratings: Path | None = None


def run(
    data: Path,
    plan: Plan,
    folder: Path,
    *,
    device: torch.device,
    on_message: Callable[[str], None] = print_to_stderr,
) -> Table:
    """The table of a tagger. Raises CorpusError, BundleError, ReaderError, TrainingError and RatingError.

    ``folder`` holds the weights of a trained tagger, with those of Table 7.
    """
    name, tagger = _tagger(data, plan, folder, device=device)
    some, absent = domains.load_passages(data, most=SCALES[plan.scale], seed=plan.seed, on_message=on_message)
    every = domains.tag_passages(tagger, some)
    groups = domains.group_by_side(every, of=lambda one: one.passage)
    rated = _rated(plan, tagger, on_message=on_message)
    blocks = [Block("How much is marked", _HEADER, tuple(_row(groups, one, rated) for one in groups))]
    for group in groups:
        blocks += _phrases(groups, group, every)
    return Table(f"WIKIBIAS, Table 9: {name} outside its domain", tuple(blocks), tuple(_notes(absent, rated)))


def _tagger(data: Path, plan: Plan, folder: Path, *, device: torch.device) -> tuple[str, Tagger]:
    if plan.trained is None:
        bundle = plan.reader or bundled_reader()
        return load_reader_bundle(bundle).title, domains.reader_tagger(bundle)
    trained = plan.trained
    check_rows(trained.rows, ROWS[trained.table])
    cell_id = next(tables.cell_ids(data, trained))
    runner = tables.make_runner(data, trained, folder / "wikibias", device)
    name = f"{cell_id.title} on {cell_id.encoder or 'word vectors'}, seed {cell_id.seed},"
    return name, trained_tagger(runner, cell_id)


def _rated(plan: Plan, tagger: Tagger, *, on_message: Callable[[str], None]) -> Mapping[Group, RaterScore]:
    """The scores against raters; empty without sheets. Reports unreadable cells."""
    if plan.ratings is None:
        return {}
    ratings = span_ratings.read_sheets(plan.ratings)
    for fault in ratings.faults[:_SHOWN_FAULTS]:
        on_message(fault)
    if len(ratings.faults) > _SHOWN_FAULTS:
        on_message(
            f"… and {len(ratings.faults) - _SHOWN_FAULTS} more unreadable cells; the others are counted."
        )
    return score_against_raters(ratings, tagger, seed=plan.seed)


def _row(
    groups: Mapping[Group, list[TaggedPassage]], group: Group, rated: Mapping[Group, RaterScore]
) -> tuple[str, ...]:
    found = domains.summarize_marking(groups[group])
    return (
        TITLES[group],
        f"{found.sentences:,}",
        f"{found.marked / found.sentences:.0%}",
        f"{found.words:,}",
        f"{found.spans:,}",
        f"{found.rate.value:.1f} [{found.rate.low:.1f}, {found.rate.high:.1f}]",
        f"{found.multi / found.spans:.0%}" if found.spans else "–",
        _published(group),
        _figure(rated.get(group)),
    )


def _published(group: Group) -> str:
    if group in _ELSEWHERE:
        return f"{WIKIBIAS_TABLE_9[_ELSEWHERE[group]]} ({_ELSEWHERE[group]} 2020)"
    figure = WIKIBIAS_TABLE_9.get(TITLES[group])
    return "–" if figure is None else str(figure)


def _figure(rated: RaterScore | None) -> str:
    if rated is None:
        return "not rated"
    f1 = rated.f1
    ends = "" if math.isnan(f1.low) else f" [{100 * f1.low:.1f}, {100 * f1.high:.1f}]"
    return f"{100 * f1.value:.1f}{ends}"


def _phrases(
    groups: Mapping[Group, list[TaggedPassage]], group: Group, every: list[TaggedPassage]
) -> list[Block]:
    """The most frequent phrases of a side, and the most typical ones against its comparison group."""
    there = domains.comparison_group(groups, group)
    found = domains.rank_phrases(groups[group], there, every)
    blocks = []
    for what, rows in (
        ("most frequent of two or more words", domains.most_frequent(found, PHRASES)),
        (f"most typical, against {_comparison_name(groups, group)}", domains.most_typical(found, PHRASES)),
    ):
        if rows:
            blocks.append(Block(f"{TITLES[group]}: {what}", _PHRASES_HEADERER, tuple(map(_cells, rows))))
    return blocks


def _comparison_name(groups: Mapping[Group, list[TaggedPassage]], group: Group) -> str:
    names = [TITLES[one] for one in groups if one[0] == group[0] and one != group]
    return " and ".join(names) or "all other corpora"


def _cells(row: Phrase) -> tuple[str, ...]:
    return row.words, str(row.count), str(row.other_count), f"{row.z:+.2f}", row.sentence


def _notes(absent: list[str], rated: Mapping[Group, RaterScore]) -> list[str]:
    notes = [
        "marked: sentences with a span. multi-word: spans of two or more words, without leading articles. The "
        "intervals are from a bootstrap over sentences.",
        "published: partial F1 of the paper's tagger on 50 sentences of each corpus, marked by three crowd workers. "
        "Its debates are those of 2020, ours those of 2016; books and news are other samples, too.",
        "z is the difference of log-odds over its standard error, with an informative Dirichlet prior of "
        f"{PRIOR:.0f} spans from all corpora here (Monroe et al. 2008); below 1.96 it is not significant. Typical "
        "phrases occur at least twice and may be single words, as in the paper.",
    ]
    if rated:
        notes.append(_rater_note(rated))
    else:
        notes.append(
            "F1 here: no ratings. Make sheets with `evenhand train ratings sheet --protocol wikibias-spans "
            "--data DIR --out FOLDER`, have them filled, and name the folder with --ratings FOLDER."
        )
    if absent:
        notes.append(f"Missing corpora: {', '.join(absent)}.")
    return notes


def _rater_note(rated: Mapping[Group, RaterScore]) -> str:
    raters = max(one.raters for one in rated.values())
    sizes = sorted({one.sentences for one in rated.values()})
    count = str(sizes[0]) if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
    return (
        f"F1 here: partial F1 on {count} sentence{'s' * (sizes[-1] > 1)} of each side, marked by {raters} "
        f"rater{'s' * (raters > 1)} (words with more than one vote, or those of a single rater)."
    )
