"""The corpus of the tables, and the parts on which systems are trained."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from training.corpora.wikibias import (
    FACTS,
    auto_is_available,
    available_files,
    is_available,
    load_auto_tagged,
    load_tagged,
)
from training.corpora.wikibias_writer import corpus_name
from training.loop.training_loop import TrainingError
from training.papers.wikibias import manual_corpus
from training.papers.wikibias.types import Corpus
from training.types import TaggedSentence, checksum, open_file, print_to_stderr

OFFICIAL = "WIKIBIAS"

_VERSION = "2"
"""Bump this when the same files give another split or other spans (``manual_corpus``)."""
_SEED = 42
_DIGITS = 16


def load_corpus(
    data: Path, *, limit: int | None, on_message: Callable[[str], None] = print_to_stderr
) -> Corpus:
    """The release with its test part where it is under ``data/wikibias``, else the corpus of ``manual_corpus``.

    Without the release's AUTO files ``auto`` is empty. ``limit`` is the most sentences of each part, a fixed random
    sample of whole pairs. Raises CorpusError where files are missing or unreadable.
    """
    return _release(data, limit, on_message) if is_available(data) else _manual(data, limit, on_message)


def _release(data: Path, limit: int | None, on_message: Callable[[str], None]) -> Corpus:
    auto = load_auto_tagged(data, on_message) if auto_is_available(data) else []
    manual, dev, test = (load_tagged(data, part, on_message) for part in ("train", "dev", "test"))
    return Corpus(
        manual=limit_part(manual, limit),
        auto=limit_part(auto, limit),
        dev=limit_part(dev, limit),
        test=limit_part(test, limit),
        name=corpus_name(data) or OFFICIAL,
        digest=_digest(
            f"{path.relative_to(data).as_posix()} {checksum(path)}" for path in available_files(data)
        ),
    )


def _manual(data: Path, limit: int | None, on_message: Callable[[str], None]) -> Corpus:
    files = [open_file(data, name) for name in manual_corpus.FILES]
    parts = manual_corpus.load_manual(data, on_message)
    return Corpus(
        manual=limit_part(manual_corpus.tagged(parts.train), limit),
        auto=limit_part(manual_corpus.load_noisy(data, parts), limit),
        dev=limit_part(manual_corpus.tagged(parts.selection), limit),
        test=limit_part(manual_corpus.tagged(parts.scored), limit),
        name=manual_corpus.NAME,
        digest=_digest([_VERSION, *(f"{path.name} {checksum(path)}" for path in files)]),
    )


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


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]


MANUAL, AUTO, AUTO_MANUAL, RELABELLED = "manual", "auto", "auto-manual", "relabelled"
TRAINING_SETS = (MANUAL, AUTO, AUTO_MANUAL, RELABELLED)


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
        f"{FACTS.homepage}."
    )


def missing_manual_error(corpus: Corpus, training: str, *, what: str = "clean part") -> TrainingError:
    """The error for a corpus without the clean part that ``training`` needs."""
    return TrainingError(
        f"{corpus.name} has no {what}, which {training} needs. WIKIBIAS is on its authors' drive, see {FACTS.homepage}."
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
