"""The downstream tasks of Feng et al. (2023), section 3: their corpora, classes and groups."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from training.corpora import hate_identities, hatexplain, liar
from training.corpora.base import CorpusFacts, checksum, located
from training.corpora.grouped import Parts


@dataclass(frozen=True, slots=True)
class Task:
    """A task: ``published`` is its name in Table 3, empty where the paper has not this corpus."""

    title: str
    classes: tuple[str, str]
    load: Callable[[Path], Parts]
    facts: CorpusFacts
    files: tuple[str, ...]
    published: str = ""

    def mark(self, data: Path) -> str:
        """What changes with the files of the corpus."""
        paths = (located(data, name) for name in self.files)
        return " ".join(checksum(path)[:16] if path.is_file() else "none" for path in paths)


def _identities(name: str) -> Task:
    files = tuple(place for place in hate_identities.FACTS.files if f"/{name}/" in place)
    return Task(
        f"hate speech by {name} (Yoder et al.)",
        hate_identities.CLASSES,
        lambda data: hate_identities.load(data, name),
        hate_identities.FACTS,
        files,
        f"hate-{name}",
    )


TASKS = {
    "hatexplain": Task(
        "hate speech (HateXplain)",
        hatexplain.CLASSES,
        lambda data: hatexplain.load(data),
        hatexplain.FACTS,
        hatexplain.FACTS.files,
    ),
    **{f"hate-{name}": _identities(name) for name in hate_identities.SPLITS},
    "liar": Task(
        "misinformation (LIAR)",
        liar.CLASSES,
        lambda data: liar.load(data),
        liar.FACTS,
        liar.FACTS.files,
        "misinformation",
    ),
}
