"""The options of ``evenhand train table bsw-3`` to ``bsw-8``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli import table_options

if TYPE_CHECKING:
    import torch

TRAINED = {
    "bsw-3": "Badjatiya et al.'s Table 3: the bias sensitive words that each strategy finds, in tweets and talk pages",
    "bsw-4": "Badjatiya et al.'s Table 4: tweets, accuracy and bias by detection and replacement",
    "bsw-5": "Badjatiya et al.'s Table 5: Wiki Madlibs, pAUC by replacement, with subgroup, BPSN and BNSP AUC",
    "bsw-6": "Badjatiya et al.'s Table 6: talk pages, accuracy and bias by detection and replacement",
    "bsw-8": "Badjatiya et al.'s Table 8: its example sentences before and after centroid replacement",
}
"""Those of classifiers that are trained here."""
WORDNET = "bsw-7"
TABLES = dict(
    sorted(
        {**TRAINED, WORDNET: "Badjatiya et al.'s Table 7: what WordNet puts in the place of a word"}.items()
    )
)


def add(table: argparse.ArgumentParser) -> None:
    """Register those that they do not share with other tables."""
    own = table.add_argument_group(
        "bsw-3 to -8",
        "--rows names replacements (bsw-3: detections), --glove the word vectors, which all need.",
    )
    own.add_argument(
        "--wordnet", type=Path, metavar="FOLDER", help="WordNet's files (default: where NLTK keeps its data)"
    )
    own.add_argument(
        "--detections", nargs="+", default=[], metavar="NAME", help="manual, soac, spcpd (default: all)"
    )
    own.add_argument(
        "--classifiers", nargs="+", default=["cnn"], metavar="NAME", help="cnn, logistic, mlp (default: cnn)"
    )


def printed(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run a table of trained classifiers; its text."""
    from training.papers.stereotype_removal import tables

    plan = tables.Plan(
        **table_options.common(options),
        table=options.name,
        glove=options.glove,
        wordnet=options.wordnet,
        detections=tuple(options.detections),
        classifiers=tuple(options.classifiers),
    )
    return table_options.printed(tables.run(data, plan, folder, device=device), options)


def printed_7(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    """Run Table 7; its text."""
    from training.papers.stereotype_removal import tables

    return table_options.printed(tables.run_wordnet(data, options.wordnet), options)
