"""A proxy for WIKIBIAS where it is not available, from WNC and injected pairs, and a writer for the release's layouts.

The manual part is replaced by WNC's train pairs, an eighth of which are dev; the test part by WNC's dev pairs. Their
spans come from the heuristic of Appendix C, not from annotators: a score on them says how well the heuristic is
learnt. AUTO is replaced by injected pairs, whose spans are known. All words are in lower case, as in WNC.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.engine.cues import Lexicon
from core.storage.files import FileError, write_text
from core.types import Kind
from training.corpora.injected_pairs import read_injected
from training.corpora.wikibias import KIND_ORDER
from training.corpora.wikibias_files import CLASS_KINDS, CLASSES, ROOT, SOURCES, TAGS, TARGETS
from training.corpora.wikipedia import SentencePair, load_pairs
from training.metrics.tags import tags_of
from training.text.edits import KindFinder, words
from training.text.near_duplicates import NearDuplicateIndex
from training.text.parsing import ParseTree, parse_trees
from training.text.revision_spans import THRESHOLD, Revision, RevisionState, diff_revision
from training.types import BEGIN, INSIDE, OUTSIDE, CorpusError, Injected, TaggedSentence

_SEED = 42
_HELD = 8
_NOTHING: frozenset[Kind] = frozenset()
_UNUSABLE = (RevisionState.SAME, RevisionState.REWRITTEN)


@dataclass(frozen=True, slots=True)
class ProxyCorpus:
    """The parts of a corpus, both sides of each pair together, the Original first."""

    manual: tuple[TaggedSentence, ...]
    auto: tuple[TaggedSentence, ...]
    dev: tuple[TaggedSentence, ...]
    test: tuple[TaggedSentence, ...]


def build_proxy(
    data: Path,
    *,
    injected: Path | None,
    nlp: Any,
    limit: int | None = None,
    threshold: float = THRESHOLD,
) -> ProxyCorpus:
    """The stand-in from WNC under ``data`` and the file of ``injected`` pairs (part train; None: no such part).

    ``nlp`` is a spaCy pipeline with a parser, or None for no sub-tree step; ``limit`` caps the pairs of each part.
    Pairs in which nothing or everything changed are left out, and of the training parts those near a sentence of dev
    or test. Kinds are silver (``KindFinder``), but those of injected words are known. Raises CorpusError where a file
    is missing.
    """
    pairs = load_pairs(data, "train")
    random.Random(_SEED).shuffle(pairs)
    cut = len(pairs) // _HELD
    dev, test = (
        list(_sides(some[:limit], nlp, threshold)) for some in (pairs[:cut], load_pairs(data, "dev"))
    )
    scored = NearDuplicateIndex(" ".join(sentence.tokens) for sentence in (*dev, *test))
    clean = [pair for pair in pairs[cut:] if not scored.has_near_duplicate(pair.source, pair.target)]
    made = [row for row in read_injected(injected) if row.part == "train"] if injected else []
    auto = [row for row in made if not scored.has_near_duplicate(row.biased, row.neutral)]
    return ProxyCorpus(
        manual=tuple(_sides(clean[:limit], nlp, threshold)),
        auto=tuple(side for row in auto[:limit] for side in tag_injected(row)),
        dev=tuple(dev),
        test=tuple(test),
    )


def tokenize(text: str) -> tuple[str, ...]:
    """Its words and single marks."""
    return tuple(text[start:end] for start, end in words(text))


def label_revisions(
    sentences: Sequence[tuple[Sequence[str], Sequence[str]]], nlp: Any, *, threshold: float = THRESHOLD
) -> Iterator[Revision]:
    """What the heuristic says of pairs of token lists, in order; parsed all together where ``nlp`` is a pipeline."""
    parsed: Iterator[ParseTree] | None = (
        parse_trees((side for pair in sentences for side in pair), nlp) if nlp else None
    )
    for before, after in sentences:
        both = (next(parsed), next(parsed)) if parsed is not None else None
        yield diff_revision(before, after, trees=both, threshold=threshold)


def tag_sides(
    before: Sequence[str], after: Sequence[str], revision: Revision, *, group: str, kinds: KindFinder
) -> tuple[TaggedSentence, TaggedSentence]:
    """Both sides of a pair as the corpus has them, with the kinds of the changes."""
    spans = revision.spans
    named = frozenset(
        kinds.of(
            " ".join(before[change.start : change.end]),
            " ".join(after[change.after_start : change.after_end]),
        )
        for change in spans
    )
    marked = tuple(tags_of([(change.start, change.end) for change in spans], len(before)))
    source = TaggedSentence(tuple(before), marked, bool(spans), original=True, group=group, kinds=named)
    return source, _neutral(after, group)


def tag_injected(row: Injected) -> tuple[TaggedSentence, TaggedSentence]:
    """Both sides of an injected pair: every word that an edit touches is tagged. In lower case."""
    places = words(row.biased)
    touched = (token_range(places, edit.start, edit.end) for edit in row.edits)
    ranges = [(start, end) for start, end in touched if start < end]
    found = tuple(token.lower() for token in tokenize(row.biased))
    source = TaggedSentence(
        found,
        tuple(tags_of(ranges, len(found))),
        bool(ranges),
        original=True,
        group=row.group,
        kinds=frozenset(edit.kind for edit in row.edits),
    )
    return source, _neutral([token.lower() for token in tokenize(row.neutral)], row.group)


def token_range(places: Sequence[tuple[int, int]], start: int, end: int) -> tuple[int, int]:
    """The tokens, of which ``places`` are the offsets, that share a character with ``[start, end)``."""
    touched = [number for number, (a, b) in enumerate(places) if a < end and start < b]
    return (touched[0], touched[-1] + 1) if touched else (0, 0)


def _neutral(found: Sequence[str], group: str) -> TaggedSentence:
    outside = (OUTSIDE,) * len(found)
    return TaggedSentence(tuple(found), outside, biased=False, original=False, group=group, kinds=_NOTHING)


def _sides(pairs: Sequence[SentencePair], nlp: Any, threshold: float) -> Iterator[TaggedSentence]:
    kinds = KindFinder(Lexicon.load())
    sentences = [(tokenize(pair.source), tokenize(pair.target)) for pair in pairs]
    found = label_revisions(sentences, nlp, threshold=threshold)
    for pair, (before, after), revision in zip(pairs, sentences, found, strict=True):
        if revision.state not in _UNUSABLE:
            yield from tag_sides(before, after, revision, group=pair.group, kinds=kinds)


PROXY_NAME = "stand-in: WNC pairs, Appendix C's spans; injected pairs for AUTO"
"""What a corpus is called that was made here in the place of WIKIBIAS."""
NAME_FILE = "name.txt"
"""Lies beside the files of a corpus that was written here and says what it is; the official one has none."""

_BOM = "\ufeff"
_FORBIDDEN = "\0"
_TAGS = frozenset({BEGIN, INSIDE, OUTSIDE})


def write_corpus(
    folder: Path,
    *,
    manual: Sequence[TaggedSentence],
    auto: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
    test: Sequence[TaggedSentence],
    name: str = PROXY_NAME,
) -> None:
    """Write a corpus to ``folder/wikibias``, which appears only once it is whole; a part without sentences has no file.

    The two sides of a pair, Original and Neutral, are to stand together: so they are found again. ``auto`` is such
    pairs and nothing else. ``name`` says what the corpus is. Raises CorpusError where the folder is there already,
    for a sentence that the layout cannot hold, and where it cannot be written.
    """
    target = folder / ROOT
    if target.exists():
        raise CorpusError(
            f"{target} is there already and is not replaced. Name another folder, or remove it first."
        )
    texts = {place: text for place, text in _files(manual, auto, dev, test) if text}
    fresh: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{ROOT}-", dir=folder))
        fresh.chmod(0o755)
        for place, text in {**texts, NAME_FILE: f"{name}\n"}.items():
            (fresh / place).parent.mkdir(exist_ok=True)
            _write(fresh / place, text)
        fresh.replace(target)
    except (OSError, FileError) as error:
        raise CorpusError(
            f"The corpus could not be written to {target} ({error}). Name another folder."
        ) from error
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)


def write_tagged(path: Path, sentences: Sequence[TaggedSentence]) -> None:
    """Write sentences into one file as tagging files have them, whole or not at all. Raises CorpusError."""
    _check(path.name, sentences)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, _blocks(sentences))
    except (OSError, FileError) as error:
        raise CorpusError(
            f"The sentences could not be written to {path} ({error}). Name another file."
        ) from error


def corpus_name(data: Path) -> str:
    """What the corpus under ``data/wikibias`` is called by whoever wrote it; empty for the official one."""
    path = data / ROOT / NAME_FILE
    try:
        return " ".join(path.read_text(encoding="utf-8").split()) if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise CorpusError(
            f"{path} cannot be read ({error}). Write into it what the corpus beside it is."
        ) from error


def _write(path: Path, text: str) -> None:
    # Whoever reads takes one mark off the start: a second one keeps that of a token.
    write_text(path, text, encoding="utf-8-sig" if text.startswith(_BOM) else "utf-8")


def _files(
    manual: Sequence[TaggedSentence],
    auto: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
    test: Sequence[TaggedSentence],
) -> Iterator[tuple[str, str]]:
    """Every place under the corpus's folder with its text."""
    for part, sentences in (("train", manual), ("dev", dev), ("test", test)):
        _check(part, sentences)
        yield f"{TAGS}/{part}.tsv", _blocks(sentences)
        yield f"{CLASSES}/{'train_manual' if part == 'train' else part}.tsv", _labels(sentences)
        yield f"{CLASS_KINDS}/{part}.tsv", _kinds(sentences)
    _check("AUTO", auto)
    _check_pairs(auto)
    yield SOURCES, _blocks(auto[::2])
    yield TARGETS, _blocks(auto[1::2])
    yield f"{CLASSES}/train_auto.tsv", _labels(auto)
    yield f"{CLASS_KINDS}/train_auto.tsv", _kinds(auto)


