"""The details of one run (curves, metrics, request, files, log), or a comparison of several."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QTabWidget, QWidget

from app.runs.curves import MetricCurves
from app.runs.evaluation_charts import ConfusionMatrix, PublishedTable, ReliabilityDiagram
from app.runs.run_status import (
    explain_status,
    format_duration,
    format_metric,
    metric_title,
    recipe_title,
    run_summary,
    scale_title,
    short_id,
    status_text,
)
from app.runs.store_queries import RunRecord
from app.widgets.form_fields import ScrollingSections, make_text_view
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column
from app.widgets.read_only_table import ReadOnlyTable
from core.i18n import ntr, tr
from core.runs.comparison import RunComparison, compare_runs
from core.runs.types import Run


class RunDetails(QWidget):
    """One run on four tabs."""

    def __init__(self) -> None:
        super().__init__()
        self._title, self._explanation = WrapLabel(), WrapLabel(muted=True)
        self._title.setFont(scaled_font(self.font(), 1.0, bold=True))
        self.curves = MetricCurves()
        self.metrics, self.facts = (
            ScrollingSections(tr("Metrics")),
            ScrollingSections(tr("Settings and files")),
        )
        self.log = make_text_view(tr("End of the log"), fixed_font=True)
        self.log.setPlaceholderText(tr("The log of the run is empty."))
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("The selected run"))
        pages = (
            (tr("Curves"), self.curves),
            (self.metrics.accessibleName(), self.metrics),
            (self.facts.accessibleName(), self.facts),
            (tr("Log"), self.log),
        )
        for name, page in pages:
            self.tabs.addTab(page, name)
        make_column(self._title, self._explanation, (self.tabs, 1), parent=self, spacing=4)

    @property
    def explanation(self) -> str:
        """The explanation of the status as shown."""
        return self._explanation.accessibleName()

    def show_run(self, record: RunRecord) -> None:
        """Show another run."""
        self._title.setText(run_summary(record.run))
        self._explanation.show_text(explain_status(record.run))
        self.curves.show_runs([record])
        self.metrics.show_sections(_metric_sections(record))
        self.facts.show_sections(_fact_sections(record))
        self.log.setPlainText(record.log)
        self.log.moveCursor(self.log.textCursor().MoveOperation.End)


def _metric_sections(record: RunRecord) -> list[tuple[str, QWidget]]:
    parts: list[tuple[str, QWidget]] = []
    if record.problem:
        parts.append(("", WrapLabel(record.problem, muted=True)))
    if record.run.result:
        table = ReadOnlyTable(tr("Result"))
        rows = [(metric_title(name), format_metric(value)) for name, value in record.run.result.items()]
        table.show_rows((tr("Metric"), tr("Value")), rows)
        parts.append((tr("Result"), table))
    if record.metrics.published:
        published = PublishedTable()
        published.show_values(record.metrics.published)
        parts.append((tr("Comparison with published values"), published))
    for matrix in record.metrics.confusion:
        cells = ConfusionMatrix()
        cells.show_matrix(matrix)
        parts.append((cells.accessibleName(), cells))
    for one in record.metrics.reliability:
        diagram = ReliabilityDiagram()
        diagram.show_diagram(one)
        parts.append((diagram.accessibleName(), diagram))
    return parts or [("", WrapLabel(tr("The run has no metrics yet."), muted=True))]


def _fact_sections(record: RunRecord) -> list[tuple[str, QWidget]]:
    run = record.run
    files = [(one.path, f"{one.size:,}", one.sha256) for one in record.artefacts]
    tables = (
        (tr("Run"), (tr("What"), tr("Value")), _run_rows(run)),
        (tr("Settings"), (tr("Setting"), tr("Value")), [(n, str(v)) for n, v in run.settings.items()]),
        (tr("Corpora"), (tr("File"), "SHA-256"), [*run.data.items()]),
        (tr("Files of the run"), (tr("File"), tr("Bytes"), "SHA-256"), files),
    )
    parts: list[tuple[str, QWidget]] = []
    for name, head, rows in tables:
        if rows:
            table = ReadOnlyTable(name)
            table.show_rows(head, rows, right={1} if len(head) == 3 else ())
            parts.append((name, table))
    return parts


def _run_rows(run: Run) -> list[tuple[str, str]]:
    ended = "" if run.ended_at is None else _to_seconds(run.ended_at.astimezone().isoformat(sep=" "))
    rows = (
        (tr("ID"), run.id),
        (tr("Status"), status_text(run.status)),
        (tr("Message"), run.message),
        (tr("Recipe"), recipe_title(run.recipe)),
        (tr("Scale"), scale_title(run.scale)),
        (tr("Base"), run.base),
        (tr("Device"), run.device),
        (tr("Seed"), str(run.seed)),
        (tr("Program"), run.code),
        (tr("Started"), _to_seconds(run.made_at.astimezone().isoformat(sep=" "))),
        (tr("Ended"), ended),
        (tr("Time"), format_duration(run.seconds)),
        (tr("Step"), f"{run.step:,} / {run.steps:,}" if run.steps else ""),
        (tr("Folder"), str(run.folder)),
    )
    return [row for row in rows if row[1]]


def _to_seconds(text: str) -> str:
    """A time without fractions and time zone."""
    return text[:19]


_HASH_DIGITS = 12


class RunComparisonView(QWidget):
    """Several runs on two tabs, compared with the first one."""

    def __init__(self) -> None:
        super().__init__()
        self._title = WrapLabel(bold=True)
        self.curves = MetricCurves()
        self.table = ReadOnlyTable(tr("Comparison"))
        page = ScrollingSections(tr("Comparison"))
        page.show_sections([("", self.table)])
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("The selected runs"))
        self.tabs.addTab(self.curves, tr("Curves"))
        self.tabs.addTab(page, tr("Comparison"))
        make_column(self._title, (self.tabs, 1), parent=self, spacing=4)

    def show_runs(self, record: Sequence[RunRecord]) -> None:
        """Show other runs."""
        words = ntr("{n} run", "{n} runs", len(record)).format(n=len(record))
        self._title.setText(words)
        self.curves.show_runs(record)
        comparison = compare_runs([one.run for one in record])
        head = [tr("What"), *(f"{recipe_title(run.recipe)} {short_id(run)}" for run in comparison.runs)]
        self.table.show_rows(head, comparison_rows(comparison), right=set(range(1, len(head))))


def comparison_rows(comparison: RunComparison) -> list[list[str]]:
    """Rows of differing settings and corpora, then metrics with their difference from the first run."""
    rows = [[row.name, *(value or "–" for value in row.values)] for row in comparison.settings]
    rows += [[row.name, *(value[:_HASH_DIGITS] or "–" for value in row.values)] for row in comparison.data]
    for metric in comparison.metrics:
        cells = [
            _cell(value, difference)
            for value, difference in zip(metric.values, metric.differences, strict=True)
        ]
        rows.append([metric_title(metric.name), *cells])
    return rows


def _cell(value: float | None, difference: float | None) -> str:
    if value is None:
        return "–"
    return format_metric(value) + (f" ({difference:+.4f})" if difference else "")
