"""The words to scan: those of the reader's training corpora that stand in enough documents, or those of a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from core.rewriting.function_words import SMALL
from training.corpora import articles, babe, badwords, cw_hard
from training.corpora.base import CorpusError, located
from training.corpora.pairs import load_gbnc_pairs, load_pairs
from training.corpora.reading import lines

LEAST = 25
"""Documents, articles mostly, that a word is to stand in; with all corpora here about 20,000 words do."""

_WORD = re.compile(r"[a-z]+(?:['-][a-z]+)*")


def of_corpora(data: Path, *, least: int = LEAST) -> list[str]:
    """Words in lower case that at least ``least`` documents hold, the commonest first. Raises CorpusError.

    An article, a pair and a sentence are a document each. Small words and single letters are left out.
    """
    held: Counter[str] = Counter()
    for text in _texts(data):
        held.update(set(_WORD.findall(text.lower().replace("’", "'"))))
    found = [word for word, documents in held.most_common() if documents >= least and _says(word)]
    if not found:
        raise CorpusError(f"No word stands in {least} documents. Say a smaller number with --least.")
    return found


def of_file(path: Path) -> list[str]:
    """The words of a file, one a line, each once; a term of several words stays together. Raises CorpusError."""
    if not path.is_file():
        raise CorpusError(f"{path} is no file of words. Name one with --words FILE, a word a line.")
    found = list(dict.fromkeys(" ".join(line.split()) for line in lines(path)))
    words = [word for word in found if any(map(str.isalpha, word))]
    if not words:
        raise CorpusError(f"{path} holds no words. It is to hold one a line.")
    return words


def abusive(data: Path) -> frozenset[str] | None:
    """Obvious abusive words, which are no stereotyped ones, in lower case; None where the list is not there."""
    if not all(located(data, name).is_file() for name in badwords.FACTS.files):
        return None
    listed = badwords.load(data)
    return listed.entries | listed.single


def _texts(data: Path) -> Iterator[str]:
    yield from babe.texts(data)
    for pair in (*load_pairs(data, "train"), *load_gbnc_pairs(data)):
        yield pair.source
    yield from (example.text for example in cw_hard.load(data))
    yield from (article.content for article in articles.read(data))


def _says(word: str) -> bool:
    return len(word) > 1 and word not in SMALL and word.replace("'", "") not in SMALL