def _blocks(sentences: Sequence[TaggedSentence]) -> str:
    return "".join(map(_block, sentences))


def _block(sentence: TaggedSentence) -> str:
    side = "Original" if sentence.original else "Neutral"
    speech = " ".join("X" for _ in sentence.tokens)  # parts of speech, which nobody reads
    rows = (
        f"{' '.join(sentence.tokens)} ||| {int(sentence.biased)}",
        f"{speech} ||| {side}",
        f"{speech} ||| {side}",
        f"{' '.join(sentence.tags)} ||| {side}",
    )
    return "\n".join(rows) + "\n\n"


def _labels(sentences: Sequence[TaggedSentence]) -> str:
    return "".join(f"{' '.join(sentence.tokens)}\t\t{int(sentence.biased)}\n" for sentence in sentences)


def _kinds(sentences: Sequence[TaggedSentence]) -> str:
    return "".join(
        f"{' '.join(sentence.tokens)}\t\t{'|'.join(str(int(kind in sentence.kinds)) for kind in KIND_ORDER)}\n"
        for sentence in sentences
        if sentence.kinds is not None
    )


def _check(part: str, sentences: Sequence[TaggedSentence]) -> None:
    for number, sentence in enumerate(sentences, start=1):
        if why := _unfit(sentence):
            raise CorpusError(f"Sentence {number} of {part} cannot be written: {why}. Leave it out.")


def _unfit(sentence: TaggedSentence) -> str:
    tokens, tags = sentence.tokens, sentence.tags
    if not tokens:
        return "it is empty"
    if any(token.split() != [token] or _FORBIDDEN in token for token in tokens):
        return "a token is empty, or has white space or a zero byte in it"
    if len(tokens) != len(tags):
        return f"{len(tags)} tags for {len(tokens)} tokens"
    if not _TAGS.issuperset(tags):
        return f"a tag that is none of {BEGIN}, {INSIDE} and {OUTSIDE}"
    if (OUTSIDE, INSIDE) in pairwise((OUTSIDE, *tags)):
        return f"{INSIDE} without {BEGIN} before it"
    return ""


def _check_pairs(auto: Sequence[TaggedSentence]) -> None:
    for number in range(0, len(auto), 2):
        sides = auto[number : number + 2]
        if [side.original for side in sides] != [True, False] or sides[0].group != sides[1].group:
            raise CorpusError(
                f"Sentence {number + 1} of AUTO and the one after it are not the two sides of a pair."
            )
