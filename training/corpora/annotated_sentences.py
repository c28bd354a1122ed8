"""Sentences in which every biased span is marked, with its kind, its class in the guide and neutral wordings.

Two collections share the layout, a JSON object a line: ``id``, ``source`` (what a split must keep together), ``text``,
``bias`` (0 neutral to 3 strongly biased) and ``spans`` (``start``, ``end``, ``kind``, ``class``, ``severity`` 2 clear
or 1 arguable, ``wordings``). ``editors/`` is a corpus under the data folder. ``written_sentences.jsonl.xz`` lies beside
this module: sentences that were written for what the corpora have too little of. Both were annotated by a large
language model after one guide; cards say so. In WNC, WIKIBIAS and BABE an unmarked word may still be loaded; here it
counts as neutral.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

from core.types import GUIDE_CLASSES, Kind
from training.corpora.files import read_json_rows
from training.types import CorpusFacts, Example, GoldSpan, OnMessage, open_file, print_to_stderr

FACTS = CorpusFacts(
    key="editors",
    name="Sentences read in full, with typed spans and wordings",
    home="no address known to this project",
    licence="ours; sentences as their sources",
    files=("editors/sentences.jsonl.xz",),
    manual_steps="Whoever gave you the corpora has it; put it into editors/sentences.jsonl.xz. Without it a reader "
    "learns from this project's own sentences alone what leaves a word unmarked.",
)
WRITTEN = Path(__file__).with_name("written_sentences.jsonl.xz")
_BIAS = (0.0, 0.35, 1.0, 1.0)
"""The probability that a sentence with each grade counts as biased: grade 1 is one that many would let pass."""
_CLEAR = 2
_ARTICLE = "|"
"""Parts outlet, side and article of a source; others name a corpus alone, whose sentences are unrelated."""


TWINS = f"written{_ARTICLE}"
"""How the group of two written sentences begins that differ in one respect alone."""


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A sentence with its spans and the wordings of each span, best first; ``""`` takes the span out."""

    example: Example
    grade: int
    wordings: tuple[tuple[str, ...], ...]
    written_for: str = ""


def load(data: Path, on_message: OnMessage = print_to_stderr) -> list[AnnotatedSentence]:
    """The sentences of ``editors/``. Raises CorpusError for a missing file, and where no row can be read."""
    return read(open_file(data, FACTS.files[0]), "editors", on_message)


def load_written(on_message: OnMessage = print_to_stderr) -> list[AnnotatedSentence]:
    """This project's own sentences; ``written_for`` names the set that each was written for."""
    return read(WRITTEN, "written", on_message)


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
        example, grade, tuple(wordings for _, wordings in spans), str(row.get("set", ""))
    )


def _span(row: dict[str, Any], text: str) -> tuple[GoldSpan, tuple[str, ...]]:
    start, end, guide_class = int(row["start"]), int(row["end"]), str(row["class"])
    if not 0 <= start < end <= len(text):
        raise ValueError(f"span {start} to {end} is outside of its sentence")
    if guide_class not in GUIDE_CLASSES:
        raise ValueError(f"unknown class {guide_class[:40]!r}")
    span = GoldSpan(start, end, Kind(row["kind"]), guide_class, int(row["severity"]) == _CLEAR)
    return span, tuple(map(str, row["wordings"]))
