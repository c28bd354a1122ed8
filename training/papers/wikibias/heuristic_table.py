"""Section 2.1: how right the heuristic of Appendix C is where the biased words are known."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.types import Kind
from training.corpora.files import read_lines
from training.corpora.injected_pairs import read_injected
from training.corpora.wikibias import PARTS, is_here, load_tagged
from training.corpora.wikibias_proxy import tag_injected, token_range
from training.evaluation.results_table import Block, Table
from training.metrics.classification import Score, span_scores
from training.metrics.tags import spans as tagged_spans
from training.papers.wikibias.published import WIKIBIAS_HEURISTIC
from training.text.edits import find_word_edits
from training.text.parsing import ParseTree, load_optional_parser, parse_trees
from training.text.revision_spans import THRESHOLD, find_biased_spans
from training.types import CorpusError, Injected, TaggedSentence

# What the heuristic is worth where somebody, or something, knows better: WIKIBIAS's section 2.1 over again.


Ranges = Sequence[tuple[int, int]]
THRESHOLDS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)

_SEED = 42
_NULL = ["null"]
_FRAME = ("in 1990 the report".split(), "people said today .".split())


@dataclass(frozen=True, slots=True)
class Case:
    """Both sides of a revision as tokens, and the biased token ranges of the first as they are known."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    gold: tuple[tuple[int, int], ...]
    group: str = ""


@dataclass(frozen=True, slots=True)
class HeuristicScores:
    """Section 2.1's scores over cases.

    ``sources`` is the accuracy of the label biased or not over the sources, ``sentences`` over both sides, a target
    being neutral by rule. ``strict`` wants first and last token of a span right, ``overlap`` one shared token.
    """

    sources: float
    sentences: float
    strict: Score
    overlap: Score
    gold: int
    found: int


def cases_of_tagged(sentences: Iterable[TaggedSentence]) -> list[Case]:
    """A case of each Original that is followed by the Neutral of its group."""
    made: list[Case] = []
    last: TaggedSentence | None = None
    for sentence in sentences:
        if last is not None and last.original and not sentence.original and last.group == sentence.group:
            gold = tuple(tagged_spans(last.tags))
            made.append(Case(last.tokens, sentence.tokens, gold, sentence.group))
        last = sentence
    return made


def cases_of_injected(rows: Iterable[Injected], *, limit: int | None = None) -> list[Case]:
    """A case of each injected pair, at most ``limit``, drawn at random but always the same."""
    chosen = list(rows)
    if limit is not None and len(chosen) > limit:
        chosen = random.Random(_SEED).sample(chosen, limit)
    return [case for row in chosen for case in cases_of_tagged(tag_injected(row))]


def cases_of_phrases(path: Path) -> list[Case]:
    """A case of each phrase pair of the annotators' practice set that has words before, in the midst of other words.

    The file is a table with a header: before, tab, after, ``null`` for nothing there.
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


def halves(cases: Sequence[Case]) -> tuple[list[Case], list[Case]]:
    """Two halves, one to choose on and one to score; cases of one group are in the same half."""
    groups = sorted({case.group for case in cases})
    random.Random(_SEED).shuffle(groups)
    chosen = set(groups[: len(groups) // 2])
    first = [case for case in cases if case.group in chosen]
    return first, [case for case in cases if case.group not in chosen]


def parsed(cases: Sequence[Case], nlp: Any) -> list[tuple[ParseTree, ParseTree]]:
    """The trees of both sides of each case."""
    found = parse_trees((side for case in cases for side in (case.before, case.after)), nlp)
    return list(zip(found, found, strict=True))


def heuristic(
    cases: Sequence[Case], both: Sequence[tuple[ParseTree, ParseTree]] | None, *, threshold: float = THRESHOLD
) -> list[Ranges]:
    """The heuristic's spans of each source, with the trees of both sides or without."""
    known = both if both is not None else [None] * len(cases)
    return [
        [
            (change.start, change.end)
            for change in find_biased_spans(case.before, case.after, trees=tree, threshold=threshold).spans
        ]
        for case, tree in zip(cases, known, strict=True)
    ]


def plain_diff(cases: Sequence[Case]) -> list[Ranges]:
    """The spans of `training.text.edits.edits`, to compare with."""
    return [_plain(case) for case in cases]


def scores(cases: Sequence[Case], found: Sequence[Ranges]) -> HeuristicScores:
    """How right ``found`` is, by section 2.1's measures."""
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


def tuned(cases: Sequence[Case], both: Sequence[tuple[ParseTree, ParseTree]] | None) -> float:
    """The threshold of likeness with the best strict F1 on ``cases``; of equals the one nearest to the default."""

    def worth(threshold: float) -> tuple[float, float]:
        found = heuristic(cases, both, threshold=threshold)
        return scores(cases, found).strict.f1, -abs(threshold - THRESHOLD)

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


