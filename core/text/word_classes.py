"""Word classes of English words, by the tags of the Penn Treebank that each has in news and Wikipedia."""

from __future__ import annotations

import gzip
from functools import cache

FILE = "word_classes.txt.gz"


@cache
def load_word_classes() -> dict[str, frozenset[str]]:
    """The tags of each word in lower case, as ``training.rewriter.word_classes`` counted them."""
    from resources import ROOT

    lines = gzip.decompress((ROOT / "lexicons" / FILE).read_bytes()).decode().split("\n")
    return {word: frozenset(tags) for word, *tags in map(str.split, lines)}
