"""The systems of BABE's Table 5 and those beyond it, as data; and the two ways of scoring a fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from training.encoders import ENCODERS

CLEAN, ORIGINAL = "clean", "original"
PROTOCOLS = (CLEAN, ORIGINAL)
GROUPS = ("SG1", "SG2")
Method = Literal["features", "plain", "distant", "related", "distilled"]

TEACHER = "mpnet"
"""The encoder whose multi-task reader teaches the distilled one."""


@dataclass(frozen=True, slots=True)
class System:
    """A row of the table.

    ``encoder`` is a key of ENCODERS (none for features); ``published`` is its title in Table 5, if it stands there.
    """

    key: str
    title: str
    method: Method
    encoder: str = ""
    published: str = ""
    protocols: tuple[str, ...] = PROTOCOLS

    @property
    def encoders(self) -> tuple[str, ...]:
        """All encoders that it needs."""
        wanted = (self.encoder, TEACHER) if self.method == "distilled" else (self.encoder,)
        return tuple(name for name in wanted if name)


def _paper() -> tuple[System, ...]:
    plain = ("bert", "distilbert", "roberta", "electra", "xlnet")
    rows = [System("features", "features", "features", published="features")]
    rows += [System(key, title := ENCODERS[key].title, "plain", key, published=title) for key in plain]
    for key in ("bert", "roberta"):
        title = f"{ENCODERS[key].title} + distant"
        rows.append(System(f"{key}-distant", title, "distant", key, published=title))
    return tuple(rows)


def _beyond() -> tuple[System, ...]:
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


PAPER = _paper()
BEYOND = _beyond()
SYSTEMS = {system.key: system for system in (*PAPER, *BEYOND)}
USED = tuple(dict.fromkeys(key for system in SYSTEMS.values() for key in system.encoders))
"""The encoders of the table."""
