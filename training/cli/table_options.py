"""The options of ``evenhand train table`` that all tables of trained cells share."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.types import CorpusError

if TYPE_CHECKING:
    from training.papers.harness import Table


def add(table: argparse.ArgumentParser) -> None:
    """Register them."""
    own = table.add_argument_group("babe-5, wikibias-5 to -7, bsw-3 to -8, calibration")
    own.add_argument(
        "--encoder",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="where an encoder lies (others are taken by their hub name); may be said again",
    )
    own.add_argument(
        "--rows", nargs="+", default=[], metavar="ROW", help="these systems only (rewriting, too)"
    )
    own.add_argument("--seeds", type=int, nargs="+", default=[], help="default: the scale's; with --show all")
    own.add_argument("--spacy", default="en_core_web_sm", help="English spaCy model by name or folder")
    own.add_argument("--show", action="store_true", help="run nothing, show what is there")
    own.add_argument("--fresh", action="store_true", help="leave out the results that come with the program")
    own.add_argument(
        "--markdown", type=Path, metavar="FILE", help="write it as Markdown, too (all of BABE to calibration)"
    )
    own.add_argument(
        "--scale",
        choices=("smoke", "cpu", "full"),
        default="cpu",
        help="how much work (rewriting: its generators')",
    )
    own.add_argument(
        "--write",
        action="store_true",
        help="keep the results with the program; sensitivity, bsw-reader: in the bundle and its card",
    )


def common(options: argparse.Namespace) -> dict[str, Any]:
    """What they say, as the fields of a ``CellPlan``."""
    return {
        "encoders": folders(options.encoder, "--encoder NAME=FOLDER"),
        "rows": tuple(options.rows),
        "seeds": tuple(options.seeds),
        "scale": options.scale,
        "spacy": options.spacy,
        "fresh": options.fresh,
        "show": options.show,
        "write": options.write,
    }


def printed(table: Table, options: argparse.Namespace) -> str:
    """The text of a table, after ``--markdown`` was obeyed."""
    if options.markdown is not None:
        options.markdown.write_text(table.markdown(), encoding="utf-8")
    return table.text()


def folders(said: Sequence[str], form: str) -> dict[str, Path]:
    """Places by name. Raises CorpusError for what is not in this ``form``."""
    pairs = [one.partition("=") for one in said]
    if any(not (name and path) for name, _, path in pairs):
        raise CorpusError(f"{' '.join(said)} names no encoder and its place. Say {form}.")
    return {name: Path(path) for name, _, path in pairs}
