"""One training run while it goes: stage, progress bar, time left, curves, log, and what can be done with it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QColor, QFont, QResizeEvent, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QBoxLayout, QLabel, QPlainTextEdit, QProgressBar, QVBoxLayout, QWidget

from app.models.app_context import Desk
from app.runs.curves import Curves, Series
from app.runs.run_monitor import LivingRun
from app.runs.run_progress import Line, LogLine
from app.runs.run_strings import outcome, results, run_title, time_left, where
from app.widgets.flow_layout import FlowLayout
from app.widgets.form_fields import button
from app.widgets.labels import WrapLabel, scaled, showable
from app.widgets.theme import is_dark
from core.i18n import tr
from core.runs.folder import has_bundle
from core.runs.types import Run, Status

# The log of a training: the newest line in view, errors in bold and named as such.


_MOST_LINES = 1000
_LINES_HIGH = 8
_LONGEST = 600
_ERROR_COLOURS = ("#a32617", "#ff9d8c")


class LogView(QPlainTextEdit):
    """Shows lines as they come; who has scrolled up is not scrolled down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._shown: list[LogLine] = []
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setMaximumBlockCount(_MOST_LINES)
        self.setAccessibleName(tr("Log of the training"))
        self.setMinimumHeight(4 * self.fontMetrics().lineSpacing())
        self.setMaximumHeight(_LINES_HIGH * self.fontMetrics().lineSpacing() + 12)

    def show_lines(self, lines: Sequence[LogLine]) -> None:
        """Show all these lines; what is shown already is kept as it is."""
        known = len(self._shown)
        if self._shown != list(lines[:known]):
            self.clear()
            known = 0
        fresh = lines[known:]
        self._shown = list(lines)
        if not fresh:
            return
        bar = self.verticalScrollBar()
        at_end = bar.value() >= bar.maximum()
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for line in fresh[-_MOST_LINES:]:
            if not self.document().isEmpty():
                cursor.insertBlock()
            cursor.insertText(_worded(line), self._look(line))
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

    def _look(self, line: LogLine) -> QTextCharFormat:
        look = QTextCharFormat()
        if line.kind != "plain":
            look.setFontWeight(QFont.Weight.Bold)
        if line.kind == "error":
            look.setForeground(QColor(_ERROR_COLOURS[is_dark(self.palette())]))
        return look


def _worded(line: LogLine) -> str:
    text = showable(line.text)[:_LONGEST]
    match line.kind:
        case "error":
            return tr("Error: {text}").format(text=text)
        case "warning":
            return tr("Warning: {text}").format(text=text)
    return text


# One training as it goes: stage, bar, time left, charts, log, and what can be done with it.


_NARROW = 560
_MOST_SCORES = 6


