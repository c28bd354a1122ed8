"""``evenhand train ratings``: blinded sheets for people who rate systems or mark words, and their scores."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.storage.files import FileError
from training.cli.table import table_modules
from training.papers import rating_items, rating_scores, rating_sheets
from training.papers.rating_items import LIU, PROTOCOLS
from training.types import RatingError

if TYPE_CHECKING:
    from types import ModuleType

    Commands = argparse._SubParsersAction[argparse.ArgumentParser]

_SOURCES = 100


def add(commands: Commands) -> None:
    """Register ``ratings`` with ``sheet`` and ``score``."""
    ratings = commands.add_parser("ratings", help="blinded rating sheets for the papers' human evaluations")
    actions = ratings.add_subparsers(required=True, metavar="ACTION")
    sheet = actions.add_parser("sheet", help="write a sheet for each rater, and the key that unblinds them")
    sheet.add_argument(
        "--systems", nargs="+", metavar="NAME=FILE", help="the texts of each system, one per line"
    )
    sheet.add_argument(
        "--sources", type=Path, metavar="FILE", help="the source sentences, one per line, in the same order"
    )
    sheet.add_argument(
        "--generated",
        type=Path,
        metavar="FOLDER",
        help="with --protocol liu, instead of --systems and --sources: the folder `samples` of table calibration-6, "
        "or of an audit",
    )
    sheet.add_argument(
        "--protocol",
        choices=(*PROTOCOLS, *_paper_protocols()),
        default="wikibias",
        help="the paper whose questions and scales are used; wikibias-spans: biased words in the texts of table "
        "wikibias-9, without systems and sources",
    )
    sheet.add_argument("--data", type=Path, help="wikibias-spans: folder of the corpora (or EVENHAND_DATA)")
    sheet.add_argument(
        "--n",
        type=int,
        help=f"number of sources (default: {_SOURCES}), or for wikibias-spans of sentences of each side "
        "(default: as in WIKIBIAS)",
    )
    sheet.add_argument("--raters", type=int, default=3, help="number of raters (default: 3, as in WIKIBIAS)")
    sheet.add_argument("--seed", type=int, default=42)
    sheet.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    sheet.set_defaults(act=_sheet)
    score = actions.add_parser("score", help="check and score the filled sheets")
    score.add_argument("folder", type=Path)
    score.add_argument(
        "--partial",
        action="store_true",
        help="ignore empty cells and unreadable marks",
    )
    score.set_defaults(act=_score)


def _paper_protocols() -> dict[str, ModuleType]:
    """Modules of papers that write and score sheets of their own, by the name of the protocol."""
    return {
        module.RATING_PROTOCOL: module for module in table_modules() if hasattr(module, "RATING_PROTOCOL")
    }


def _sheet(options: argparse.Namespace) -> int:
    try:
        paper = _paper_protocols().get(options.protocol)
        if paper is not None:
            print(paper.write_rating_sheets(options))
            return 0
        sources, systems = _material(options)
        made = rating_items.plan_sheets(
            PROTOCOLS[options.protocol],
            sources,
            systems,
            n=_SOURCES if options.n is None else options.n,
            raters=options.raters,
            seed=options.seed,
        )
        rating_sheets.write(made, options.out)
    except (RatingError, FileError) as error:
        return _refuse(error)
    rows = len(next(iter(made.sheets.values())))
    print(
        f"{options.raters} sheets of {rows} rows are in {options.out / rating_sheets.RATERS}. Give each rater one, as "
        f"CSV or printed, with instructions.txt. Keep {options.out / rating_sheets.KEY} to yourself: it says which "
        "system is which.\n"
        f"Put the filled sheets back in their place, then: evenhand train ratings score {options.out}"
    )
    return 0


def _material(options: argparse.Namespace) -> tuple[list[str], dict[str, list[str]]]:
    """The sources, and the texts of each system in their order."""
    if options.generated is None:
        if not options.systems or options.sources is None:
            raise RatingError(
                "Systems and sources are needed. Name them with --systems NAME=FILE and --sources FILE."
            )
        systems = {
            name: rating_items.read_sentences(path) for name, path in _systems(options.systems).items()
        }
        return rating_items.read_sentences(options.sources), systems
    if options.systems or options.sources or options.protocol != LIU.name:
        raise RatingError("--generated goes with --protocol liu, and without --systems and --sources.")
    reader = next(module.generated_texts for module in table_modules() if hasattr(module, "generated_texts"))
    found: tuple[list[str], dict[str, list[str]]] = reader(options.generated)
    return found


def _score(options: argparse.Namespace) -> int:
    try:
        for paper in _paper_protocols().values():
            report = paper.score_rating_sheets(options.folder, partial=options.partial)
            if report is not None:
                print(report)
                return 0
        plan, ratings = rating_sheets.read(options.folder, partial=options.partial)
    except (RatingError, FileError) as error:
        return _refuse(error)
    print(rating_scores.report(plan, ratings))
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
