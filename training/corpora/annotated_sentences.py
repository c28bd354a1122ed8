"""Sentences in which every biased span is marked, with its kind, its class in the guide and suggestions.

Three collections share the layout, a JSON object a line: ``id``, ``source`` (what a split must keep together),
``text``, ``bias`` (0 neutral to 3 strongly biased) and ``spans`` (``start``, ``end``, ``kind``, ``class``, ``severity``
2 clear or 1 arguable, ``wordings``). ``editors/`` is a corpus under the data folder. Two files lie beside this module:
``written_sentences.jsonl.xz``, sentences that were written for what the corpora have too little of, and
``corpus_sentences.jsonl.xz``, sentences of other corpora. Of these it holds no text: ``text`` is the start of the
SHA-256 of the sentence, which is looked up in the corpus that ``source`` names. All were annotated by a large language
model after one guide; cards say so. In WNC, WIKIBIAS and BABE an unmarked word may still be loaded; here it counts as
neutral.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.types import GUIDE_CLASSES, Kind
from training.corpora import anno_lexical, news_pool, wikibias_manual, wikipedia
from training.corpora.files import OptionalCorpora, ignore_message, read_json_rows
from training.types import CorpusFacts, Example, GoldSpan, OnMessage, open_file, print_to_stderr

FACTS = CorpusFacts(
    key="editors",
    name="Sentences read in full, with typed spans and suggestions",
    homepage="no address known to this project",
    licence="ours; sentences as their sources",
    files=("editors/sentences.jsonl.xz",),
    manual_steps="Whoever gave you the corpora has it; put it into editors/sentences.jsonl.xz. Without it a reader "
    "learns from this project's own sentences alone what leaves a word unmarked.",
)
WRITTEN = Path(__file__).with_name("written_sentences.jsonl.xz")
CORPUS_SENTENCES = Path(__file__).with_name("corpus_sentences.jsonl.xz")
_DIGITS = 16
_BIAS = (0.0, 0.35, 1.0, 1.0)
"""The probability that a sentence with each grade counts as biased: grade 1 is one that many would let pass."""
_CLEAR = 2
_ARTICLE = "|"
"""Parts outlet, side and article of a source; others name a corpus alone, whose sentences are unrelated."""


MINIMAL_PAIRS = f"written{_ARTICLE}"
"""The beginning of the group of a minimal pair: two written sentences that differ in one respect alone."""


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A sentence with its spans. ``references``: the annotator's suggestions for each span, best first; ``""`` takes
    the span out.
    """

    example: Example
    grade: int
    references: tuple[tuple[str, ...], ...]
    written_for: str = ""


def load(data: Path, on_message: OnMessage = print_to_stderr) -> list[AnnotatedSentence]:
    """The sentences of ``editors/``. Raises CorpusError for a missing file, and where no row can be read."""
    return read(open_file(data, FACTS.files[0]), "editors", on_message)


def load_written(on_message: OnMessage = print_to_stderr) -> list[AnnotatedSentence]:
    """This project's own sentences; ``written_for`` names the set that each was written for."""
    return read(WRITTEN, "written", on_message)


def load_corpus_sentences(data: Path, on_message: OnMessage = print_to_stderr) -> list[AnnotatedSentence]:
    """The sentences of corpora under ``data``; a message says which corpora are missing. All of them are train."""
    rows = read_json_rows(
        CORPUS_SENTENCES, _checked, expected="source, text, bias and spans", on_message=on_message
    )
    texts = find_texts(data, ((row["source"], row["text"]) for row in rows), on_message)
    return [
        _sentence({**row, "id": row["text"], "text": texts[row["text"]]}, "annotated")
        for row in rows
        if row["text"] in texts
    ]


def check_corpus(name: str) -> str:
    """``name``, if sentences can be looked up in the corpus of that name; otherwise raises ValueError."""
    if name not in _SOURCES:
        raise ValueError(f"unknown corpus {name[:40]!r}")
    return name


