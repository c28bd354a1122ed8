"""WIKIBIAS's section 2.1: how right the heuristic of Appendix C is, where the biased words are known.

They are known in the official corpus, by its annotators, and in injected pairs, by whoever injected them; of the
annotators' practice set there are the phrases alone. Injected pairs are the easier: nothing but the bias differs, and
every source is biased.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from training.corpora.base import CorpusError
from training.corpora.wikibias import PARTS, is_here, load_tagged
from training.injection.files import read
from training.published import WIKIBIAS_HEURISTIC
from training.tables.layout import Block, Table
from training.wikibias import heuristic_scores as measured
from training.wikibias.heuristic_scores import Case, HeuristicScores, Ranges
from training.wikibias.subtrees import pipeline

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
    nlp = pipeline(spacy)
    blocks = [_paper()]
    if official:
        parts = {part: measured.cases_of_tagged(load_tagged(data, part)) for part in PARTS}
        if not all(parts.values()):
            raise CorpusError(
                f"The tagging files of WIKIBIAS under {data} hold no pairs: an Original is to be followed by its "
                "Neutral."
            )
        every = [case for cases in parts.values() for case in cases]
        blocks.append(_block("WIKIBIAS-MANUAL, all parts", parts["dev"], every, nlp))
    if injected is not None:
        cases = measured.cases_of_injected(read(injected), limit=_MOST_INJECTED)
        dev, rest = measured.halves(cases)
        if not dev or not rest:
            raise CorpusError(
                f"{injected} holds too few pairs: two of different sources at least are needed."
            )
        blocks.append(_block(f"Injected pairs, {len(rest):,} that nothing was chosen on", dev, rest, nlp))
    if practice.is_file():
        phrases = measured.cases_of_phrases(practice)
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
    threshold = measured.tuned(dev, None)
    rows.append(
        _row(f"no parse, likeness {threshold}", cases, measured.heuristic(cases, None, threshold=threshold))
    )
    if nlp is not None:
        threshold = measured.tuned(dev, measured.parsed(dev, nlp))
        found = measured.heuristic(cases, measured.parsed(cases, nlp), threshold=threshold)
        rows.append(_row(f"sub-trees, likeness {threshold}", cases, found))
    rows.append(_row("plain diff (training.diff)", cases, measured.plain_diff(cases)))
    return Block(title, _HEAD, tuple(rows))


def _row(name: str, cases: list[Case], found: list[Ranges]) -> tuple[str, ...]:
    got: HeuristicScores = measured.scores(cases, found)
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
