"""Sentence pairs, biased and neutral: WNC (Pryzant et al. 2020) and the Gender Bias Neutrality Corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.findings import Kind
from training.corpora.base import AGAIN, CorpusError, CorpusFacts, Example, GoldSpan, open_file
from training.corpora.reading import lines
from training.kinds import KindFinder
from training.wikibias.char_edits import char_edits

WNC_FACTS = CorpusFacts(
    key="wnc",
    name="WNC (1.3% part)",
    home="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); text CC BY-SA (Wikipedia)",
    files=(
        "wnc/pairs.train.tsv",
        "wnc/pairs.dev.tsv",
    ),
    person="This part (2,139 and 299 pairs, lower case) has no home of its own that the project knows. Whoever gave "
    "you the corpora has it; the whole corpus is at its home (`evenhand train data get wnc-full`).",
)
GBNC_FACTS = CorpusFacts(
    key="gbnc",
    name="Gender Bias Neutrality Corpus",
    home="no address known to this project",
    licence="none stated",
    files=("gbnc/pairs.tsv",),
    person="Ask its authors for the corpus and put it into gbnc/pairs.tsv: a header, then biased, tab, neutral, tab, "
    "type of bias.",
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A biased sentence and its neutral wording, as their corpus has them. ``group`` stays together in a split."""

    source: str
    target: str
    group: str


def rows(path: Path) -> list[list[str]]:
    """Rows of a tab-separated file with a header, at least two columns each, neither empty.

    Raises CorpusError with the row's number for another layout, and where there is no row.
    """
    found: list[list[str]] = []
    for number, line in enumerate(lines(path), start=1):
        cells = line.rstrip("\r\n").split("\t")
        if number == 1 or not line.strip():
            continue
        if len(cells) < 2 or not cells[0].strip() or not cells[1].strip():
            cut = "" if line.endswith("\n") else " It is the last one: the file is truncated."
            raise CorpusError(
                f"{path}, row {number}: not a table of pairs here (biased, tab, neutral).{cut} {AGAIN}"
            )
        found.append(cells)
    if not found:
        raise CorpusError(f"{path} holds no pairs. {AGAIN}")
    return found


def load_wnc(data: Path, kinds: KindFinder, *, part: str) -> list[Example]:
    """Both sides of the pairs of ``part`` (train or dev); a pair's two sides share their ``group``."""
    examples: list[Example] = []
    for number, row in enumerate(rows(open_file(data, f"wnc/pairs.{part}.tsv"))):
        biased, neutral = row[0].strip(), row[1].strip()
        found = char_edits(biased, neutral)
        spans = tuple(GoldSpan(edit.start, edit.end, kinds.of(edit.before, edit.after)) for edit in found)
        group = f"wnc-{part}-{number}"
        if spans:
            examples.append(Example(biased, "wnc", spans=spans, bias=1.0, group=group))
            examples.append(Example(neutral, "wnc", spans=(), bias=0.0, group=group))
    return examples


def load_pairs(data: Path, part: str) -> list[Pair]:
    """WNC pairs of ``part`` (train or dev), both sides untouched but for white space at their ends."""
    table = rows(open_file(data, f"wnc/pairs.{part}.tsv"))
    return [Pair(row[0].strip(), row[1].strip(), f"wnc-{part}-{number}") for number, row in enumerate(table)]


def load_gbnc_pairs(data: Path) -> list[Pair]:
    """GBNC's posts, before and after their correction."""
    table = rows(open_file(data, "gbnc/pairs.tsv"))
    return [Pair(row[0].strip(), row[1].strip(), f"gbnc-{number}") for number, row in enumerate(table)]


def load_gbnc(data: Path) -> list[Example]:
    """Posts corrected for gender bias: every edited stretch is demographic."""
    examples: list[Example] = []
    for number, row in enumerate(rows(open_file(data, "gbnc/pairs.tsv"))):
        biased, neutral = row[0].strip(), row[1].strip()
        spans = tuple(
            GoldSpan(edit.start, edit.end, Kind.DEMOGRAPHIC) for edit in char_edits(biased, neutral)
        )
        if spans:
            group = f"gbnc-{number}"
            examples.append(Example(biased, "gbnc", spans=spans, bias=1.0, group=group))
            examples.append(Example(neutral, "gbnc", spans=(), bias=0.0, group=group))
    return examples
