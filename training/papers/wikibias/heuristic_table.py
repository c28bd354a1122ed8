"""Section 2.1: precision and recall of the heuristic of Appendix C where the biased words are known.

They are known in the official corpus from its annotators, and in injected pairs; of the annotators' practice set there
are only phrases. Injected pairs are easier: nothing but the bias differs, and every source is biased.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.types import Kind
from training.corpora import wikibias_manual
from training.corpora.files import read_lines
from training.corpora.injected_pairs import read_injected
from training.corpora.wikibias import PARTS, is_available, load_tagged
from training.evaluation.results_table import Block, Table
from training.metrics.classification import Score, span_scores
from training.metrics.tags import spans as tagged_spans
from training.papers.wikibias.published import WIKIBIAS_HEURISTIC
from training.text.edits import find_word_edits
from training.text.parsing import ParseTree, load_optional_parser, parse_trees
from training.text.revision_spans import THRESHOLD, diff_revision
from training.text.tagged_pairs import tag_injected, token_range
from training.types import CorpusError, InjectedPair, TaggedSentence, locate_file

Ranges = Sequence[tuple[int, int]]
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

_SEED = 42
_NULL = ["null"]
_FRAME = ("in 1990 the report".split(), "people said today .".split())


@dataclass(frozen=True, slots=True)
class Case:
    """Both sides of a revision as tokens, and the gold token ranges of the first."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    gold: tuple[tuple[int, int], ...]
    group: str = ""


@dataclass(frozen=True, slots=True)
class HeuristicScores:
    """Section 2.1's scores over cases.

    ``sources`` is the accuracy of the label over the sources, ``sentences`` over both sides, where targets are neutral
    by rule. ``strict`` requires the first and last token of a span, ``overlap`` one shared token.
    """

    sources: float
    sentences: float
    strict: Score
    overlap: Score
    gold: int
    found: int


def tagged_cases(sentences: Iterable[TaggedSentence]) -> list[Case]:
    """A case for each Original that is followed by the Neutral of its group."""
    made: list[Case] = []
    last: TaggedSentence | None = None
    for sentence in sentences:
        if last is not None and last.original and not sentence.original and last.group == sentence.group:
            gold = tuple(tagged_spans(last.tags))
            made.append(Case(last.tokens, sentence.tokens, gold, sentence.group))
        last = sentence
    return made


def injected_cases(rows: Iterable[InjectedPair], *, limit: int | None = None) -> list[Case]:
    """A case for each injected pair, at most ``limit``, a fixed random sample."""
    chosen = list(rows)
    if limit is not None and len(chosen) > limit:
        chosen = random.Random(_SEED).sample(chosen, limit)
    return [case for row in chosen for case in tagged_cases(tag_injected(row))]


def phrase_cases(path: Path) -> list[Case]:
    """A case for each phrase pair of the annotators' practice set with words before, set among other words.

    The file is a table with a header: before, tab, after; ``null`` for an empty side.
    """
    made: list[Case] = []
    for number, line in enumerate(read_lines(path), start=1):
        cells = [cell.replace('""', "").split() for cell in line.split("\t")]
        if number == 1 or len(cells) != len(("before", "after")) or cells[0] in ([], _NULL):
            continue
        old, new = cells[0], [] if cells[1] == _NULL else cells[1]
        start = len(_FRAME[0])
        before, after = ((*_FRAME[0], *side, *_FRAME[1]) for side in (old, new))
        made.append(Case(before, after, ((start, start + len(old)),), str(number)))
    return made


