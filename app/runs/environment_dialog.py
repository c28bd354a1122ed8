"""*Set up training*: plans the training environment, asks before anything is fetched, and shows its progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QPlainTextEdit,
    QProgressBar,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.background.jobs import Background, said
from app.models.app_context import Desk
from app.widgets.dialogs import fit
from app.widgets.form_fields import Choice, Field, Place, button
from app.widgets.labels import WrapLabel, scaled, showable
from core.i18n import tr
from core.training_env.plan import Plan, make_plan, size
from core.training_env.setup import set_up
from core.training_env.torch_builds import CHOICES
from core.training_env.types import Progress, SetupCancelledError, SetupError

# Planning and making the training environment, away from the window's thread.


_alive: set[SetupJob] = set()
"""Those that still work. A job outlives its dialog: a thread must not be destroyed while it runs."""


class SetupJob(QObject):
    """Plans, and makes what is planned; one thing at a time, answers by signals.

    ``planned``: a Plan; ``refused``: there can be none, in a sentence. ``progressed``: a Progress. ``made``: it is
    there. ``failed``: why it is not; ``stopped``: the same where a person wanted it so.
    """

    planned = Signal(object)
    refused = Signal(str)
    progressed = Signal(object)
    made = Signal()
    failed = Signal(str)
    stopped = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._background = Background(self)
        self._cancel = Event()
        self._asked = 0
        self.running = False
        QCoreApplication.instance().aboutToQuit.connect(self.close)

    def plan(self, choice: str, wheels: Path | None) -> None:
        """Plan for this choice of build and folder of wheels; only the last that was asked for is answered."""
        self._asked += 1
        asked = self._asked
        self._submit(
            lambda: make_plan(choice, wheels=wheels),
            lambda plan: self.planned.emit(plan) if asked == self._asked else None,
            lambda error: self.refused.emit(_words(error)) if asked == self._asked else None,
        )

    def start(self, plan: Plan) -> None:
        """Do what is planned."""
        self.running = True
        self._cancel.clear()
        self._submit(lambda: self._work(plan), self._worked, self._broken)

    def stop(self) -> None:
        """Stop what is being done; `stopped` tells when it has ended."""
        self._cancel.set()

    def close(self) -> None:
        """Stop, and wait until it has ended."""
        self._cancel.set()
        self._background.close()
        _alive.discard(self)

    def leave(self) -> None:
        """Nobody follows any more: it stops, and is gone when it has ended."""
        self._asked += 1
        self._cancel.set()
        if self._background.busy:
            _alive.add(self)
        else:
            self.close()

    def _submit(
        self, job: Callable[[], object], then: Callable[[Any], object], failed: Callable[[Exception], object]
    ) -> None:
        self._background.submit(
            job, lambda value: self._answered(then, value), lambda error: self._answered(failed, error)
        )

    def _answered(self, call: Callable[[Any], object], value: object) -> None:
        call(value)
        if self in _alive and not self._background.busy:
            self.close()

    def _work(self, plan: Plan) -> None:
        for progress in set_up(plan, self._cancel):
            self.progressed.emit(progress)

    def _worked(self, _nothing: object) -> None:
        self.running = False
        self.made.emit()

    def _broken(self, error: Exception) -> None:
        self.running = False
        if isinstance(error, SetupCancelledError):
            self.stopped.emit(str(error))
        else:
            self.failed.emit(_words(error))


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, SetupError) else said(error)


def share(plan: Plan, progress: Progress) -> int:
    """About how many per cent are done, by what lies on the disk; the estimate may be wrong, so it stops at 95."""
    if plan.renews is not None or not plan.needed:
        return round(95 * (progress.step - 1) / max(progress.steps, 1))
    return min(95, round(100 * progress.written / plan.needed))


# *Set up training*: what would be made and fetched, asked first; then how far it is, and how it ended.


_TYPED_MS = 400
_MOST_LINES = 2000
_LONGEST = 600
_WORDS = {"auto": tr("The one that fits this computer"), "cpu": tr("CPU"), "cuda": tr("CUDA (NVIDIA cards)")}


class SetupDialog(QDialog):
    """Shows the plan, does it when asked, and shows how it goes. ``set_up``: training is possible now.

    Closing it stops what is being done, after a question; the environment that was there before stays.
    """

    set_up = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Set up training"))
        self._desk = desk
        self._plan: Plan | None = None
        self._leaving = False
        self.job = SetupJob()
        self.build = Choice()
        for choice in CHOICES if sys.platform != "darwin" else CHOICES[:1]:
            self.build.addItem(_WORDS[choice], choice)
        self.wheels = Place(tr("Wheel folder"))
        self.wheels.offer([], chosen="")
        self.start = button(tr("&Set up"), self._start)
        self.cancel = button(tr("Cancel"), self.reject)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress of setting up"))
        self.lines = _lines()
        self._said, self._facts, self._where = WrapLabel(), QGridLayout(), WrapLabel()
        self._said.setFont(scaled(self.font(), 1.0, bold=True))
        self._form = QWidget()
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_TYPED_MS)
        self._typing.timeout.connect(self._ask_plan)
        self.build.currentIndexChanged.connect(self._ask_plan)
        self.wheels.changed.connect(lambda _: self._typed())
        self.job.planned.connect(self._planned)
        self.job.refused.connect(self._refused)
        self.job.progressed.connect(self._progressed)
        self.job.made.connect(self._made)
        self.job.failed.connect(self._ended)
        self.job.stopped.connect(self._stopped)
        self.destroyed.connect(self.job.leave)
        self._lay_out()
        self._ask_plan()

    @property
    def said(self) -> str:
        """What stands there of how it is or how it ended."""
        return self._said.accessibleName()

    @property
    def facts(self) -> str:
        """The rows of the plan, as shown."""
        labels = (self._facts.itemAt(place).widget() for place in range(self._facts.count()))
        return "\n".join(label.accessibleName() for label in labels if isinstance(label, WrapLabel))

    def reject(self) -> None:
        """Close it; what is being done is stopped first, if the person wants that."""
        if self.job.running and not self._leaving:
            asked = tr(
                "Training is not set up yet. Stop it? What was there before stays, and what was fetched is kept for "
                "the next try."
            )
            if QMessageBox.question(self, tr("Stop setting up"), asked) != QMessageBox.StandardButton.Yes:
                return
            if self.job.running:
                self._leaving = True
                self.job.stop()
                self.cancel.setEnabled(False)
                self._said.setText(tr("Stopping …"))
                return
        self.job.leave()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """As Cancel does."""
        self.reject()
        event.setAccepted(not self.isVisible())

    # The plan

    def _typed(self) -> None:
        self._plan = None
        self.start.setEnabled(False)
        self._typing.start()

    def _ask_plan(self) -> None:
        self._typing.stop()
        self._plan = None
        self.start.setEnabled(False)
        self._said.setText(tr("Looking at this computer …"))
        folder = self.wheels.text
        self.job.plan(self.build.currentData(), Path(folder) if folder else None)

    def _planned(self, plan: Plan) -> None:
        self._plan = plan
        self._show_rows(plan.rows())
        self._said.setText("" if plan.has_room else plan.lack_of_room())
        self.start.setEnabled(plan.has_room)

    def _refused(self, reason: str) -> None:
        self._show_rows([])
        self._said.setText(reason)

    def _show_rows(self, rows: list[tuple[str, str]]) -> None:
        while (item := self._facts.takeAt(0)) is not None:
            item.widget().deleteLater()
        for number, (name, words) in enumerate(rows):
            title, told = QLabel(name), WrapLabel()
            title.setForegroundRole(self.foregroundRole())
            title.setFont(scaled(self.font(), 1.0, bold=True))
            told.setText(words)
            told.setAccessibleName(f"{name}: {words}")
            told.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
            self._facts.addWidget(told, number, 1)

    # Doing it

    def _start(self) -> None:
        if self._plan is None:
            return
        self.lines.clear()
        self.bar.setValue(0)
        self._running(True)
        self._said.setText(tr("Setting up …"))
        self.cancel.setFocus()
        self.job.start(self._plan)

    def _running(self, running: bool) -> None:
        self.start.setEnabled(not running)
        self._form.setVisible(not running)
        self.bar.setVisible(running)
        self._where.setVisible(running)
        self.lines.show()

    def _progressed(self, progress: Progress) -> None:
        if self._plan is None or self._leaving:
            return
        told = tr("Step {step} of {steps}: {stage}").format(
            step=progress.step, steps=progress.steps, stage=progress.stage
        )
        if told != self.said:
            self._said.setText(told)
        self._where.setText(tr("{size} on the disk so far").format(size=size(progress.written)))
        self.bar.setValue(max(self.bar.value(), share(self._plan, progress)))
        if progress.line:
            self.lines.appendPlainText(showable(progress.line)[:_LONGEST])

    def _made(self) -> None:
        self._running(False)
        self._form.hide()
        self.start.hide()
        self.cancel.setText(tr("Close"))
        self.cancel.setAccessibleName(tr("Close"))
        self.cancel.setFocus()
        self._said.setText(tr("Training is set up. You can close this and begin."))
        self._desk.told.emit(tr("Training is set up."))
        self.set_up.emit()
        if self._leaving:
            self.reject()

    def _ended(self, reason: str) -> None:
        self._running(False)
        self._said.setText(tr("It did not work. {reason}").format(reason=reason))
        self.start.setText(tr("&Try again"))
        self.start.setAccessibleName(tr("Try again"))
        self.start.setFocus()
        if self._leaving:
            self.reject()

    def _stopped(self, words: str) -> None:
        self._running(False)
        self._said.setText(words)
        if self._leaving:
            self.reject()

    def _lay_out(self) -> None:
        about = WrapLabel()
        about.setText(
            tr(
                "Retraining needs torch, which is large and so does not come with Evenhand. It is put into an "
                "environment of its own; nothing else on this computer changes."
            )
        )
        network = WrapLabel(muted=True)
        network.setText(
            tr(
                "The network is used for this only after you press Set up, and not at all if you name a wheel folder. "
                "Nothing of yours is sent."
            )
        )
        wheels_told = tr(
            "Only for a computer without a network: a folder with torch and all else that training needs as wheels."
        )
        form = QVBoxLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(12)
        form.addWidget(about)
        form.addWidget(network)
        form.addWidget(Field(tr("Build of torch"), self.build))
        form.addWidget(Field(tr("Wheel folder"), self.wheels, told=wheels_told))
        self._facts.setColumnStretch(1, 1)
        self._facts.setHorizontalSpacing(14)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(12)
        column.addWidget(self._form)
        column.addLayout(self._facts)
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(content)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.cancel)
        row.addWidget(self.start)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(18, 16, 18, 14)
        whole.setSpacing(10)
        whole.addWidget(scroll, 3)
        for widget in (self._said, self.bar, self._where):
            whole.addWidget(widget)
        whole.addWidget(self.lines, 2)
        whole.addLayout(row)
        for widget in (self.bar, self._where, self.lines):
            widget.hide()
        fit(self, 640, 620)


def _lines() -> QPlainTextEdit:
    """Where the installer's lines go."""
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setTabChangesFocus(True)
    view.setMaximumBlockCount(_MOST_LINES)
    view.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    view.setAccessibleName(tr("What the installer says"))
    return view
