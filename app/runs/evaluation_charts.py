"""The evaluation of a run: confusion matrix, reliability diagram, and published results beside its own."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPalette, QPen
from PySide6.QtWidgets import QTableWidgetItem, QWidget

from app.charts.base_charts import Chart
from app.widgets.labels import percent, scaled, showable
from app.widgets.read_only_table import PlainTable
from app.widgets.theme import is_stark
from core.i18n import ntr, tr
from core.runs.metrics import Bin, Confusion, Published, Reliability

# What papers have published beside what a run has reached.


class PublishedTable(PlainTable):
    """A row a figure: what, which metric, ours, published, how far ours lies above, and the paper's table."""

    def __init__(self) -> None:
        super().__init__(tr("Published figures beside ours"))

    def show_figures(self, figures: Sequence[Published]) -> None:
        """Show these in the place of those before."""
        head = (tr("What"), tr("Metric"), tr("Ours"), tr("Published"), tr("Difference"), tr("Source"))
        self.show_rows(head, [_row(one) for one in figures], right={2, 3, 4})


def _row(one: Published) -> tuple[str, ...]:
    difference = f"{one.ours - one.published:+.3f}"
    return one.name, one.metric, f"{one.ours:.3f}", f"{one.published:.3f}", difference, one.source


# A confusion matrix as a table: counts and shares of a row in every cell, a ground as strong as the share.


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
        self.setAccessibleDescription(describe_confusion(matrix))
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


def describe_confusion(matrix: Confusion) -> str:
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


# The reliability diagram: how often a confidence was right, beside how sure it was.


_Role = QPalette.ColorRole
_SIDE = 190.0
_DOT = 4.0


class ReliabilityDiagram(Chart):
    """A bar for each bin, as high as the share that was right; on the dashed line both would be the same."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._diagram = Reliability("", (), 0.0)
        super().__init__(parent)

    def wanted_height(self) -> int:
        """A square with a line above and two below it."""
        return round(_SIDE + 3.4 * self.line() + 8)

    def show_diagram(self, diagram: Reliability) -> None:
        """Show this one in the place of the one before."""
        self._diagram = diagram
        self.setAccessibleName(tr("Reliability: {name}").format(name=showable(diagram.name)))
        self.setAccessibleDescription(describe_reliability(diagram))
        self.setToolTip(describe_reliability(diagram))
        self.redraw()

    def draw(self, width: float, _height: float) -> None:
        """Frame, bars, the line of perfect calibration, and the error."""
        left, top = self.advance("100%") + 8, self.line() * 1.2
        side = max(60.0, min(_SIDE, width - left - 8))
        error = tr("calibration error {error:.3f}").format(error=self._diagram.error)
        self.add_text(self.elided(error, width - left), QPointF(left, 0), anchor=(0, 0), muted=True)
        frame = QRectF(left, top, side, side)
        for one in self._diagram.bins:
            if one.count:
                self._draw_bin(frame, one)
        self._draw_frame(frame)

    def _draw_bin(self, frame: QRectF, one: Bin) -> None:
        x, wide = frame.left() + frame.width() * one.low, frame.width() * (one.high - one.low)
        high = frame.height() * one.share
        bar = QRectF(x + 1, frame.bottom() - high, max(2.0, wide - 2), high)
        accent = self.colour(_Role.Accent)
        filled = self.colour(_Role.Accent)
        filled.setAlpha(110)
        self.add_bar(bar, filled, pen=QPen(accent, 1))
        dot = QPainterPath()
        dot.addEllipse(QPointF(frame.left() + frame.width() * one.confidence, bar.top()), _DOT, _DOT)
        self.add_shape(dot, brush=accent, pen=QPen(self.colour(_Role.Base), 1))

    def _draw_frame(self, frame: QRectF) -> None:
        ideal = QPen(self.colour(_Role.WindowText), 1.2, Qt.PenStyle.DashLine)
        self.add_line(frame.bottomLeft(), frame.topRight(), ideal)
        edge = QPainterPath()
        edge.addRect(frame)
        self.add_shape(edge, brush=QBrush(Qt.BrushStyle.NoBrush), pen=self.line_pen())
        for share in (0.0, 0.5, 1.0):
            y = frame.bottom() - frame.height() * share
            self.add_text(percent(share), QPointF(frame.left() - 6, y), anchor=(1, 0.5), muted=True)
            x = frame.left() + frame.width() * share
            self.add_text(percent(share), QPointF(x, frame.bottom() + 3), anchor=(share, 0), muted=True)
        below = QPointF(frame.center().x(), frame.bottom() + 3 + self.line())
        self.add_text(tr("confidence; bars: right"), below, anchor=(0.5, 0), muted=True)


def describe_reliability(diagram: Reliability) -> str:
    """The diagram in words: the error, and each bin that holds something."""
    said = [tr("Calibration error {error:.3f}.").format(error=diagram.error)]
    for one in diagram.bins:
        if one.count:
            words = ntr(
                "{n} answer with a confidence of {low} to {high}: mean {mean}, right {share}.",
                "{n} answers with a confidence of {low} to {high}: mean {mean}, right {share}.",
                one.count,
            )
            said.append(
                words.format(
                    n=f"{one.count:,}",
                    low=percent(one.low),
                    high=percent(one.high),
                    mean=percent(one.confidence),
                    share=percent(one.share),
                )
            )
    return "\n".join(said)
