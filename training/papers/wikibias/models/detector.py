"""DETECTOR: the tagger of Pryzant et al. (2020) as a row of Table 7, which tags one word of each sentence (Appendix
D.2).

It is trained on the sentences of the noisy part whose only edit is one word, and tags the likeliest word of every
sentence, so it never matches a span of several words.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from training.loop.batches import Stream, length_batches
from training.loop.devices import autocast
from training.loop.training_loop import TrainingError, TrainingSettings, run_or_load_model, train
from training.metrics.tags import authors_scores, spans, tags_of
from training.papers.wikibias.generators.modular import Detector, word_loss
from training.papers.wikibias.models.sentence_model import WIDTH
from training.papers.wikibias.types import Corpus, Predictions, TrainingContext
from training.types import TaggedSentence

RATE = 3e-5
"""The lower of the two learning rates that Appendix D.2 searched for its taggers, for an encoder of ``WIDTH``."""
_PREDICT_BATCH_SIZE = 64


def detector(corpus: Corpus, context: TrainingContext) -> Predictions:
    """DETECTOR. Facts: the number of training sentences (``single``) and the exact F1 on dev (``dev_exact``).

    Raises TrainingError where no sentence of the noisy part has exactly one biased word, or without a dev part.
    """
    single_word_sentences = single_word_edits(corpus.auto)
    if not single_word_sentences:
        raise TrainingError(
            f"{corpus.name} has no sentence in its noisy part (AUTO) whose only edit is one word, which "
            "DETECTOR needs. Use a larger part of it."
        )
    if not corpus.dev:
        raise TrainingError("The corpus has no dev part to choose the best epoch on. Add one.")
    model = train_detector(single_word_sentences, corpus.dev, context)
    exact, _ = authors_scores(corpus.dev, tag_top_word(model, corpus.dev, device=context.device))
    facts = {"single": float(len(single_word_sentences)), "dev_exact": exact.f1}
    return Predictions(tags=tag_top_word(model, corpus.test, device=context.device), facts=facts)


def single_word_edits(sentences: Sequence[TaggedSentence]) -> list[TaggedSentence]:
    """The biased source sentences with one span, of one token."""
    return [one for one in sentences if one.biased and one.original and _lengths(one) == [1]]


def train_detector(
    single_word_sentences: Sequence[TaggedSentence], dev: Sequence[TaggedSentence], context: TrainingContext
) -> Detector:
    """A detector on ``single_word_sentences``, trained once for ``context.folder``; the best epoch on dev is kept."""
    torch.manual_seed(context.seed)
    model = Detector(context.base)
    epoch = -(-len(single_word_sentences) // context.budget.batch_size)
    settings = TrainingSettings(
        steps=context.budget.auto_epochs * epoch,
        batch_size=context.budget.batch_size,
        learning_rate=RATE * WIDTH / model.state.in_features,
        seed=context.seed,
        eval_every=epoch,
    )

    def loss_fn(_: Stream[TaggedSentence], some: Sequence[TaggedSentence]) -> Tensor:
        width = max(map(len, some))
        gold, mask = torch.zeros(len(some), width), torch.zeros(len(some), width, dtype=torch.bool)
        for at, one in enumerate(some):
            gold[at, spans(one.tags)[0][0]] = 1.0
            mask[at, : len(one)] = True
        odds = model([one.tokens for one in some], width=width)
        return word_loss(odds, gold.to(odds.device), mask.to(odds.device))

    def evaluate() -> float:
        return authors_scores(dev, tag_top_word(model, dev, device=context.device))[0].f1

    context.events.stage = "detector"
    run_or_load_model(
        context.folder / "detector.safetensors",
        model,
        fit=lambda checkpoint: train(
            model,
            [Stream("single words", single_word_sentences, 1.0)],
            settings,
            loss_fn=loss_fn,
            backbone=model.encoder,
            device=context.device,
            events=context.events,
            checkpoint=checkpoint,
            eval_fn=evaluate,
        ),
        events=context.events,
    )
    return model.to(context.device)


def tag_top_word(
    model: Detector, sentences: Sequence[TaggedSentence], *, device: torch.device
) -> list[list[str]]:
    """Tags of each sentence with its most likely word as the only span."""
    model.to(device).eval()
    tags: list[list[str]] = [[] for _ in sentences]
    for indices in length_batches(sentences, _PREDICT_BATCH_SIZE):
        some = [sentences[at] for at in indices]
        with torch.inference_mode(), autocast(device):
            odds = model([one.tokens for one in some], width=max(map(len, some))).cpu()
        for at, one, found in zip(indices, some, odds, strict=True):
            top = int(found[: len(one)].argmax())
            tags[at] = tags_of([(top, top + 1)], len(one))
    return tags


def _lengths(sentence: TaggedSentence) -> list[int]:
    return [end - start for start, end in spans(sentence.tags)]