# WIKIBIAS's section 2.1: how right the heuristic of Appendix C is, where the biased words are known.
#
# They are known in the official corpus, by its annotators, and in injected pairs, by whoever injected them; of the
# annotators' practice set there are the phrases alone. Injected pairs are the easier: nothing but the bias differs, and
# every source is biased.


_MOST_INJECTED = 4000
_PRACTICE = "wikibias/phrase_pairs_dev.tsv"
_HEAD = ("", "sources", "all", "P", "R", "F1", "P any", "R any", "F1 any", "gold", "found")


def run(data: Path, *, injected: Path | None, spacy: str) -> Table:
    """The table over whatever has known spans: under ``data`` the official corpus and its annotators' practice set, and
    ``injected`` pairs.

    ``spacy`` is an English model by name or folder, or ``none``. Raises CorpusError where none is there.
    """
    official, practice = is_here(data), data / _PRACTICE
    if not official and injected is None and not practice.is_file():
        raise CorpusError(
            f"WIKIBIAS is not in {data}, and no injected pairs were named: nowhere is known which words are biased. "
            "Make some with `evenhand train data inject --out FILE`, then say --injected FILE."
        )
    nlp = load_optional_parser(spacy)
    blocks = [_paper()]
    if official:
        parts = {part: cases_of_tagged(load_tagged(data, part)) for part in PARTS}
        if not all(parts.values()):
            raise CorpusError(
                f"The tagging files of WIKIBIAS under {data} hold no pairs: an Original is to be followed by its "
                "Neutral."
            )
        every = [case for cases in parts.values() for case in cases]
        blocks.append(_block("WIKIBIAS-MANUAL, all parts", parts["dev"], every, nlp))
    if injected is not None:
        cases = cases_of_injected(read_injected(injected), limit=_MOST_INJECTED)
        dev, rest = halves(cases)
        if not dev or not rest:
            raise CorpusError(
                f"{injected} holds too few pairs: two of different sources at least are needed."
            )
        blocks.append(_block(f"Injected pairs, {len(rest):,} that nothing was chosen on", dev, rest, nlp))
    if practice.is_file():
        phrases = cases_of_phrases(practice)
        blocks.append(
            _block(f"{len(phrases):,} phrases of the annotators' practice set", phrases, phrases, nlp)
        )
    return Table(
        "WIKIBIAS, section 2.1: the heuristic of Appendix C where the biased words are known, in percent",
        tuple(blocks),
        _notes(official=official, injected=injected is not None, practice=practice.is_file()),
    )


def _paper() -> Block:
    accuracy, precision, recall = WIKIBIAS_HEURISTIC.values()
    f1 = 2 * precision * recall / (precision + recall)
    figures = (f"{accuracy:.1f}", f"{precision:.1f}", f"{recall:.1f}", f"{f1:.1f}")
    return Block(
        "Published", ("", "sentences", "P", "R", "F1"), (("4,099 pairs, annotated by hand", *figures),)
    )


def _block(title: str, dev: list[Case], cases: list[Case], nlp: Any) -> Block:
    rows: list[tuple[str, ...]] = []
    threshold = tuned(dev, None)
    rows.append(_row(f"no parse, likeness {threshold}", cases, heuristic(cases, None, threshold=threshold)))
    if nlp is not None:
        threshold = tuned(dev, parsed(dev, nlp))
        found = heuristic(cases, parsed(cases, nlp), threshold=threshold)
        rows.append(_row(f"sub-trees, likeness {threshold}", cases, found))
    rows.append(_row("plain diff (training.text.edits)", cases, plain_diff(cases)))
    return Block(title, _HEAD, tuple(rows))


def _row(name: str, cases: list[Case], found: list[Ranges]) -> tuple[str, ...]:
    got: HeuristicScores = scores(cases, found)
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
        "sources: accuracy of the label biased or not over the sources; all: over both sides, a target is neutral.",
        "P, R, F1: spans with the same first and last token; any: that share a token.",
        "The likeness that joins a deletion and an addition was chosen on dev by strict F1.",
    ]
    if official:
        notes.append(
            "The corpus tells biased spans only; the paper's P and R may have counted edits without bias as gold too."
        )
    if injected:
        notes.append(
            "Injected pairs are biased one and all and differ in nothing else: their figures are an upper bound, and "
            "say little of the cleaning rules."
        )
    if practice:
        notes.append(
            "The practice set has phrases without their sentences, biased or not: each was set among the same eight "
            "words. The rules were made with it in view, so it is no test of them."
        )
    return tuple(notes)
