"""``evenhand train data spans``: before and after become training data, by the heuristic of WIKIBIAS's Appendix C."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from training.cli_common import corpora_folder, injected_file
from training.corpora.base import CorpusError

if TYPE_CHECKING:
    from training.wikibias.pairing import State

    Deeds = argparse._SubParsersAction[argparse.ArgumentParser]

_NAMED = 10


def add(deeds: Deeds) -> argparse.ArgumentParser:
    """Register ``spans`` among the deeds of ``data``; its parser, which lacks ``--data`` still."""
    spans = deeds.add_parser(
        "spans", help="tagged sentences from your own pairs, before and after a revision"
    )
    spans.add_argument("pairs", nargs="?", type=Path, metavar="PAIRS", help="a file of: before, tab, after")
    spans.add_argument(
        "--out", type=Path, metavar="FILE|DIR", help="write here; a folder: in WIKIBIAS's layout"
    )
    spans.add_argument(
        "--spacy",
        default="en_core_web_sm",
        help="English spaCy model by name or folder, or none: no sub-tree step",
    )
    spans.add_argument(
        "--stand-in",
        action="store_true",
        help="of WNC under --data and --injected, into the folder --out: a corpus in WIKIBIAS's place",
    )
    spans.add_argument("--injected", type=Path, metavar="FILE", help="--stand-in: the file of `data inject`")
    spans.set_defaults(act=_spans)
    return spans


def _spans(options: argparse.Namespace) -> int:
    from training.wikibias.subtrees import pipeline

    if options.out is None:
        raise CorpusError("No place was named. Say where the sentences go with --out FILE or --out DIR.")
    if bool(options.stand_in) == (options.pairs is not None):
        raise CorpusError("Name either a file of pairs (before, tab, after) or --stand-in.")
    nlp = pipeline(options.spacy)
    if options.stand_in:
        return _stand_in(options, nlp)
    return _own(options.pairs, options.out, nlp)


def _stand_in(options: argparse.Namespace, nlp: Any) -> int:
    from training.wikibias.files import write_corpus
    from training.wikibias.stand_in import make

    made = make(corpora_folder(options), injected=injected_file(options), nlp=nlp)
    write_corpus(options.out, manual=made.manual, auto=made.auto, dev=made.dev, test=made.test)
    for part in ("manual", "auto", "dev", "test"):
        sentences = getattr(made, part)
        print(f"{part:8}{len(sentences):>8,} sentences, {sum(one.biased for one in sentences):,} biased")
    return 0


def _own(path: Path, out: Path, nlp: Any) -> int:
    from training.wikibias.files import write_corpus, write_tagged
    from training.wikibias.own_pairs import WHY, read_pairs, tagged_pairs

    pairs, wrong = read_pairs(path)
    done = tagged_pairs(pairs, nlp)
    wrong += [(pair.number, WHY[state]) for pair, state in done.unusable]
    for number, why in sorted(wrong)[:_NAMED]:
        print(f"{path}, line {number}: {why}", file=sys.stderr)
    if len(wrong) > _NAMED:
        print(f"… and {len(wrong) - _NAMED:,} more lines", file=sys.stderr)
    if not done.sentences:
        raise CorpusError(
            f"{path} gave not one sentence. It is to hold pairs, one a line: before, tab, after."
        )
    if out.is_dir() or not out.suffix:
        write_corpus(out, manual=done.sentences, auto=(), dev=(), test=(), name=f"pairs of {path.name}")
    else:
        write_tagged(out, done.sentences)
    print(_summary(len(pairs), done.spans, len(wrong), Counter(state for _, state in done.unusable)))
    return 0


def _summary(pairs: int, spans: int, wrong: int, unusable: Counter[State]) -> str:
    told = "".join(f", {count:,} with {state}" for state, count in sorted(unusable.items()))
    return f"{pairs:,} pairs read, {spans:,} spans found, {wrong:,} lines left out{told}"