class RunView(LivingRun):
    """Shows one run, living or ended.

    ``use_asked`` and ``show_asked`` carry its id; ``form_asked``: the person wants to see the form.
    """

    use_asked = Signal(str)
    show_asked = Signal(str)
    form_asked = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(
            desk,
            cancel_title=tr("Cancel the training"),
            cancel_question=tr(
                "Cancel this training? What it has learnt so far is lost. The model in use stays as it is."
            ),
            parent=parent,
        )
        self.follower.grown.connect(self._grown)
        self.stood.connect(self._refresh)
        self._title = WrapLabel()
        self._title.setFont(scaled(self.font(), 1.1, bold=True))
        self._state, self._where, self._left = WrapLabel(), WrapLabel(), QLabel()
        self._state.setFont(scaled(self.font(), 1.0, bold=True))
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Steps of this stage"))
        self.loss = Curves(title=tr("Loss on the training data"))
        self.scores = Curves(title=tr("Scores on the dev data"))
        self.log = LogView()
        self._results = WrapLabel()
        self._lives_on = WrapLabel(muted=True)
        self._lives_on.setText(
            tr("The training goes on when this window or Evenhand is closed; open this page again to see it.")
        )
        self.buttons = {
            "pause": button(tr("Pause"), self._pause, tip=tr("Saves a checkpoint and ends the process")),
            "cancel": button(tr("Cancel…"), self._cancel, tip=tr("Ends the training for good")),
            "resume": button(tr("Resume"), self._emit(self.resume_asked)),
            "use": button(tr("Use this model"), self._emit(self.use_asked)),
            "show": button(tr("Show in runs"), self._emit(self.show_asked)),
            "log": button(tr("Open the log"), self._open_log),
            "form": button(tr("New training"), self.form_asked.emit),
        }
        self._lay_out()

    @property
    def state(self) -> str:
        """How the run stands, as shown."""
        return self._state.accessibleName()

    @property
    def where(self) -> str:
        """The stage and step, as shown."""
        return self._where.accessibleName()

    @property
    def results(self) -> str:
        """What came out, as shown."""
        return self._results.accessibleName() if not self._results.isHidden() else ""

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this run and follow it; ``process`` where this app has just started it."""
        self._begin(run, process)
        self._title.setText(run_title(run))
        self._draw()
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, the charts stand below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        self._charts.setDirection(ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight)

    def _lay_out(self) -> None:
        self._charts = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._charts.setSpacing(16)
        self._charts.addWidget(self.loss, 1)
        self._charts.addWidget(self.scores, 1)
        buttons = QWidget()
        row = FlowLayout(spacing=6)
        buttons.setLayout(row)
        for one in self.buttons.values():
            row.addWidget(one)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for widget in (
            self._title,
            self._state,
            self._results,
            self._where,
            self.bar,
            self._left,
            buttons,
            self._lives_on,
        ):
            column.addWidget(widget)
        column.addLayout(self._charts, 1)
        column.addWidget(self.log)

    # What is shown

    def _grown(self) -> None:
        self._draw()
        self._refresh()

    def _draw(self) -> None:
        progress = self.follower.progress
        self.loss.show_series([_series(name, line) for name, line in progress.losses.items()])
        scores = [*progress.scores.items()][:_MOST_SCORES]
        self.scores.show_series([_series(name.replace("_", " "), line) for name, line in scores])
        self.log.show_lines(progress.log)

    def _refresh(self) -> None:
        run, progress = self.run, self.follower.progress
        if run is None:
            return
        lives, words = self.lives, {"pause": tr("Pausing…"), "cancel": tr("Cancelling…")}
        self._state.setText(words.get(self._ordered, tr("Running")) if lives else self._outcome(run))
        self._where.setText(where(progress) if lives or progress.stage else "")
        self._where.setVisible(bool(self._where.text()))
        self._left.setText(time_left(progress) if lives else "")
        self._left.setVisible(bool(self._left.text()))
        self.bar.setVisible(lives or progress.steps > 0)
        self.bar.setRange(0, progress.steps if progress.steps or not lives else 0)
        self.bar.setValue(min(progress.step, progress.steps))
        told = results(run.result) if run.status is Status.FINISHED else []
        self._results.setText("  ·  ".join(f"{name} {value}" for name, value in told))
        self._results.setVisible(bool(told))
        self._lives_on.setVisible(lives)
        if self._not_begun:
            self.log.show_lines([LogLine("error", self._not_begun)])
        self._offer(run)

    def _offer(self, run: Run) -> None:
        lives, known = self.lives, not self._not_begun
        shown = {
            "pause": lives,
            "cancel": lives,
            "resume": self._can_go_on(),
            "use": run.status is Status.FINISHED and has_bundle(run),
            "show": not lives and known,
            "log": self._has_log(),
            "form": True,
        }
        for name, one in self.buttons.items():
            one.setVisible(shown[name])
        for name in ("pause", "cancel"):
            self.buttons[name].setEnabled(self.follower.progress.started and not self._ordered)
        self.buttons["form"].setText(tr("Show the form") if lives else tr("New training"))

    def _outcome(self, run: Run) -> str:
        if self._not_begun:
            return tr("It could not be started: {problem}").format(problem=self._not_begun)
        return outcome(run)


def _series(name: str, line: Line) -> Series:
    return Series(name, line.xs, line.ys)
