"""The options of ``evenhand train table babe-5``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli import table_options

if TYPE_CHECKING:
    import torch


def add(table: argparse.ArgumentParser) -> None:
    """Register those that it does not share with other tables."""
    own = table.add_argument_group("babe-5")
    own.add_argument(
        "--related",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="related.safetensors of a reader run on that encoder; without it the stage is run here",
    )
    own.add_argument("--groups", nargs="+", default=[], choices=("SG1", "SG2"), help="default: both")
    own.add_argument(
        "--protocols", nargs="+", default=[], choices=("clean", "original"), help="default: both"
    )


def printed(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run the table; its text."""
    from training.papers.babe import table_5

    plan = table_5.Plan(
        **table_options.common(options),
        related=table_options.folders(options.related, "--related NAME=FILE"),
        groups=tuple(options.groups),
        protocols=tuple(options.protocols),
    )
    return table_options.printed(table_5.run(data, plan, folder, device=device), options)
