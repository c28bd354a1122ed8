"""Measured of a reader: how it treats words by themselves, and whom a sentence is about.

The reader's own list of bias sensitive words (SPCPD, Badjatiya et al. 2019, Equation 1), the pinned bias over the
identity terms, counterfactual pairs from the templates that no reader trains on, and BPSN and BNSP AUC over the same
templates with a loaded word put in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.bundle import Bundle
from core.reader import Reader
from core.stereotypes.pairs import Pair, Read, TermAuc, pairs, read, term_aucs, term_shifts
from core.stereotypes.scores import PinnedBias, WordScore, pb, spcpd
from core.stereotypes.templates import Frame, Half, frames, term_frames
from core.stereotypes.terms import GROUPS, load_terms
from training.corpora.base import tell
from training.stereotypes import vocabulary

ALIKE = 0.02
"""A term whose sentences are read no more than so much apart from the others' is treated like them."""


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is measured of a reader: the scan, its own BSW list, pinned bias, pairs, AUCs, shifts of terms.

    ``pinned`` is by group, all of them under the empty name. ``listed`` says whether abusive words were left out.
    ``before`` are the same pairs as an earlier reader reads them, none where none was named.
    """

    facts: Bundle
    scanned: tuple[WordScore, ...]
    sensitive: tuple[WordScore, ...]
    listed: bool
    pinned: dict[str, tuple[int, PinnedBias]]
    pairs: tuple[Pair, ...]
    auc: float
    aucs: tuple[TermAuc, ...]
    shifts: dict[tuple[str, str], float]
    before: tuple[Pair, ...] = ()


def measure(
    data: Path,
    bundle: Path,
    *,
    words: Path | None = None,
    least: int = vocabulary.LEAST,
    before: Path | None = None,
) -> Figures:
    """Measure the reader in ``bundle``, and of the one in ``before``, if any, how it reads the same pairs.

    Raises CorpusError, BundleError and ReaderError.
    """
    reader = Reader.load(bundle)
    earlier = _pairs(Reader.load(before)) if before is not None else ()
    bad = vocabulary.abusive(data)
    if bad is None:
        tell(
            "badwords/en.txt is not here: abusive words stay in the list (`evenhand train data get badwords`)."
        )
    scanned = vocabulary.of_corpora(data, least=least) if words is None else vocabulary.of_file(words)
    tell(f"{len(scanned):,} words are read …")
    scores = spcpd(reader, scanned, told=_tenths())
    sensitive = [
        score for score in scores if score.sensitive and (bad is None or score.word.lower() not in bad)
    ]
    plain, loaded = _examined(reader, loaded=False), _examined(reader, loaded=True)
    auc, aucs = term_aucs(plain, loaded)
    return Figures(
        facts=reader.bundle,
        scanned=tuple(scores),
        sensitive=tuple(sorted(sensitive, key=lambda score: (-score.bias, score.word))),
        listed=bad is not None,
        pinned=_pinned(reader),
        pairs=tuple(pairs(plain, threshold=reader.bundle.thresholds.bias)),
        auc=auc,
        aucs=tuple(aucs),
        shifts=term_shifts(read(reader, _wide(term_frames(Half.EXAMINATION)))),
        before=earlier,
    )


def _tenths() -> Callable[[float], None]:
    """Tells each tenth of the scan, on standard error, once."""
    last = 0

    def told(share: float) -> None:
        nonlocal last
        if int(share * 10) > last:
            last = int(share * 10)
            tell(f"{last * 10}% of the words are read")

    return told


def _examined(reader: Reader, *, loaded: bool) -> list[Read]:
    return read(reader, frames(Half.EXAMINATION, loaded=loaded))


def _pairs(reader: Reader) -> tuple[Pair, ...]:
    return tuple(pairs(_examined(reader, loaded=False), threshold=reader.bundle.thresholds.bias))


def _wide(some: Sequence[Frame]) -> list[Frame]:
    """Frames with somebody to compare with."""
    return [frame for frame in some if len(frame.variants) > 1]


def _pinned(reader: Reader) -> dict[str, tuple[int, PinnedBias]]:
    rows = {group: [term for term in load_terms() if term.group == group] for group in GROUPS}
    forms = {group: [form for term in terms for form in term.forms] for group, terms in rows.items()}
    every = {**forms, "": [form for some in forms.values() for form in some]}
    return {group: (len(words), pb(spcpd(reader, words))) for group, words in every.items()}


def unequal(figures: Figures) -> tuple[list[tuple[str, str, float]], list[tuple[str, str, float]]]:
    """Terms that are read as more biased than others of their set, and as less: set, term, shift, widest first."""
    rows = [(about, group, shift) for (about, group), shift in figures.shifts.items() if abs(shift) > ALIKE]
    rows.sort(key=lambda row: (-abs(row[2]), row[1]))
    return [row for row in rows if row[2] > 0], [row for row in rows if row[2] < 0]
