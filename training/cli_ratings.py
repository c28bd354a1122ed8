"""``evenhand train ratings``: blinded sheets for people who rate systems, and what the filled ones say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.files import FileError
from training.ratings import filled, items, scores, sheets
from training.ratings.protocols import PROTOCOLS, RatingError

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction[argparse.ArgumentParser]


def add(commands: Commands) -> None:
    """Register ``ratings`` with its two deeds."""
    ratings = commands.add_parser("ratings", help="blinded rating sheets for the papers' human evaluations")
    deeds = ratings.add_subparsers(required=True, metavar="DEED")
    sheet = deeds.add_parser("sheet", help="make a sheet for each rater, and the key that unblinds them")
    sheet.add_argument(
        "--systems", nargs="+", required=True, metavar="NAME=FILE", help="each system's texts, one a line"
    )
    sheet.add_argument(
        "--sources", type=Path, required=True, metavar="FILE", help="their sources, line by line"
    )
    sheet.add_argument(
        "--protocol", choices=PROTOCOLS, default="wikibias", help="questions and scales of which paper"
    )
    sheet.add_argument("--n", type=int, default=100, help="how many sources (default: 100, as WIKIBIAS)")
    sheet.add_argument("--raters", type=int, default=3, help="how many raters (default: 3, as WIKIBIAS)")
    sheet.add_argument("--seed", type=int, default=42)
    sheet.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    sheet.set_defaults(act=_sheet)
    score = deeds.add_parser("score", help="check the filled sheets and say what they say")
    score.add_argument("folder", type=Path)
    score.add_argument("--partial", action="store_true", help="leave out what is not filled in")
    score.set_defaults(act=_score)


def _sheet(options: argparse.Namespace) -> int:
    try:
        systems = _systems(options.systems)
        made = items.plan(
            PROTOCOLS[options.protocol],
            items.lines_of(options.sources),
            {name: items.lines_of(path) for name, path in systems.items()},
            n=options.n,
            raters=options.raters,
            seed=options.seed,
        )
        sheets.write(made, options.out)
    except (RatingError, FileError) as error:
        return _refuse(error)
    rows = len(next(iter(made.sheets.values())))
    print(
        f"{options.raters} sheets of {rows} rows are in {options.out / sheets.RATERS}. Give each rater one, as CSV or "
        f"printed, with instructions.txt. Keep {options.out / sheets.KEY} to yourself: it says which system is which.\n"
        f"Put the filled sheets back in their place, then: evenhand train ratings score {options.out}"
    )
    return 0


def _score(options: argparse.Namespace) -> int:
    try:
        plan, ratings = filled.read(options.folder, partial=options.partial)
    except (RatingError, FileError) as error:
        return _refuse(error)
    print(scores.report(plan, ratings))
    return 0


def _systems(named: Sequence[str]) -> dict[str, Path]:
    systems: dict[str, Path] = {}
    for entry in named:
        name, equals, path = entry.partition("=")
        if not (name and equals and path):
            raise RatingError(f"{entry!r} names no system. Write it as NAME=FILE.")
        if name in systems:
            raise RatingError(f"The system {name!r} is named twice. Give each its own name.")
        systems[name] = Path(path)
    return systems


def _refuse(error: Exception) -> int:
    for line in str(error).splitlines():
        print(f"evenhand train: {line}", file=sys.stderr)
    return 2