def text_key(text: str) -> str:
    """The key that identifies a sentence in a file without the text of its corpus."""
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def find_texts(data: Path, wanted: Iterable[tuple[str, str]], on_message: OnMessage) -> dict[str, str]:
    """Sentences by their key, of ``wanted`` pairs of a corpus and a key."""
    keys: dict[str, set[str]] = {}
    for corpus, key in wanted:
        keys.setdefault(corpus, set()).add(key)
    optional = OptionalCorpora(on_message)
    found: dict[str, str] = {}
    for corpus in sorted(keys):
        texts = optional(partial(_texts, corpus, data), f"annotated sentences of {corpus}")
        found.update((key, text) for text in texts if (key := text_key(text)) in keys[corpus])
    return found


_SOURCES: dict[str, Callable[[Path], Iterable[str]]] = {
    "news_pool": lambda data: (row.text for row in news_pool.load(data, ignore_message)),
    "anno_lexical": lambda data: (row.text for row in anno_lexical.load(data, ignore_message)),
    "wnc": lambda data: (pair.source for pair in wikipedia.load_additional_pairs(data)),
    "wnc_single": lambda data: (row.text for row in wikipedia.load_unpaired_biased(data)),
    "cw_hard": lambda data: (row.text for row in wikipedia.load_cw_hard(data)),
    "wikibias": lambda data: (
        wikibias_manual.to_example(row, prose=True).text
        for row in wikibias_manual.load(data, "train", ignore_message)
    ),
}


def _checked(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "source": check_corpus(row["source"]), "text": str(row["text"])}


def _texts(corpus: str, data: Path) -> list[str]:
    return list(_SOURCES[corpus](data))


def read(path: Path, corpus: str, on_message: OnMessage = print_to_stderr) -> list[AnnotatedSentence]:
    """The sentences of a file in this layout; rows that cannot be read are left out and reported once."""
    return read_json_rows(
        path,
        partial(_sentence, corpus=corpus),
        expected="id, source, text, bias and spans",
        on_message=on_message,
    )


def is_held_out(group: str) -> bool:
    """True for the articles, pages and pairs, about one in five, that are dev: by their name alone."""
    return hashlib.sha256(group.encode()).digest()[0] % 5 == 0


def split(
    sentences: Iterable[AnnotatedSentence],
) -> tuple[list[AnnotatedSentence], list[AnnotatedSentence]]:
    """The train and dev parts."""
    known = list(sentences)
    return (
        [one for one in known if not is_held_out(one.example.group)],
        [one for one in known if is_held_out(one.example.group)],
    )


def _sentence(row: dict[str, Any], corpus: str) -> AnnotatedSentence:
    text, grade = str(row["text"]), int(row["bias"])
    spans = sorted((_span(one, text) for one in row["spans"]), key=lambda pair: pair[0].start)
    gold = tuple(span for span, _ in spans)
    if not 0 <= grade < len(_BIAS):
        raise ValueError(f"unknown bias {grade}")
    if any(one.end > other.start for one, other in pairwise(gold)):
        raise ValueError("spans overlap")
    source = str(row["source"])
    group = source if _ARTICLE in source else f"{source} {row['id']}"
    example = Example(text, corpus, spans=gold, bias=_BIAS[grade], group=group)
    return AnnotatedSentence(
        example, grade, tuple(references for _, references in spans), str(row.get("set", ""))
    )


def _span(row: dict[str, Any], text: str) -> tuple[GoldSpan, tuple[str, ...]]:
    start, end, guide_class = int(row["start"]), int(row["end"]), str(row["class"])
    if not 0 <= start < end <= len(text):
        raise ValueError(f"span {start} to {end} is outside of its sentence")
    if guide_class not in GUIDE_CLASSES:
        raise ValueError(f"unknown class {guide_class[:40]!r}")
    span = GoldSpan(start, end, Kind(row["kind"]), guide_class, int(row["severity"]) == _CLEAR)
    return span, tuple(map(str, row["wordings"]))  # The corpus has the former word for references.
