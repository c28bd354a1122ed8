"""One run in full: its curves, its figures, what it was asked and made of, the end of its log."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QPlainTextEdit, QTabWidget, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel, scaled
from app.training.confusion_matrix import ConfusionMatrix
from app.training.history_curves import RunCurves
from app.training.history_reading import Told
from app.training.history_words import explained, figure, lasted, metric_title, title
from app.training.plain_table import PlainTable
from app.training.published_table import PublishedTable
from app.training.recipes import recipe_title, scale_title
from app.training.reliability_diagram import ReliabilityDiagram
from app.training.scrolled_parts import ScrolledParts
from app.training.status_marks import status_word
from core.language import tr
from core.runs.model import Run


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
