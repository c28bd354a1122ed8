"""A confusion matrix as a table: counts and shares of a row in every cell, a ground as strong as the share."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QTableWidgetItem

from app.parts.labels import percent, scaled, showable
from app.parts.theme import is_stark
from app.training.plain_table import PlainTable
from core.language import ntr, tr
from core.runs.figures import Confusion

_STRONGEST = 110
"""Of 255, how opaque the ground of a whole row in one cell is: text on it keeps its contrast."""


class ConfusionMatrix(PlainTable):
    """A row for each label that is right, a column for each that was found; what agrees is bold."""

    def __init__(self) -> None:
        super().__init__("")
        self._matrix = Confusion("", (), ())

    def show_matrix(self, matrix: Confusion) -> None:
        """Show this one in the place of the one before."""
        self._matrix = matrix
        title = tr("Confusion matrix: {name}").format(name=showable(matrix.name))
        self.setAccessibleName(title)
        self.setAccessibleDescription(told(matrix))
        head = [tr("Right ↓ Found →"), *matrix.labels, tr("All")]
        rows = [
            [label, *(_cell(count, sum(row)) for count in row), f"{sum(row):,}"]
            for label, row in zip(matrix.labels, matrix.counts, strict=True)
        ]
        self.show_rows(head, rows, right=set(range(1, len(head))))
        self._dress()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def _dress(self) -> None:
        bold = scaled(self.font(), 1.0, bold=True)
        for row, counts in enumerate(self._matrix.counts):
            for column, count in enumerate(counts):
                item = self.item(row, column + 1)
                if row == column:
                    item.setFont(bold)
                item.setBackground(self._ground(count / sum(counts) if sum(counts) else 0.0))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, _spoken(self._matrix, row, column))
            self._quiet(self.item(row, 0))
            self._quiet(self.item(row, len(counts) + 1))

    def _ground(self, share: float) -> QColor:
        colour = QColor(self.palette().color(QPalette.ColorRole.Accent))
        plain = is_stark(self.palette())
        colour.setAlpha(0 if plain else round(share * (_STRONGEST)))
        return colour

    def _quiet(self, item: QTableWidgetItem) -> None:
        item.setBackground(self.palette().color(QPalette.ColorRole.AlternateBase))


def told(matrix: Confusion) -> str:
    """The matrix in a sentence for each label that is right."""
    said = []
    for at, (label, row) in enumerate(zip(matrix.labels, matrix.counts, strict=True)):
        whole = sum(row)
        words = ntr("{label}: {n} case, found {share}.", "{label}: {n} cases, found {share}.", whole)
        said.append(words.format(label=showable(label), n=f"{whole:,}", share=_share(row[at], whole)))
    return " ".join(said)


def _cell(count: int, whole: int) -> str:
    return f"{count:,} ({_share(count, whole)})"


def _share(count: int, whole: int) -> str:
    return percent(count / whole) if whole else "–"


def _spoken(matrix: Confusion, row: int, column: int) -> str:
    counts = matrix.counts[row]
    said = tr("right {gold}, found {found}: {count}, {share} of the row")
    return said.format(
        gold=showable(matrix.labels[row]),
        found=showable(matrix.labels[column]),
        count=f"{counts[column]:,}",
        share=_share(counts[column], sum(counts)),
    )
