"""Tables 5 and 6: is a sentence biased, and which kinds of bias does it have?

Table 5 trains BERT on the clean part, on the noisy one, on both, and on the noisy one without unlikely sentences. The
epoch with the best accuracy on dev is kept (the paper: "best performance"); F1 would favour a model that calls
everything biased, which scores 57.6 on the paper's test part, more than the row of the clean part (52.1).

Table 6 has three yes-or-no outputs, since a sentence may have several kinds. All rows are trained on the clean part,
which has kinds, and keep the epoch with the best macro-F1 on dev.

- ``plain``: three classifiers on a new encoder.
- ``finetuned``: the same on the encoder of Table 5's best classifier (noisy part, then clean part; without a noisy part
  the clean part only). The paper does not say which binary classifier it copies.
- ``hierarchical``: two classifiers on one new encoder (after Ferracane et al. 2021): is there bias, and which kinds.
  The paper says no more. Here both losses are added. The second is trained on biased sentences only and used only where
  the first predicts bias; the likeliest kind then counts even below 0.5, since a biased sentence has a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from core.types import KINDS, Kind
from training.corpora.wikibias import FACTS
from training.loop.training_loop import TrainingError, run_or_load, run_or_load_model
from training.metrics import accuracy, positive_score
from training.papers.wikibias.datasets import (
    AUTO,
    AUTO_MANUAL,
    MANUAL,
    missing_auto_error,
    missing_manual_error,
)
from training.papers.wikibias.models.sentence_model import (
    Classifier,
    Floats,
    Row,
    new_classifier,
    train_classifier,
)
from training.papers.wikibias.types import Corpus, Predictions, System, TrainingContext
from training.types import TaggedSentence

AUTO_5, AUTO_10 = "auto-5", "auto-10"
TRAINING_SETS = (MANUAL, AUTO, AUTO_MANUAL, AUTO_5, AUTO_10)
"""What a classifier is trained on. AUTO_MANUAL continues on the clean part after the noisy one (Krause et al. 2016).

