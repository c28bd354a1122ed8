"""The corpus of the tables (WIKIBIAS or its proxy), and the parts of it that each system learns from."""

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

# The corpus of the tables: WIKIBIAS where it is, else what stands in its place, made once in the same layout.


OFFICIAL = "WIKIBIAS"

_VERSION = "1"
"""Changes when the same input files would give another stand-in."""
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
    """The corpus under ``data/wikibias``, else the stand-in from WNC's pairs and the ``injected`` ones.

    The stand-in is made once into a folder of its own under ``folder`` with the English model ``spacy`` (or ``none``);
    a corpus that was prepared elsewhere in the official layout is simply named as ``data``. Without AUTO, or without
    injected pairs, ``auto`` is empty. ``limit`` caps each part at so many sentences, pairs whole, drawn at random but
    always the same. Raises CorpusError where files are missing or cannot be read.
    """
    home = data
    if not is_here(data):
        home = _stand_in(
            data, limit=limit, folder=folder, injected=injected, spacy=spacy, on_message=on_message
        )
    auto = load_auto_tagged(home, on_message) if auto_is_here(home) else []
    manual, dev, test = (load_tagged(home, part, on_message) for part in ("train", "dev", "test"))
    return Corpus(
        manual=capped(manual, limit),
        auto=capped(auto, limit),
        dev=capped(dev, limit),
        test=capped(test, limit),
        name=corpus_name(home) or OFFICIAL,
        mark=_mark(f"{path.relative_to(home).as_posix()} {checksum(path)}" for path in files_here(home)),
    )


def _stand_in(
    data: Path,
    *,
    limit: int | None,
    folder: Path,
    injected: Path | None,
    spacy: str,
    on_message: Callable[[str], None],
) -> Path:
    """The folder whose ``wikibias`` is the stand-in; its name changes with everything that it is made of."""
    if injected is not None and not injected.is_file():
        raise CorpusError(f"{injected} is not there. Make it with `evenhand train data inject`.")
    files = [open_file(data, name) for name in WNC_FACTS.files] + ([injected] if injected else [])
    made_of = [_VERSION, str(limit), Path(spacy).name, *map(checksum, files)]
    home = folder / f"stand-in-{_mark(made_of)}"
    if is_here(home):
        return home
    from training.corpora.wikibias_proxy import build_proxy
    from training.text.parsing import load_optional_parser

    on_message("WIKIBIAS is not there: making what stands in its place, once")
    parts = build_proxy(data, injected=injected, nlp=load_optional_parser(spacy), limit=limit)
    try:
        write_corpus(home, manual=parts.manual, auto=parts.auto, dev=parts.dev, test=parts.test)
    except CorpusError:
        if not is_here(home):  # another process may have been faster
            raise
    return home


def capped(part: Sequence[TaggedSentence], limit: int | None) -> list[TaggedSentence]:
    """At most ``limit`` sentences in their order, each pair whole or not at all; one group at least."""
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


# What the taggers of Table 7 learn from.


MANUAL, AUTO, AUTO_MANUAL, RELABELLED = "manual", "auto", "auto-manual", "relabelled"
TRAININGS = (MANUAL, AUTO, AUTO_MANUAL, RELABELLED)


def taught(sentences: Sequence[TaggedSentence]) -> list[TaggedSentence]:
    """The sentences that a tagger learns from: the biased source sentences.

    They alone are scored, and JOINT's tagging loss is on biased sentences alone (section 3.2). Neutral sentences
    would teach it to leave out spans, which costs recall and buys precision only where nobody counts.
    """
    return [sentence for sentence in sentences if sentence.biased and sentence.original]


def no_noisy(corpus: Corpus, training: str, *, what: str = "noisy part") -> TrainingError:
    """The error for a material without AUTO, from which ``training`` learns."""
    return TrainingError(
        f"{corpus.name} has no {what}, from which {training} learns. WIKIBIAS-AUTO lies on its authors' drive, "
        f"which {FACTS.home} links. Injected pairs can stand in its place: make them with "
        "`evenhand train data inject --out FILE`, then say --injected FILE."
    )


def no_clean(corpus: Corpus, training: str, *, what: str = "clean part") -> TrainingError:
    """The error for a material without manual labels, from which ``training`` learns."""
    return TrainingError(
        f"{corpus.name} has no {what}, from which {training} learns. WIKIBIAS lies on its authors' drive, which "
        f"{FACTS.home} links. WNC's pairs can stand in its place: `evenhand train data list` says where they are had."
    )


def demand(corpus: Corpus, training: str) -> None:
    """Raise TrainingError where the parts that ``training`` needs have no biased source sentence."""
    if training != MANUAL and not taught(corpus.auto):
        raise no_noisy(corpus, training, what="noisy part with biased sentences")
    if training != AUTO and not taught(corpus.manual):
        raise no_clean(corpus, training, what="clean part with biased sentences")
    if not taught(corpus.dev):
        raise TrainingError(
            f"{corpus.name} has no biased source sentence in its dev part, on which taggers are chosen. Add some."
        )
