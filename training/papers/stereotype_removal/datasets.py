"""The corpora of the tables: tweets or talk pages in three parts, Wiki Madlibs, and abusive words."""

from __future__ import annotations

import random
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.corpora.hate_speech import BAD_WORDS_FACTS as BADWORDS
from training.corpora.hate_speech import DAVIDSON_FACTS as DAVIDSON
from training.corpora.hate_speech import MADLIBS_FACTS as MADLIBS
from training.corpora.hate_speech import (
    TALK_PAGES_FACTS,
    LabelledText,
    Split,
    load_madlibs,
    split_davidson,
    split_talk_pages,
)
from training.corpora.hate_speech import load_bad_words as load_badwords
from training.corpora.hate_speech import load_madlibs_additions as load_additions
from training.modeling.encoders import files_digest
from training.papers.stereotype_removal.detection import MANUAL, members
from training.papers.stereotype_removal.strategies import TALK_PAGES, TWITTER
from training.types import locate_file, print_to_stderr

SPLIT_SEED = 1
"""The paper's split of the tweets was not published."""
NAMES = {TWITTER: "Davidson et al.'s tweets", TALK_PAGES: "Wikipedia talk pages (a union of samples)"}
_CORPORA: dict[str, tuple[Any, Callable[..., Split]]] = {
    TWITTER: (DAVIDSON, split_davidson),
    TALK_PAGES: (TALK_PAGES_FACTS, split_talk_pages),
}


@dataclass(frozen=True)
class Corpora:
    """A corpus by its key in NAMES. ``digest`` changes with the files and the number of training texts.

    ``madlibs`` and ``additions`` (of Dixon et al.) are empty for tweets.
    """

    corpus: str
    split: Split
    abusive: Container[str]
    digest: str
    madlibs: Sequence[LabelledText] = ()
    additions: Sequence[LabelledText] = ()

    @cached_property
    def members(self) -> dict[str, NDArray[np.bool_]]:
        """Which rows of ``madlibs`` contain each term of the manual list; terms without rows are left out."""
        found = members([row.tokens for row in self.madlibs], MANUAL)
        return {term: inside for term, inside in found.items() if inside.any()}


def load_corpora(
    data: Path, corpus: str, *, max_texts: int = 0, on_message: Callable[[str], None] = print_to_stderr
) -> Corpora:
    """Load a corpus and what is read with it.

    ``max_texts`` limits the training texts (0: all), and dev texts and additions in proportion; the test part is always
    whole. Raises CorpusError where a file is missing or of another layout, or a class has no
    text.
    """
    facts, read_split = _CORPORA[corpus]
    split = read_split(data, seed=SPLIT_SEED, on_message=on_message)
    others = (BADWORDS, MADLIBS) if corpus == TALK_PAGES else (BADWORDS,)
    files = [locate_file(data, name) for one in (facts, *others) for name in one.files]
    templates: Sequence[LabelledText] = (
        load_madlibs(data, on_message=on_message) if corpus == TALK_PAGES else ()
    )
    additions: Sequence[LabelledText] = (
        load_additions(data, on_message=on_message) if corpus == TALK_PAGES else ()
    )
    if max_texts:
        share = min(1.0, max_texts / max(1, len(split.train)))
        additions = _sample(additions, max(1, round(share * len(additions))))
        split = Split(
            _sample(split.train, max_texts), _sample(split.dev, max(1, max_texts // 10)), split.test
        )
    return Corpora(
        corpus=corpus,
        split=split,
        abusive=load_badwords(data).single,
        digest=f"{files_digest(files)}, split {SPLIT_SEED}, {len(split.train)} texts",
        madlibs=templates,
        additions=additions,
    )


def _sample(rows: Sequence[LabelledText], count: int) -> tuple[LabelledText, ...]:
    """A fixed random sample, in the order of the rows."""
    if len(rows) <= count:
        return tuple(rows)
    places = sorted(random.Random(SPLIT_SEED).sample(range(len(rows)), count))
    return tuple(rows[place] for place in places)
