"""BABE's single annotations (Spinde et al. 2021): who called which sentence biased, and the words that they marked.

SG1 has eight annotators a sentence, SG2 five. The release spells two opinions of SG1 in its own way ("wleter´s",
"factional"). Of MBIC, whose annotators are a crowd, only the final labels are read.
"""

from __future__ import annotations

import re
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from training.corpora.babe import HOME, listed, release
from training.corpora.base import AGAIN, CorpusError, CorpusFacts, open_file, tell
from training.corpora.reading import Row, Unread, table

MOST_BYTES = 256 * 2**20
_NONE = ("", "nan")
_WORD = re.compile(r"[\w'’-]+")
_COLUMNS = ("text", "outlet", "topic", "type", "label_bias", "label_opinion", "biased_words")

FACTS = CorpusFacts(
    key="babe-annotations",
    name="BABE, single annotations",
    home=HOME,
    licence="AGPL-3.0",
    files=(
        "babe/raw_labels_SG1.xlsx",
        "babe/raw_labels_SG2.xlsx",
        "babe/final_labels_MBIC.xlsx",
        "babe/bias_word_lexicon.xlsx",
    ),
    downloads=(
        release("raw_labels_SG1.xlsx"),
        release("raw_labels_SG2.xlsx"),
        release("final_labels_MBIC.xlsx"),
        release("bias_word_lexicon.xlsx", commit="50f63bfa5cc30fede5c851453a59aaca74d04bcf"),
    ),
)


class Opinion(IntEnum):
    """What annotators say of a sentence's factuality, numbered as the authors' own evaluation numbers it."""

    FACTUAL = 0
    MIXED = 1
    OPINIONATED = 2


_OPINIONS = {
    "Entirely factual": Opinion.FACTUAL,
    "Somewhat factual but also opinionated": Opinion.MIXED,
    "Somewhat factional but also opinionated": Opinion.MIXED,
    "Expresses writer’s opinion": Opinion.OPINIONATED,
    "Expresses wleter´s opinion": Opinion.OPINIONATED,
}
_BIASES = {"Biased": True, "Non-biased": False}
_NO_AGREEMENT = {"No agreement": None}
_UNANSWERED = {"": None, "nan": None}


@dataclass(frozen=True, slots=True)
class Annotation:
    """One annotator's answers for one sentence; None where the cell is empty. ``words`` are as they were typed."""

    text: str
    annotator: str
    outlet: str
    topic: str
    leaning: str
    biased: bool | None
    opinion: Opinion | None
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Final:
    """A sentence with the labels that its group published; None where its annotators did not agree."""

    text: str
    biased: bool | None
    opinion: Opinion | None
    words: tuple[str, ...]


def load(data: Path, group: str, *, say: Callable[[str], None] = tell) -> list[Annotation]:
    """All annotations of SG1 or SG2 in the order of the release.

    A row without a sentence, or with a label that is none of the published ones, is counted and told.
    """
    path = open_file(data, f"babe/raw_labels_{group}.xlsx")
    biases, opinions = {**_BIASES, **_UNANSWERED}, {**_OPINIONS, **_UNANSWERED}
    found: list[Annotation] = []
    unread = Unread(path, say)
    for number, row in _sheet(path, (*_COLUMNS, "annotator_id")):
        if not row["text"].strip():
            unread.add(number, "no sentence")
            continue
        try:
            biased, opinion = biases[row["label_bias"]], opinions[row["label_opinion"]]
        except KeyError as unknown:
            unread.add(number, f"unknown label {unknown}")
            continue
        marked = "" if row["biased_words"] in _UNANSWERED else row["biased_words"]
        found.append(
            Annotation(
                text=row["text"],
                annotator=row["annotator_id"],
                outlet=row["outlet"],
                topic=row["topic"],
                leaning=row["type"],
                biased=biased,
                opinion=opinion,
                words=tuple(word.strip() for word in marked.split(",") if word.strip()),
            )
        )
    unread.done(len(found))
    return found


def final(data: Path, group: str, *, say: Callable[[str], None] = tell) -> list[Final]:
    """The published labels of SG1, SG2 or MBIC."""
    if group == "MBIC":
        path = open_file(data, "babe/final_labels_MBIC.xlsx")
        rows = _sheet(path, _COLUMNS)
    else:
        path = open_file(data, f"babe/final_labels_{group}.csv")
        rows = table(path, columns=_COLUMNS, delimiter=";")
    biases, opinions = {**_BIASES, **_NO_AGREEMENT}, {**_OPINIONS, **_NO_AGREEMENT}
    found: list[Final] = []
    unread = Unread(path, say)
    for number, row in rows:
        words = listed(row["biased_words"])
        if not row["text"].strip() or words is None:
            unread.add(number, "no sentence, or no list of words")
            continue
        try:
            labels = biases[row["label_bias"]], opinions[row["label_opinion"]]
        except KeyError as unknown:
            unread.add(number, f"unknown label {unknown}")
            continue
        found.append(Final(row["text"], *labels, tuple(words)))
    unread.done(len(found))
    return found


def words_in(annotation: Annotation) -> set[str]:
    """The single words that an annotator marked, as they are written."""
    return {word for phrase in annotation.words for word in _WORD.findall(phrase)}


def _sheet(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
    """Rows of a workbook's first sheet by the names in its first row, cells as text, each with its number."""
    rows = _cells(path)
    header = [str(cell) for cell in next(rows, ())]
    missing = [column for column in columns if column not in header]
    if missing:
        raise CorpusError(
            f"{path}, row 1: no column {', '.join(missing)}; the file was altered, or is another one. {AGAIN}"
        )
    for number, cells in enumerate(rows, start=2):
        padded = [*cells, *([None] * (len(header) - len(cells)))]
        yield (
            number,
            {name: "" if cell is None else str(cell) for name, cell in zip(header, padded, strict=False)},
        )


def _cells(path: Path) -> Iterator[tuple[object, ...]]:
    from openpyxl import load_workbook

    try:
        with zipfile.ZipFile(path) as members:
            if sum(member.file_size for member in members.infolist()) > MOST_BYTES:
                raise CorpusError(f"{path} is far larger inside than any published workbook. {AGAIN}")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(path, read_only=True, data_only=True)
            try:
                yield from book.worksheets[0].iter_rows(values_only=True)
            finally:
                book.close()
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise CorpusError(f"{path} is truncated or damaged ({error}). {AGAIN}") from error
    except (KeyError, ValueError, TypeError, IndexError, SyntaxError) as error:
        raise CorpusError(f"{path} is no workbook that can be read ({error}). {AGAIN}") from error
