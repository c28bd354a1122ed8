"""The counts by which the app judges how usual the words of a suggestion are where they stand.

    python -m training.rewriter.ngram_counts --data DIR

writes ``resources/lexicons/ngrams.npz`` (see `core.rewriting.fluency`) from the news articles and from the neutral
statements of Wikipedia. Rare words and rare sequences are left out: the file has no text.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, hstack
from sklearn.cluster import MiniBatchKMeans
from sklearn.decomposition import TruncatedSVD

from core.rewriting.fluency import EDGE, FILE, RARE_NAMES, NgramTables, rare_name, tokenise, write_tables
from resources import ROOT
from training.corpora import allsides, wikipedia

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_LEAST_WORDS = 3
_MIN_WORD, _MIN_PAIR, _MIN_TRIPLE = 20, 2, 3
"""How often a word and a sequence must occur to be kept."""

_CLASSES, _OWN_CLASSES = 400, 200
"""Classes of several words, and the most frequent words, each of which is a class of its own."""

_CONTEXT_WORDS, _DIMENSIONS, _SEED = 1000, 80, 0


def read_sentences(data: Path) -> Iterator[str]:
    """The sentences of the articles and the neutral statements. Raises CorpusError."""
    for article in allsides.read_articles(data):
        yield from _SENTENCE_END.split(article.content)
    for statement in wikipedia.load_cw_hard(data):
        if not statement.bias:
            yield statement.text


def count_ngrams(
    sentences: Iterable[str],
    *,
    min_word: int = _MIN_WORD,
    min_pair: int = _MIN_PAIR,
    min_triple: int = _MIN_TRIPLE,
    classes: int = _CLASSES,
    own_classes: int = _OWN_CLASSES,
) -> NgramTables:
    """Count words and sequences, and find the classes of words.

    A word's class is that of the words with the most similar neighbours (k-means over the most frequent words before
    and after it, by a truncated SVD).
    """
    names, line = _numbered(sentences, min_word)
    size = len(names)
    words = np.bincount(line, minlength=size)
    pairs, pair_counts = np.unique(line[:-1] * size + line[1:], return_counts=True)
    class_of = _word_classes(words, pairs, pair_counts, classes=classes, own_classes=own_classes)
    number = int(class_of.max()) + 1
    as_classes = class_of[line]
    class_pairs = np.bincount(as_classes[:-1] * number + as_classes[1:], minlength=number * number)
    triples, triple_counts = np.unique(
        (as_classes[:-2] * number + as_classes[1:-1]) * number + as_classes[2:], return_counts=True
    )
    often, also = pair_counts >= min_pair, triple_counts >= min_triple
    return NgramTables(
        names,
        words.astype(np.float64),
        (pairs[often], pair_counts[often].astype(np.float64)),
        class_of,
        class_pairs.reshape(number, number).astype(np.float64),
        (triples[also], triple_counts[also].astype(np.float64)),
    )


def _numbered(sentences: Iterable[str], min_word: int) -> tuple[list[str], NDArray[np.int64]]:
    """The words that are counted, and the numbers of the words of all sentences with an edge between."""
    numbers = {EDGE: 0}
    line = [0]
    for sentence in sentences:
        tokens = tokenise(sentence)
        if len(tokens) >= _LEAST_WORDS:
            line += (numbers.setdefault(word, len(numbers)) for word, _, _ in tokens)
            line.append(0)
    found = np.array(line, dtype=np.int64)
    counts = np.bincount(found, minlength=len(numbers))
    kept: dict[str, int] = {}
    new = [
        kept.setdefault(word if count >= min_word or word == EDGE else rare_name(word), len(kept))
        for word, count in zip(numbers, counts.tolist(), strict=True)
    ]
    for name in RARE_NAMES:
        kept.setdefault(name, len(kept))
    return list(kept), np.array(new, dtype=np.int64)[found]


def _word_classes(
    words: NDArray[np.int64],
    pairs: NDArray[np.int64],
    counts: NDArray[np.int64],
    *,
    classes: int,
    own_classes: int,
) -> NDArray[np.int64]:
    """The class of each word."""
    size = len(words)
    by_count = np.argsort(-words, kind="stable")
    context = np.full(size, -1)
    top = by_count[:_CONTEXT_WORDS]
    context[top] = np.arange(len(top))
    before, after = pairs // size, pairs % size
    sides = []
    for word, neighbour in ((after, before), (before, after)):
        kept = context[neighbour] >= 0
        places = word[kept], context[neighbour[kept]]
        sides.append(coo_matrix((counts[kept].astype(np.float64), places), shape=(size, len(top))))
    shares = hstack(sides).tocsr()
    shares = shares.multiply(1 / np.maximum(shares.sum(axis=1), 1)).tocsr()
    usual = np.asarray(shares.mean(axis=0)).ravel()
    features = shares.multiply(1 / np.sqrt(usual + 1e-6)[None, :]).tocsr().sqrt()
    dimensions = min(_DIMENSIONS, min(features.shape) - 1)
    vectors = TruncatedSVD(dimensions, random_state=_SEED).fit_transform(features)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    means = MiniBatchKMeans(min(classes, size), random_state=_SEED, batch_size=4096, n_init=1, max_iter=60)
    found: NDArray[np.int64] = means.fit_predict(vectors).astype(np.int64)
    own = by_count[:own_classes]
    found[own] = found.max() + 1 + np.arange(len(own))
    return found


def main() -> None:
    """Count and write the file."""
    parser = argparse.ArgumentParser(description="Write the counts of word sequences.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    options = parser.parse_args()
    tables = count_ngrams(read_sentences(options.data))
    write_tables(tables, ROOT / "lexicons" / FILE)
    print(
        f"{len(tables.names)} words, {len(tables.pairs[0])} pairs, {len(tables.class_triples[0])} triples of classes"
    )


if __name__ == "__main__":
    main()
