"""The tables of WIKIBIAS for ``evenhand train table``, and its rating protocol for ``evenhand train ratings``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from training.cli.common import corpora_folder
from training.cli.table import TableCommand, cell_plan
from training.types import RatingError

if TYPE_CHECKING:
    import torch

    from training.evaluation.results_table import Table
    from training.papers.wikibias import tables

RATING_PROTOCOL = "wikibias-spans"
"""The sheets of Table 9, in which raters mark words: a protocol of ``evenhand train ratings``."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that only these tables have."""
    parser.add_argument(
        "--injected",
        type=Path,
        metavar="FILE",
        help="rewriting, wikibias-heuristic: the file of `data inject`",
    )
    parser.add_argument(
        "--glove", type=Path, metavar="FILE", help="wikibias-7: word vectors of BiLSTM-CNN-CRF, as text"
    )
    parser.add_argument(
        "--ratings",
        type=Path,
        metavar="FOLDER",
        help="wikibias-9: the filled sheets of `ratings sheet --protocol wikibias-spans`",
    )
    parser.add_argument(
        "--reader", type=Path, metavar="BUNDLE", help="wikibias-9: a reader other than the bundled one"
    )
    parser.add_argument(
        "--rewriter", type=Path, metavar="BUNDLE", help="rewriting: a rewriter other than the bundled one"
    )
    parser.add_argument("--detector-base", default="", help="rewriting: encoder of MODULAR's detector")


def _train_or_load(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.wikibias import tables

    return tables.SPEC.run(data, _plan(options, table=options.name), folder, device=device)


def _table_8(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    from training.evaluation.bias_classifier import BIAS_CLASSIFIER_BASE
    from training.papers.wikibias import table_8
    from training.papers.wikibias.generators.base import DETECTOR_BASE

    plan = table_8.Plan(
        classifier_base=options.base or BIAS_CLASSIFIER_BASE,
        detector_base=options.detector_base or DETECTOR_BASE,
        injected=options.injected,
        rewriter=options.rewriter,
        scale=options.scale,
        rows=tuple(options.rows),
    )
    return table_8.run(data, plan, folder, device=str(device))


def _table_9(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> Table:
    """With a reader's bundle, or with the tagger of Table 7 that ``--rows`` names."""
    from training.papers.wikibias import table_9

    plan = table_9.Plan(
        reader=options.reader,
        trained=_plan(options, table="wikibias-7") if options.rows else None,
        scale=options.scale,
        ratings=options.ratings,
    )
    return table_9.run(data, plan, folder, device=device)


def _heuristic(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> Table:
    from training.papers.wikibias import heuristic_table

    return heuristic_table.run(data, injected=options.injected, spacy=options.spacy)


def _corpus(data: Path, _folder: Path, _device: torch.device, _options: argparse.Namespace) -> Table:
    from training.papers.wikibias import corpus_table

    return corpus_table.run(data)


def _plan(options: argparse.Namespace, *, table: str) -> tables.Plan:
    from training.papers.wikibias import tables

    return tables.Plan(
        **cell_plan(options),
        table=table,
        base=options.base,
        glove=options.glove,
    )


TABLES = {
    "wikibias-corpus": TableCommand(
        "WIKIBIAS, Tables 3 and 4: sentences, spans and kinds of each part, counted in the corpora", _corpus
    ),
    "wikibias-5": TableCommand(
        "WIKIBIAS, Table 5: is a sentence biased? Trained on clean labels, noisy ones and both. --base: the encoder of "
        "every row, or `paper` for each row's own",
        _train_or_load,
        has_cells=True,
    ),
    "wikibias-6": TableCommand(
        "WIKIBIAS, Table 6: which kinds of bias a sentence has", _train_or_load, has_cells=True
    ),
    "wikibias-7": TableCommand(
        "WIKIBIAS, Table 7: which words are biased; every tagger, and a test of the paper's ranking",
        _train_or_load,
        has_cells=True,
    ),
    "rewriting": TableCommand(
        "WIKIBIAS, Table 8: neutral versions of WNC's dev pairs by every generator", _table_8
    ),
    "wikibias-9": TableCommand(
        "WIKIBIAS, Table 9: what a tagger marks in books, headlines and speeches, by side", _table_9
    ),
    "wikibias-heuristic": TableCommand(
        "WIKIBIAS, section 2.1: precision and recall of spans found by the heuristic, where the spans are known",
        _heuristic,
    ),
}


def write_rating_sheets(options: argparse.Namespace) -> str:
    """Write sheets for the sentences of wikibias-9; returns what to do with them. Raises RatingError and FileError."""
    from training.papers.rating_sheets import KEY, RATERS
    from training.papers.wikibias import span_ratings
    from training.papers.wikibias.domains import load_passages

    if options.systems or options.sources or options.generated:
        raise RatingError(
            "The sentences come from the corpora: leave out --systems, --sources and --generated."
        )
    each = span_ratings.SENTENCES if options.n is None else max(0, options.n)
    sentences, _ = load_passages(corpora_folder(options), most=each, seed=options.seed)
    span_ratings.write_sheets(
        span_ratings.plan_sheets(sentences, raters=options.raters, seed=options.seed), options.out
    )
    return (
        f"{options.raters} sheets of {len(sentences)} sentences are in {options.out / RATERS}. Give each rater one, "
        f"with instructions.txt. Keep {options.out / KEY} to yourself: it says where each sentence is from.\n"
        f"Put the filled sheets back in their place, then: evenhand train ratings score {options.out}, and\n"
        f"evenhand train table wikibias-9 --data DIR --ratings {options.out}"
    )


def score_rating_sheets(folder: Path, *, partial: bool) -> str | None:
    """The report of filled sheets; None where the folder holds sheets of another protocol. Raises RatingError."""
    from training.papers.wikibias import span_ratings

    if not span_ratings.has_span_sheets(folder):
        return None
    ratings = span_ratings.read_sheets(folder)
    empty = (
        [f"{ratings.empty} cells are empty. Fill them, or score the rest with --partial."]
        if ratings.empty
        else []
    )
    if (ratings.faults or empty) and not partial:
        raise RatingError("\n".join((*ratings.faults, *empty)))
    for fault in ratings.faults:
        print(f"evenhand train: {fault}", file=sys.stderr)
    return span_ratings.report(ratings)
