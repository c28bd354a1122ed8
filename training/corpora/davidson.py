"""Davidson et al. 2017: tweets that crowd workers called hate speech, offensive language, or neither.

The Twitter data of Badjatiya et al. 2019 (section 5.1), who take hate speech and offensive language together.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from training.bsw.model import Labelled, Split
from training.corpora import labelled
from training.corpora.base import CorpusFacts, Download, tell

_PLACE = "davidson/labeled_data.csv"

FACTS = CorpusFacts(
    key="davidson",
    name="Hate speech and offensive language (Davidson)",
    home="https://github.com/t-davidson/hate-speech-and-offensive-language",
    licence="MIT (repository); the tweets are their authors'",
    files=(_PLACE,),
    downloads=(
        Download(
            "https://raw.githubusercontent.com/t-davidson/hate-speech-and-offensive-language/"
            "6a1e3f02522963d820e302c3ad48b189552c143b/data/labeled_data.csv",
            _PLACE,
        ),
    ),
)
_HATEFUL = {"0": True, "1": True, "2": False}
"""By ``class``: hate speech, offensive language, neither."""


def load(data: Path, *, say: Callable[[str], None] = tell) -> list[Labelled]:
    """All tweets in the order of the file.

    Raises CorpusError where the file is not of the layout, and where one of the two classes is missing.
    """
    return labelled.read(
        data, _PLACE, classes=_HATEFUL, columns=("class", "tweet"), corpus="davidson", say=say
    )


def split(data: Path, *, seed: int, say: Callable[[str], None] = tell) -> Split:
    """The tweets as 8:1:1, the shares of the paper; its own split was not published."""
    return labelled.split(load(data, say=say), seed=seed)
