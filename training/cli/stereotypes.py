"""``evenhand train table bsw-reader`` and ``evenhand train data hypernyms``: stereotyped words of our own models."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from training.types import CorpusError

if TYPE_CHECKING:
    import torch

    Deeds = argparse._SubParsersAction[argparse.ArgumentParser]

NAME = "bsw-reader"
TABLES = {NAME: "how a reader treats words alone and whom a sentence is about; --write: in its card"}


def add(table: argparse.ArgumentParser) -> None:
    """Register the options of the table."""
    own = table.add_argument_group(NAME)
    own.add_argument(
        "--words", type=Path, metavar="FILE", help="scan these, a word a line (default: the corpora's)"
    )
    own.add_argument(
        "--least", type=int, default=None, metavar="N", help="scan words that at least N documents hold"
    )
    own.add_argument(
        "--before", type=Path, metavar="BUNDLE", help="an earlier reader, to stand beside this one"
    )


def add_deed(deeds: Deeds) -> None:
    """Register ``hypernyms`` among the deeds of ``data``."""
    deed = deeds.add_parser(
        "hypernyms", help="the table of more general words that the app reads, from WordNet"
    )
    deed.add_argument("--wordnet", type=Path, metavar="FOLDER", help="WordNet's dict folder, or NLTK's data")
    deed.add_argument("--out", type=Path, metavar="FILE", help="write it here (.txt.gz)")
    deed.set_defaults(act=_hypernyms)


def printed(data: Path, _folder: Path, _device: torch.device, options: argparse.Namespace) -> str:
    """The table, with the options obeyed."""
    from core.engine.engine import bundled_reader
    from training.evaluation import stereotypes

    least = stereotypes.LEAST if options.least is None else options.least
    if least < 1:
        raise CorpusError("--least takes a number of documents, 1 or more.")
    folder = options.reader or bundled_reader()
    return stereotypes.run(
        data, folder, words=options.words, least=least, write=options.write, before=options.before
    )


def _hypernyms(options: argparse.Namespace) -> int:
    from training.corpora.hypernyms import export

    if options.wordnet is None or options.out is None:
        raise CorpusError(
            "Say where WordNet is with --wordnet FOLDER and where the table goes with --out FILE."
        )
    print(f"{export(options.wordnet, options.out):,} nouns")
    return 0
