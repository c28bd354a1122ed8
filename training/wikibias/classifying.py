"""Table 5: is a sentence biased? BERT on the clean part, on the noisy one, on both, and on the noisy one sifted.

The best epoch is that with the best accuracy on dev. The paper says "best performance". F1 would favour a model that
calls everything biased: on the printed test part it scores 57.6, more than the printed row of the clean part (52.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file, save_file
from torch import Tensor, nn

from training.metrics import accuracy, positive_score
from training.stages import once, once_whole
from training.wikibias.encoding import Row
from training.wikibias.model import Answers, Material, System, Tagged, Work
from training.wikibias.sentence_model import Classifier, Floats, learn, start
from training.wikibias.taught import AUTO, AUTO_MANUAL, MANUAL, no_clean, no_noisy

AUTO_5, AUTO_10 = "auto-5", "auto-10"
TRAININGS = (MANUAL, AUTO, AUTO_MANUAL, AUTO_5, AUTO_10)
"""What a classifier learns from. AUTO_MANUAL goes on with the clean part after the noisy one (Krause et al. 2016).

AUTO_5 and AUTO_10 learn anew from the noisy part without the 5% or 10% of its biased sentences that the classifier of
AUTO thinks least likely biased (Li et al. 2017).
"""
SIFTED = {AUTO_5: 0.05, AUTO_10: 0.1}
_CHANCES = "auto-chances.safetensors"


def binary(*, training: str) -> System:
    """The row of Table 5 that learns from ``training`` (one of TRAININGS). Raises ValueError for another."""
    if training not in TRAININGS:
        raise ValueError(f"{training} is none of {', '.join(TRAININGS)}.")

    def system(material: Material, work: Work) -> Answers:
        classifier = fitted(material, work, training=training)
        gold = [sentence.biased for sentence in material.dev]
        judged = said_biased(classifier, material.dev, work)
        facts = {"dev_accuracy": accuracy(gold, judged), "dev_f1": positive_score(gold, judged).f1}
        if training in SIFTED:
            facts["left_out"] = float(left_out(material, training))
        return Answers(biased=said_biased(classifier, material.test, work), facts=facts)

    return system


def fitted(material: Material, work: Work, *, training: str) -> Classifier:
    """The binary classifier that learnt from ``training``, trained once for ``work.folder``.

    Its logits are those of neutral and of biased. Raises TrainingError where the material lacks what it learns from.
    """
    _demand(material, training)
    classifier = start(work, 2)

    def fit(checkpoint: Path) -> None:
        if training == AUTO_MANUAL:
            before = fitted(material, work, training=AUTO)
            classifier.model.load_state_dict(before.model.state_dict())
        effort = work.effort
        epochs = {MANUAL: effort.manual, AUTO_MANUAL: effort.further}.get(training, effort.auto)
        sentences = _sentences(material, work, training)
        work.events.stage = stage
        _fit(classifier, sentences, material.dev, work, epochs=epochs, checkpoint=checkpoint)

    work.events.stage = stage = f"classifier {training}"
    once_whole(
        work.folder / f"classifier-{training}.safetensors", classifier.model, fit=fit, events=work.events
    )
    classifier.model.to(work.device).eval()
    return classifier


def said_biased(classifier: Classifier, sentences: Sequence[Tagged], work: Work) -> list[bool]:
    """The classifier's answer for each sentence."""
    logits = classifier.read(classifier.rows(sentences), device=work.device)
    return [bool(biased > neutral) for neutral, biased in logits]


def left_out(material: Material, training: str) -> int:
    """How many biased sentences of the noisy part ``training`` leaves out."""
    biased = sum(sentence.biased for sentence in material.auto)
    return round(SIFTED.get(training, 0.0) * biased)


def sifted(sentences: Sequence[Tagged], chances: NDArray[np.float32], count: int) -> list[Tagged]:
    """The sentences without the ``count`` biased ones of the lowest chance, the earlier first among equals.

    ``chances`` are those of the biased sentences, in their order.
    """
    places = [at for at, sentence in enumerate(sentences) if sentence.biased]
    lowest = {places[at] for at in np.argsort(chances, kind="stable")[:count]}
    return [sentence for at, sentence in enumerate(sentences) if at not in lowest]


def _sentences(material: Material, work: Work, training: str) -> Sequence[Tagged]:
    if training in (MANUAL, AUTO_MANUAL):
        return material.manual
    if training == AUTO:
        return material.auto
    return sifted(material.auto, _chances(material, work), left_out(material, training))


def _chances(material: Material, work: Work) -> NDArray[np.float32]:
    """How likely AUTO's classifier thinks each of AUTO's biased sentences biased; read once for ``work.folder``."""
    found: dict[str, Tensor] = {}

    def fit(_: Path) -> None:
        classifier = fitted(material, work, training=AUTO)
        work.events.stage = stage
        biased = [sentence for sentence in material.auto if sentence.biased]
        logits = torch.from_numpy(classifier.read(classifier.rows(biased), device=work.device))
        found["chances"] = logits.softmax(1)[:, 1].float()

    work.events.stage = stage = "chances of AUTO"
    once(
        work.folder / _CHANCES,
        fit=fit,
        load=lambda path: found.update(load_file(path)),
        save=lambda path: save_file(found, path),
        events=work.events,
    )
    return found["chances"].numpy()


def _fit(
    classifier: Classifier,
    sentences: Sequence[Tagged],
    dev: Sequence[Tagged],
    work: Work,
    *,
    epochs: int,
    checkpoint: Path,
) -> None:
    gold = [sentence.biased for sentence in dev]

    def loss_of(logits: Tensor, rows: Sequence[Row]) -> Tensor:
        labels = torch.tensor([int(row.sentence.biased) for row in rows], device=logits.device)
        return nn.functional.cross_entropy(logits, labels)

    def score(logits: Floats) -> float:
        return accuracy(gold, [bool(biased > neutral) for neutral, biased in logits])

    learn(
        classifier,
        sentences,
        work,
        epochs=epochs,
        dev=dev,
        loss_of=loss_of,
        score=score,
        checkpoint=checkpoint,
    )


def _demand(material: Material, training: str) -> None:
    """Raise TrainingError where the parts that ``training`` needs are missing."""
    if training != MANUAL and not material.auto:
        raise no_noisy(material, training)
    if training in (MANUAL, AUTO_MANUAL) and not material.manual:
        raise no_clean(material, training)
