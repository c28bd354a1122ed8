"""The corpora, one module each: official layouts in, typed examples out."""

from __future__ import annotations

from training.corpora import articles, babe, cw_hard, pairs, related
from training.corpora.base import CorpusFacts

ALL: tuple[CorpusFacts, ...] = (
    babe.FACTS,
    pairs.WNC_FACTS,
    pairs.GBNC_FACTS,
    cw_hard.FACTS,
    articles.FACTS,
    related.FACTS,
)
