"""Neutral sentences to inject into: CW-Hard statements and centre articles, split by source."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.cues import Lexicon
from training.corpora import articles, babe, cw_hard, pairs
from training.injection.model import Statement
from training.kinds import KindFinder
from training.near import NearIndex

HELD_OUT = 600
_DEV_PERCENT = 5
_ARTICLE_SENTENCES = 5
_CENTER = 1
_DAMAGED = re.compile(r"\?\?|ƒ|›|�|\b(\w+) \1\b|[a-z]{3}[A-Z][a-z]{3}|[a-z]{2}[A-Z]{2}")
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Sen|Rep|Gov|Gen|Lt|Col|St|Jr|vs|No|Rev|Prof|Sgt|Capt|[A-Z])\.$"
)
_OPINION = re.compile(r"(?:\b(?:I|we|We|our|Our|you|You|my|us)\b|[?!])")


def digest(text: str) -> int:
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def held_out_featured(data: Path) -> list[str]:
    """600 featured-article statements that nothing is injected into; they measure "leaves neutral alone".

    The clean ones with the smallest hashes, so that the choice does not depend on order or seed.
    """
    texts = {row.text for row in cw_hard.load(data) if row.group == "neutral_featured" and clean(row.text)}
    return sorted(texts, key=digest)[:HELD_OUT]


def clean(text: str) -> bool:
    """Whether a sentence is whole: 8 to 45 words, a full stop, paired quotation marks and brackets."""
    words = text.split()
    return (
        8 <= len(words) <= 45
        and text.endswith(".")
        and text[0].isupper()
        and not text.endswith("..")
        and text.count('"') % 2 == 0
        and text.count("“") == text.count("”")
        and text.count("(") == text.count(")")
        and not _DAMAGED.search(text)
        and not _ABBREVIATION.search(text)
        and "\n" not in text
        and "  " not in text
        and all(len(word) < 40 for word in words)
    )


def statements(data: Path, found: Iterable[articles.Article], near: NearIndex) -> Iterator[Statement]:
    """CW-Hard statements, then up to five sentences of each centre article among ``found``."""
    held = NearIndex(held_out_featured(data))
    seen: set[str] = set()
    for row in cw_hard.load(data):
        if row.bias or row.text in seen or not clean(row.text) or near.near(row.text) or held.near(row.text):
            continue
        seen.add(row.text)
        source = "cw_hard_featured" if row.group == "neutral_featured" else "cw_hard"
        yield Statement(row.text, f"cw-{digest(row.text):016x}", part_of(row.text), source)
    for article in found:
        if article.leaning != _CENTER:
            continue
        usable = [text for text in article.sentences if clean(text) and not _OPINION.search(text)]
        usable = [text for text in usable if '"' not in text and "“" not in text]
        group = " ".join(article.sentences)
        random.Random(digest(group)).shuffle(usable)
        for text in usable[:_ARTICLE_SENTENCES]:
            if text not in seen and not near.near(text):
                seen.add(text)
                yield Statement(text, f"article-{digest(group):016x}", part_of(group), "articles")


def scored(data: Path) -> NearIndex:
    """Every sentence that is scored somewhere: all of BABE and WNC's dev part."""
    dev = pairs.load_wnc(data, KindFinder(Lexicon.load()), part="dev")
    return NearIndex([*babe.texts(data), *(example.text for example in dev)])


def part_of(source: str) -> str:
    """``dev`` for about one source in twenty, by its text alone; else ``train``."""
    return "dev" if digest(source) % 100 < _DEV_PERCENT else "train"
