"""Wiki Madlibs (Dixon et al. 2018): sentences from templates with an identity term, half of them hateful.

With them come the sentences, not toxic, from Wikipedia articles that Dixon et al. add to the training rows so that
their terms are no longer met in hateful comments above all.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from training.bsw.model import Labelled
from training.corpora import labelled
from training.corpora.base import CorpusError, CorpusFacts, Download, open_file, tell
from training.corpora.reading import Unread, table

_TEMPLATES = "madlibs/bias_madlibs_77k.csv"
_ADDITIONS = "madlibs/toxicity_debiasing_data.tsv"
_HOME = "https://raw.githubusercontent.com/conversationai/unintended-ml-bias-analysis"

FACTS = CorpusFacts(
    key="madlibs",
    name="Wiki Madlibs and the additions of Dixon et al.",
    home="https://github.com/conversationai/unintended-ml-bias-analysis",
    licence="CC BY 4.0; the additions CC BY-SA (Wikipedia)",
    files=(_TEMPLATES, _ADDITIONS),
    downloads=(
        Download(
            f"{_HOME}/ff0f436f0c3bf336702f80644b935b9bcc296cb4/unintended_ml_bias/eval_datasets/bias_madlibs_77k.csv",
            _TEMPLATES,
        ),
        Download(
            f"{_HOME}/18295478eb0a5fe959403c260e7f252f7ee6ea97/data/toxicity_debiasing_data.tsv", _ADDITIONS
        ),
    ),
)
PARTS = ("train", "dev", "test")
_HATEFUL = {"BAD": True, "NOT_BAD": False}
_NEUTRAL = {"false": False, "true": True}
_MISSPELT = re.compile(r"\bmillenial\b")


def load(data: Path, *, say: Callable[[str], None] = tell) -> list[Labelled]:
    """All sentences from templates in the order of the file.

    The file writes *millenial*; it is read as *millennial*, the spelling of the paper's Table 3. Raises CorpusError
    where the file is not of the layout, and where one of the two classes is missing.
    """
    path = open_file(data, _TEMPLATES)
    unread, found = Unread(path, say, expected="Text and Label, BAD or NOT_BAD"), []
    for number, row in table(path, columns=("Text", "Label"), delimiter=","):
        hateful = _HATEFUL.get(row["Label"].strip())
        text = _MISSPELT.sub("millennial", row["Text"])
        if hateful is None:
            unread.add(number, f"unknown label {row['Label'][:40]!r}")
        elif not text.strip():
            unread.add(number, "no text")
        else:
            found.append(labelled.labelled(text, hateful))
    unread.done(len(found))
    labelled.need_both(found, corpus="madlibs")
    return found


def additions(data: Path, *, part: str = "train", say: Callable[[str], None] = tell) -> list[Labelled]:
    """The further neutral sentences of one part: 3,465 in train, as the paper says (section 5.4.2).

    A row that is called toxic is left out and told. Raises CorpusError where the file is not of the layout, and where
    the part has no row.
    """
    path = open_file(data, _ADDITIONS)
    unread, found = Unread(path, say, expected="comment, is_toxic False, and split train, dev or test"), []
    for number, row in table(path, columns=("comment", "is_toxic", "split"), delimiter="\t"):
        toxic = _NEUTRAL.get(row["is_toxic"].strip().lower())
        if row["split"] not in PARTS:
            unread.add(number, f"unknown split {row['split'][:40]!r}")
        elif toxic is not False:
            unread.add(number, f"is_toxic is {row['is_toxic'][:40]!r}")
        elif not row["comment"].strip():
            unread.add(number, "no text")
        elif row["split"] == part:
            found.append(labelled.labelled(row["comment"], False))
    if not found:
        raise CorpusError(f"{path} holds no row of the part {part}. Get the file again from its home.")
    unread.done(len(found))
    return found
