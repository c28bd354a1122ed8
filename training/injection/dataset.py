"""Neutral sentences to inject into, split by source, and the file of injected pairs that is made of them."""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from core.engine.cues import Lexicon
from training.corpora import allsides, babe, wikipedia
from training.corpora.injected_pairs import write_injected
from training.injection import vocabulary
from training.injection.selection import inject
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.text.parsing import load_parser
from training.types import InjectedPair, OnMessage, Statement, open_file

# Neutral sentences to inject into: CW-Hard statements and centre articles, split by source.


HELD_OUT = 600
_DEV_PERCENT = 5
_ARTICLE_SENTENCES = 5
_CENTER = 1
_DAMAGED = re.compile(r"\?\?|ƒ|›|�|\b(\w+) \1\b|[a-z]{3}[A-Z][a-z]{3}|[a-z]{2}[A-Z]{2}")
_ABBREVIATION = re.compile(
    r"\b(?:Mr|Mrs|Ms|Dr|Sen|Rep|Gov|Gen|Lt|Col|St|Jr|vs|No|Rev|Prof|Sgt|Capt|[A-Z])\.$"
)
_OPINION = re.compile(r"(?:\b(?:I|we|We|our|Our|you|You|my|us)\b|[?!])")


def text_hash(text: str) -> int:
    """A number that depends on the text alone."""
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def load_held_out_statements(data: Path) -> list[str]:
    """600 featured-article statements that nothing is injected into; they measure "leaves neutral alone".

    The clean ones with the smallest hashes, so that the choice does not depend on order or seed.
    """
    texts = {
        row.text
        for row in wikipedia.load_cw_hard(data)
        if row.group == "neutral_featured" and is_clean_sentence(row.text)
    }
    return sorted(texts, key=text_hash)[:HELD_OUT]


def is_clean_sentence(text: str) -> bool:
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


def statements(
    data: Path, found: Iterable[allsides.Article], near: NearDuplicateIndex
) -> Iterator[Statement]:
    """CW-Hard statements, then up to five sentences of each centre article among ``found``."""
    held = NearDuplicateIndex(load_held_out_statements(data))
    seen: set[str] = set()
    for row in wikipedia.load_cw_hard(data):
        if (
            row.bias
            or row.text in seen
            or not is_clean_sentence(row.text)
            or near.has_near_duplicate(row.text)
            or held.has_near_duplicate(row.text)
        ):
            continue
        seen.add(row.text)
        source = "cw_hard_featured" if row.group == "neutral_featured" else "cw_hard"
        yield Statement(row.text, f"cw-{text_hash(row.text):016x}", split_of(row.text), source)
    for article in found:
        if article.leaning != _CENTER:
            continue
        usable = [text for text in article.sentences if is_clean_sentence(text) and not _OPINION.search(text)]
        usable = [text for text in usable if '"' not in text and "“" not in text]
        group = " ".join(article.sentences)
        random.Random(text_hash(group)).shuffle(usable)
        for text in usable[:_ARTICLE_SENTENCES]:
            if text not in seen and not near.has_near_duplicate(text):
                seen.add(text)
                yield Statement(text, f"article-{text_hash(group):016x}", split_of(group), "articles")


def scored_texts(data: Path) -> NearDuplicateIndex:
    """Every sentence that is scored somewhere: all of BABE and WNC's dev part."""
    dev = wikipedia.load_wnc(data, KindFinder(Lexicon.load()), part="dev")
    return NearDuplicateIndex([*babe.texts(data), *(example.text for example in dev)])


def split_of(source: str) -> str:
    """``dev`` for about one source in twenty, by its text alone; else ``train``."""
    return "dev" if text_hash(source) % 100 < _DEV_PERCENT else "train"


# Make the file of injected pairs from the corpora.


_SHARE = 0.004


def prepare(
    data: Path, out: Path, *, spacy: str, seed: int, limit: int | None, on_message: OnMessage
) -> None:
    """Inject bias into neutral sentences of the corpora under ``data`` and write the pairs to ``out``.

    ``spacy`` is an English spaCy model by name or folder; ``limit`` caps the number of source sentences. Sentences
    near a scored one are left out. Raises CorpusError where a corpus or the model is missing.
    """
    nlp = load_parser(spacy)
    near = scored_texts(data)
    on_message("reading the articles")
    found = allsides.load(data, near)
    on_message("counting which words keep company")
    words = cooccurrence(data, found)
    chosen = list(statements(data, found, near))
    random.Random(seed).shuffle(chosen)
    chosen = chosen[:limit]
    on_message(f"injecting into {len(chosen)} sentences")
    rows = cap_repetitions(list(inject(chosen, nlp=nlp, seed=seed, cooccurrence=words)))
    write_injected(out, rows)
    on_message(summary(rows))


def cooccurrence(data: Path, found: Iterable[allsides.Article]) -> vocabulary.Cooccurrence:
    """Which words go together, counted in the articles of every leaning, CW-Hard, and WNC's train part."""
    counted = vocabulary.Cooccurrence(vocabulary.load().first_words())
    counted.read(" ".join(article.sentences) for article in found)
    counted.read(row.text for row in wikipedia.load_cw_hard(data))
    counted.read(row[0] for row in wikipedia.read_rows(open_file(data, "wnc/pairs.train.tsv")))
    return counted


def cap_repetitions(rows: list[InjectedPair]) -> list[InjectedPair]:
    """``rows`` without those in which a change stands that already fills 0.4% of them."""
    most = max(1, int(_SHARE * len(rows)))
    used: Counter[tuple[str, str]] = Counter()
    kept: list[InjectedPair] = []
    for row in rows:
        changes = {(edit.before.lower(), edit.after.lower()) for edit in row.edits}
        if all(used[change] < most for change in changes):
            used.update(changes)
            kept.append(row)
    return kept


def summary(rows: list[InjectedPair]) -> str:
    """How many rows, families, kinds and different changes there are, as text."""
    edits = [edit for row in rows for edit in row.edits]
    families = Counter(edit.rule for edit in edits)
    kinds = Counter(edit.kind.value for edit in edits)
    changes = Counter((edit.before.lower(), edit.after.lower()) for edit in edits)
    words = len({edit.before.lower() for edit in edits})
    top = changes.most_common(1)[0][1] if changes else 0
    lines = [
        f"{len(rows)} pairs, {len(edits)} edits, {len(changes)} different changes, {words} different injected words",
        f"the commonest change stands in {top / max(1, len(rows)):.2%} of the pairs",
        "kinds     " + ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()),
        "families  " + ", ".join(f"{family} {count}" for family, count in families.most_common()),
    ]
    return "\n".join(lines)
