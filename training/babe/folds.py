"""BABE's five stratified folds, as its authors draw them, with or without near-duplicates of the scored sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sklearn.model_selection import StratifiedKFold

from training.babe.systems import CLEAN
from training.corpora.base import Example
from training.near import NearIndex

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Fold:
    """Which examples train and which are scored, by their number; ``dropped`` near-duplicates are in neither."""

    number: int
    train: tuple[int, ...]
    scored: tuple[int, ...]
    dropped: int


def make_folds(examples: Sequence[Example], protocol: str) -> list[Fold]:
    """Five folds (shuffled, seed 42). In the clean protocol no train sentence is near a scored one."""
    labels = [int(example.bias or 0) for example in examples]
    folds: list[Fold] = []
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=42)
    for number, (train_at, scored_at) in enumerate(splitter.split(labels, labels)):
        train, scored = [int(at) for at in train_at], tuple(int(at) for at in scored_at)
        kept = train
        if protocol == CLEAN:
            index = NearIndex(examples[at].text for at in scored)
            kept = [at for at in train if not index.near(examples[at].text)]
        folds.append(Fold(number, tuple(kept), scored, len(train) - len(kept)))
    return folds
