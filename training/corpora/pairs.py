"""Sentence pairs, biased and neutral: WNC (Pryzant et al. 2020) and the Gender Bias Neutrality Corpus."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.findings import Kind
from training.corpora.base import CorpusError, CorpusFacts, Example, GoldSpan, open_file
from training.diff import edits
from training.kinds import KindFinder

WNC_FACTS = CorpusFacts(
    name="WNC (1.3% part)",
    home="https://github.com/rpryzant/neutralizing-bias",
    licence="MIT (repository); text CC BY-SA (Wikipedia)",
    files=(
        "wnc/pairs.train.tsv",
        "wnc/pairs.dev.tsv",
    ),
)
GBNC_FACTS = CorpusFacts(
    name="Gender Bias Neutrality Corpus",
    home="no address known to this project",
    licence="none stated",
    files=("gbnc/pairs.tsv",),
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A biased sentence and its neutral wording, as their corpus has them. ``group`` stays together in a split."""

    source: str
    target: str
    group: str


def rows(path: Path) -> list[list[str]]:
    """Rows of a tab-separated file with a header, at least two columns each."""
    lines = path.read_text(encoding="utf-8").splitlines()
    table = [line.split("\t") for line in lines[1:] if line.strip()]
    if not lines or any(len(row) < 2 for row in table):
        raise CorpusError(f"{path} is not a table of pairs (biased, tab, neutral); is it the published file?")
    return table


def load_wnc(data: Path, kinds: KindFinder, *, part: str) -> list[Example]:
    """Both sides of the pairs of ``part`` (train or dev); a pair's two sides share their ``group``."""
    examples: list[Example] = []
    for number, row in enumerate(rows(open_file(data, f"wnc/pairs.{part}.tsv"))):
        biased, neutral = row[0].strip(), row[1].strip()
        found = edits(biased, neutral)
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
        spans = tuple(GoldSpan(edit.start, edit.end, Kind.DEMOGRAPHIC) for edit in edits(biased, neutral))
        if spans:
            group = f"gbnc-{number}"
            examples.append(Example(biased, "gbnc", spans=spans, bias=1.0, group=group))
            examples.append(Example(neutral, "gbnc", spans=(), bias=0.0, group=group))
    return examples
