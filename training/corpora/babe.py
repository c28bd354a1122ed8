"""BABE (Spinde et al. 2021): expert labels and marked words, the single annotations, and distant headlines.

Annotations: SG1 has eight annotators a sentence, SG2 five. The release misspells two opinions of SG1 ("wleter´s",
"factional"). Of MBIC, whose annotators are a crowd, only the final labels are read.

Distant headlines (section 4.3) are biased or neutral as their publisher is rated. The paper's 128,748 headlines are
not in its release. A corpus of this kind is two tab-separated tables with headers: ``headlines/headlines.tsv``
(outlet, headline) and ``headlines/outlets.tsv`` (outlet, rating: left, center or right). Left and right count as
biased, center as neutral. Without it the titles of the AllSides articles are the proxy, each publisher with the
rating of most of its articles: far fewer, of many more publishers, and of the years and topics of those articles.
"""

from __future__ import annotations

import ast
import re
import warnings
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from core.text.tokens import WORD
from training.corpora import allsides
from training.corpora.files import Row, UnreadableRows, check_columns, read_table
from training.text.edits import KindFinder
from training.text.near_duplicates import NearDuplicateIndex
from training.types import (
    CENTER,
    DOWNLOAD_AGAIN,
    LEFT,
    RIGHT,
    CorpusError,
    CorpusFacts,
    Download,
    Example,
    GoldSpan,
    OnMessage,
    open_file,
    print_to_stderr,
    require_classes,
)

HOMEPAGE = (
    "https://github.com/Media-Bias-Group/Neural-Media-Bias-Detection-Using-Distant-Supervision-With-BABE"
)
_FILES = (
    "https://raw.githubusercontent.com/Media-Bias-Group/"
    "Neural-Media-Bias-Detection-Using-Distant-Supervision-With-BABE/"
)


def release_download(name: str, *, commit: str = "74a96b5a33799717b4f4d22b0e609aa0e2e2fac3") -> Download:
    """The file ``name`` of the release, as it was in ``commit``."""
    return Download(f"{_FILES}{commit}/data/{name}", f"babe/{name}")


FACTS = CorpusFacts(
    key="babe",
    name="BABE",
    homepage=HOMEPAGE,
    licence="AGPL-3.0",
    files=(
        "babe/final_labels_SG1.csv",
        "babe/final_labels_SG2.csv",
    ),
    downloads=(release_download("final_labels_SG1.csv"), release_download("final_labels_SG2.csv")),
)
_LABELS: dict[str, float | None] = {"Biased": 1.0, "Non-biased": 0.0, "No agreement": None}
_COLUMNS = ("text", "outlet", "label_bias", "biased_words")


def load(
    data: Path, kinds: KindFinder, *, group: str = "SG2", on_message: OnMessage = print_to_stderr
) -> list[Example]:
    """Sentences of SG1 or SG2 that have a majority label, with spans from ``biased_words``.

    A word list of a sentence labelled not biased is not used: its spans are empty. ``group`` holds the outlet.
    """
    path = open_file(data, f"babe/final_labels_{group}.csv")
    examples: list[Example] = []
    unread = UnreadableRows(path, on_message)
    for number, row in read_table(path, columns=_COLUMNS, delimiter=";"):
        text, label = row["text"], row["label_bias"]
        words = parse_word_list(row["biased_words"])
        if not text.strip():
            unread.add(number, "no text")
        elif label not in _LABELS:
            unread.add(number, f"unknown label {label[:40]!r}")
        elif words is None:
            unread.add(number, "biased_words is not a list")
        elif (bias := _LABELS[label]) is not None:
            spans = locate_words(text, words if bias else [], kinds)
            examples.append(Example(text, "babe", spans=spans, bias=bias, group=row["outlet"]))
    unread.done(len(examples))
    return examples


def texts(data: Path) -> list[str]:
    """Every sentence of SG1 and SG2 whatever its label: what no other corpus may hold."""
    return [
        row["text"]
        for name in FACTS.files
        for _, row in read_table(open_file(data, name), columns=("text",), delimiter=";")
    ]


def rated_sentences(data: Path) -> list[tuple[str, str, int]]:
    """Sentences of SG2 whatever their label, the outlet of each, and its leaning (0 left, 1 center, 2 right)."""
    sides = {"left": LEFT, "center": CENTER, "right": RIGHT}
    rows = read_table(
        open_file(data, "babe/final_labels_SG2.csv"), columns=("text", "outlet", "type"), delimiter=";"
    )
    return [(row["text"], row["outlet"], sides[row["type"]]) for _, row in rows if row["type"] in sides]


def parse_word_list(cell: str) -> list[str] | None:
    """The words of a ``biased_words`` cell, which is a list as Python writes it; None where it is not."""
    try:
        value = ast.literal_eval(cell or "[]")
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return [str(item) for item in value] if isinstance(value, list) else None


