"""The layout of Tables 3 to 6 and 8 of Badjatiya et al. 2019: ours and published scores, with notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

from training.evaluation.results_table import Block, Table
from training.loop.result_cache import ResultCell, cells_of_scale
from training.papers.harness import cell_columns, command_notes, mean_and_std
from training.papers.stereotype_removal.classifiers import TITLES
from training.papers.stereotype_removal.datasets import NAMES
from training.papers.stereotype_removal.detection import MANUAL
from training.papers.stereotype_removal.published import (
    BSW_TABLE_3,
    BSW_TABLE_4,
    BSW_TABLE_5,
    BSW_TABLE_6,
    BSW_TABLE_8,
)
from training.papers.stereotype_removal.runner import EXAMPLE
from training.papers.stereotype_removal.strategies import (
    AUGMENTED,
    BIASED,
    DETECTIONS,
    PUBLISHED,
    REPLACEMENTS,
    TALK_PAGES,
    TWITTER,
)


def _notes(table: str, cells: Sequence[ResultCell]) -> list[str]:
    """How to read a table of which ``cells`` are shown, and how they differ from the paper."""
    lines = [*_NOTES[table]]
    if any(cell.row.startswith(TALK_PAGES) for cell in cells):
        lines.append(_UNION)
    if any(cell.scale == "cpu" for cell in cells):
        lines.append(_CPU)
    return lines


_SPREAD = (
    "± is the standard deviation over seeds; the paper's scores are means of ten runs. Nothing is chosen on test; the "
    "split (8:1:1) is the same for all seeds."
)
_READ = (
    "A strategy also replaces words in everything the classifier reads: test texts and the words of the PB family. "
    "k nearest neighbours and augmentation change the training part only."
)
_ZERO = "PB_mean is 0 where all words have become one tag, however biased that tag is; see PB_asym."
_LISTS = (
    "The paper does not print the length of its lists or their thresholds. Here they are the first 50 words: for SOAC "
    "words that occur more than ten times, for SPCPD words of GloVe that occur at least ten times with a probability "
    "of 0.5 or more. Obscene words and function words are left out."
)
_UNION = (
    "The talk pages are a union of samples, 21% of them toxic, not WikiDetox's published parts (10%): the paper's "
    "scores are of other texts."
)
_CPU = (
    "cpu: at most six epochs at ten times the paper's learning rate (20 at 5e-5); training on 16,000 texts of the talk "
    "pages (the paper: 95,692), and on the first 100 words of a text (250); the whole test part."
)
_NOTES = {
    "bsw-3": (
        f"The manual list is Dixon et al.'s, {len(MANUAL)} terms, as the paper prints it; there is none for tweets.",
        _LISTS,
        "overlap: share of words that the lists of two seeds have in common (Jaccard). SOAC needs no classifier.",
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
        "pAUC (Equation 2) is a sum over the terms of the manual list; its authors advise against it today. The AUCs "
        "of Borkan et al.: within a term's sentences (subgroup); its neutral sentences against others' hateful ones "
        "(BPSN, low where the term is scored too high); its hateful sentences against others' neutral ones (BNSP); "
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
        "The paper's biased rows differ by detection although nothing was replaced: other runs. Ours are the same "
        "classifiers.",
    ),
    "bsw-8": (
        "The replaced words are those that the paper names: the manual list and those of Table 3 for the talk pages.",
        "All five sentences are neutral. In the paper the second one is read as neutral before the replacement, and "
        "the last one is still read as hateful after it.",
    ),
}


TITLE = "Badjatiya et al. 2019, Table {}: {}"
_TITLES = {
    "bsw-3": "the words that each strategy finds",
    "bsw-4": "tweets: accuracy and bias by detection and replacement",
    "bsw-5": "Wiki Madlibs: accuracy and fairness by replacement, manual list",
    "bsw-6": "talk pages: accuracy and bias by detection and replacement",
    "bsw-8": "the paper's sentences before and after centroid replacement",
}
_SHOWN = 11
"""Words of a list that are printed, as many as the paper's longest."""


