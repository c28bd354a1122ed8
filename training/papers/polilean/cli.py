"""The options of ``evenhand train table compass-…``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.cli import table_options

if TYPE_CHECKING:
    import torch

PLACING = {
    "compass-positions": "Feng et al.'s Figure 1: language models on the political compass, and how sure that is",
    "compass-answers": "Feng et al.'s Figure 1: the same models' answers, statement by statement",
    "compass-stability": "Feng et al.'s Figures 5 and 6: how far answers agree between wordings and between prompts",
}
"""Those of probed models."""
DETECTING = {
    "compass-3": "Feng et al.'s Table 3: detectors of hate and misinformation on partisan models, overall",
    "compass-4": "Feng et al.'s Table 4: the same by target group and by the speaker's party",
    "compass-5": "Feng et al.'s Tables 5, 14 and 15: texts on which these detectors disagree",
    "compass-6": "Feng et al.'s Table 6: a vote of the partisan models beside the best of them",
    "compass-12": "Feng et al.'s Table 12: precision and recall by group",
}
"""Those of detectors that are trained here."""
SHIFTING = {
    "compass-shift": "Feng et al.'s Figures 2 and 3: where continued pre-training on partisan texts moves a model",
    "compass-trajectory": "Feng et al.'s Figure 4: where more epochs and more partisan texts move it",
}
"""Those of models that are pre-trained here."""
STANCE = (
    "how a generator's side is told: log-probability (default), direct, or the hub name or folder of a classifier of "
    "natural-language inference (the paper's: facebook/bart-large-mnli)"
)
DETECTORS = "train a detector of these on every model: hatexplain, liar, hate-identity, hate-demographic"
TABLES = {**PLACING, **SHIFTING, **DETECTING}


class Bases(argparse.Action):
    """``--base MODEL [MODEL ...]``: the first is ``base``, as all tables know it, all are ``models``."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Keep what was said."""
        named = tuple(values or ())
        namespace.base, namespace.models = named[0], named


def add_bases(parser: argparse.ArgumentParser) -> None:
    """Have ``--base`` take several models, in the place of one."""
    parser.add_argument(
        "--base",
        nargs="+",
        action=Bases,
        default="",
        metavar="MODEL",
        help="model by hub name or folder; compass: one or more",
    )
    parser.set_defaults(models=())


def add(table: argparse.ArgumentParser) -> None:
    """Register those that they do not share with other tables, and several models for ``--base``."""
    add_bases(table)
    own = table.add_argument_group(
        "compass-positions, -answers, -stability, -shift, -trajectory, -3 to -6, -12",
        "--base names models; of compass-3 to -12 the base first, then its partisan ones.",
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
        help="compass-shift, -trajectory: news-left, news-center, news-right, speech-left, speech-right (all by "
        "default); news with -before or -after (20 January 2017) behind it",
    )
    own.add_argument(
        "--hate-filter",
        default="",
        metavar="MODEL",
        help="compass-shift, -trajectory: a classifier of hate speech by hub name or folder, whose hateful texts are "
        "left out",
    )
    own.add_argument(
        "--epochs", type=int, default=0, metavar="N", help="compass-shift: so many, not as the scale has them"
    )
    own.add_argument(
        "--stance",
        default="log-probability",
        metavar="NAME",
        help=STANCE,
    )


def printed(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run a table of probed models; its text."""
    from training.auditing.compass import runner

    plan = runner.Plan(
        **table_options.common(options), table=options.name, models=options.models, stance=options.stance
    )
    return table_options.printed(runner.run(data, plan, folder, device=device), options)


def printed_detecting(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run a table of trained detectors; its text."""
    from training.auditing.compass import detector_runner

    plan = detector_runner.Plan(
        **table_options.common(options), table=options.name, models=options.models, tasks=tuple(options.tasks)
    )
    return table_options.printed(detector_runner.run(data, plan, folder, device=device), options)


def printed_shifting(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run a table of pre-trained models; its text."""
    from training.papers.polilean import shift_table

    plan = shift_table.Plan(
        **table_options.common(options),
        table=options.name,
        models=options.models,
        stance=options.stance,
        corpora=tuple(options.corpora),
        hate_filter=options.hate_filter,
        epochs=options.epochs,
    )
    return table_options.printed(shift_table.run(data, plan, folder, device=device), options)
