"""The tables of Feng et al. 2023 for ``evenhand train table``: ``compass-…``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli.table import TableCommand, add_bases, cell_plan

if TYPE_CHECKING:
    import torch

    from training.evaluation.results_table import Table

STANCE = (
    "how a generator's answer is scored: log-probability (default), direct, or the hub name or folder "
    "of a classifier of natural-language inference (the paper's: facebook/bart-large-mnli)"
)


def add(table: argparse.ArgumentParser) -> None:
    """Add the options of these tables, with several models for ``--base``."""
    add_bases(table)
    own = table.add_argument_group(
        "compass-positions, -answers, -stability, -shift, -trajectory, -3 to -6, -12",
        "--base names models; for compass-3 to -12 first the base, then its partisan models.",
    )
    own.add_argument(
        "--tasks",
        nargs="+",
        default=["hatexplain", "liar"],
        metavar="NAME",
        help="compass-3 to -12: hatexplain, liar (default), hate-identity, hate-demographic",
    )
    own.add_argument(
        "--corpora",
        nargs="+",
        default=[],
        metavar="NAME",
        help="compass-shift, -trajectory: news-left, news-center, news-right, speech-left, "
        "speech-right (default: all); add -before or -after (20 January 2017) to a name of news",
    )
    own.add_argument(
        "--hate-filter",
        default="",
        metavar="MODEL",
        help="compass-shift, -trajectory: a classifier of hate speech by hub name or folder; texts "
        "that it finds hateful are left out",
    )
    own.add_argument(
        "--epochs",
        type=int,
        default=0,
        metavar="N",
        help="compass-shift: number of epochs, instead of the scale's",
    )
    own.add_argument(
        "--stance",
        default="log-probability",
        metavar="NAME",
        help=STANCE,
    )


def _probe(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.auditing.compass.runner import Plan
    from training.papers.polilean import positions_table

    plan = Plan(**cell_plan(options), table=options.name, models=options.models, stance=options.stance)
    return positions_table.SPEC.run(data, plan, folder, device=device)


def _detect(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.auditing.compass.detector_runner import Plan
    from training.papers.polilean import downstream_table

    plan = Plan(**cell_plan(options), table=options.name, models=options.models, tasks=tuple(options.tasks))
    return downstream_table.SPEC.run(data, plan, folder, device=device)


def _shift(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.polilean import shift_table

    plan = shift_table.Plan(
        **cell_plan(options),
        table=options.name,
        models=options.models,
        stance=options.stance,
        corpora=tuple(options.corpora),
        hate_filter=options.hate_filter,
        epochs=options.epochs,
    )
    return shift_table.run(data, plan, folder, device=device)


TABLES = {
    "compass-positions": TableCommand(
        "Feng et al.'s Figure 1: positions of language models on the political compass, with their "
        "uncertainty",
        _probe,
        has_cells=True,
        shows_corpus=True,
    ),
    "compass-answers": TableCommand(
        "Feng et al.'s Figure 1: the answers of the same models, statement by statement",
        _probe,
        has_cells=True,
        shows_corpus=True,
    ),
    "compass-stability": TableCommand(
        "Feng et al.'s Figures 5 and 6: agreement of answers between wordings and between prompts",
        _probe,
        has_cells=True,
        shows_corpus=True,
    ),
    "compass-shift": TableCommand(
        "Feng et al.'s Figures 2 and 3: where continued pre-training on partisan texts moves a model",
        _shift,
        has_cells=True,
        shows_corpus=True,
    ),
    "compass-trajectory": TableCommand(
        "Feng et al.'s Figure 4: where more epochs and more partisan texts move it",
        _shift,
        has_cells=True,
        shows_corpus=True,
    ),
    "compass-3": TableCommand(
        "Feng et al.'s Table 3: detectors of hate and misinformation on partisan models, overall",
        _detect,
        has_cells=True,
    ),
    "compass-4": TableCommand(
        "Feng et al.'s Table 4: the same by target group and by the speaker's party", _detect, has_cells=True
    ),
    "compass-5": TableCommand(
        "Feng et al.'s Tables 5, 14 and 15: texts on which these detectors disagree",
        _detect,
        has_cells=True,
        shows_corpus=True,
    ),
    "compass-6": TableCommand(
        "Feng et al.'s Table 6: the vote of the partisan models compared with the best of them",
        _detect,
        has_cells=True,
    ),
    "compass-12": TableCommand(
        "Feng et al.'s Table 12: precision and recall by group", _detect, has_cells=True
    ),
}
