"""``evenhand train``: list and run recipes, print tables, look after corpora."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from core.storage.data_version import refuse_newer
from core.storage.types import StoreError
from training.cli import data, run, runs, table
from training.cli.common import fail
from training.cli.run import RECIPES
from training.cli.table import TABLES
from training.papers import rating_commands
from training.types import CorpusError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it worked, 2 when the call, a corpus or the training went wrong (one clear line)."""
    options = _parser().parse_args(arguments)
    try:
        refuse_newer()
        return int(options.act(options))
    except (CorpusError, StoreError) as error:
        return fail(str(error))
    except BrokenPipeError:
        # Who closed the pipe has read enough; nothing more is to be written at the interpreter's end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return fail(f"{error}. Check the path, the space on the disk, or the name of the base model.")
    except KeyboardInterrupt:
        return fail("stopped; go on with --resume")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="evenhand train", description="Train Evenhand's models on this machine."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    commands.add_parser("list", help="the recipes and tables").set_defaults(act=_list)
    for part in (run, table, runs, rating_commands, data):
        part.add(commands)
    return parser


def _list(_: argparse.Namespace) -> int:
    for title, entries in (("recipes", RECIPES), ("tables", TABLES)):
        print(title)
        for name, what in entries.items():
            print(f"  {name:20}{what}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
