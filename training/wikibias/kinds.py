"""Table 6: which kinds of bias are in a sentence? Several at once may be, so three answers of yes or no each.

All learn from the clean part, whose spans have kinds, and keep the epoch with the best macro F1 (Table 6's figure) on
dev.

- ``plain``: three classifiers on a fresh encoder.
- ``finetuned``: the same on the encoder of Table 5's best classifier: noisy part, then clean part; where there is no
  noisy part, the clean part alone. The paper does not say which binary classifier it copies.
- ``hierarchical``: two classifiers on one fresh encoder (after Ferracane et al. 2021): is there bias, and which kinds.
  The paper says no more. Here both losses are added. The second learns from biased sentences alone, and is asked only
  where the first says biased; there its likeliest kind counts even below a half, since a biased sentence has a kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from core.findings import KINDS, Kind
from training.corpora.wikibias import FACTS
from training.loop import TrainingError
from training.metrics import positive_score
from training.stages import once_whole
from training.wikibias.classifying import fitted
from training.wikibias.encoding import Row
from training.wikibias.model import Answers, Material, Tagged, Work
from training.wikibias.sentence_model import Classifier, Floats, learn, start
from training.wikibias.taught import AUTO_MANUAL, MANUAL

PLAIN, FINETUNED, HIERARCHICAL = "plain", "finetuned", "hierarchical"


def plain(material: Material, work: Work) -> Answers:
    """BERT."""
    return _answers(material, work, PLAIN)


def finetuned(material: Material, work: Work) -> Answers:
    """FINETUNED."""
    return _answers(material, work, FINETUNED)


def hierarchical(material: Material, work: Work) -> Answers:
    """HIERARCHICAL."""
    return _answers(material, work, HIERARCHICAL)


def macro_f1(gold: Sequence[frozenset[Kind]], found: Sequence[frozenset[Kind]]) -> float:
    """Mean of the F1 of each of the three kinds; one that is neither there nor found counts 0."""
    of_kinds = [
        positive_score([kind in one for one in gold], [kind in one for one in found]) for kind in KINDS
    ]
    return sum(score.f1 for score in of_kinds) / len(KINDS)


def _answers(material: Material, work: Work, system: str) -> Answers:
    train, dev = _known(material.manual, material.name, "clean"), _known(material.dev, material.name, "dev")
    classifier = _fitted(material, work, system, train=train, dev=dev)
    found = _said(classifier.read(classifier.rows(material.test), device=work.device))
    judged = _said(classifier.read(classifier.rows(dev), device=work.device))
    counts = {kind: sum(kind in _kinds(one) for one in train) for kind in KINDS}
    for kind in (kind for kind, count in counts.items() if not count):
        work.events.say(
            "warning", f"No sentence of the clean part has {kind} bias: it cannot be learnt from it."
        )
    facts = {f"trained_{kind}": float(count) for kind, count in counts.items()}
    facts["dev_macro_f1"] = macro_f1([_kinds(one) for one in dev], [kinds for _, kinds in judged])
    return Answers(biased=[biased for biased, _ in found], kinds=[kinds for _, kinds in found], facts=facts)


def _fitted(
    material: Material, work: Work, system: str, *, train: Sequence[Tagged], dev: Sequence[Tagged]
) -> Classifier:
    classifier = start(work, len(KINDS) + 2 * (system == HIERARCHICAL))

    def fit(checkpoint: Path) -> None:
        if system == FINETUNED:
            before = fitted(material, work, training=AUTO_MANUAL if material.auto else MANUAL)
            classifier.model.encoder.load_state_dict(before.model.encoder.state_dict())
        work.events.stage = stage
        gold = [_kinds(sentence) for sentence in dev]
        learn(
            classifier,
            train,
            work,
            epochs=work.effort.further if system == FINETUNED else work.effort.manual,
            dev=dev,
            loss_of=_loss,
            score=lambda logits: macro_f1(gold, [kinds for _, kinds in _said(logits)]),
            checkpoint=checkpoint,
        )

    work.events.stage = stage = f"kinds {system}"
    once_whole(work.folder / f"kinds-{system}.safetensors", classifier.model, fit=fit, events=work.events)
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


def _said(logits: Floats) -> list[tuple[bool, frozenset[Kind]]]:
    """Whether each sentence is biased, and its kinds."""
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


def _kinds(sentence: Tagged) -> frozenset[Kind]:
    return sentence.kinds or frozenset()


def _known(sentences: Sequence[Tagged], name: str, part: str) -> list[Tagged]:
    """The neutral sentences and those whose kinds somebody has said. Raises TrainingError where nobody has."""
    known = [sentence for sentence in sentences if sentence.kinds is not None or not sentence.biased]
    if not any(sentence.biased for sentence in known):
        raise TrainingError(
            f"{name} does not say the kinds of bias in its {part} part, which Table 6 needs. WIKIBIAS does "
            f"(class_finegrained, tag_finegrained): it lies on its authors' drive, which {FACTS.home} links."
        )
    return known
