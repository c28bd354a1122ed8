"""The options of ``evenhand train table calibration-5`` to ``-7`` and ``calibration-judge``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli import table_options

if TYPE_CHECKING:
    import torch

TABLES = {
    "calibration-5": "Liu et al.'s Table 5: political bias of a generator by option, before and after calibration",
    "calibration-6": "Liu et al.'s Table 6: calibration beside replacing words: bias, perplexity, time",
    "calibration-7": "Liu et al.'s Table 7: bias and perplexity by the strength of the calibration",
    "calibration-judge": "Liu et al.'s judge of political ideology: macro-F1 on random and outlet-grouped folds",
}


def add(table: argparse.ArgumentParser) -> None:
    """Register those that they do not share with other tables."""
    own = table.add_argument_group(
        "calibration-5 to -7, calibration-judge",
        "--base names the generator, --rows systems (vanilla, naive, in-glove, emb, cls, emb-token, token; of Table 7 "
        "0, emb-0.1 … cls-0.9), --glove the word vectors of naive and in-glove.",
    )
    own.add_argument(
        "--judge",
        default="words",
        metavar="NAME|RUN",
        help="who scores the texts: words, tfidf, or a run of the recipe judge (default: words)",
    )
    own.add_argument(
        "--articles",
        choices=("apart", "shared"),
        default="apart",
        help="calibration-5 to -7: bias words and f_debias learn from other articles than the judge (default), or from "
        "the judge's, as in the paper",
    )
    own.add_argument(
        "--attribute",
        nargs="+",
        default=[],
        metavar="NAME",
        help="calibration-5 and -7: gender, location, topic (default: all, and their mean)",
    )
    own.add_argument(
        "--picture",
        type=Path,
        metavar="FILE.svg",
        help="calibration-5: draw the base rates, too (in the place of the paper's Figure 2)",
    )


def printed(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run one of them; its text."""
    from training.papers.political_calibration import tables

    plan = tables.Plan(
        **table_options.common(options),
        table=options.name,
        base=options.base,
        glove=options.glove,
        judge=options.judge,
        shared=options.articles == "shared",
        attributes=tuple(dict.fromkeys(options.attribute)),
        picture=options.picture,
    )
    return table_options.printed(tables.run(data, plan, folder, device=device), options)
