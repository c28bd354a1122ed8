"""``evenhand train table NAME``: prints one table of results. The tables of the papers are found, not imported."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from core.bundles.manifest import BundleError
from core.paths import data_folder
from training.cli.common import add_common, corpora_folder, fail, prepare_torch
from training.types import CorpusError, RatingError

if TYPE_CHECKING:
    import torch

    from training.evaluation.results_table import Table

PAPERS = Path(__file__).parents[1] / "papers"


@dataclass(frozen=True, slots=True)
class TableCommand:
    """One table: what it shows, and ``run(data, folder, device, options)``, which returns a Table or its text.

    ``has_cells``: its results are kept cell by cell, so ``--show`` can print them without running anything.
    ``shows_corpus``: it prints texts of a corpus, so that ``--show`` needs the corpora, too.
    """

    help: str
    run: Callable[[Path, Path, torch.device, argparse.Namespace], Table | str]
    has_cells: bool = False
    shows_corpus: bool = False


def table_modules() -> list[ModuleType]:
    """The modules that declare tables: ``TABLES`` (TableCommand by name) and ``add(parser)``, which adds their options.

    They are ``training.cli.product_tables`` and the ``cli`` module of every paper.
    """
    papers = sorted(path.parent.name for path in PAPERS.glob("*/cli.py"))
    names = ["training.cli.product_tables", *(f"training.papers.{paper}.cli" for paper in papers)]
    return [import_module(name) for name in names]


def tables() -> dict[str, TableCommand]:
    """Every table by its name."""
    return {name: table for module in table_modules() for name, table in module.TABLES.items()}


def add(commands: Any) -> None:
    """Register the command: a subcommand for each table, with the options of its paper."""
    parser = commands.add_parser("table", help="print a table; resumes where it stopped")
    names = parser.add_subparsers(required=True, metavar="NAME", dest="name")
    for module in table_modules():
        for name, table in module.TABLES.items():
            own = names.add_parser(name, help=table.help, description=table.help, conflict_handler="resolve")
            add_common(own)
            _add_cell_options(own)
            module.add(own)
            own.set_defaults(act=_run, table=table)


def _add_cell_options(parser: argparse.ArgumentParser) -> None:
    """The options that all tables of trained cells share."""
    parser.add_argument(
        "--encoder",
        action="append",
        default=[],
        metavar="NAME=FOLDER",
        help="folder of an encoder, instead of its hub name; may be repeated",
    )
    parser.add_argument("--rows", nargs="+", default=[], metavar="ROW", help="only these rows")
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=[], help="default: the scale's; with --show all"
    )
    parser.add_argument("--spacy", default="en_core_web_sm", help="English spaCy model by name or folder")
    parser.add_argument("--show", action="store_true", help="compute nothing, print the stored results")
    parser.add_argument(
        "--ignore-cache", action="store_true", help="compute results again that the repository already has"
    )
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="also write the table as Markdown")
    parser.add_argument("--scale", choices=("smoke", "cpu", "full"), default="cpu", help="amount of work")
    parser.add_argument(
        "--save-results",
        action="store_true",
        help="save the results in the repository, or in the bundle of the model",
    )


def cell_plan(options: argparse.Namespace) -> dict[str, Any]:
    """The shared options, as the fields of a ``TablePlan``."""
    return {
        "encoders": named_paths(options.encoder, "--encoder NAME=FOLDER"),
        "rows": tuple(options.rows),
        "seeds": tuple(options.seeds),
        "scale": options.scale,
        "spacy": options.spacy,
        "ignore_cache": options.ignore_cache,
        "show": options.show,
        "save_results": options.save_results,
    }


def named_paths(values: Sequence[str], form: str) -> dict[str, Path]:
    """Paths by name, from values such as ``bert=DIR``. Raises CorpusError for a value that is not in this ``form``."""
    pairs = [value.partition("=") for value in values]
    if any(not (name and path) for name, _, path in pairs):
        raise CorpusError(f"{' '.join(values)} is not a name with a path. Write {form}.")
    return {name: Path(path) for name, _, path in pairs}


class Bases(argparse.Action):
    """``--base MODEL [MODEL ...]``: the first is ``base``, as for all tables, all are ``models``."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,  # noqa: ARG002
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,  # noqa: ARG002
    ) -> None:
        """Store both."""
        names = tuple(values or ())
        namespace.base, namespace.models = names[0], names


def add_bases(parser: argparse.ArgumentParser) -> None:
    """Let ``--base`` take several models."""
    parser.add_argument(
        "--base", nargs="+", action=Bases, default="", metavar="MODEL", help="models by hub name or folder"
    )
    parser.set_defaults(models=())


def _run(options: argparse.Namespace) -> int:
    from core.engine.onnx_session import ReaderError
    from core.storage.files import FileError
    from training.loop.training_loop import TrainingError, choose_device

    prepare_torch(options)
    data = _corpora(options)
    folder = options.out or data_folder() / "tables"
    try:
        table = options.table.run(data, folder, choose_device(options.device), options)
    except (BundleError, FileError, RatingError, ReaderError, TrainingError) as error:
        return fail(str(error))
    if isinstance(table, str):
        print(table)
        return 0
    if options.markdown is not None:
        options.markdown.write_text(table.markdown(), encoding="utf-8")
    print(table.text())
    return 0


def _corpora(options: argparse.Namespace) -> Path:
    """The folder of the corpora; with ``--show`` most tables need none. Raises CorpusError, see `corpora_folder`."""
    if options.show and not options.table.has_cells:
        raise CorpusError(f"{options.name} has no stored results to show. Run it without --show.")
    return Path() if options.show and not options.table.shows_corpus else corpora_folder(options)
