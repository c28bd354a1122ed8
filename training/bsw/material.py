"""The corpora of one experiment, read once: a corpus in three parts, Wiki Madlibs, words that never count as biased."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from training.bsw.detection import MANUAL
from training.bsw.model import Labelled, Split
from training.bsw.occurrences import members
from training.bsw.strategies import TALK_PAGES, TWITTER
from training.corpora import badwords, davidson, madlibs, talk_pages
from training.corpora.base import located, tell
from training.encoders import files_mark

SPLIT_SEED = 1
"""The paper's own split of the tweets was not published, and that of WikiDetox is not here."""
NAMES = {TWITTER: "Davidson et al.'s tweets", TALK_PAGES: "Wikipedia talk pages (a union of samples)"}
_MODULES: dict[str, ModuleType] = {TWITTER: davidson, TALK_PAGES: talk_pages}


@dataclass(frozen=True)
class Material:
    """A corpus by its key in NAMES. ``mark`` changes with the files and with how many texts are learnt from.

    ``madlibs`` and ``additions`` (of Dixon et al.) are empty for tweets.
    """

    corpus: str
    split: Split
    abusive: Container[str]
    mark: str
    madlibs: Sequence[Labelled] = ()
    additions: Sequence[Labelled] = ()

    @cached_property
    def members(self) -> dict[str, NDArray[np.bool_]]:
        """Which of ``madlibs`` hold each term of the manual list; terms that none holds are left out."""
        found = members([row.tokens for row in self.madlibs], MANUAL)
        return {term: inside for term, inside in found.items() if inside.any()}


def gather(data: Path, corpus: str, *, most: int = 0, say: Callable[[str], None] = tell) -> Material:
    """Read what an experiment on a corpus needs.

    With ``most`` only so many texts are learnt from, a tenth as many are stopped by, and fewer are added in proportion;
    the test part is always whole. Raises CorpusError where a file is missing or of another layout, or a class has no
    text.
    """
    module = _MODULES[corpus]
    split: Split = module.split(data, seed=SPLIT_SEED, say=say)
    others: tuple[ModuleType, ...] = (badwords, madlibs) if corpus == TALK_PAGES else (badwords,)
    files = [located(data, name) for one in (module, *others) for name in one.FACTS.files]
    templates: Sequence[Labelled] = madlibs.load(data, say=say) if corpus == TALK_PAGES else ()
    additions: Sequence[Labelled] = madlibs.additions(data, say=say) if corpus == TALK_PAGES else ()
    if most:
        share = min(1.0, most / max(1, len(split.train)))
        additions = _some(additions, max(1, round(share * len(additions))))
        split = Split(_some(split.train, most), _some(split.dev, max(1, most // 10)), split.test)
    return Material(
        corpus=corpus,
        split=split,
        abusive=badwords.load(data).single,
        mark=f"{files_mark(files)}, split {SPLIT_SEED}, {len(split.train)} texts",
        madlibs=templates,
        additions=additions,
    )


def _some(rows: Sequence[Labelled], most: int) -> tuple[Labelled, ...]:
    """A draw that is always the same, in the order of the rows."""
    if len(rows) <= most:
        return tuple(rows)
    places = sorted(random.Random(SPLIT_SEED).sample(range(len(rows)), most))
    return tuple(rows[place] for place in places)
