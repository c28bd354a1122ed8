"""``evenhand train``: list and run recipes, print tables, look after corpora."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from core.paths import NoHomeError
from core.runs.recipes import RECIPES
from core.storage.data_version import refuse_newer_data
from core.storage.types import StoreError
from training.cli import data, run, runs, table
from training.cli.common import fail
from training.cli.run import expand_arguments
from training.cli.table import PAPERS, tables
from training.types import CorpusError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it worked, 2 when the call, a corpus or the training went wrong (one clear line)."""
    try:
        options = _parser().parse_args(expand_arguments(sys.argv[1:] if arguments is None else arguments))
        refuse_newer_data()
        return int(options.act(options))
    except (CorpusError, NoHomeError, StoreError) as error:
        return fail(str(error))
    except BrokenPipeError:
        # Who closed the pipe has read enough; nothing more is to be written at the interpreter's end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return fail(f"{error}. Check the path, the space on the disk, or the name of the base model.")
    except KeyboardInterrupt:
        return fail("stopped; resume with --resume RUN")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenhand train",
        description="Train models, run audits and print tables on this computer. "
        "Run `evenhand train setup` once first.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("list", help="the recipes and tables").set_defaults(act=_list)
    for module in (run, table, runs, data):
        module.add(commands)
    for path in sorted(PAPERS.glob("*_commands.py")):
        import_module(f"training.papers.{path.stem}").add(commands)
    return parser


def _list(_: argparse.Namespace) -> int:
    print("recipes")
    for recipe in RECIPES.values():
        print(f"  {recipe.name:20}{recipe.help}")
    print("tables")
    for name, table_command in tables().items():
        print(f"  {name:20}{table_command.help}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
