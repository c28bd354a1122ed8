"""Articles of three sides and speeches of two, in their published layouts and in the words of the tiny models."""

from __future__ import annotations

import json
import random
from pathlib import Path

from tests.training.auditing.compass.tiny_models import WORDS

OWN = {0: "agree supports believe", 1: "money trade market", 2: "oppose refuse deny"}
_DATES = ("2015-03-01", "2017-01-19", "2017-01-20", "2019-08-08", "")


def make_articles(data: Path, count: int = 60) -> Path:
    """AllSides articles: sides in turn, dates in turn, one of them none; the first of each side is a caption."""
    path = data / "article_bias" / "articles.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            side = number % 3
            content = "a law ." if number < 3 else _text(number, side)
            row = {"source": f"Outlet {side}", "bias": side, "title": "x", "date": _DATES[number // 3 % 5]}
            print(json.dumps({**row, "content": content}), file=stream)
    return data


def make_speeches(data: Path, count: int = 40) -> Path:
    """Convote, the parties in turn."""
    path = data / "convote" / "convote_v1.1_stage_one.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as stream:
        for number in range(count):
            print(
                json.dumps({"party": "DR"[number % 2], "text": _text(number, 2 * (number % 2))}), file=stream
            )
    return data


def _text(number: int, side: int) -> str:
    draw = random.Random(number)
    words = [draw.choice(OWN[side].split() if draw.random() < 0.3 else WORDS[:-6]) for _ in range(30)]
    return " ".join(words)
