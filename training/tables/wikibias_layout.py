"""How WIKIBIAS's Tables 5, 6 and 7 are shown: figures in percent beside the paper's, and its ranking pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from training.encoders import ENCODERS
from training.published import WIKIBIAS_TABLE_7
from training.tables.cells import Cell, spread
from training.tables.filling import commands, of_one_scale, run_at
from training.tables.layout import Block, Table
from training.tables.wikibias_ranking import ranking
from training.wikibias.making import NO_ENCODER
from training.wikibias.systems import OWN, ROWS, Row

_TITLES = {
    "wikibias-5": "WIKIBIAS, Table 5: is the sentence biased?",
    "wikibias-6": "WIKIBIAS, Table 6: which kinds of bias are in the sentence?",
    "wikibias-7": "WIKIBIAS, Table 7: which words are biased, and is the sentence?",
}
_PEOPLE = "people"


@dataclass(frozen=True, slots=True)
class _Figure:
    """A column: its title, the value's name, its place among the published figures; ``interval`` adds one for 95%."""

    title: str
    name: str
    published: int | None = None
    interval: bool = False


@dataclass(frozen=True, slots=True)
class _Part:
    """A block: the rows that answer it, and their figures."""

    title: str
    figures: tuple[_Figure, ...]
    rows: Callable[[Row], bool] = lambda _: True


_PARTS: dict[str, tuple[_Part, ...]] = {
    "wikibias-5": (
        _Part(
            "biased or not",
            (
                _Figure("P", "biased_precision", 0),
                _Figure("R", "biased_recall", 1),
                _Figure("F1", "biased_f1", 2, interval=True),
                _Figure("accuracy", "accuracy", 3),
                _Figure("macro-F1", "macro_f1"),
            ),
        ),
    ),
    "wikibias-6": (
        _Part(
            "kinds of bias",
            (
                _Figure("macro-F1", "kinds_macro_f1", 0, interval=True),
                _Figure("framing F1", "framing_f1", 1),
                _Figure("epistemological F1", "epistemological_f1", 2),
                _Figure("demographic F1", "demographic_f1", 3),
            ),
        ),
    ),
    "wikibias-7": (
        _Part(
            "tags of biased source sentences, as the authors count",
            (
                _Figure("exact F1", "authors_exact_f1", 0, interval=True),
                _Figure("partial F1", "authors_partial_f1", 1),
            ),
            lambda row: not row.same,
        ),
        _Part(
            "tags counted strictly: biased source sentences, then all sentences",
            (
                _Figure("exact P", "strict_precision"),
                _Figure("exact R", "strict_recall"),
                _Figure("exact F1", "strict_f1"),
                _Figure("overlap P", "overlap_precision"),
                _Figure("overlap R", "overlap_recall"),
                _Figure("overlap F1", "overlap_f1"),
                _Figure("all: exact F1", "strict_all_f1"),
                _Figure("all: overlap F1", "overlap_all_f1"),
            ),
            lambda row: not row.same,
        ),
        _Part(
            "biased or not",
            (
                _Figure("F1", "biased_f1", 2, interval=True),
                _Figure("accuracy", "accuracy", 3),
            ),
            lambda row: bool(row.same or row.options.get("joint")),
        ),
    ),
}


def lay_out(
    cells: Sequence[Cell], table: str, *, place: tuple[str, str], scale: str, runs: int, notes: Sequence[str]
) -> Table:
    """The table of ``cells``: blocks for each corpus and encoder that has some, those of ``place`` first.

    ``place`` is a corpus and an encoder as cells name them (``Cell.protocol`` and ``Cell.group``); ``runs`` is how
    many seeds a line shall have.
    """
    names = {row.name for row in ROWS[table].values()}
    cells = [cell for cell in cells if cell.row in names]
    others = {(cell.protocol, cell.group) for cell in cells if cell.group != NO_ENCODER} - {place}
    blocks: list[Block] = []
    for corpus, base in (place, *sorted(others)):
        lines = _lines(cells, table, corpus=corpus, base=base, scale=scale)
        where = f"{corpus}, {_encoder(base)}"
        blocks += [_block(part, table, lines, where=where, runs=runs) for part in _PARTS[table]]
        if table == "wikibias-7":
            blocks += ranking(lines, where=where)
    return Table(_TITLES[table], tuple(blocks), (*notes, *_told(cells, table), *commands(cells, table)))


def _lines(cells: Sequence[Cell], table: str, *, corpus: str, base: str, scale: str) -> dict[str, list[Cell]]:
    """The cells of each row, by its key."""
    here = [cell for cell in cells if cell.protocol == corpus and cell.group in (base, NO_ENCODER)]
    return {
        key: of_one_scale([cell for cell in here if cell.row == row.name], scale)
        for key, row in ROWS[table].items()
    }


