"""The view of one training run: stage, progress, time left, curves, log and commands."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QColor, QFont, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QBoxLayout, QPlainTextEdit, QProgressBar, QWidget

from app.models.app_context import AppContext
from app.runs.curves import CurvePlot, Series
from app.runs.run_monitor import MonitorStrings, RunMonitor
from app.runs.run_progress import CurveData, LogLine
from app.runs.run_strings import describe_outcome, describe_position, main_results, run_title, time_left
from app.widgets.flow_layout import FlowLayout
from app.widgets.form_fields import make_button
from app.widgets.labels import WrapLabel, to_single_line
from app.widgets.layouts import make_column
from app.widgets.theme import is_dark
from core.i18n import tr
from core.runs.folder import has_bundle
from core.runs.types import Run, Status

_MAX_LINES = 1000
_VISIBLE_LINES = 8
_MAX_LINE_CHARACTERS = 600
_ERROR_COLOURS = ("#a32617", "#ff9d8c")


class LogView(QPlainTextEdit):
    """The log. It scrolls along unless the person has scrolled up; errors and warnings are bold and labelled."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._shown: list[LogLine] = []
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setMaximumBlockCount(_MAX_LINES)
        self.setAccessibleName(tr("Log of the training run"))
        self.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.setMaximumHeight(_VISIBLE_LINES * self.fontMetrics().lineSpacing() + 12)

    def show_lines(self, lines: Sequence[LogLine]) -> None:
        """Show these lines; only new ones are appended."""
        shown_count = len(self._shown)
        if self._shown != list(lines[:shown_count]):
            self.clear()
            shown_count = 0
        new_lines = lines[shown_count:]
        self._shown = list(lines)
        if not new_lines:
            return
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for line in new_lines[-_MAX_LINES:]:
            if not self.document().isEmpty():
                cursor.insertBlock()
            cursor.insertText(_line_text(line), self._line_format(line))
        cursor.endEditBlock()
        if at_end:
            bar.setValue(bar.maximum())

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._shown:
            lines, self._shown = self._shown, []
            self.clear()
            self.show_lines(lines)

    def _line_format(self, line: LogLine) -> QTextCharFormat:
        char_format = QTextCharFormat()
        if line.kind != "plain":
            char_format.setFontWeight(QFont.Weight.Bold)
        if line.kind == "error":
            char_format.setForeground(QColor(_ERROR_COLOURS[is_dark(self.palette())]))
        return char_format


def _line_text(line: LogLine) -> str:
    text = to_single_line(line.text)[:_MAX_LINE_CHARACTERS]
    match line.kind:
        case "error":
            return tr("Error: {text}").format(text=text)
        case "warning":
            return tr("Warning: {text}").format(text=text)
    return text


_TEXTS = MonitorStrings(
    title=run_title,
    outcome=describe_outcome,
    pause_tip=tr("Saves a checkpoint and stops the process"),
    cancel_tip=tr("Ends the training run permanently"),
    cancel_title=tr("Cancel the training run"),
    cancel_question=tr(
        "Cancel this training run? What it has learned so far is lost. The model in use does not change."
    ),
    background_note=tr(
        "The run continues when this window or Evenhand is closed. Open this page again to see it."
    ),
)
_NARROW_WIDTH = 560
_MAX_SCORES = 6


class TrainingView(RunMonitor):
    """Shows one run, running or ended.

    ``use_requested`` and ``show_requested`` carry its id; ``form_requested``: show the form.
    """

    use_requested = Signal(str)
    show_requested = Signal(str)
    form_requested = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(context, _TEXTS, parent)
        self.follower.updated.connect(self._update)
        self.status_changed.connect(self._update_status)
        self._position, self._time_left = WrapLabel(), WrapLabel()
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Steps of this stage"))
        self.loss = CurvePlot(title=tr("Loss on the training data"))
        self.scores = CurvePlot(title=tr("Scores on the dev data"))
        self.log = LogView()
        self._results = WrapLabel()
        self.buttons |= {
            "use": make_button(tr("Use this model"), self._emit_id(self.use_requested)),
            "show": make_button(tr("Show in runs"), self._emit_id(self.show_requested)),
            "form": make_button(tr("New training run"), self.form_requested.emit),
        }
        self._lay_out()

    @property
    def results_text(self) -> str:
        """The results as shown."""
        return self._results.accessibleName() if not self._results.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show and follow a run; ``process`` if this app started it."""
        self._show(run, process)
        self._update_charts()
        self._update_status()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow view the charts are below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._charts.setDirection(ways.TopToBottom if self.width() < _NARROW_WIDTH else ways.LeftToRight)

    def _lay_out(self) -> None:
        self._charts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._charts.setSpacing(16)
        self._charts.addWidget(self.loss, 1)
        self._charts.addWidget(self.scores, 1)
        buttons = QWidget()
        row = FlowLayout(spacing=6)
        buttons.setLayout(row)
        for button in self.buttons.values():
            row.addWidget(button)
        make_column(
            self._title,
            self._state,
            self._results,
            self._position,
            self.bar,
            self._time_left,
            buttons,
            self._background_note,
            (self._charts, 1),
            self.log,
            parent=self,
            spacing=8,
        )

    # Display

    def _update(self) -> None:
        self._update_charts()
        self._update_status()

    def _update_charts(self) -> None:
        progress = self.follower.progress
        self.loss.show_series([_make_series(name, line) for name, line in progress.losses.items()])
        scores = [*progress.scores.items()][:_MAX_SCORES]
        self.scores.show_series([_make_series(name.replace("_", " "), line) for name, line in scores])
        self.log.show_lines(progress.log)

    def _update_status(self) -> None:
        run, progress = self.run, self.follower.progress
        if run is None:
            return
        is_running = self.is_running
        self._update_state()
        self._position.show_text(describe_position(progress) if is_running or progress.stage else "")
        self._time_left.show_text(time_left(progress) if is_running else "")
        self.bar.setVisible(is_running or progress.steps > 0)
        self.bar.setRange(0, progress.steps if progress.steps or not is_running else 0)
        self.bar.setValue(min(progress.step, progress.steps))
        message = main_results(run.result) if run.status is Status.FINISHED else []
        self._results.setText("  ·  ".join(f"{name} {value}" for name, value in message))
        self._results.setVisible(bool(message))
        if self._start_error:
            self.log.show_lines([LogLine("error", self._start_error)])
        self.buttons["use"].setVisible(run.status is Status.FINISHED and has_bundle(run))
        self.buttons["show"].setVisible(not is_running and not self._start_error)
        self.buttons["form"].setText(tr("Show the form") if is_running else tr("New training run"))


def _make_series(name: str, line: CurveData) -> Series:
    return Series(name, line.xs, line.ys)