AUTO_5 and AUTO_10 are trained on the noisy part without the 5% or 10% of its biased sentences with the lowest
probability by the classifier of AUTO (Li et al. 2017).
"""
REMOVED_SHARE = {AUTO_5: 0.05, AUTO_10: 0.1}
_PROBABILITIES_FILE = "auto-chances.safetensors"


def binary(*, training: str) -> System:
    """The row of Table 5 that is trained on ``training`` (one of TRAINING_SETS). Raises ValueError for another."""
    if training not in TRAINING_SETS:
        raise ValueError(f"{training} is none of {', '.join(TRAINING_SETS)}.")

    def system(corpus: Corpus, context: TrainingContext) -> Predictions:
        classifier = train_binary(corpus, context, training=training)
        gold = [sentence.biased for sentence in corpus.dev]
        judged = predict_biased(classifier, corpus.dev, context)
        facts = {"dev_accuracy": accuracy(gold, judged), "dev_f1": positive_score(gold, judged).f1}
        if training in REMOVED_SHARE:
            facts["left_out"] = float(count_removed(corpus, training))
        return Predictions(biased=predict_biased(classifier, corpus.test, context), facts=facts)

    return system


def train_binary(corpus: Corpus, context: TrainingContext, *, training: str) -> Classifier:
    """The binary classifier of ``training``, trained once for ``context.folder``; its logits are (neutral, biased).

    Raises TrainingError where the corpus lacks a part that it needs.
    """
    _check_parts(corpus, training)
    classifier = new_classifier(context, 2)

    def fit(checkpoint: Path) -> None:
        if training == AUTO_MANUAL:
            before = train_binary(corpus, context, training=AUTO)
            classifier.model.load_state_dict(before.model.state_dict())
        budget = context.budget
        epochs = {MANUAL: budget.manual_epochs, AUTO_MANUAL: budget.continued_epochs}.get(
            training, budget.auto_epochs
        )
        sentences = _sentences(corpus, context, training)
        context.events.stage = stage
        _fit(classifier, sentences, corpus.dev, context, epochs=epochs, checkpoint=checkpoint)

    context.events.stage = stage = f"classifier {training}"
    run_or_load_model(
        context.folder / f"classifier-{training}.safetensors",
        classifier.model,
        fit=fit,
        events=context.events,
    )
    classifier.model.to(context.device).eval()
    return classifier


def predict_biased(
    classifier: Classifier, sentences: Sequence[TaggedSentence], context: TrainingContext
) -> list[bool]:
    """Whether each sentence is predicted as biased."""
    logits = classifier.read(classifier.rows(sentences), device=context.device)
    return [bool(biased > neutral) for neutral, biased in logits]


def count_removed(corpus: Corpus, training: str) -> int:
    """How many biased sentences of the noisy part ``training`` removes."""
    biased = sum(sentence.biased for sentence in corpus.auto)
    return round(REMOVED_SHARE.get(training, 0.0) * biased)


def remove_unlikely(
    sentences: Sequence[TaggedSentence], chances: NDArray[np.float32], count: int
) -> list[TaggedSentence]:
    """The sentences without the ``count`` biased ones of the lowest probability, earlier ones first among equals.

    ``chances`` are those of the biased sentences, in their order.
    """
    places = [at for at, sentence in enumerate(sentences) if sentence.biased]
    lowest = {places[at] for at in np.argsort(chances, kind="stable")[:count]}
    return [sentence for at, sentence in enumerate(sentences) if at not in lowest]


def _sentences(corpus: Corpus, context: TrainingContext, training: str) -> Sequence[TaggedSentence]:
    if training in (MANUAL, AUTO_MANUAL):
        return corpus.manual
    if training == AUTO:
        return corpus.auto
    return remove_unlikely(corpus.auto, _bias_probabilities(corpus, context), count_removed(corpus, training))


def _bias_probabilities(corpus: Corpus, context: TrainingContext) -> NDArray[np.float32]:
    """The probability of AUTO's biased sentences by AUTO's classifier; computed once for ``context.folder``."""
    found: dict[str, Tensor] = {}

    def fit(_: Path) -> None:
        classifier = train_binary(corpus, context, training=AUTO)
        context.events.stage = stage
        biased = [sentence for sentence in corpus.auto if sentence.biased]
        logits = torch.from_numpy(classifier.read(classifier.rows(biased), device=context.device))
        found["chances"] = logits.softmax(1)[:, 1].float()

    context.events.stage = stage = "chances of AUTO"
    run_or_load(
        context.folder / _PROBABILITIES_FILE,
        fit=fit,
        load=lambda path: found.update(load_file(path)),
        save=lambda path: save_file(found, path),
        events=context.events,
    )
    return found["chances"].numpy()


def _fit(
    classifier: Classifier,
    sentences: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
    context: TrainingContext,
    *,
    epochs: int,
    checkpoint: Path,
) -> None:
    gold = [sentence.biased for sentence in dev]

    def loss_fn(logits: Tensor, rows: Sequence[Row]) -> Tensor:
        labels = torch.tensor([int(row.sentence.biased) for row in rows], device=logits.device)
        return nn.functional.cross_entropy(logits, labels)

    def score(logits: Floats) -> float:
        return accuracy(gold, [bool(biased > neutral) for neutral, biased in logits])

    train_classifier(
        classifier,
        sentences,
        context,
        epochs=epochs,
        dev=dev,
        loss_fn=loss_fn,
        score=score,
        checkpoint=checkpoint,
    )


def _check_parts(corpus: Corpus, training: str) -> None:
    """Raises TrainingError where a part that ``training`` needs is missing."""
    if training != MANUAL and not corpus.auto:
        raise missing_auto_error(corpus, training)
    if training in (MANUAL, AUTO_MANUAL) and not corpus.manual:
        raise missing_manual_error(corpus, training)


PLAIN, FINETUNED, HIERARCHICAL = "plain", "finetuned", "hierarchical"


def plain(corpus: Corpus, context: TrainingContext) -> Predictions:
    """BERT."""
    return _predict(corpus, context, PLAIN)


def finetuned(corpus: Corpus, context: TrainingContext) -> Predictions:
    """FINETUNED."""
    return _predict(corpus, context, FINETUNED)


def hierarchical(corpus: Corpus, context: TrainingContext) -> Predictions:
    """HIERARCHICAL."""
    return _predict(corpus, context, HIERARCHICAL)


def macro_f1(gold: Sequence[frozenset[Kind]], found: Sequence[frozenset[Kind]]) -> float:
    """Mean F1 of the three kinds; a kind that is neither in the gold labels nor predicted counts 0."""
    of_kinds = [
        positive_score([kind in one for one in gold], [kind in one for one in found]) for kind in KINDS
    ]
    return sum(score.f1 for score in of_kinds) / len(KINDS)


def _predict(corpus: Corpus, context: TrainingContext, system: str) -> Predictions:
    train, dev = _known(corpus.manual, corpus.name, "clean"), _known(corpus.dev, corpus.name, "dev")
    classifier = _train_kinds(corpus, context, system, train=train, dev=dev)
    found = _predict_kinds(classifier.read(classifier.rows(corpus.test), device=context.device))
    judged = _predict_kinds(classifier.read(classifier.rows(dev), device=context.device))
    counts = {kind: sum(kind in _kinds(one) for one in train) for kind in KINDS}
    for kind in (kind for kind, count in counts.items() if not count):
        context.events.emit(
            "warning", f"No sentence of the clean part has {kind} bias: the classifier cannot learn it."
        )
    facts = {f"trained_{kind}": float(count) for kind, count in counts.items()}
    facts["dev_macro_f1"] = macro_f1([_kinds(one) for one in dev], [kinds for _, kinds in judged])
    return Predictions(
        biased=[biased for biased, _ in found], kinds=[kinds for _, kinds in found], facts=facts
    )


def _train_kinds(
    corpus: Corpus,
    context: TrainingContext,
    system: str,
    *,
    train: Sequence[TaggedSentence],
    dev: Sequence[TaggedSentence],
) -> Classifier:
    classifier = new_classifier(context, len(KINDS) + 2 * (system == HIERARCHICAL))

    def fit(checkpoint: Path) -> None:
        if system == FINETUNED:
            before = train_binary(corpus, context, training=AUTO_MANUAL if corpus.auto else MANUAL)
            classifier.model.encoder.load_state_dict(before.model.encoder.state_dict())
        context.events.stage = stage
        gold = [_kinds(sentence) for sentence in dev]
        train_classifier(
            classifier,
            train,
            context,
            epochs=context.budget.continued_epochs if system == FINETUNED else context.budget.manual_epochs,
            dev=dev,
            loss_fn=_loss,
            score=lambda logits: macro_f1(gold, [kinds for _, kinds in _predict_kinds(logits)]),
            checkpoint=checkpoint,
        )

    context.events.stage = stage = f"kinds {system}"
    run_or_load_model(
        context.folder / f"kinds-{system}.safetensors", classifier.model, fit=fit, events=context.events
    )
    return classifier


def _loss(logits: Tensor, rows: Sequence[Row]) -> Tensor:
    """Of logits [rows, 3] of the kinds, or [rows, 5] with those of neutral and of biased after them."""
    of_kinds, of_bias = logits[:, : len(KINDS)], logits[:, len(KINDS) :]
    gold = torch.tensor([[float(kind in _kinds(row.sentence)) for kind in KINDS] for row in rows])
    losses = nn.functional.binary_cross_entropy_with_logits(
        of_kinds, gold.to(logits.device), reduction="none"
    )
    if not of_bias.shape[1]:
        return losses.mean()
    labels = torch.tensor([int(row.sentence.biased) for row in rows], device=logits.device)
    within = losses[labels.bool()].sum() / (labels.sum() * len(KINDS)).clamp(min=1)
    return within + nn.functional.cross_entropy(of_bias, labels)


def _predict_kinds(logits: Floats) -> list[tuple[bool, frozenset[Kind]]]:
    """Whether each sentence is predicted as biased, and its kinds."""
    said = []
    for row in logits:
        of_kinds, of_bias = row[: len(KINDS)], row[len(KINDS) :]
        kinds = frozenset(kind for kind, logit in zip(KINDS, of_kinds, strict=True) if logit > 0)
        if of_bias.size and of_bias[1] > of_bias[0]:
            kinds = kinds or frozenset({KINDS[int(of_kinds.argmax())]})
        elif of_bias.size:
            kinds = frozenset()
        said.append((bool(kinds), kinds))
    return said


def _kinds(sentence: TaggedSentence) -> frozenset[Kind]:
    return sentence.kinds or frozenset()


def _known(sentences: Sequence[TaggedSentence], name: str, part: str) -> list[TaggedSentence]:
    """The neutral sentences and those with gold kinds. Raises TrainingError where no sentence has any."""
    known = [sentence for sentence in sentences if sentence.kinds is not None or not sentence.biased]
    if not any(sentence.biased for sentence in known):
        raise TrainingError(
            f"{name} has no kinds of bias in its {part} part, which Table 6 needs. WIKIBIAS has (class_finegrained, "
            f"tag_finegrained); it is on its authors' drive, see {FACTS.homepage}."
        )
    return known