def _block(part: _Part, table: str, lines: dict[str, list[Cell]], *, where: str, runs: int) -> Block:
    head = ["system"]
    for figure in part.figures:
        head.append(figure.title)
        head += ["95%"] if figure.interval else []
        head += ["published"] if figure.published is not None else []
    rows = [_line(row, part, lines[key], runs=runs) for key, row in ROWS[table].items() if part.rows(row)]
    if table == "wikibias-7" and any(figure.published is not None for figure in part.figures):
        rows.append(_people(part))
    return Block(f"{where}: {part.title}", (*head, "cells", "run at"), tuple(rows))


def _line(row: Row, part: _Part, cells: Sequence[Cell], *, runs: int) -> tuple[str, ...]:
    line = [row.title]
    most = max(runs, len(cells))
    for number, figure in enumerate(part.figures):
        values = [100 * cell.values[figure.name] for cell in cells if figure.name in cell.values]
        line.append(spread(values, 1) if values else "" if cells or number else "not run here")
        if figure.interval:
            line.append(_interval(figure, cells))
        if figure.published is not None:
            line.append(_published(row.published, figure.published, values))
    return (*line, f"{len(cells)} of {most}", run_at(cells) if cells else "")


def _interval(figure: _Figure, cells: Sequence[Cell]) -> str:
    """That of the first seed's answers."""
    ends = (f"{figure.name}_low", f"{figure.name}_high")
    first = min(cells, key=lambda cell: cell.seed, default=None)
    if first is None or any(name not in first.values for name in ends):
        return ""
    low, high = (100 * first.values[name] for name in ends)
    return f"[{low:.1f}, {high:.1f}]"


def _published(figures: Sequence[float | None], place: int, values: Sequence[float]) -> str:
    """The paper's figure and how far ours is from it."""
    figure = figures[place] if figures else None
    if figure is None:
        return "–"
    return f"{figure:.1f} ({sum(values) / len(values) - figure:+.1f})" if values else f"{figure:.1f}"


def _people(part: _Part) -> tuple[str, ...]:
    figures = WIKIBIAS_TABLE_7[_PEOPLE]
    line = ["people (upper bound, quoted)"]
    for figure in part.figures:
        line += ["", ""] if figure.interval else [""]
        line.append(_published(figures, figure.published or 0, ()))
    return (*line, "", "")


def _encoder(base: str) -> str:
    return "the paper's encoders" if base == OWN else ENCODERS[base].title if base in ENCODERS else base


def _told(cells: Sequence[Cell], table: str) -> list[str]:
    """How to read the figures, and in what the cells that are shown differ from the paper."""
    told = [*_NOTES[table]]
    corpora = sorted({(cell.protocol, cell.facts.get("corpus", "")) for cell in cells})
    told += [name if name.startswith(corpus) else f"{corpus}: {name}" for corpus, name in corpora if name]
    if any(cell.protocol == "stand-in" for cell in cells):
        told.append(_STAND_IN_NOTE)
    small = sorted({cell.group for cell in cells} - {OWN, NO_ENCODER})
    if small:
        names = ", ".join(ENCODERS[key].title for key in small if key in ENCODERS)
        told.append(_SMALL_NOTE.format(names=names))
    if any(cell.scale == "cpu" for cell in cells):
        told.append(_CPU_NOTE)
    return told


_STAND_IN_NOTE = (
    "stand-in: WIKIBIAS is not here. Clean parts are WNC's pairs, all in lower case, whose spans are those of Appendix "
    "C's heuristic and not people's; injected pairs stand for AUTO. The figures are not of the paper's test sentences: "
    "how far they are from its own says little."
)
_SMALL_NOTE = (
    "{names}: one encoder for all rows in the place of the paper's BERT-base; where it is lower-cased, tags are read "
    "without capitals, too."
)
_CPU_NOTE = (
    "cpu: two epochs of the noisy part, three of the clean one, two of the clean one after the noisy one, and at most "
    "3,000 sentences of each part (the paper: three, five, three, and all); fresh layers learn ten times as fast."
)
_COMMON = (
    "In percent; ± is the standard deviation over seeds (the paper's are means of three), in brackets how far it is "
    "from the published figure; 95% is the bootstrap interval of the first seed's answers over test sentences.",
    "Settings are those of Appendix D; the epoch with the best figure on dev counts, and nothing is chosen on test.",
)
_NOTES = {
    "wikibias-5": (*_COMMON, "P, R and F1 are those of the biased class."),
    "wikibias-6": (*_COMMON, "Several kinds may be in one sentence; macro-F1 is the mean of the three."),
    "wikibias-7": (
        *_COMMON,
        "exact and partial as the authors' script counts: biased source sentences alone, articles and commas taken "
        "off, BIO mended; partial: a span counts where its last word is a gold span's. Strictly: tags as they are; "
        "overlap: any shared word.",
        "BiLSTM-CNN-CRF and BERT, manual learn from the clean part alone, all others from the noisy one first.",
        "Evenhand's reader is the one that comes with the program, at its own thresholds; where WNC stands in, they "
        "were chosen on this test part.",
    ),
}
