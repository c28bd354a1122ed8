"""The corpora, one module each: official layouts in, typed examples out."""

from __future__ import annotations

from training.corpora import (
    allsides,
    anno_lexical,
    annotated_sentences,
    auxiliary_tasks,
    babe,
    grouped_texts,
    hate_speech,
    news_pool,
    opinion_spans,
    political_texts,
    wikibias,
    wikibias_manual,
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
    wikibias_manual.FACTS,
    annotated_sentences.FACTS,
    anno_lexical.FACTS,
    opinion_spans.PTC_FACTS,
    opinion_spans.MPQA_FACTS,
    opinion_spans.UNCERTAINTY_FACTS,
    news_pool.FACTS,
)
OPTIONAL: tuple[CorpusFacts, ...] = (
    wikipedia.GENDER_REWRITING_FACTS,
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
