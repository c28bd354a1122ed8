"""``evenhand train table``: each table of results by one command."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.bundle import BundleError
from core.paths import data_folder
from training import (
    cli_babe_5,
    cli_bsw,
    cli_calibration,
    cli_cells,
    cli_compass,
    cli_stereotypes,
    cli_wikibias,
)
from training.cli_common import add_common, corpora_folder, fail, injected_file, use_threads
from training.corpora.base import CorpusError

if TYPE_CHECKING:
    import torch

TABLES = {
    "babe-1": "BABE's Table 1: agreement and marked words, experts and crowd, from the single annotations",
    "babe-2": "BABE's Table 2: classes in percent, experts and crowd",
    "babe-3": "BABE's Table 3: agreement of eight annotators and of five",
    "babe-4": "BABE's Table 4: classes in percent by eight annotators and by five",
    "babe-5": "BABE's Table 5: every system on SG1 and SG2, clean and as in the paper, beside its figures",
    **cli_wikibias.TABLES,
    **cli_bsw.TABLES,
    **cli_calibration.TABLES,
    **cli_compass.TABLES,
    "wikibias-heuristic": "WIKIBIAS's section 2.1: how right the spans made from a pair are, where they are known",
    "leaning-folds": "leaning over five outlet-grouped folds, head on the frozen base encoder",
    "leaning-gauge": "the leaning gauge on outlets that no training saw: by length of the text, and its band",
    "rewriting": "neutral wordings of WNC's dev pairs by every generator (beside WIKIBIAS's Table 8)",
    "injection": "how natural injected bias reads: perplexity beside real biased sentences",
    "sensitivity": "what a reader's marks are worth at other thresholds than its own, on WNC's dev pairs",
    "counterfactuals": "how differently a reader reads sentences that differ only in whom they are about",
    **cli_stereotypes.TABLES,
}


def add(commands: Any) -> None:
    """Register the command."""
    table = commands.add_parser(
        "table", help="print a table; goes on where it stopped", conflict_handler="resolve"
    )
    table.add_argument("name", choices=TABLES)
    add_common(table)
    for part in (cli_cells, cli_babe_5, cli_wikibias, cli_bsw, cli_calibration, cli_compass, cli_stereotypes):
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
    from core.files import FileError
    from core.graph import ReaderError
    from training.loop import TrainingError, choose_device
    from training.ratings.protocols import RatingError

    if len(options.models) > 1 and options.name not in cli_compass.TABLES:
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
    from training.tables import babe_annotation

    return cli_cells.printed(babe_annotation.run(data)[options.name], options)


def _wikibias_heuristic(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.tables import wikibias_heuristic

    table = wikibias_heuristic.run(data, injected=options.injected, spacy=options.spacy)
    return cli_cells.printed(table, options)


def _leaning_folds(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.recipes.reader import SMALL_BASE
    from training.tables import leaning_folds

    return leaning_folds.run(data, options.base or SMALL_BASE, folder, device=device)


def _rewriting(data: Path, folder: Path, device: torch.device, options: argparse.Namespace) -> str:
    from training.generators.base import DETECTOR_BASE
    from training.judge import JUDGE_BASE
    from training.tables import rewriting

    plan = rewriting.Plan(
        judge_base=options.base or JUDGE_BASE,
        detector_base=options.detector_base or DETECTOR_BASE,
        injected=options.injected,
        rewriter=options.rewriter,
        scale=options.scale,
        rows=tuple(options.rows),
    )
    return rewriting.run(data, plan, folder, device=str(device))


def _injection(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from training.tables import injection

    if not options.lm:
        raise CorpusError("No language model was named. Say which with --lm NAME, a folder or a GGUF file.")
    return injection.run(data, injected_file(options), lm=options.lm)


def _leaning_gauge(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine import bundled_reader
    from training.tables import leaning_gauge

    return leaning_gauge.run(data, options.reader or bundled_reader())


def _sensitivity(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine import bundled_reader
    from training import sensitivity

    return sensitivity.run(data, options.reader or bundled_reader(), write=options.write)


def _counterfactuals(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    from core.engine import bundled_reader
    from training import counterfactual

    return counterfactual.run(data, options.reader or bundled_reader())


KEPT = {
    "babe-5",
    *cli_wikibias.TRAINED,
    *cli_bsw.TRAINED,
    *cli_calibration.TABLES,
    *cli_compass.TABLES,
}
"""Those whose cells are kept."""
NEED_CORPORA = {*cli_compass.PLACING, *cli_compass.SHIFTING, "compass-5"}
"""Those of them that show texts or weights of a corpus beside their cells."""
_TABLES = {
    **dict.fromkeys(("babe-1", "babe-2", "babe-3", "babe-4"), _annotation),
    "babe-5": cli_babe_5.printed,
    **dict.fromkeys(cli_wikibias.TRAINED, cli_wikibias.printed),
    cli_wikibias.DOMAINS: cli_wikibias.printed_9,
    **dict.fromkeys(cli_bsw.TRAINED, cli_bsw.printed),
    cli_bsw.WORDNET: cli_bsw.printed_7,
    **dict.fromkeys(cli_calibration.TABLES, cli_calibration.printed),
    **dict.fromkeys(cli_compass.PLACING, cli_compass.printed),
    **dict.fromkeys(cli_compass.SHIFTING, cli_compass.printed_shifting),
    **dict.fromkeys(cli_compass.DETECTING, cli_compass.printed_detecting),
    "wikibias-heuristic": _wikibias_heuristic,
    "leaning-folds": _leaning_folds,
    "rewriting": _rewriting,
    "injection": _injection,
    "leaning-gauge": _leaning_gauge,
    "sensitivity": _sensitivity,
    "counterfactuals": _counterfactuals,
    cli_stereotypes.NAME: cli_stereotypes.printed,
}
