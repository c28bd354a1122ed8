"""The options of ``evenhand train table wikibias-5``, ``-6``, ``-7`` and ``-9``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli import table_options

if TYPE_CHECKING:
    import torch

    from training.papers.wikibias import tables

TRAINED = {
    "wikibias-5": "WIKIBIAS's Table 5: is a sentence biased? Learnt from clean labels, noisy ones and both",
    "wikibias-6": "WIKIBIAS's Table 6: which kinds of bias a sentence has",
    "wikibias-7": "WIKIBIAS's Table 7: which words are biased; every tagger, with the paper's ranking put to the test",
}
"""Those of systems that are trained here."""
DOMAINS = "wikibias-9"
TABLES = {
    **TRAINED,
    DOMAINS: "WIKIBIAS's Table 9: what a tagger marks in books, headlines and speeches, by side",
}


def add(table: argparse.ArgumentParser) -> None:
    """Register those that they do not share with other tables."""
    own = table.add_argument_group(
        "wikibias-5 to -7",
        "--base names the encoder of every row (of those of --encoder), or paper: each row's own.",
    )
    own.add_argument(
        "--glove", type=Path, metavar="FILE", help="word vectors of BiLSTM-CNN-CRF (and of bsw), as text"
    )
    table.add_argument(
        "--ratings",
        type=Path,
        metavar="FOLDER",
        help="wikibias-9: the filled sheets of `ratings sheet --protocol wikibias-spans`",
    )


def printed_9(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run Table 9 with a reader's bundle, or with the tagger of Table 7 that ``--rows`` names; its text."""
    from training.papers.wikibias import table_9

    plan = table_9.Plan(
        reader=options.reader,
        trained=_plan(options, table="wikibias-7") if options.rows else None,
        scale=options.scale,
        ratings=options.ratings,
    )
    return table_options.printed(table_9.run(data, plan, folder, device=device), options)


def printed(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run Table 5, 6 or 7; its text."""
    from training.papers.wikibias import tables

    table = tables.run(data, _plan(options, table=options.name), folder, device=device)
    return table_options.printed(table, options)


def _plan(options: argparse.Namespace, *, table: str) -> tables.Plan:
    from training.papers.wikibias import tables

    return tables.Plan(
        **table_options.common(options),
        table=table,
        base=options.base,
        injected=options.injected,
        glove=options.glove,
    )
