"""The tables of BABE for ``evenhand train table``: ``babe-1`` to ``babe-5``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli.table import TableCommand, cell_plan, named_paths

if TYPE_CHECKING:
    import torch

    from training.evaluation.results_table import Table


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options of babe-5."""
    own = parser.add_argument_group("babe-5")
    own.add_argument(
        "--related",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="broad.safetensors of a reader run on that encoder; without it the auxiliary tasks are trained here",
    )
    own.add_argument("--groups", nargs="+", default=[], choices=("SG1", "SG2"), help="default: both")
    own.add_argument(
        "--protocols", nargs="+", default=[], choices=("clean", "original"), help="default: both"
    )


def _annotation(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.babe import annotation_tables

    return annotation_tables.run(data)[options.name]


def _table_5(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.babe import table_5

    plan = table_5.Plan(
        **cell_plan(options),
        auxiliary=named_paths(options.related, "--related NAME=FILE"),
        groups=tuple(options.groups),
        protocols=tuple(options.protocols),
    )
    return table_5.SPEC.run(data, plan, folder, device=device)


TABLES = {
    "babe-1": TableCommand("BABE, Table 1: agreement and marked words, experts and crowd", _annotation),
    "babe-2": TableCommand("BABE, Table 2: classes in percent, experts and crowd", _annotation),
    "babe-3": TableCommand("BABE, Table 3: agreement of eight annotators and of five", _annotation),
    "babe-4": TableCommand("BABE, Table 4: classes in percent by eight annotators and by five", _annotation),
    "babe-5": TableCommand(
        "BABE, Table 5: every system on SG1 and SG2, without and with early stopping on the scored fold, compared with "
        "the published scores",
        _table_5,
        has_cells=True,
    ),
}
