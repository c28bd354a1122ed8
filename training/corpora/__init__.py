"""The corpora, one module each: official layouts in, typed examples out."""

from __future__ import annotations

from training.corpora import articles, babe, cw_hard, pairs, related, wikibias, wnc_full
from training.corpora.base import CorpusFacts

ALL: tuple[CorpusFacts, ...] = (
    babe.FACTS,
    pairs.WNC_FACTS,
    pairs.GBNC_FACTS,
    cw_hard.FACTS,
    articles.FACTS,
    related.FACTS,
)
OPTIONAL: tuple[CorpusFacts, ...] = (wnc_full.FACTS, wikibias.FACTS)
"""Corpora that recipes can use but none needs; the project knows no checksums of theirs."""
