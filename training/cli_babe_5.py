"""The options of ``evenhand train table babe-5``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from training.corpora.base import CorpusError

if TYPE_CHECKING:
    import torch


def add(table: argparse.ArgumentParser) -> None:
    """Register them; ``--scale``, ``--seeds``, ``--write`` and the common ones are shared with other tables."""
    own = table.add_argument_group("babe-5")
    own.add_argument(
        "--encoder",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="where an encoder lies (others are taken by their hub name); may be said again",
    )
    own.add_argument(
        "--related",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="related.safetensors of a reader run on that encoder; without it the stage is run here",
    )
    own.add_argument("--rows", nargs="+", default=[], metavar="ROW", help="these systems only")
    own.add_argument("--groups", nargs="+", default=[], choices=("SG1", "SG2"), help="default: both")
    own.add_argument(
        "--protocols", nargs="+", default=[], choices=("clean", "original"), help="default: both"
    )
    own.add_argument("--spacy", default="en_core_web_sm", help="English spaCy model by name or folder")
    own.add_argument("--show", action="store_true", help="run nothing, show what is there")
    own.add_argument("--fresh", action="store_true", help="leave out the results that come with the program")
    own.add_argument("--markdown", type=Path, metavar="FILE", help="write it as Markdown, too (all of BABE)")


def printed(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    """Run the table; its text."""
    from training.tables import babe_5

    plan = babe_5.Plan(
        encoders=_pairs(options.encoder, "--encoder NAME=FOLDER"),
        related=_pairs(options.related, "--related NAME=FILE"),
        rows=tuple(options.rows),
        groups=tuple(options.groups),
        protocols=tuple(options.protocols),
        seeds=tuple(options.seeds or ()),
        scale=options.scale,
        spacy=options.spacy,
        fresh=options.fresh,
        show=options.show,
        write=options.write,
    )
    table = babe_5.run(data, plan, folder, device=device)
    if options.markdown is not None:
        options.markdown.write_text(table.markdown(), encoding="utf-8")
    return table.text()


def _pairs(said: Sequence[str], form: str) -> dict[str, Path]:
    pairs = [one.partition("=") for one in said]
    if any(not (name and path) for name, _, path in pairs):
        raise CorpusError(f"{' '.join(said)} names no encoder and its place. Say {form}.")
    return {name: Path(path) for name, _, path in pairs}
