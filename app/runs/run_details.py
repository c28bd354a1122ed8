"""One run in full (curves, metrics, request, files, log), or several compared."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from app.runs.curves import RunCurves
from app.runs.evaluation_charts import ConfusionMatrix, PublishedTable, ReliabilityDiagram
from app.runs.recipes import recipe_title, scale_title
from app.runs.run_status import explained, figure, lasted, metric_title, short, status_word, title
from app.runs.store_queries import Told
from app.widgets.form_fields import ScrolledParts
from app.widgets.labels import WrapLabel, scaled
from app.widgets.read_only_table import PlainTable
from core.i18n import ntr, tr
from core.runs.comparison import Comparison, compare
from core.runs.types import Run

# One run in full: its curves, its figures, what it was asked and made of, the end of its log.


class RunDetails(QWidget):
    """Shows a run on four tabs."""

    def __init__(self) -> None:
        super().__init__()
        self._title, self._why = WrapLabel(), WrapLabel(muted=True)
        self._title.setFont(scaled(self.font(), 1.0, bold=True))
        self.curves = RunCurves()
        self.figures, self.facts = ScrolledParts(tr("Figures")), ScrolledParts(tr("Settings and files"))
        self.log = QPlainTextEdit()
        self.log.setReadOnly(True)
        self.log.setTabChangesFocus(True)
        self.log.setAccessibleName(tr("End of the log"))
        self.log.setPlaceholderText(tr("The run has written nothing to its log."))
        self.log.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("The chosen run"))
        pages = (
            (tr("Curves"), self.curves),
            (self.figures.accessibleName(), self.figures),
            (self.facts.accessibleName(), self.facts),
            (tr("Log"), self.log),
        )
        for name, page in pages:
            self.tabs.addTab(page, name)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        for widget in (self._title, self._why):
            column.addWidget(widget)
        column.addWidget(self.tabs, 1)

    @property
    def why(self) -> str:
        """Why the run stands as it does, as shown."""
        return self._why.accessibleName()

    def show_run(self, told: Told) -> None:
        """Show this run in the place of the one before."""
        self._title.setText(title(told.run))
        self._why.setText(explained(told.run))
        self._why.setVisible(bool(explained(told.run)))
        self.curves.show_runs([told])
        self.figures.show_parts(_figures(told))
        self.facts.show_parts(_facts(told))
        self.log.setPlainText(told.log)
        self.log.moveCursor(self.log.textCursor().MoveOperation.End)


def _figures(told: Told) -> list[tuple[str, QWidget]]:
    parts: list[tuple[str, QWidget]] = []
    if told.problem:
        parts.append(("", _sentence(told.problem)))
    if told.run.result:
        table = PlainTable(tr("Result"))
        rows = [(metric_title(name), figure(value)) for name, value in told.run.result.items()]
        table.show_rows((tr("Metric"), tr("Value")), rows)
        parts.append((tr("Result"), table))
    if told.figures.published:
        published = PublishedTable()
        published.show_figures(told.figures.published)
        parts.append((tr("Published figures beside ours"), published))
    for matrix in told.figures.confusion:
        cells = ConfusionMatrix()
        cells.show_matrix(matrix)
        parts.append((cells.accessibleName(), cells))
    for one in told.figures.reliability:
        diagram = ReliabilityDiagram()
        diagram.show_diagram(one)
        parts.append((diagram.accessibleName(), diagram))
    return parts or [("", _sentence(tr("The run has told no figures yet.")))]


def _facts(told: Told) -> list[tuple[str, QWidget]]:
    run = told.run
    made = [(one.path, f"{one.size:,}", one.sha256) for one in told.artefacts]
    tables = (
        (tr("Run"), (tr("What"), tr("Value")), _about(run)),
        (tr("Settings"), (tr("Setting"), tr("Value")), [(n, str(v)) for n, v in run.settings.items()]),
        (tr("Corpora that were read"), (tr("File"), "SHA-256"), [*run.data.items()]),
        (tr("Files that it made"), (tr("File"), tr("Bytes"), "SHA-256"), made),
    )
    parts: list[tuple[str, QWidget]] = []
    for name, head, rows in tables:
        if rows:
            table = PlainTable(name)
            table.show_rows(head, rows, right={1} if len(head) == 3 else ())
            parts.append((name, table))
    return parts


def _about(run: Run) -> list[tuple[str, str]]:
    ended = "" if run.ended_at is None else _moment(run.ended_at.astimezone().isoformat(sep=" "))
    rows = (
        (tr("Id"), run.id),
        (tr("Status"), status_word(run.status)),
        (tr("Message"), run.message),
        (tr("Recipe"), recipe_title(run.recipe)),
        (tr("Scale"), scale_title(run.scale)),
        (tr("Base"), run.base),
        (tr("Device"), run.device),
        (tr("Seed"), str(run.seed)),
        (tr("Program"), run.code),
        (tr("Begun"), _moment(run.made_at.astimezone().isoformat(sep=" "))),
        (tr("Ended"), ended),
        (tr("Time"), lasted(run.seconds)),
        (tr("Step"), f"{run.step:,} / {run.steps:,}" if run.steps else ""),
        (tr("Folder"), str(run.folder)),
    )
    return [row for row in rows if row[1]]


def _moment(text: str) -> str:
    """A moment to the second, without its zone."""
    return text[:19]


def _sentence(text: str) -> WrapLabel:
    said = WrapLabel(muted=True)
    said.setText(text)
    return said


# Several runs: their curves over each other, and what differs between them.


_DIGITS = 12


class SeveralRuns(QWidget):
    """Shows runs on two tabs; the first one is what the others are held against."""

    def __init__(self) -> None:
        super().__init__()
        self._title = WrapLabel()
        self._title.setFont(scaled(self.font(), 1.0, bold=True))
        self.curves = RunCurves()
        self.table = PlainTable(tr("Comparison"))
        page = ScrolledParts(tr("Comparison"))
        page.show_parts([("", self.table)])
        self.tabs = QTabWidget()
        self.tabs.setAccessibleName(tr("The chosen runs"))
        self.tabs.addTab(self.curves, tr("Curves"))
        self.tabs.addTab(page, tr("Comparison"))
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(self._title)
        whole.addWidget(self.tabs, 1)

    def show_runs(self, told: Sequence[Told]) -> None:
        """Show these in the place of those before."""
        words = ntr("{n} run", "{n} runs", len(told)).format(n=len(told))
        self._title.setText(words)
        self.curves.show_runs(told)
        found = compare([one.run for one in told])
        head = [tr("What"), *(f"{recipe_title(run.recipe)} {short(run)}" for run in found.runs)]
        self.table.show_rows(head, compared(found), right=set(range(1, len(head))))


def compared(found: Comparison) -> list[list[str]]:
    """A comparison in rows: settings and corpora that differ, then metrics with their distance from the first run."""
    rows = [[row.name, *(value or "–" for value in row.values)] for row in found.settings]
    rows += [[row.name, *(value[:_DIGITS] or "–" for value in row.values)] for row in found.data]
    for metric in found.metrics:
        cells = [
            _cell(value, difference)
            for value, difference in zip(metric.values, metric.differences, strict=True)
        ]
        rows.append([metric_title(metric.name), *cells])
    return rows


def _cell(value: float | None, difference: float | None) -> str:
    if value is None:
        return "–"
    return figure(value) + (f" ({difference:+.4f})" if difference else "")
