"""The evaluation of a run: confusion matrix, reliability diagram, and comparison with published values."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath, QPalette, QPen
from PySide6.QtWidgets import QWidget

from app.charts.base_charts import Chart
from app.widgets.labels import format_percent, scaled_font, to_single_line
from app.widgets.plain_text import plain_text
from app.widgets.read_only_table import ReadOnlyTable
from app.widgets.theme import is_high_contrast
from core.i18n import ntr, tr
from core.runs.metrics import ConfusionCounts, PublishedMetric, Reliability, ReliabilityBin


class PublishedTable(ReadOnlyTable):
    """A row per value: name, metric, ours, published, difference, and the source in the paper."""

    def __init__(self) -> None:
        super().__init__(tr("Comparison with published values"))

    def show_values(self, values: Sequence[PublishedMetric]) -> None:
        """Replace the rows."""
        head = (tr("What"), tr("Metric"), tr("This run"), tr("Published"), tr("Difference"), tr("Source"))
        self.show_rows(head, [_row(entry) for entry in values], right={2, 3, 4})


def _row(entry: PublishedMetric) -> tuple[str, ...]:
    difference = f"{entry.ours - entry.published:+.3f}"
    return entry.name, entry.metric, f"{entry.ours:.3f}", f"{entry.published:.3f}", difference, entry.source


_MAX_ALPHA = 110
"""Alpha (of 255) of a cell that holds all of its row; text on it keeps its contrast."""


class ConfusionMatrix(ReadOnlyTable):
    """A row per true label, a column per predicted one; the diagonal is bold, and shades show the share of the row."""

    def __init__(self) -> None:
        super().__init__("")
        self._matrix: ConfusionCounts | None = None

    def show_matrix(self, matrix: ConfusionCounts) -> None:
        """Show another matrix."""
        self._matrix = matrix
        title = tr("Confusion matrix: {name}").format(name=to_single_line(matrix.name))
        self.setAccessibleName(title)
        self.setAccessibleDescription(describe_confusion(matrix))
        head = [tr("True ↓ Predicted →"), *matrix.labels, tr("All")]
        rows = [
            [label, *(_format_cell(count, sum(row)) for count in row), f"{sum(row):,}"]
            for label, row in zip(matrix.labels, matrix.counts, strict=True)
        ]
        self.show_rows(head, rows, right=set(range(1, len(head))))
        self._apply_theme()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._apply_theme()

    def _apply_theme(self) -> None:
        if self._matrix is None:
            return
        bold = scaled_font(self.font(), 1.0, bold=True)
        for row, counts in enumerate(self._matrix.counts):
            for column, count in enumerate(counts):
                item = self.item(row, column + 1)
                assert item is not None
                if row == column:
                    item.setFont(bold)
                item.setBackground(self._share_color(count / sum(counts) if sum(counts) else 0.0))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, _cell_text(self._matrix, row, column))
            for column in (0, len(counts) + 1):
                item = self.item(row, column)
                assert item is not None
                item.setBackground(self.palette().color(QPalette.ColorRole.AlternateBase))

    def _share_color(self, share: float) -> QColor:
        colour = QColor(self.palette().color(QPalette.ColorRole.Accent))
        plain = is_high_contrast(self.palette())
        colour.setAlpha(0 if plain else round(share * (_MAX_ALPHA)))
        return colour


def describe_confusion(matrix: ConfusionCounts) -> str:
    """The matrix in one sentence per true label."""
    sentences = []
    for at, (label, row) in enumerate(zip(matrix.labels, matrix.counts, strict=True)):
        total = sum(row)
        template = ntr(
            "{label}: {n} case, {share} predicted correctly.",
            "{label}: {n} cases, {share} predicted correctly.",
            total,
        )
        sentences.append(
            template.format(label=to_single_line(label), n=f"{total:,}", share=_format_share(row[at], total))
        )
    return " ".join(sentences)


def _format_cell(count: int, total: int) -> str:
    return f"{count:,} ({_format_share(count, total)})"


def _format_share(count: int, total: int) -> str:
    return format_percent(count / total) if total else "–"


def _cell_text(matrix: ConfusionCounts, row: int, column: int) -> str:
    counts = matrix.counts[row]
    sentences = tr("true {gold}, predicted {found}: {count}, {share} of the row")
    return sentences.format(
        gold=to_single_line(matrix.labels[row]),
        found=to_single_line(matrix.labels[column]),
        count=f"{counts[column]:,}",
        share=_format_share(counts[column], sum(counts)),
    )


_Role = QPalette.ColorRole
_SIDE = 190.0
_DOT = 4.0


class ReliabilityDiagram(Chart):
    """Accuracy per confidence bin; on the dashed diagonal both are equal."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._diagram = Reliability("", (), 0.0)
        super().__init__(parent)

    def preferred_height(self) -> int:
        """A square with a line above and two below."""
        return round(_SIDE + 3.4 * self.line_height() + 8)

    def show_diagram(self, diagram: Reliability) -> None:
        """Show another diagram."""
        self._diagram = diagram
        self.setAccessibleName(tr("Reliability: {name}").format(name=to_single_line(diagram.name)))
        self.setAccessibleDescription(describe_reliability(diagram))
        self.setToolTip(plain_text(describe_reliability(diagram)))
        self.redraw()

    def draw(self, width: float, _height: float) -> None:
        """Draw frame, bars, diagonal and the calibration error."""
        left, top = self.text_width("100%") + 8, self.line_height() * 1.2
        side = max(60.0, min(_SIDE, width - left - 8))
        error = tr("calibration error {error:.3f}").format(error=self._diagram.error)
        self.add_text(self.elide(error, width - left), QPointF(left, 0), anchor=(0, 0), muted=True)
        frame = QRectF(left, top, side, side)
        for entry in self._diagram.bins:
            if entry.count:
                self._draw_bin(frame, entry)
        self._draw_frame(frame)

    def _draw_bin(self, frame: QRectF, entry: ReliabilityBin) -> None:
        x, bin_width = (
            frame.left() + frame.width() * entry.low,
            frame.width() * (entry.high - entry.low),
        )
        bar_height = frame.height() * entry.share
        bar = QRectF(x + 1, frame.bottom() - bar_height, max(2.0, bin_width - 2), bar_height)
        accent = self.colour(_Role.Accent)
        filled = self.colour(_Role.Accent)
        filled.setAlpha(110)
        self.add_bar(bar, filled, pen=QPen(accent, 1))
        dot = QPainterPath()
        dot.addEllipse(QPointF(frame.left() + frame.width() * entry.confidence, bar.top()), _DOT, _DOT)
        self.add_shape(dot, brush=accent, pen=QPen(self.colour(_Role.Base), 1))

    def _draw_frame(self, frame: QRectF) -> None:
        diagonal_pen = QPen(self.colour(_Role.WindowText), 1.2, Qt.PenStyle.DashLine)
        self.add_line(frame.bottomLeft(), frame.topRight(), diagonal_pen)
        edge = QPainterPath()
        edge.addRect(frame)
        self.add_shape(edge, brush=QBrush(Qt.BrushStyle.NoBrush), pen=self.line_pen())
        for share in (0.0, 0.5, 1.0):
            y = frame.bottom() - frame.height() * share
            self.add_text(format_percent(share), QPointF(frame.left() - 6, y), anchor=(1, 0.5), muted=True)
            x = frame.left() + frame.width() * share
            self.add_text(
                format_percent(share), QPointF(x, frame.bottom() + 3), anchor=(share, 0), muted=True
            )
        below = QPointF(frame.center().x(), frame.bottom() + 3 + self.line_height())
        self.add_text(tr("confidence; bars: accuracy"), below, anchor=(0.5, 0), muted=True)


def describe_reliability(diagram: Reliability) -> str:
    """The diagram as text: the error and each bin with its values."""
    sentences = [tr("Calibration error {error:.3f}.").format(error=diagram.error)]
    for entry in diagram.bins:
        if entry.count:
            template = ntr(
                "{n} answer with a confidence of {low} to {high}: mean {mean}, {share} correct.",
                "{n} answers with a confidence of {low} to {high}: mean {mean}, {share} correct.",
                entry.count,
            )
            sentences.append(
                template.format(
                    n=f"{entry.count:,}",
                    low=format_percent(entry.low),
                    high=format_percent(entry.high),
                    mean=format_percent(entry.confidence),
                    share=format_percent(entry.share),
                )
            )
    return "\n".join(sentences)
