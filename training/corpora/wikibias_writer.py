"""Writes tagged sentences in the layouts of WIKIBIAS's release, which ``wikibias`` reads."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from core.storage.files import FileError, write_text
from training.corpora.wikibias import KIND_ORDER
from training.corpora.wikibias_files import CLASS_KINDS, CLASSES, ROOT, SOURCES, TAGS, TARGETS
from training.types import BEGIN, INSIDE, OUTSIDE, CorpusError, TaggedSentence

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
    name: str = "",
) -> None:
    """Write a corpus to ``folder/wikibias``, which appears only once it is whole; a part without sentences has no file.

    The two sides of a pair, Original and Neutral, are to stand together: so they are found again. ``auto`` is such
    pairs and nothing else. ``name`` says what the corpus is; without one it passes for the release. Raises CorpusError
    where the folder is there already, for a sentence that the layout cannot hold, and where it cannot be written.
    """
    target = folder / ROOT
    if target.exists():
        raise CorpusError(
            f"{target} already exists and is not replaced. Name another folder, or remove it first."
        )
    texts = {place: text for place, text in _files(manual, auto, dev, test) if text}
    fresh: Path | None = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{ROOT}-", dir=folder))
        fresh.chmod(0o755)
        if name:
            texts[NAME_FILE] = f"{name}\n"
        for place, text in texts.items():
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
