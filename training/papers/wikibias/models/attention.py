"""BERT-ATTEN: the words of a sentence that the encoder of the best classifier attends to most (Appendix D.2).

The paper uses layers 9 to 12 of 12 and tags the words above a threshold tuned on dev. It describes four ways to sum the
attention in a few words; see ``word_scores`` for their implementation. Here layer, method and threshold are all chosen
on dev; the paper's Figure 4 compares layers and methods on test, and reports the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from training.loop.batches import length_batches
from training.loop.training_loop import TrainingError
from training.metrics.tags import authors_scores, spans, tags_of
from training.papers.wikibias.datasets import AUTO_MANUAL
from training.papers.wikibias.models import classifiers
from training.papers.wikibias.models.sentence_model import NO_WORDPIECE, Classifier, Row, collate
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext
from training.types import INSIDE, OUTSIDE, TaggedSentence

Floats = NDArray[np.float64]

METHODS = ("token_count", "word_count", "average", "sum")
_PERIOD = "."
_SHARES = np.linspace(0.5, 1.0, 51)
"""Thresholds are tried at these quantiles of the dev scores: at most about half of all words are tagged."""
_PREDICT_BATCH_SIZE = 16


@dataclass(frozen=True, slots=True)
class AttentionSettings:
    """A layer (from 1), a method (its index in METHODS) and a threshold, with the exact F1 on dev."""

    layer: int
    method: int
    threshold: float
    exact_f1: float


def attention(corpus: Corpus, context: TrainingContext) -> Predictions:
    """BERT-ATTEN with the classifier of Table 5 that continues on the clean part.

    Facts: ``layer`` (from 1), ``method`` (its index in METHODS) and ``threshold`` as chosen on dev, and for
    every layer and method the best exact F1 on dev, as ``dev_layer9_word_count``. Raises TrainingError where dev has no
    biased source sentence, or the encoder does not return its attention.
    """
    dev = [one for one in corpus.dev if one.biased and one.original]
    if not dev:
        raise TrainingError(
            f"{corpus.name} has no biased source sentence in its dev part, on which layer and threshold of "
            "BERT-ATTEN are chosen. Add some."
        )
    classifier = classifiers.train_binary(corpus, context, training=AUTO_MANUAL)
    context.events.stage = "attention"
    config: Any = classifier.model.encoder.config
    layers = last_third(config.num_hidden_layers)
    seen = attention_scores(classifier, dev, layers, context=context)
    choices = [
        choose(dev, [scores[at, method] for scores in seen], layer=layer, method=method)
        for at, layer in enumerate(layers)
        for method in range(len(METHODS))
    ]
    best = max(choices, key=lambda choice: choice.exact_f1)
    context.events.emit("eval", f"layer {best.layer}, {METHODS[best.method]}", metrics={"dev": best.exact_f1})
    test = attention_scores(classifier, corpus.test, [best.layer], context=context)
    facts = {"layer": float(best.layer), "method": float(best.method), "threshold": best.threshold}
    for choice in choices:
        facts[f"dev_layer{choice.layer}_{METHODS[choice.method]}"] = choice.exact_f1
    return Predictions(
        tags=[threshold_tags(scores[0, best.method], best.threshold) for scores in test], facts=facts
    )


def last_third(count: int) -> list[int]:
    """The last third of an encoder's layers, at least one, counted from 1: of 12 those from 9 to 12."""
    return list(range(count - max(1, count // 3) + 1, count + 1))


def word_scores(attention_map: Floats, owners: NDArray[np.int64], *, excluded: Sequence[bool]) -> Floats:
    """The attention that each word gets from the others, [METHODS, words]; minus infinity for excluded words.

    ``attention_map`` is a layer's attention [heads, from, to]; ``owners`` the word of each wordpiece, NO_WORDPIECE for
    special tokens, which are ignored; ``excluded`` words cannot be tagged, but attend to others.

    token_count: how often a wordpiece of the word gets the most attention from another one, over wordpieces and heads.
    word_count: the same for words, where attention to a word is the sum over its wordpieces and attention from a word
    the mean (Clark et al. 2019, section 4.1). average and sum: mean and sum of the attention between words, over all
    heads and all other words; the sum and the counts grow with the length of the sentence.
    """
    words = len(excluded)
    if not (owners != NO_WORDPIECE).any():
        return np.full((len(METHODS), words), -np.inf)
    wordpieces = np.flatnonzero(owners != NO_WORDPIECE)
    owner = owners[wordpieces]
    belongs = np.zeros((len(wordpieces), words))
    belongs[np.arange(len(wordpieces)), owner] = 1.0
    sizes = belongs.sum(axis=0)
    candidate = (sizes > 0) & ~np.asarray(excluded, dtype=bool)
    between_wordpieces = attention_map[:, wordpieces][:, :, wordpieces]
    between = (belongs / np.maximum(sizes, 1.0)).T @ between_wordpieces @ belongs
    own = np.eye(words, dtype=bool)
    received = np.where(own, 0.0, between).sum(axis=(0, 1))
    givers = len(attention_map) * max(1, int((sizes > 0).sum()) - 1)
    scores = np.stack(
        [
            _count_maxima(between_wordpieces, candidate[owner]) @ belongs,
            _count_maxima(between[:, sizes > 0], candidate, own=own[sizes > 0]),
            received / givers,
            received,
        ]
    )
    return np.where(candidate, scores, -np.inf)


def attention_scores(
    classifier: Classifier,
    sentences: Sequence[TaggedSentence],
    layers: Sequence[int],
    *,
    context: TrainingContext,
) -> list[Floats]:
    """``word_scores`` of each sentence in each of ``layers`` (counted from 1): [layers, METHODS, words].

    The final period is excluded. Raises TrainingError where the encoder does not return its attention.
    """
    encoder: Any = classifier.model.to(context.device).eval().encoder
    # Fast kernels do not return the attention.
    encoder.set_attn_implementation("eager")
    rows = classifier.rows(sentences)
    tail = _tail(classifier)
    found: list[Floats] = [np.zeros(0)] * len(rows)
    for indices in length_batches(rows, _PREDICT_BATCH_SIZE):
        context.events.check_cancelled()
        batch = collate(
            [rows[at] for at in indices], pad=classifier.tokenizer.pad_token_id, device=context.device
        )
        with torch.inference_mode():
            returned = encoder(
                input_ids=batch.ids, attention_mask=batch.mask, output_attentions=True
            ).attentions
        if not returned or any(returned[layer - 1] is None for layer in layers):
            raise TrainingError(
                f"{Path(context.base).name} does not return its attention, which BERT-ATTEN needs. Name a base of "
                "BERT's family."
            )
        taken = torch.stack([returned[layer - 1] for layer in layers], dim=1).float().cpu().numpy()
        for place, at in enumerate(indices):
            row = rows[at]
            excluded = [False] * len(row.sentence)
            excluded[-1] = row.sentence.tokens[-1] == _PERIOD
            maps = taken[place, :, :, : len(row), : len(row)].astype(np.float64)
            found[at] = np.stack(
                [word_scores(one, word_of_wordpieces(row, tail), excluded=excluded) for one in maps]
            )
    return found


def word_of_wordpieces(row: Row, tail: int) -> NDArray[np.int64]:
    """The word of each wordpiece; NO_WORDPIECE for special tokens at the start and the last ``tail``."""
    owners = np.full(len(row), NO_WORDPIECE, dtype=np.int64)
    for word, first in enumerate(row.first_wordpieces):
        if first != NO_WORDPIECE:
            owners[first:] = word
    owners[len(row) - tail :] = NO_WORDPIECE
    return owners


def choose(
    dev: Sequence[TaggedSentence], scores: Sequence[Floats], *, layer: int, method: int
) -> AttentionSettings:
    """The threshold with the best exact F1 as the authors count, the higher one among equals."""
    known = np.concatenate([one[np.isfinite(one)] for one in scores])
    best = AttentionSettings(layer, method, float("inf"), 0.0)
    for threshold in np.unique(np.quantile(known, _SHARES) if known.size else known).tolist():
        exact, _ = authors_scores(dev, [threshold_tags(one, threshold) for one in scores])
        if exact.f1 >= best.exact_f1:
            best = AttentionSettings(layer, method, threshold, exact.f1)
    return best


def threshold_tags(scores: Floats, threshold: float) -> list[str]:
    """BIO tags of the words with a score of at least ``threshold``; adjacent words are one span."""
    chosen = [INSIDE if score >= threshold else OUTSIDE for score in scores.tolist()]
    return tags_of(spans(chosen), len(chosen))


def _count_maxima(
    attention_map: Floats, candidate: NDArray[np.bool_], own: NDArray[np.bool_] | None = None
) -> Floats:
    """How often each column is the maximum of a row among the candidates, [columns]; ``attention_map`` is [heads, rows,
    columns].

    ``own`` [rows, columns] marks the column of the row itself; by default the diagonal.
    """
    own = np.eye(attention_map.shape[-1], dtype=bool) if own is None else own
    open_to = candidate & ~own
    wins = np.where(open_to, attention_map, -np.inf).argmax(axis=-1)[:, open_to.any(axis=-1)]
    return np.bincount(wins.ravel(), minlength=attention_map.shape[-1]).astype(np.float64)


def _tail(classifier: Classifier) -> int:
    """The number of special tokens at the end of a sentence."""
    mask = classifier.tokenizer("a", return_special_tokens_mask=True)["special_tokens_mask"]
    return next((at for at, own in enumerate(reversed(mask)) if not own), len(mask))