@dataclass(frozen=True, slots=True)
class _Column:
    """A column: its title, the name of its value, its index in the published scores, its digits."""

    title: str
    name: str
    published: int | None = None
    digits: int = 4


_BIAS = (
    _Column("ROC-AUC", "auc", 0, 3),
    _Column("PB_mean", "pb_mean", 1),
    _Column("PB_sym", "pb_sym", 2),
    _Column("PB_asym", "pb_asym", 3),
)
_FAIR = (
    _Column("ROC-AUC", "madlibs_auc", 0, 3),
    _Column("pAUC", "pauc", 1, 3),
    _Column("subgroup AUC", "subgroup", digits=3),
    _Column("lowest", "subgroup_lowest", digits=3),
    _Column("BPSN AUC", "bpsn", digits=3),
    _Column("lowest", "bpsn_lowest", digits=3),
    _Column("BNSP AUC", "bnsp", digits=3),
    _Column("lowest", "bnsp_lowest", digits=3),
)
_Select = Callable[[str, str, str], list[ResultCell]]
"""The cells of a corpus, a detection and a replacement, by one classifier."""


def build_table(
    cells: Sequence[ResultCell],
    table: str,
    *,
    corpora: Sequence[str],
    classifiers: Sequence[str],
    scale: str,
    runs: int,
    notes: Sequence[str],
) -> Table:
    """The table of ``cells``: its blocks for ``classifiers`` and for others that have some.

    ``runs`` is how many seeds a line shall have.
    """
    blocks: list[Block] = []
    shown: list[ResultCell] = []
    for name in TITLES:
        own = [cell for cell in cells if cell.group == name]

        def chosen(
            corpus: str, detection: str, key: str, own: Sequence[ResultCell] = own
        ) -> list[ResultCell]:
            found = cells_of_scale([cell for cell in own if cell.row == f"{corpus}-{detection}-{key}"], scale)
            shown.extend(found)
            return found

        before = len(shown)
        made = _BLOCKS[table](chosen, runs, TITLES[name], tuple(corpora))
        if name in classifiers or len(shown) > before:
            blocks += made
    lines = (*notes, *_notes(table, shown), *command_notes(shown, table))
    return Table(TITLE.format(table.removeprefix("bsw-"), _TITLES[table]), tuple(blocks), lines)


def _bias_blocks(chosen: _Select, runs: int, how: str, corpora: tuple[str, ...]) -> list[Block]:
    (corpus,) = corpora
    twitter = corpus == TWITTER
    published = BSW_TABLE_4 if twitter else BSW_TABLE_6
    blocks = []
    for detection in ("soac", "spcpd") if twitter else ("manual", "soac", "spcpd"):
        keys = [key for key in REPLACEMENTS if key != AUGMENTED or detection == "manual"]
        lines = {key: chosen(corpus, detection, key) for key in keys}
        base = _mean(lines[BIASED], "pb_asym")
        rows = []
        for key, line in lines.items():
            figures = published.get(key, {}).get(detection, ())
            rows.append(
                (
                    REPLACEMENTS[key],
                    *_figures(_BIAS, line, figures),
                    _change(_mean(line, "pb_asym"), base),
                    *cell_columns(line, runs),
                )
            )
        head = ("replacement", *_head(_BIAS), "Δ PB_asym", "cells", "run at")
        blocks.append(Block(f"{DETECTIONS[detection]}, {how}", head, tuple(rows)))
    return blocks


def _fair_blocks(chosen: _Select, runs: int, how: str, corpora: tuple[str, ...]) -> list[Block]:
    lines = {key: chosen(corpora[0], "manual", key) for key in REPLACEMENTS}
    base = _mean(lines[BIASED], "pauc")
    rows = tuple(
        (
            REPLACEMENTS[key],
            *_figures(_FAIR, line, BSW_TABLE_5[key]),
            _change(_mean(line, "pauc"), base),
            *cell_columns(line, runs),
        )
        for key, line in lines.items()
    )
    head = ("replacement", *_head(_FAIR), "Δ pAUC", "cells", "run at")
    return [Block(f"learnt from {NAMES[TALK_PAGES]}, {how}", head, rows)]