def split_halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Two halves, one to choose on and one to score; cases of a group stay together."""
    groups = sorted({case.group for case in cases})
    random.Random(_SEED).shuffle(groups)
    chosen = set(groups[: len(groups) // 2])
    first = [case for case in cases if case.group in chosen]
    return first, [case for case in cases if case.group not in chosen]


def parse_cases(cases: Sequence[Case], nlp: Any) -> list[tuple[ParseTree, ParseTree]]:
    """The parse trees of both sides of each case."""
    found = parse_trees((side for case in cases for side in (case.before, case.after)), nlp)
    return list(zip(found, found, strict=True))


def find_spans(
    cases: Sequence[Case], both: Sequence[tuple[ParseTree, ParseTree]] | None, *, threshold: float = THRESHOLD
) -> list[Ranges]:
    """The heuristic's spans of each source, with or without parse trees of both sides."""
    known = both if both is not None else [None] * len(cases)
    return [
        [
            (change.start, change.end)
            for change in diff_revision(case.before, case.after, trees=tree, threshold=threshold).spans
        ]
        for case, tree in zip(cases, known, strict=True)
    ]


def plain_diff(cases: Sequence[Case]) -> list[Ranges]:
    """The spans of `training.text.edits.find_word_edits`, for comparison."""
    return [_plain(case) for case in cases]


def score_heuristic(cases: Sequence[Case], found: Sequence[Ranges]) -> HeuristicScores:
    """The scores of ``found``, as in section 2.1."""
    right = sum(bool(case.gold) == bool(spans) for case, spans in zip(cases, found, strict=True))
    strict, overlap = span_scores(
        [[(start, end, Kind.FRAMING) for start, end in spans] for spans in found],
        [[(start, end, Kind.FRAMING) for start, end in case.gold] for case in cases],
    )
    count = max(1, len(cases))
    return HeuristicScores(
        sources=right / count,
        sentences=(right + len(cases)) / (2 * count),
        strict=strict,
        overlap=overlap,
        gold=sum(len(case.gold) for case in cases),
        found=sum(len(spans) for spans in found),
    )


def tune_threshold(cases: Sequence[Case], both: Sequence[tuple[ParseTree, ParseTree]] | None) -> float:
    """The similarity threshold with the best strict F1 on ``cases``; among equals the one nearest to the default."""

    def worth(threshold: float) -> tuple[float, float]:
        found = find_spans(cases, both, threshold=threshold)
        return score_heuristic(cases, found).strict.f1, -abs(threshold - THRESHOLD)

    return max(THRESHOLDS, key=worth)


def _plain(case: Case) -> Ranges:
    places = []
    at = 0
    for token in case.before:
        places.append((at, at + len(token)))
        at += len(token) + 1
    found = find_word_edits(" ".join(case.before), " ".join(case.after))
    ranges = (token_range(places, edit.start, edit.end) for edit in found)
    return [(start, end) for start, end in ranges if start < end]


_MAX_INJECTED = 4000
_PRACTICE = "wikibias/phrase_pairs_dev.tsv"
_HEADER = ("", "sources", "all", "P", "R", "F1", "P any", "R any", "F1 any", "gold", "found")


def run(data: Path, *, injected: Path | None, spacy: str) -> Table:
    """The table over everything with known spans: the official corpus and the practice set under ``data``, and
    ``injected`` pairs.

    ``spacy`` is an English model by name or folder, or ``none``. Raises CorpusError where nothing is there.
    """
    official, practice = is_available(data), data / _PRACTICE
    manual = all(locate_file(data, file).is_file() for file in wikibias_manual.FACTS.files)
    if not (official or manual or practice.is_file()) and injected is None:
        raise CorpusError(
            f"WIKIBIAS is not in {data}, and no injected pairs were named. Make some with `evenhand train data inject "
            "--out FILE` and name them with --injected FILE."
        )
    nlp = load_optional_parser(spacy)
    blocks = [_paper()]
    if official:
        parts = {part: tagged_cases(load_tagged(data, part)) for part in PARTS}
        if not all(parts.values()):
            raise CorpusError(
                f"The tagging files of WIKIBIAS under {data} have no pairs: an Original must be followed by "
                "its Neutral."
            )
        every = [case for cases in parts.values() for case in cases]
        blocks.append(_block("WIKIBIAS-MANUAL, all parts", parts["dev"], every, nlp))
    elif manual:
        dev, train = (_manual_cases(data, part) for part in ("dev", "train"))
        blocks.append(_block(f"{len(train):,} pairs of WIKIBIAS's train part; dev chose", dev, train, nlp))
    if injected is not None:
        cases = injected_cases(read_injected(injected), limit=_MAX_INJECTED)
        dev, rest = split_halves(cases)
        if not dev or not rest:
            raise CorpusError(f"{injected} has too few pairs: at least two of different sources are needed.")
        blocks.append(_block(f"{len(rest):,} injected pairs, on which nothing was chosen", dev, rest, nlp))
    if practice.is_file():
        phrases = phrase_cases(practice)
        blocks.append(
            _block(f"{len(phrases):,} phrases of the annotators' practice set", phrases, phrases, nlp)
        )
    return Table(
        "WIKIBIAS, section 2.1: the heuristic of Appendix C where the biased words are known, in percent",
        tuple(blocks),
        _notes(official=official or manual, injected=injected is not None, practice=practice.is_file()),
    )


