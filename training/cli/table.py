"""``evenhand train table``: each table of results by one command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundles.reader import BundleError
from core.paths import data_folder
from training.cli import stereotypes, table_options
from training.cli.common import add_common, corpora_folder, fail, injected_file, use_threads
from training.papers.babe import cli as babe_cli
from training.papers.polilean import cli as polilean_cli
from training.papers.political_calibration import cli as political_calibration_cli
from training.papers.stereotype_removal import cli as stereotype_removal_cli
from training.papers.wikibias import cli as wikibias_cli
from training.types import CorpusError

if TYPE_CHECKING:
    import torch

TABLES = {
    "babe-1": "BABE's Table 1: agreement and marked words, experts and crowd, from the single annotations",
    "babe-2": "BABE's Table 2: classes in percent, experts and crowd",
    "babe-3": "BABE's Table 3: agreement of eight annotators and of five",
    "babe-4": "BABE's Table 4: classes in percent by eight annotators and by five",
    "babe-5": "BABE's Table 5: every system on SG1 and SG2, clean and as in the paper, beside its figures",
    **wikibias_cli.TABLES,
    **stereotype_removal_cli.TABLES,
    **political_calibration_cli.TABLES,
    **polilean_cli.TABLES,
    "wikibias-heuristic": "WIKIBIAS's section 2.1: how right the spans made from a pair are, where they are known",
    "leaning-folds": "leaning over five outlet-grouped folds, head on the frozen base encoder",
    "leaning-gauge": "the leaning gauge on outlets that no training saw: by length of the text, and its band",
    "rewriting": "neutral wordings of WNC's dev pairs by every generator (beside WIKIBIAS's Table 8)",
    "injection": "how natural injected bias reads: perplexity beside real biased sentences",
    "sensitivity": "what a reader's marks are worth at other thresholds than its own, on WNC's dev pairs",
    "counterfactuals": "how differently a reader reads sentences that differ only in whom they are about",
    **stereotypes.TABLES,
}


def add(commands: Any) -> None:
    """Register the command."""
    table = commands.add_parser(
        "table", help="print a table; goes on where it stopped", conflict_handler="resolve"
    )
    table.add_argument("name", choices=TABLES)
    add_common(table)
    for part in (
        table_options,
        babe_cli,
        wikibias_cli,
        stereotype_removal_cli,
        political_calibration_cli,
        polilean_cli,
        stereotypes,
    ):
        part.add(table)
    table.add_argument(
        "--injected",
        type=Path,
        metavar="FILE",
        help="rewriting, injection, wikibias: the file of `data inject`",
    )
    table.add_argument(
        "--rewriter", type=Path, metavar="BUNDLE", help="rewriting: another than the bundled one"
    )
    table.add_argument("--detector-base", default="", help="rewriting: encoder of MODULAR's detector")
    table.add_argument(
        "--lm", default="", help="injection: causal language model by name, folder or GGUF file"
    )
    table.add_argument(
        "--reader",
        type=Path,
        metavar="BUNDLE",
        help="sensitivity, counterfactuals, leaning-gauge, bsw-reader, wikibias-9: another than the bundled one",
    )
    table.set_defaults(act=_table)


def _table(options: argparse.Namespace) -> int:
    from core.engine.onnx_session import ReaderError
    from core.storage.files import FileError
    from training.loop.training_loop import TrainingError, choose_device
    from training.papers.rating_items import RatingError

    if len(options.models) > 1 and options.name not in polilean_cli.TABLES:
        return fail(f"{options.name} takes one --base. Name one.")
    use_threads(options)
    data = _corpora(options)
    folder = options.out or data_folder() / "tables"
    try:
        print(_TABLES[options.name](data, folder, choose_device(options.device), options))
    except (BundleError, FileError, RatingError, ReaderError, TrainingError) as error:
        return fail(str(error))
    return 0


def _corpora(options: argparse.Namespace) -> Path:
    """Where they are; of most tables what is only shown needs none. Raises CorpusError, see ``corpora_folder``."""
    if options.show and options.name not in KEPT:
        raise CorpusError(f"{options.name} keeps nothing that could be shown. Run it without --show.")
    return Path() if options.show and options.name not in NEED_CORPORA else corpora_folder(options)


def _annotation(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.papers.babe import annotation_tables

    return table_options.printed(annotation_tables.run(data)[options.name], options)


def _wikibias_heuristic(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.papers.wikibias import heuristic_table

    table = heuristic_table.run(data, injected=options.injected, spacy=options.spacy)
    return table_options.printed(table, options)


def _leaning_folds(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import leaning_folds
    from training.reader.recipe import SMALL_BASE

    return leaning_folds.run(data, options.base or SMALL_BASE, folder, device=device)


def _rewriting(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation.bias_classifier import JUDGE_BASE
    from training.papers.wikibias import table_8
    from training.papers.wikibias.generators.base import DETECTOR_BASE

    plan = table_8.Plan(
        judge_base=options.base or JUDGE_BASE,
        detector_base=options.detector_base or DETECTOR_BASE,
        injected=options.injected,
        rewriter=options.rewriter,
        scale=options.scale,
        rows=tuple(options.rows),
    )
    return table_8.run(data, plan, folder, device=str(device))


def _injection(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.evaluation import injection_perplexity

    if not options.lm:
        raise CorpusError("No language model was named. Say which with --lm NAME, a folder or a GGUF file.")
    return injection_perplexity.run(data, injected_file(options), lm=options.lm)


def _leaning_gauge(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine.engine import bundled_reader
    from training.evaluation import leaning_gauge

    return leaning_gauge.run(data, options.reader or bundled_reader())


def _sensitivity(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine.engine import bundled_reader
    from training.reader import sensitivity_curve

    return sensitivity_curve.run(data, options.reader or bundled_reader(), write=options.write)


def _counterfactuals(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine.engine import bundled_reader
    from training.evaluation import counterfactual_gap

    return counterfactual_gap.run(data, options.reader or bundled_reader())


KEPT = {
    "babe-5",
    *wikibias_cli.TRAINED,
    *stereotype_removal_cli.TRAINED,
    *political_calibration_cli.TABLES,
    *polilean_cli.TABLES,
}
"""Those whose cells are kept."""
NEED_CORPORA = {*polilean_cli.PLACING, *polilean_cli.SHIFTING, "compass-5"}
"""Those of them that show texts or weights of a corpus beside their cells."""
_TABLES = {
    **dict.fromkeys(("babe-1", "babe-2", "babe-3", "babe-4"), _annotation),
    "babe-5": babe_cli.printed,
    **dict.fromkeys(wikibias_cli.TRAINED, wikibias_cli.printed),
    wikibias_cli.DOMAINS: wikibias_cli.printed_9,
    **dict.fromkeys(stereotype_removal_cli.TRAINED, stereotype_removal_cli.printed),
    stereotype_removal_cli.WORDNET: stereotype_removal_cli.printed_7,
    **dict.fromkeys(political_calibration_cli.TABLES, political_calibration_cli.printed),
    **dict.fromkeys(polilean_cli.PLACING, polilean_cli.printed),
    **dict.fromkeys(polilean_cli.SHIFTING, polilean_cli.printed_shifting),
    **dict.fromkeys(polilean_cli.DETECTING, polilean_cli.printed_detecting),
    "wikibias-heuristic": _wikibias_heuristic,
    "leaning-folds": _leaning_folds,
    "rewriting": _rewriting,
    "injection": _injection,
    "leaning-gauge": _leaning_gauge,
    "sensitivity": _sensitivity,
    "counterfactuals": _counterfactuals,
    stereotypes.NAME: stereotypes.printed,
}
