"""The systems of BABE's Table 5 and other systems, and the five stratified folds on which they are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sklearn.model_selection import StratifiedKFold

from training.modeling.encoders import ENCODERS
from training.text.near_duplicates import NearDuplicateIndex
from training.types import Example

CLEAN, ORIGINAL = "clean", "original"
PROTOCOLS = (CLEAN, ORIGINAL)
GROUPS = ("SG1", "SG2")
Method = Literal["features", "plain", "distant", "related", "distilled"]

TEACHER = "mpnet"
"""The encoder whose multi-task reader teaches the distilled one."""


@dataclass(frozen=True, slots=True)
class System:
    """A row of the table.

    ``encoder`` is a key of ENCODERS (empty for features); ``published`` is the title in Table 5, empty for others.
    """

    key: str
    title: str
    method: Method
    encoder: str = ""
    published: str = ""
    protocols: tuple[str, ...] = PROTOCOLS

    @property
    def encoders(self) -> tuple[str, ...]:
        """All encoders that the system needs."""
        keys = (self.encoder, TEACHER) if self.method == "distilled" else (self.encoder,)
        return tuple(name for name in keys if name)


def _paper_systems() -> tuple[System, ...]:
    plain = ("bert", "distilbert", "roberta", "electra", "xlnet")
    rows = [System("features", "features", "features", published="features")]
    rows += [System(key, title := ENCODERS[key].title, "plain", key, published=title) for key in plain]
    for key in ("bert", "roberta"):
        title = f"{ENCODERS[key].title} + distant"
        rows.append(System(f"{key}-distant", title, "distant", key, published=title))
    return tuple(rows)


def _other_systems() -> tuple[System, ...]:
    rows: list[System] = []
    for key in ("minilm", "gte-small", "mpnet"):
        title = ENCODERS[key].title
        rows += [
            System(key, title, "plain", key),
            System(f"{key}-distant", f"{title} + distant", "distant", key),
            System(f"{key}-related", f"{title} + multi-task", "related", key),
        ]
    rows.append(System("distilled", "gte-small, distilled", "distilled", "gte-small", protocols=(CLEAN,)))
    return tuple(rows)


PAPER_SYSTEMS = _paper_systems()
OTHER_SYSTEMS = _other_systems()
SYSTEMS = {system.key: system for system in (*PAPER_SYSTEMS, *OTHER_SYSTEMS)}
ENCODER_KEYS = tuple(dict.fromkeys(key for system in SYSTEMS.values() for key in system.encoders))
"""The encoders of the table."""

FOLDS = 5


@dataclass(frozen=True, slots=True)
class Fold:
    """Indices of the training and the scored examples; ``dropped`` near-duplicates are in neither."""

    number: int
    train: tuple[int, ...]
    scored: tuple[int, ...]
    dropped: int


def make_folds(examples: Sequence[Example], protocol: str) -> list[Fold]:
    """Five folds (shuffled, seed 42), as the authors draw them.

    In the clean protocol no training sentence is a near-duplicate of a scored one.
    """
    labels = [int(example.bias or 0) for example in examples]
    folds: list[Fold] = []
    splitter = StratifiedKFold(FOLDS, shuffle=True, random_state=42)
    for number, (train_at, scored_at) in enumerate(splitter.split(labels, labels)):
        train, scored = [int(at) for at in train_at], tuple(int(at) for at in scored_at)
        rows = train
        if protocol == CLEAN:
            index = NearDuplicateIndex(examples[at].text for at in scored)
            rows = [at for at in train if not index.has_near_duplicate(examples[at].text)]
        folds.append(Fold(number, tuple(rows), scored, len(train) - len(rows)))
    return folds
