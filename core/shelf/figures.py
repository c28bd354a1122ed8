"""The main figures of a model, read from the tables of its card: by them two models are told apart at a glance."""

from __future__ import annotations

import math
import re
from pathlib import Path

from core.shelf.model import Figure

MOST = 3
_MAIN = {
    "reader": (
        "BABE, sentence, macro-F1 (int8)",
        "BABE, sentence, macro-F1",
        "WNC, spans, overlap F1 (int8)",
        "WNC, spans, overlap F1",
        "houses held out, windows, leaning macro-F1",
    ),
    "rewriter": (
        "edits answered as the editor did, first wording",
        "edits answered as the editor did, among three wordings",
        "ROC-AUC of KEEP",
    ),
}
_ROW = re.compile(r"^\|([^|\n]+)\|[ \t]*(-?\d+(?:\.\d+)?)[ \t]*\|[ \t]*$", re.MULTILINE)
_CHECKED_ON = re.compile(r"\s*\((?:int8|checkpoint)\)$")
_MOST_CHARACTERS = 200_000


def main_figures(card: Path | None, role: str) -> tuple[Figure, ...]:
    """Up to ``MOST`` figures of a card: those that tell most of its role, else the first; none where it has none."""
    try:
        text = card.read_text(encoding="utf-8", errors="replace")[:_MOST_CHARACTERS] if card else ""
    except OSError:
        return ()
    rows = [Figure(name.strip(), float(value)) for name, value in _ROW.findall(text)]
    rows = [row for row in rows if row.name and row.name.isprintable() and math.isfinite(row.value)]
    chosen: dict[str, Figure] = {}
    for wanted in _MAIN.get(role, ()):
        for row in rows:
            if row.name.startswith(wanted):
                chosen.setdefault(_CHECKED_ON.sub("", row.name), row)
    picked = tuple(Figure(name, row.value) for name, row in chosen.items())
    return (picked or tuple(rows))[:MOST]