def _manual_cases(data: Path, part: str) -> list[Case]:
    """The pairs of a part of the manual corpus with their gold spans."""
    sentences = [one.tagged for one in wikibias_manual.load(data, part)]
    return tagged_cases(sorted(sentences, key=lambda one: (one.group, not one.original)))


def _paper() -> Block:
    accuracy, precision, recall = WIKIBIAS_HEURISTIC.values()
    f1 = 2 * precision * recall / (precision + recall)
    figures = (f"{accuracy:.1f}", f"{precision:.1f}", f"{recall:.1f}", f"{f1:.1f}")
    return Block(
        "Published", ("", "sentences", "P", "R", "F1"), (("4,099 pairs, annotated by hand", *figures),)
    )


def _block(title: str, dev: list[Case], cases: list[Case], nlp: Any) -> Block:
    rows: list[tuple[str, ...]] = []
    threshold = tune_threshold(dev, None)
    rows.append(
        _row(f"no parse, similarity {threshold}", cases, find_spans(cases, None, threshold=threshold))
    )
    if nlp is not None:
        threshold = tune_threshold(dev, parse_cases(dev, nlp))
        found = find_spans(cases, parse_cases(cases, nlp), threshold=threshold)
        rows.append(_row(f"sub-trees, similarity {threshold}", cases, found))
    rows.append(_row("plain diff (training.text.edits)", cases, plain_diff(cases)))
    return Block(title, _HEADER, tuple(rows))


def _row(name: str, cases: list[Case], found: list[Ranges]) -> tuple[str, ...]:
    got: HeuristicScores = score_heuristic(cases, found)
    strict, overlap = got.strict, got.overlap
    shares = (
        got.sources,
        got.sentences,
        strict.precision,
        strict.recall,
        strict.f1,
        overlap.precision,
        overlap.recall,
        overlap.f1,
    )
    return name, *(f"{100 * share:.1f}" for share in shares), f"{got.gold:,}", f"{got.found:,}"


def _notes(*, official: bool, injected: bool, practice: bool) -> tuple[str, ...]:
    notes = [
        "sources: accuracy of the label over the sources; all: over both sides, where targets are neutral.",
        "P, R, F1: spans with the same first and last token; any: spans that share a token.",
        "The similarity that joins a deletion and an addition was chosen on dev by strict F1.",
    ]
    if official:
        notes.append(
            "The corpus has biased spans only; the paper's P and R may count edits without bias as gold, too."
        )
    if injected:
        notes.append(
            "Injected pairs are all biased and differ in nothing else: their scores are an upper bound, and say little "
            "about the cleaning rules."
        )
    if practice:
        notes.append(
            "The practice set has phrases without their sentences, biased or not; each was set among the same eight "
            "words. The rules were made with it in view, so this is no test of them."
        )
    return tuple(notes)
