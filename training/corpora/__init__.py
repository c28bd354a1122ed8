"""The corpora, one module each: official layouts in, typed examples out."""

from __future__ import annotations

from training.corpora import (
    articles,
    babe,
    babe_annotations,
    badwords,
    cw_hard,
    davidson,
    hate_identities,
    hatexplain,
    headlines,
    liar,
    madlibs,
    pairs,
    polilean,
    real_world,
    related,
    speeches,
    talk_pages,
    wikibias,
    wnc_full,
)
from training.corpora.base import CorpusFacts

ALL: tuple[CorpusFacts, ...] = (
    babe.FACTS,
    pairs.WNC_FACTS,
    pairs.GBNC_FACTS,
    cw_hard.FACTS,
    articles.FACTS,
    related.FACTS,
)
OPTIONAL: tuple[CorpusFacts, ...] = (
    babe_annotations.FACTS,
    headlines.FACTS,
    wnc_full.FACTS,
    wikibias.FACTS,
    real_world.FACTS,
    speeches.DEBATES_FACTS,
    speeches.CONVOTE_FACTS,
    davidson.FACTS,
    talk_pages.FACTS,
    madlibs.FACTS,
    badwords.FACTS,
    polilean.FACTS,
    hatexplain.FACTS,
    hate_identities.FACTS,
    liar.FACTS,
)
"""Corpora that single recipes and tables use but the shipped models do not need."""
