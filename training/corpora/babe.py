"""BABE (Spinde et al. 2021): news sentences with an expert label and the words that carry the bias."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

from core.words import WORD
from training.corpora.base import (
    CENTER,
    LEFT,
    RIGHT,
    CorpusFacts,
    Download,
    Example,
    GoldSpan,
    open_file,
    tell,
)
from training.corpora.reading import Unread, table
from training.kinds import KindFinder

HOME = "https://github.com/Media-Bias-Group/Neural-Media-Bias-Detection-Using-Distant-Supervision-With-BABE"
_FILES = (
    "https://raw.githubusercontent.com/Media-Bias-Group/"
    "Neural-Media-Bias-Detection-Using-Distant-Supervision-With-BABE/"
)


def release(name: str, *, commit: str = "74a96b5a33799717b4f4d22b0e609aa0e2e2fac3") -> Download:
    """The file ``name`` of the release, as it was in ``commit``."""
    return Download(f"{_FILES}{commit}/data/{name}", f"babe/{name}")


FACTS = CorpusFacts(
    key="babe",
    name="BABE",
    home=HOME,
    licence="AGPL-3.0",
    files=(
        "babe/final_labels_SG1.csv",
        "babe/final_labels_SG2.csv",
    ),
    downloads=(release("final_labels_SG1.csv"), release("final_labels_SG2.csv")),
)
_LABELS: dict[str, float | None] = {"Biased": 1.0, "Non-biased": 0.0, "No agreement": None}
_COLUMNS = ("text", "outlet", "label_bias", "biased_words")


def load(
    data: Path, kinds: KindFinder, *, group: str = "SG2", say: Callable[[str], None] = tell
) -> list[Example]:
    """Sentences of SG1 or SG2 that have a majority label, with spans from ``biased_words``.

    A word list of a sentence labelled not biased is not used: its spans are empty. ``group`` holds the outlet.
    """
    path = open_file(data, f"babe/final_labels_{group}.csv")
    examples: list[Example] = []
    unread = Unread(path, say)
    for number, row in table(path, columns=_COLUMNS, delimiter=";"):
        text, label = row["text"], row["label_bias"]
        words = listed(row["biased_words"])
        if not text.strip() or label not in _LABELS or words is None:
            unread.add(number, _why(text, label))
            continue
        bias = _LABELS[label]
        if bias is not None:
            spans = locate(text, words if bias else [], kinds)
            examples.append(Example(text, "babe", spans=spans, bias=bias, group=row["outlet"]))
    unread.done(len(examples))
    return examples


def _why(text: str, label: str) -> str:
    if not text.strip():
        return "no text"
    return "biased_words is no list" if label in _LABELS else f"unknown label {label[:40]!r}"


def texts(data: Path) -> list[str]:
    """Every sentence of SG1 and SG2 whatever its label: what no other corpus may hold."""
    return [
        row["text"]
        for name in FACTS.files
        for _, row in table(open_file(data, name), columns=("text",), delimiter=";")
    ]


def rated(data: Path) -> list[tuple[str, str, int]]:
    """Sentences of SG2 whatever their label, the outlet of each, and its leaning (0 left, 1 center, 2 right)."""
    sides = {"left": LEFT, "center": CENTER, "right": RIGHT}
    rows = table(
        open_file(data, "babe/final_labels_SG2.csv"), columns=("text", "outlet", "type"), delimiter=";"
    )
    return [(row["text"], row["outlet"], sides[row["type"]]) for _, row in rows if row["type"] in sides]


def listed(cell: str) -> list[str] | None:
    """The words of a ``biased_words`` cell, which is a list as Python writes it; None where it is not."""
    try:
        value = ast.literal_eval(cell or "[]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return [str(item) for item in value] if isinstance(value, list) else None


def locate(text: str, listed: list[str], kinds: KindFinder) -> tuple[GoldSpan, ...]:
    """Spans of the listed words in ``text``: every whole-word occurrence, neighbours joined to one span."""
    marked = bytearray(len(text))
    for phrase in listed:
        pieces = re.findall(r"\w+", phrase)
        if pieces:
            pattern = r"(?<!\w)" + r"[\W_]+".join(pieces) + r"(?!\w)"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                marked[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    spans: list[GoldSpan] = []
    for match in WORD.finditer(text):
        if not any(marked[match.start() : match.end()]):
            continue
        joined = bool(spans) and text[spans[-1].end : match.start()].isspace()
        start = spans.pop().start if joined else match.start()
        spans.append(GoldSpan(start, match.end(), kinds.of(text[start : match.end()])))
    return tuple(spans)
