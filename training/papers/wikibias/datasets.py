"""The corpus of the tables (WIKIBIAS or its proxy), and the parts on which systems are trained."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from training.corpora.wikibias import FACTS, auto_is_here, files_here, is_here, load_auto_tagged, load_tagged
from training.corpora.wikibias_proxy import corpus_name, write_corpus
from training.corpora.wikipedia import WNC_FACTS
from training.loop.training_loop import TrainingError
from training.papers.wikibias.types import Corpus
from training.types import CorpusError, TaggedSentence, checksum, open_file, print_to_stderr

OFFICIAL = "WIKIBIAS"

_VERSION = "1"
"""Bump this when the same input files give another proxy corpus."""
_SEED = 42
_DIGITS = 16


def load_corpus(
    data: Path,
    *,
    limit: int | None,
    folder: Path,
    injected: Path | None,
    spacy: str,
    on_message: Callable[[str], None] = print_to_stderr,
) -> Corpus:
    """The corpus under ``data/wikibias``, else a proxy made of WNC's pairs and the ``injected`` ones.

    The proxy is made once, into a folder under ``folder``, with the English model ``spacy`` (or ``none``). Without
    AUTO, or without injected pairs, ``auto`` is empty. ``limit`` is the most sentences of each part, a fixed random
    sample of whole pairs. Raises CorpusError where files are missing or unreadable.
    """
    home = data
    if not is_here(data):
        home = _make_proxy(
            data, limit=limit, folder=folder, injected=injected, spacy=spacy, on_message=on_message
        )
    auto = load_auto_tagged(home, on_message) if auto_is_here(home) else []
    manual, dev, test = (load_tagged(home, part, on_message) for part in ("train", "dev", "test"))
    return Corpus(
        manual=limit_part(manual, limit),
        auto=limit_part(auto, limit),
        dev=limit_part(dev, limit),
        test=limit_part(test, limit),
        name=corpus_name(home) or OFFICIAL,
        mark=_mark(f"{path.relative_to(home).as_posix()} {checksum(path)}" for path in files_here(home)),
    )


def _make_proxy(
    data: Path,
    *,
    limit: int | None,
    folder: Path,
    injected: Path | None,
    spacy: str,
    on_message: Callable[[str], None],
) -> Path:
    """The data folder of the proxy corpus; its name changes with everything that it is made of."""
    if injected is not None and not injected.is_file():
        raise CorpusError(f"{injected} does not exist. Make it with `evenhand train data inject`.")
    files = [open_file(data, name) for name in WNC_FACTS.files] + ([injected] if injected else [])
    made_of = [_VERSION, str(limit), Path(spacy).name, *map(checksum, files)]
    home = folder / f"stand-in-{_mark(made_of)}"
    if is_here(home):
        return home
    from training.corpora.wikibias_proxy import build_proxy
    from training.text.parsing import load_optional_parser

    on_message("WIKIBIAS is missing: making the proxy corpus, once")
    parts = build_proxy(data, injected=injected, nlp=load_optional_parser(spacy), limit=limit)
    try:
        write_corpus(home, manual=parts.manual, auto=parts.auto, dev=parts.dev, test=parts.test)
    except CorpusError:
        if not is_here(home):  # another process may have been faster
            raise
    return home


def limit_part(part: Sequence[TaggedSentence], limit: int | None) -> list[TaggedSentence]:
    """At most ``limit`` sentences in their order, pairs kept whole; at least one group."""
    if limit is None or len(part) <= limit:
        return list(part)
    groups: dict[str, list[int]] = {}
    for at, sentence in enumerate(part):
        groups.setdefault(sentence.group or f"\0{at}", []).append(at)
    order = list(groups.values())
    random.Random(_SEED).shuffle(order)
    chosen = list(order[0])
    for group in order[1:]:
        if len(chosen) + len(group) <= limit:
            chosen += group
    return [part[at] for at in sorted(chosen)]


def _mark(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]


MANUAL, AUTO, AUTO_MANUAL, RELABELLED = "manual", "auto", "auto-manual", "relabelled"
TRAININGS = (MANUAL, AUTO, AUTO_MANUAL, RELABELLED)


def biased_sources(sentences: Sequence[TaggedSentence]) -> list[TaggedSentence]:
    """The biased source sentences, on which taggers are trained.

    Only these are scored, and JOINT's tagging loss is on biased sentences only (section 3.2). Neutral sentences would
    cost recall, and gain precision only where it is not scored.
    """
    return [sentence for sentence in sentences if sentence.biased and sentence.original]


def missing_auto_error(corpus: Corpus, training: str, *, what: str = "noisy part") -> TrainingError:
    """The error for a corpus without the noisy part that ``training`` needs."""
    return TrainingError(
        f"{corpus.name} has no {what}, which {training} needs. WIKIBIAS-AUTO is on its authors' drive, see "
        f"{FACTS.home}. Or make injected pairs with `evenhand train data inject --out FILE` and name them with "
        "--injected FILE."
    )


def missing_manual_error(corpus: Corpus, training: str, *, what: str = "clean part") -> TrainingError:
    """The error for a corpus without the clean part that ``training`` needs."""
    return TrainingError(
        f"{corpus.name} has no {what}, which {training} needs. WIKIBIAS is on its authors' drive, see "
        "WNC's pairs can replace it: `evenhand train data list` names their home."
    )


def check_training_parts(corpus: Corpus, training: str) -> None:
    """Raises TrainingError where a part that ``training`` needs has no biased source sentence."""
    if training != MANUAL and not biased_sources(corpus.auto):
        raise missing_auto_error(corpus, training, what="noisy part with biased sentences")
    if training != AUTO and not biased_sources(corpus.manual):
        raise missing_manual_error(corpus, training, what="clean part with biased sentences")
    if not biased_sources(corpus.dev):
        raise TrainingError(
            f"{corpus.name} has no biased source sentence in its dev part, on which taggers are chosen. Add some."
        )
