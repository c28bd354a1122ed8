"""The downstream corpora in their published layouts, in the words of the tiny models, with labels to learn."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path

from tests.training.auditing.compass.tiny_models import WORDS

LABEL_WORDS = ("oppose", "agree")
"""The word that tells the label of most texts."""
_LIAR = ("true", "half-true", "mostly-true", "false", "barely-true", "pants-fire")


def texts(count: int, seed: int) -> Iterator[tuple[str, int]]:
    """Different texts with their labels; one in ten has words of the wrong label."""
    draw = random.Random(seed)
    for number in range(count):
        label = number % 2
        shown_label = label if draw.random() < 0.9 else 1 - label
        words = [draw.choice(WORDS[:-6]) for _ in range(7)]
        words[draw.randrange(7)] = LABEL_WORDS[shown_label]
        yield " ".join(words), label


def make_hatexplain(data: Path, count: int = 160) -> Path:
    """HateXplain: the group *economic* has no hateful text, *minority* no text at all."""
    rows = [["text", "rationale_pos", "label", *(f"label_{one}" for one in _GROUPS)]]
    for number, (text, label) in enumerate(texts(count, 1)):
        marks = [number % 3 == 0, number % 3 == 1, number % 3 == 2, label == 0 and number % 4 == 0, False]
        rows.append([text, "", str(2 if label else number % 4 // 2), *(str(int(one)) for one in marks)])
    return _write(data, "hatexplain/preprocessed.csv", rows)


def make_liar(data: Path) -> Path:
    """LIAR, with a statement that holds one quotation mark."""
    for at, (part, count) in enumerate((("train", 120), ("valid", 40), ("test", 40))):
        rows = []
        for number, (text, label) in enumerate(texts(count, at)):
            row = [""] * 14
            row[0], row[1], row[2] = f"{number}.json", _LIAR[3 * label + number % 3], text
            row[7] = ("democrat", "republican", "none", "libertarian")[number // 2 % 4]
            rows.append(row)
        rows[1][2] += ' "a'
        path = data / "liar" / f"{part}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
    return data


def make_identities(data: Path, name: str = "identity") -> Path:
    """One split of the paper's corpus."""
    for at, (part, count) in enumerate((("train", 100), ("test", 40))):
        rows = [["text", "hate", "target_groups"]]
        rows += [
            [text, str(bool(label)), "['muslims', 'Women']" if number % 3 else "[]"]
            for number, (text, label) in enumerate(texts(count, 5 + at))
        ]
        _write(data, f"hate_identities/{name}/{part}.csv", rows)
    return data


_GROUPS = ("gender", "religion", "race", "economic", "minority")


def _write(data: Path, place: str, rows: list[list[str]]) -> Path:
    path = data / place
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows(rows)
    return data
