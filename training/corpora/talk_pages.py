"""Comments from Wikipedia's talk pages, toxic or not: a union of samples, not the splits of WikiDetox.

Badjatiya et al. 2019 (section 5.1) train on WikiDetox (Wulczyn et al. 2017) with 95,692, 32,128 and 31,866 comments
in its published parts. This file holds 76,881 comments that several people drew from Jigsaw's release of the same talk
pages, 21% of them toxic (WikiDetox: about 10%), without those parts: figures from it stand beside the paper's for
comparison and are not the same experiment.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from training.bsw.model import Labelled, Split
from training.corpora import labelled
from training.corpora.base import CorpusFacts, tell

_PLACE = "wikipedia_toxicity_partial/merged_binary.csv.xz"

FACTS = CorpusFacts(
    key="talk-pages",
    name="Wikipedia talk pages (a union of samples)",
    home="https://www.kaggle.com/c/jigsaw-toxic-comment-classification-challenge",
    licence="CC0 (Jigsaw's release), of the samples none stated; the comments CC BY-SA (Wikipedia)",
    files=(_PLACE,),
    person="This union of samples has no home of its own that the project knows. Whoever gave you the corpora has it; "
    "or make one of the comments of Jigsaw's release at the home (an account is needed): "
    "wikipedia_toxicity_partial/merged_binary.csv with the columns comment_text and toxic (0 or 1), packed with xz or "
    "not.",
)
_TOXIC = {"0": False, "1": True}


def load(data: Path, *, say: Callable[[str], None] = tell) -> list[Labelled]:
    """All comments in the order of the file; toxic ones are hateful.

    Raises CorpusError where the file is not of the layout, and where one of the two classes is missing.
    """
    return labelled.read(
        data, _PLACE, classes=_TOXIC, columns=("toxic", "comment_text"), corpus="talk-pages", say=say
    )


def split(data: Path, *, seed: int, say: Callable[[str], None] = tell) -> Split:
    """The comments as 8:1:1."""
    return labelled.split(load(data, say=say), seed=seed)
