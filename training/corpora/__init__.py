"""The corpora, one module each: official layouts in, typed examples out."""

from __future__ import annotations

from training.corpora import (
    allsides,
    auxiliary_tasks,
    babe,
    grouped_texts,
    hate_speech,
    political_texts,
    wikibias,
    wikipedia,
)
from training.types import CorpusFacts

ALL: tuple[CorpusFacts, ...] = (
    babe.FACTS,
    wikipedia.WNC_FACTS,
    wikipedia.GBNC_FACTS,
    wikipedia.CW_HARD_FACTS,
    allsides.FACTS,
    auxiliary_tasks.FACTS,
)
OPTIONAL: tuple[CorpusFacts, ...] = (
    babe.ANNOTATIONS_FACTS,
    babe.HEADLINES_FACTS,
    wikipedia.WNC_FULL_FACTS,
    wikibias.FACTS,
    political_texts.FACTS,
    political_texts.DEBATES_FACTS,
    political_texts.CONVOTE_FACTS,
    hate_speech.DAVIDSON_FACTS,
    hate_speech.TALK_PAGES_FACTS,
    hate_speech.MADLIBS_FACTS,
    hate_speech.BAD_WORDS_FACTS,
    political_texts.COMPASS_FACTS,
    grouped_texts.HATEXPLAIN_FACTS,
    grouped_texts.HATE_IDENTITIES_FACTS,
    grouped_texts.LIAR_FACTS,
)
"""Corpora that single recipes and tables use but the shipped models do not need."""