def _word_blocks(chosen: _Select, runs: int, how: str, corpora: tuple[str, ...]) -> list[Block]:
    blocks = []
    for corpus in corpora:
        rows = []
        for detection, published in BSW_TABLE_3[corpus].items():
            line = chosen(corpus, detection, "words")
            lists = [list(cell.values) for cell in sorted(line, key=lambda cell: cell.seed)]
            rows.append(
                (
                    DETECTIONS[detection],
                    ", ".join(lists[0][:_SHOWN]) if lists else "not run here",
                    ", ".join(published),
                    f"{_shared(published, lists)} of {len(published)}" if lists else "",
                    _overlap(lists),
                    *cell_columns(line, runs),
                )
            )
        head = (
            "detection",
            "ours, first seed",
            "the paper's",
            "of these in ours",
            "overlap",
            "cells",
            "run at",
        )
        blocks.append(Block(f"{NAMES[corpus]}, {how}", head, tuple(rows)))
    return blocks


def _sentence_blocks(chosen: _Select, runs: int, how: str, corpora: tuple[str, ...]) -> list[Block]:
    before, after = (chosen(corpora[0], PUBLISHED, key) for key in (BIASED, "centroid"))
    rows = []
    for number, (sentence, (was, became)) in enumerate(BSW_TABLE_8.items()):
        name = EXAMPLE.format(number)
        rows.append(
            (
                sentence,
                mean_and_std(before, name, 3),
                f"{was:.3f}",
                mean_and_std(after, name, 3),
                f"{became:.3f}",
                *cell_columns(after, runs),
            )
        )
    head = ("sentence", "before", "published", "after", "published", "cells", "run at")
    return [Block(f"p(hateful), learnt from {NAMES[TALK_PAGES]}, {how}", head, tuple(rows))]


_BLOCKS: Mapping[str, Callable[[_Select, int, str, tuple[str, ...]], list[Block]]] = {
    "bsw-3": _word_blocks,
    "bsw-4": _bias_blocks,
    "bsw-5": _fair_blocks,
    "bsw-6": _bias_blocks,
    "bsw-8": _sentence_blocks,
}


def _head(figures: Sequence[_Column]) -> list[str]:
    return [
        title
        for figure in figures
        for title in (figure.title, *(("published",) if figure.published is not None else ()))
    ]


def _figures(
    figures: Sequence[_Column], cells: Sequence[ResultCell], published: Sequence[float]
) -> list[str]:
    line: list[str] = []
    for number, figure in enumerate(figures):
        line.append(mean_and_std(cells, figure.name, figure.digits) if cells or number else "not run here")
        if figure.published is not None:
            line.append(f"{published[figure.published]:.{figure.digits}f}" if published else "–")
    return line


def _mean(cells: Sequence[ResultCell], name: str) -> float | None:
    values = [cell.values[name] for cell in cells if name in cell.values]
    return fmean(values) if values else None


def _change(mean: float | None, base: float | None) -> str:
    """Relative change from the mean of the biased classifier, in percent."""
    return f"{100 * (mean - base) / base:+.0f}%" if mean is not None and base else ""


def _shared(published: Sequence[str], lists: Sequence[Sequence[str]]) -> str:
    """How many of the published words are in the list of each seed."""
    counts = sorted({len(set(published) & set(words)) for words in lists})
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _overlap(lists: Sequence[Sequence[str]]) -> str:
    """Jaccard overlap of the lists of two seeds, the mean over pairs of seeds."""
    pairs = [(set(one), set(other)) for one, other in combinations(lists, 2)]
    return (
        f"{fmean(len(one & other) / max(1, len(one | other)) for one, other in pairs):.2f}" if pairs else ""
    )
