"""BABE (Spinde et al. 2021): news sentences with an expert label and the words that carry the bias."""

from __future__ import annotations

import ast
import csv
import re
from pathlib import Path

from core.words import WORD
from training.corpora.base import CorpusError, CorpusFacts, Example, GoldSpan, open_file
from training.kinds import KindFinder

FACTS = CorpusFacts(
    name="BABE",
    home="https://github.com/Media-Bias-Group/Neural-Media-Bias-Detection-Using-Distant-Supervision-With-BABE",
    licence="AGPL-3.0",
    files=(
        "babe/final_labels_SG1.csv",
        "babe/final_labels_SG2.csv",
    ),
)
_LABELS = {"Biased": 1.0, "Non-biased": 0.0}


def load(data: Path, kinds: KindFinder, *, group: str = "SG2") -> list[Example]:
    """Sentences of SG1 or SG2 that have a majority label, with spans from ``biased_words``.

    A word list of a sentence labelled not biased is not used: its spans are empty. ``group`` holds the outlet.
    """
    path = open_file(data, f"babe/final_labels_{group}.csv")
    examples: list[Example] = []
    with path.open(encoding="utf-8-sig", newline="") as stream:
        for number, row in enumerate(csv.DictReader(stream, delimiter=";"), start=2):
            if row.get("label_bias") not in _LABELS:
                if row.get("label_bias") is None:
                    raise CorpusError(
                        f"{path}, row {number}: no label_bias column; is it the published file?"
                    )
                continue
            text = row["text"]
            bias = _LABELS[row["label_bias"]]
            listed = _listed(row.get("biased_words") or "[]") if bias else []
            examples.append(
                Example(
                    text, "babe", spans=locate(text, listed, kinds), bias=bias, group=row.get("outlet") or ""
                )
            )
    return examples


def texts(data: Path) -> list[str]:
    """Every sentence of SG1 and SG2 whatever its label: what no other corpus may hold."""
    found: list[str] = []
    for name in FACTS.files:
        with open_file(data, name).open(encoding="utf-8-sig", newline="") as stream:
            found.extend(row["text"] for row in csv.DictReader(stream, delimiter=";"))
    return found


def _listed(cell: str) -> list[str]:
    try:
        value = ast.literal_eval(cell)
    except (ValueError, SyntaxError):
        return []
    return [str(item) for item in value] if isinstance(value, list) else []


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
