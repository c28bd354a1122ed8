"""The tables of Liu et al. 2021 for ``evenhand train table``: ``calibration-5`` to ``-7`` and ``calibration-judge``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli.table import TableCommand, cell_plan

if TYPE_CHECKING:
    import torch

    from training.evaluation.results_table import Table


def add(table: argparse.ArgumentParser) -> None:
    """Add the options of these tables."""
    own = table.add_argument_group(
        "calibration-5 to -7, calibration-judge",
        "--base names the generator, --rows systems (vanilla, naive, in-glove, emb, cls, emb-token, "
        "token; in Table 7 0, emb-0.1 … cls-0.9).",
    )
    own.add_argument(
        "--glove", type=Path, metavar="FILE", help="word vectors for naive and in-glove, as text"
    )
    own.add_argument(
        "--ideology-classifier",
        default="words",
        metavar="NAME|RUN",
        help="scores the texts: words (default), tfidf, or a run of the recipe ideology-classifier",
    )
    own.add_argument(
        "--articles",
        choices=("apart", "shared"),
        default="apart",
        help="calibration-5 to -7: train bias words and f_debias on other articles than the ideology "
        "classifier (apart, default), or on the same ones, as in the paper (shared)",
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
        help="calibration-5: also draw the base rates (instead of the paper's Figure 2)",
    )


def _run(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.political_calibration import tables

    plan = tables.Plan(
        **cell_plan(options),
        table=options.name,
        base=options.base,
        glove=options.glove,
        ideology_classifier=options.ideology_classifier,
        shared=options.articles == "shared",
        attributes=tuple(dict.fromkeys(options.attribute)),
        picture=options.picture,
    )
    return tables.run(data, plan, folder, device=device)


TABLES = {
    "calibration-5": TableCommand(
        "Liu et al.'s Table 5: political bias of a generator by option, before and after debiasing",
        _run,
        has_cells=True,
    ),
    "calibration-6": TableCommand(
        "Liu et al.'s Table 6: debiasing compared with word replacement: bias, perplexity, time",
        _run,
        has_cells=True,
    ),
    "calibration-7": TableCommand(
        "Liu et al.'s Table 7: bias and perplexity by the strength of reinforced calibration",
        _run,
        has_cells=True,
    ),
    "calibration-judge": TableCommand(
        "Liu et al.'s ideology classifier: macro-F1 on random and publisher-grouped folds",
        _run,
        has_cells=True,
    ),
}


def generated_texts(folder: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Prompts, and each system's texts, for ``evenhand train ratings sheet --generated FOLDER``."""
    from training.papers.political_calibration.rated_texts import read_generated_texts

    return read_generated_texts(folder)
