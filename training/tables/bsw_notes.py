"""How Tables 3 to 6 and 8 of Badjatiya et al. 2019 are to be read, and in what our cells differ from the paper."""

from __future__ import annotations

from collections.abc import Sequence

from training.bsw.detection import MANUAL
from training.bsw.strategies import TALK_PAGES
from training.tables.cells import Cell


def told(table: str, cells: Sequence[Cell]) -> list[str]:
    """The notes of a table of which ``cells`` are shown."""
    lines = [*_NOTES[table]]
    if any(cell.row.startswith(TALK_PAGES) for cell in cells):
        lines.append(_UNION)
    if any(cell.scale == "cpu" for cell in cells):
        lines.append(_CPU)
    return lines


_SPREAD = (
    "± is the standard deviation over seeds; the paper's figures are means of ten runs. Nothing is chosen on test; the "
    "split (8:1:1) is the same for all seeds."
)
_READ = (
    "What a strategy replaces in the training part it replaces in all that is read, in test texts and in the words of "
    "the PB family, too; k nearest neighbours and augmentation leave what is read as it is."
)
_ZERO = (
    "PB_mean is 0 wherever all words have become one tag, however biased that tag is: look at PB_asym, too."
)
_LISTS = (
    "The paper does not say how long its lists are, nor their thresholds: here they are the first 50 words, of SOAC "
    "those seen more than ten times, of SPCPD those seen at least ten times that GloVe has and whose chance is 0.5 or "
    "more. Obscene and function words are left out."
)
_UNION = (
    "The talk pages are a union of samples, 21% of them toxic, not WikiDetox's published parts (10%): the paper's "
    "figures stand beside ours for comparison and are not of the same texts."
)
_CPU = (
    "cpu: at most six epochs at ten times the paper's rate (20 at 5e-5); of the talk pages 16,000 texts are learnt "
    "from (the paper: 95,692), and the first 100 words of a text are read (250); the test part is whole."
)
_NOTES = {
    "bsw-3": (
        f"The manual list is Dixon et al.'s, {len(MANUAL)} terms, as the paper prints it; it has none for tweets.",
        _LISTS,
        "alike: of two seeds' lists the share of words that both hold. SOAC asks no classifier.",
    ),
    "bsw-4": (
        _SPREAD,
        _READ,
        _ZERO,
        _LISTS,
        "Δ PB_asym is the change from the biased classifier on the same list.",
    ),
    "bsw-5": (
        _SPREAD,
        "pAUC (Equation 2) is a sum over the terms of the manual list; those who proposed it advise against it today. "
        "Beside it, of Borkan et al.: the AUC within a term's sentences; of its neutral ones against others' hateful "
        "ones (BPSN, low where the term is scored too high); of its hateful ones against others' neutral ones (BNSP); "
        "mean and lowest of the terms.",
        _READ,
    ),
    "bsw-6": (
        _SPREAD,
        _READ,
        _ZERO,
        _LISTS,
        "Δ PB_asym is the change from the biased classifier on the same list.",
        "The paper prints 0.0956 as the ROC-AUC of the biased classifier with SPCPD: a slip, read as 0.956.",
        "Its biased rows differ by detection although nothing was replaced: other runs. Ours are the same classifiers.",
    ),
    "bsw-8": (
        "The words that are replaced are those that the paper names: the manual list and Table 3's of the talk pages.",
        "All five sentences are neutral. The paper's second one was read as neutral before, too, and its last one is "
        "still read as hateful.",
    ),
}
