"""The tables of the product's own models, for ``evenhand train table``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from core.runs.recipes import SMALL_ENCODER
from training.cli.common import injected_file
from training.cli.table import TableCommand
from training.types import CorpusError

if TYPE_CHECKING:
    import torch


def add(parser: argparse.ArgumentParser) -> None:
    """Add the options that only these tables have."""
    parser.add_argument("--reader", type=Path, metavar="BUNDLE", help="a reader other than the bundled one")
    parser.add_argument("--injected", type=Path, metavar="FILE", help="injection: the file of `data inject`")
    parser.add_argument(
        "--lm", default="", help="injection: causal language model by name, folder or GGUF file"
    )
    own = parser.add_argument_group("bsw-reader")
    own.add_argument(
        "--words", type=Path, metavar="FILE", help="words to score, one per line (default: the corpora's)"
    )
    own.add_argument(
        "--min-documents",
        type=int,
        default=None,
        metavar="N",
        help="only words that occur in N documents or more",
    )
    own.add_argument("--before", type=Path, metavar="BUNDLE", help="an earlier reader to compare with")


def _leaning_folds(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import leaning_folds

    return leaning_folds.run(data, options.base or SMALL_ENCODER, folder, device=device)


def _leaning_gauge(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import leaning_gauge

    return leaning_gauge.run(data, _reader(options))


def _injection(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import injection_perplexity

    if not options.lm:
        raise CorpusError("No language model was named. Name one with --lm NAME, FOLDER or FILE.gguf.")
    return injection_perplexity.run(data, injected_file(options.injected), lm=options.lm)


def _sensitivity(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.reader import sensitivity_curve

    return sensitivity_curve.run(data, _reader(options), save_results=options.save_results)


def _reader_thresholds(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import reader_thresholds

    return reader_thresholds.run(data, _reader(options), save_results=options.save_results)


def _counterfactuals(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import counterfactual_gap

    return counterfactual_gap.run(data, _reader(options))


def _stereotypes(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import stereotypes

    min_documents = stereotypes.MIN_DOCUMENTS if options.min_documents is None else options.min_documents
    if min_documents < 1:
        raise CorpusError("--min-documents takes a number of documents, 1 or more.")
    return stereotypes.run(
        data,
        _reader(options),
        words=options.words,
        min_documents=min_documents,
        save_results=options.save_results,
        before=options.before,
    )


def _reader(options: argparse.Namespace) -> Path:
    from core.engine.engine import bundled_reader

    return options.reader or bundled_reader()


TABLES = {
    "leaning-folds": TableCommand(
        "political leaning over five publisher-grouped folds, head on the frozen base encoder", _leaning_folds
    ),
    "leaning-gauge": TableCommand(
        "the political leaning gauge on publishers that no training saw: by length of text, with its interval",
        _leaning_gauge,
    ),
    "injection": TableCommand("perplexity of injected biased sentences, compared with real ones", _injection),
    "sensitivity": TableCommand(
        "precision and recall of a reader's findings at other thresholds, on WNC's dev pairs", _sensitivity
    ),
    "reader-thresholds": TableCommand(
        "a reader's thresholds chosen again on dev data, after cue lists have changed; --save-results: in its bundle",
        _reader_thresholds,
    ),
    "counterfactuals": TableCommand(
        "how much a reader's scores change when only the person in a sentence is swapped", _counterfactuals
    ),
    "bsw-reader": TableCommand(
        "how a reader scores words alone and sentences by whom they are about; --save-results: in its card",
        _stereotypes,
    ),
}