def locate_words(text: str, listed: list[str], kinds: KindFinder) -> tuple[GoldSpan, ...]:
    """Spans of the listed words in ``text``: every whole-word occurrence, neighbours joined to one span."""
    marked = bytearray(len(text))
    for phrase in listed:
        pieces = re.findall(r"\w+", phrase)
        if pieces:
            pattern = r"(?<!\w)" + r"[\W_]+".join(pieces) + r"(?!\w)"
            for match in re.finditer(pattern, text, re.IGNORECASE):
                marked[match.start() : match.end()] = b"\x01" * (match.end() - match.start())
    spans: list[GoldSpan] = []
    for match in WORD.finditer(text):
        if not any(marked[match.start() : match.end()]):
            continue
        joined = bool(spans) and text[spans[-1].end : match.start()].isspace()
        start = spans.pop().start if joined else match.start()
        spans.append(GoldSpan(start, match.end(), kinds.of(text[start : match.end()])))
    return tuple(spans)


MAX_BYTES = 256 * 2**20
_WORD = re.compile(r"[\w'’-]+")
_ANNOTATION_COLUMNS = ("text", "outlet", "topic", "type", "label_bias", "label_opinion", "biased_words")

ANNOTATIONS_FACTS = CorpusFacts(
    key="babe-annotations",
    name="BABE, single annotations",
    homepage=HOMEPAGE,
    licence="AGPL-3.0",
    files=(
        "babe/raw_labels_SG1.xlsx",
        "babe/raw_labels_SG2.xlsx",
        "babe/final_labels_MBIC.xlsx",
        "babe/bias_word_lexicon.xlsx",
    ),
    downloads=(
        release_download("raw_labels_SG1.xlsx"),
        release_download("raw_labels_SG2.xlsx"),
        release_download("final_labels_MBIC.xlsx"),
        release_download("bias_word_lexicon.xlsx", commit="50f63bfa5cc30fede5c851453a59aaca74d04bcf"),
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
class FinalLabel:
    """A sentence with the labels that its group published; None where its annotators did not agree."""

    text: str
    biased: bool | None
    opinion: Opinion | None
    words: tuple[str, ...]


def load_annotations(data: Path, group: str, *, on_message: OnMessage = print_to_stderr) -> list[Annotation]:
    """All annotations of SG1 or SG2 in the order of the release.

    A row without a sentence, or with a label that is none of the published ones, is counted and reported.
    """
    path = open_file(data, f"babe/raw_labels_{group}.xlsx")
    biases, opinions = {**_BIASES, **_UNANSWERED}, {**_OPINIONS, **_UNANSWERED}
    found: list[Annotation] = []
    unread = UnreadableRows(path, on_message)
    for row in unread.reading(_sheet(path, (*_ANNOTATION_COLUMNS, "annotator_id"))):
        if not row["text"].strip():
            unread.leave_out("no sentence")
            continue
        try:
            biased, opinion = biases[row["label_bias"]], opinions[row["label_opinion"]]
        except KeyError as unknown:
            unread.leave_out(f"unknown label {unknown}")
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
    return found


def load_final_labels(data: Path, group: str, *, on_message: OnMessage = print_to_stderr) -> list[FinalLabel]:
    """The published labels of SG1, SG2 or MBIC."""
    if group == "MBIC":
        path = open_file(data, "babe/final_labels_MBIC.xlsx")
        rows = _sheet(path, _ANNOTATION_COLUMNS)
    else:
        path = open_file(data, f"babe/final_labels_{group}.csv")
        rows = read_table(path, columns=_ANNOTATION_COLUMNS, delimiter=";")
    biases, opinions = {**_BIASES, **_NO_AGREEMENT}, {**_OPINIONS, **_NO_AGREEMENT}
    found: list[FinalLabel] = []
    unread = UnreadableRows(path, on_message)
    for row in unread.reading(rows):
        words = parse_word_list(row["biased_words"])
        if not row["text"].strip() or words is None:
            unread.leave_out("no sentence, or no list of words")
            continue
        try:
            labels = biases[row["label_bias"]], opinions[row["label_opinion"]]
        except KeyError as unknown:
            unread.leave_out(f"unknown label {unknown}")
            continue
        found.append(FinalLabel(row["text"], *labels, tuple(words)))
    return found


def words_in(annotation: Annotation) -> set[str]:
    """The single words that an annotator marked, as they are written."""
    return {word for phrase in annotation.words for word in _WORD.findall(phrase)}


def _sheet(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, Row]]:
    """Rows of a workbook's first sheet by the names in its first row, cells as text, each with its number."""
    rows = _cells(path)
    header = [str(cell) for cell in next(rows, ())]
    check_columns(path, header, columns)
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
            if sum(member.file_size for member in members.infolist()) > MAX_BYTES:
                raise CorpusError(
                    f"{path} is far larger inside than any published workbook. {DOWNLOAD_AGAIN}"
                )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = load_workbook(path, read_only=True, data_only=True)
            try:
                yield from book.worksheets[0].iter_rows(values_only=True)
            finally:
                book.close()
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise CorpusError(f"{path} is truncated or damaged ({error}). {DOWNLOAD_AGAIN}") from error
    except (KeyError, ValueError, TypeError, IndexError, SyntaxError) as error:
        raise CorpusError(f"{path} is not a workbook that can be read ({error}). {DOWNLOAD_AGAIN}") from error


HEADLINES = "headlines"
HEADLINES_PROXY = "headlines (stand-in: AllSides titles)"
HEADLINE_CLASSES = ("neutral", "biased")
HEADLINE_RATINGS = {"left": 1, "center": 0, "right": 1}

HEADLINES_FACTS = CorpusFacts(
    key="headlines",
    name="News headlines by outlet",
    homepage=HOMEPAGE,
    licence="the headlines are their publishers'",
    files=("headlines/headlines.tsv", "headlines/outlets.tsv"),
    manual_steps="The paper's headlines are not in its repository: ask its authors, or collect your own (Media "
    "Cloud). Put "
    "them into headlines/headlines.tsv (outlet, tab, headline) and the outlets' ratings (left, center, right) into "
    "headlines/outlets.tsv (outlet, tab, rating), each with a header. Without them the titles of article_bias "
    "stand in.",
)
_LEAST_WORDS = 4


def load_headlines(
    data: Path, scored: NearDuplicateIndex, *, on_message: OnMessage = print_to_stderr
) -> list[Example]:
    """Headlines of four words or more, each once: bias 0 or 1, ``group`` the outlet.

    The name of an outlet at the end (*… | Fox News*) is taken off: it would give the class away. What is near a
    sentence of ``scored`` is left out. Raises CorpusError where a file is not of the layout, and where one of the two
    classes is missing.
    """
    own = (data / HEADLINES_FACTS.files[0]).is_file()
    rows = list(_own(data, on_message) if own else _titles(data, on_message))
    corpus = HEADLINES if own else HEADLINES_PROXY
    names = allsides.outlet_pattern({outlet for outlet, _, _ in rows})
    tail = re.compile(rf"\s+[|–—-]+\s*(?:{names.pattern})\s*$")
    seen: set[str] = set()
    found: list[Example] = []
    for outlet, headline, label in rows:
        text = " ".join(tail.sub("", headline).split())
        if len(text.split()) >= _LEAST_WORDS and text not in seen and not scored.has_near_duplicate(text):
            seen.add(text)
            found.append(Example(text, corpus, bias=float(label), group=outlet))
    require_classes((int(example.bias or 0) for example in found), HEADLINE_CLASSES, corpus=corpus)
    return found


def _own(data: Path, on_message: OnMessage) -> Iterator[tuple[str, str, int]]:
    """Outlet, headline and class of every row whose outlet is rated."""
    ratings: dict[str, int] = {}
    path = open_file(data, HEADLINES_FACTS.files[1])
    for number, row in read_table(path, columns=("outlet", "rating"), delimiter="\t"):
        rating = row["rating"].strip().lower()
        if rating not in HEADLINE_RATINGS:
            raise CorpusError(f"{path}, row {number}: {rating!r} is not a rating. Say left, center or right.")
        ratings[row["outlet"].strip()] = HEADLINE_RATINGS[rating]
    path = open_file(data, HEADLINES_FACTS.files[0])
    unread = UnreadableRows(path, on_message)
    for row in unread.reading(read_table(path, columns=("outlet", "headline"), delimiter="\t")):
        outlet = row["outlet"].strip()
        if outlet in ratings:
            yield outlet, row["headline"], ratings[outlet]
        else:
            unread.leave_out(f"outlet {outlet[:40]!r} has no rating")


def _titles(data: Path, on_message: OnMessage) -> Iterator[tuple[str, str, int]]:
    """The same of the AllSides articles' titles, each outlet with the rating of most of its articles."""
    raw = allsides.read_articles(data, on_message=on_message)
    ratings = _majority((article.outlet, article.leaning) for article in raw)
    for article in raw:
        yield article.outlet, allsides.strip_markup(article.title), int(ratings[article.outlet] != CENTER)


def _majority(ratings: Iterable[tuple[str, int]]) -> dict[str, int]:
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for outlet, leaning in ratings:
        counts[outlet][leaning] += 1
    return {outlet: found.most_common(1)[0][0] for outlet, found in counts.items()}
