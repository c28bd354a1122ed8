"""The tables of Badjatiya et al. 2019 for ``evenhand train table``: ``bsw-3`` to ``bsw-8``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli.table import TableCommand, cell_plan

if TYPE_CHECKING:
    import torch

    from training.evaluation.results_table import Table


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that only these tables have; ``--rows`` names replacements (bsw-3: detections)."""
    parser.add_argument(
        "--glove", type=Path, metavar="FILE", help="word vectors as text, which all but bsw-7 need"
    )
    parser.add_argument(
        "--wordnet", type=Path, metavar="FOLDER", help="WordNet's files (default: where NLTK keeps its data)"
    )
    parser.add_argument(
        "--detections", nargs="+", default=[], metavar="NAME", help="manual, soac, spcpd (default: all)"
    )
    parser.add_argument(
        "--classifiers", nargs="+", default=["cnn"], metavar="NAME", help="cnn, logistic, mlp (default: cnn)"
    )


def _trained(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.stereotype_removal import tables

    plan = tables.Plan(
        **cell_plan(options),
        table=options.name,
        glove=options.glove,
        wordnet=options.wordnet,
        detections=tuple(options.detections),
        classifiers=tuple(options.classifiers),
    )
    return tables.SPEC.run(data, plan, folder, device=device)


def _wordnet(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.stereotype_removal import tables

    return tables.run_wordnet(data, options.wordnet)


TABLES = {
    "bsw-3": TableCommand(
        "Badjatiya et al., Table 3: the bias sensitive words that each strategy finds, in tweets and talk pages",
        _trained,
        has_cells=True,
    ),
    "bsw-4": TableCommand(
        "Badjatiya et al., Table 4: tweets, accuracy and bias by detection and replacement",
        _trained,
        has_cells=True,
    ),
    "bsw-5": TableCommand(
        "Badjatiya et al., Table 5: Wiki Madlibs, pAUC by replacement, with subgroup, BPSN and BNSP AUC",
        _trained,
        has_cells=True,
    ),
    "bsw-6": TableCommand(
        "Badjatiya et al., Table 6: talk pages, accuracy and bias by detection and replacement",
        _trained,
        has_cells=True,
    ),
    "bsw-7": TableCommand("Badjatiya et al., Table 7: what WordNet puts in the place of a word", _wordnet),
    "bsw-8": TableCommand(
        "Badjatiya et al., Table 8: its example sentences before and after centroid replacement",
        _trained,
        has_cells=True,
    ),
}
