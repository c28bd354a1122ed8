"""The table of word classes that the app checks suggestions with, counted in parsed news and Wikipedia sentences.

    python -m training.rewriter.word_classes --data DIR --spacy MODEL

writes ``resources/lexicons/word_classes.txt.gz``: a word in lower case and the tags of the Penn Treebank that it has in
at least one in ten of its places, the most frequent first.
"""

from __future__ import annotations

import argparse
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.text.word_classes import FILE
from resources import ROOT
from training.corpora import anno_lexical, news_pool, wikipedia
from training.text.parsing import load_parser

_PER_CORPUS = 30_000
_MIN_COUNT, _MIN_SHARE = 3, 0.1
_NAMES = ("NNP", "NNPS")


def count_tags(documents: Iterable[Any]) -> dict[str, Counter[str]]:
    """How often each word, in lower case, has each tag; without names and what has other characters than letters."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for document in documents:
        for token in document:
            if token.text.replace("-", "").isalpha() and token.tag_ not in _NAMES:
                counts[token.lower_][token.tag_] += 1
    return counts


def to_lines(counts: dict[str, Counter[str]]) -> list[str]:
    """The lines of the table, sorted: words that are frequent enough, with their frequent tags."""
    lines = []
    for word, tags in sorted(counts.items()):
        total = tags.total()
        if total >= _MIN_COUNT:
            kept = [tag for tag, count in tags.most_common() if count >= _MIN_SHARE * total]
            lines.append(" ".join((word, *kept)))
    return lines


def main() -> None:
    """Count and write the table."""
    parser = argparse.ArgumentParser(description="Write the table of word classes.")
    parser.add_argument("--data", type=Path, required=True, help="folder of the corpora")
    parser.add_argument("--spacy", default="en_core_web_sm", help="an English spaCy model with a tagger")
    options = parser.parse_args()
    texts = [
        example.text
        for rows in (
            news_pool.load(options.data),
            anno_lexical.load(options.data),
            [row for row in wikipedia.load_cw_hard(options.data) if row.bias == 0],
        )
        for example in rows[:_PER_CORPUS]
    ]
    nlp = load_parser(options.spacy)
    with nlp.select_pipes(enable=["tok2vec", "tagger"]):
        lines = to_lines(count_tags(nlp.pipe(texts, batch_size=256)))
    with gzip.GzipFile(ROOT / "lexicons" / FILE, "wb", mtime=0) as file:
        file.write("\n".join(lines).encode())
    print(f"{len(lines)} words from {len(texts)} sentences")


if __name__ == "__main__":
    main()
