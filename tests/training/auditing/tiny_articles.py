"""Articles of two sides and word vectors in the words of the tiny generator, made in a moment."""

from __future__ import annotations

import json
import lzma
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from tests.training.auditing.generation.tiny_generator import CONSERVATIVE, LIBERAL, WORDS

PUBLISHERS = {
    0: ("Elm Post", "Oak Times", "Ash Mail", "Fir Sun"),
    2: ("Pike Herald", "Carp Star", "Tench Echo", "Bream Day"),
}
OWN = {0: LIBERAL, 2: CONSERVATIVE}


def make_articles(folder: Path, *, sides: Sequence[int] = (0, 2), count: int = 160, seed: int = 3) -> Path:
    """Write the corpus of articles under ``folder``, ``count`` of these sides, and return it."""
    path = folder / "article_bias" / "articles.jsonl.xz"
    path.parent.mkdir(parents=True)
    with lzma.open(path, "wt", encoding="utf-8") as stream:
        for number in range(count):
            print(json.dumps(_article(number, sides[number % len(sides)], seed)), file=stream)
    return folder


def _article(number: int, side: int, seed: int) -> dict[str, object]:
    draw = random.Random(f"{seed} {number}")
    sentences = (
        " ".join(draw.choice(OWN[side] if draw.random() < 0.2 else WORDS) for _ in range(9)) for _ in range(6)
    )
    body = " ".join(f"{sentence.capitalize()}." for sentence in sentences)
    outlet = PUBLISHERS[side][number // 2 % len(PUBLISHERS[side])]
    return {"ID": str(number), "topic": "x", "source": outlet, "bias": side, "content": f"A title\n{body}\n"}


def make_glove(path: Path) -> Path:
    """Write vectors of all words, those of a side near each other."""
    draw = np.random.default_rng(4)
    path.write_text("\n".join(_rows(draw)) + "\n", encoding="utf-8")
    return path


def _rows(draw: np.random.Generator) -> Iterator[str]:
    for word in WORDS:
        vector = draw.normal(size=8)
        vector[0] += 2 * (word in LIBERAL) - 2 * (word in CONSERVATIVE)
        yield f"{word} {' '.join(f'{value:.4f}' for value in vector)}"
