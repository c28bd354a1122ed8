"""*Set up training*: plans the training environment, asks before a download, and shows the progress."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QMessageBox,
    QPlainTextEdit,
    QProgressBar,
    QWidget,
)

from app.background.jobs import JobQueue, describe_error
from app.models.app_context import AppContext
from app.widgets.dialogs import fit_to_screen
from app.widgets.flow_layout import remove_widgets
from app.widgets.form_fields import ComboBox, FormField, PathField, make_button, make_text_view
from app.widgets.labels import WrapLabel, scaled_font, to_single_line
from app.widgets.layouts import make_column, make_row, make_scroll_area
from app.widgets.plain_text import PlainLabel, plain_text
from core.i18n import tr
from core.training_env.plan import SetupPlan, format_size, make_plan
from core.training_env.setup import set_up
from core.training_env.torch_builds import CHOICES
from core.training_env.types import Progress, SetupCancelledError, SetupError

_running_jobs: set[SetupJob] = set()
"""Abandoned jobs: a thread must not be destroyed while it is running."""


class SetupJob(QObject):
    """Plans and creates the environment in the background.

    ``planned`` carries a SetupPlan; ``rejected_plan`` why there is none; ``progressed`` a SetupProgress. ``finished``:
    the environment is ready; ``failed`` carries the reason, ``stopped`` that it was cancelled.
    """

    planned = Signal(object)
    rejected_plan = Signal(str)
    progressed = Signal(object)
    finished = Signal()
    failed = Signal(str)
    stopped = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._background = JobQueue(self)
        self._cancel = Event()
        self._plan_number = 0
        self.running = False
        application = QCoreApplication.instance()
        assert application is not None
        application.aboutToQuit.connect(self.close)

    def plan(self, choice: str, wheels: Path | None) -> None:
        """Plan for this build of torch and folder of wheels; only the latest call is answered."""
        self._plan_number += 1
        number = self._plan_number
        self._submit(
            lambda: make_plan(choice, wheels=wheels),
            lambda plan: self.planned.emit(plan) if number == self._plan_number else None,
            lambda error: (
                self.rejected_plan.emit(_error_message(error)) if number == self._plan_number else None
            ),
        )

    def start(self, plan: SetupPlan) -> None:
        """Carry out the plan."""
        self.running = True
        self._cancel.clear()
        self._submit(lambda: self._run_setup(plan), self._setup_done, self._setup_failed)

    def stop(self) -> None:
        """Cancel; ``stopped`` is emitted at the end."""
        self._cancel.set()

    def close(self) -> None:
        """Cancel and wait."""
        self._cancel.set()
        self._background.close()
        _running_jobs.discard(self)

    def abandon(self) -> None:
        """Cancel without waiting; the job is kept until its thread has ended."""
        self._plan_number += 1
        self._cancel.set()
        if self._background.busy:
            _running_jobs.add(self)
        else:
            self.close()

    def _submit(
        self, job: Callable[[], object], then: Callable[[Any], object], failed: Callable[[Exception], object]
    ) -> None:
        self._background.submit(
            job, lambda value: self._deliver(then, value), lambda error: self._deliver(failed, error)
        )

    def _deliver(self, call: Callable[[Any], object], value: object) -> None:
        call(value)
        if self in _running_jobs and not self._background.busy:
            self.close()

    def _run_setup(self, plan: SetupPlan) -> None:
        for progress in set_up(plan, self._cancel):
            self.progressed.emit(progress)

    def _setup_done(self, _nothing: object) -> None:
        self.running = False
        self.finished.emit()

    def _setup_failed(self, error: Exception) -> None:
        self.running = False
        if isinstance(error, SetupCancelledError):
            self.stopped.emit(str(error))
        else:
            self.failed.emit(_error_message(error))


def _error_message(error: Exception) -> str:
    return str(error) if isinstance(error, SetupError) else describe_error(error)


def estimate_percent(plan: SetupPlan, progress: Progress) -> int:
    """The estimated percentage by bytes on disk, at most 95 because the total is an estimate."""
    if plan.renews is not None or not plan.needed_bytes:
        return round(95 * (progress.step - 1) / max(progress.steps, 1))
    return min(95, round(100 * progress.written / plan.needed_bytes))


_TYPING_DELAY_MS = 400
_MAX_LINES = 2000
_MAX_LINE_CHARACTERS = 600
_BUILD_TITLES = {
    "auto": tr("Automatic"),
    "cpu": tr("CPU"),
    "cuda": tr("CUDA (NVIDIA cards)"),
}


class SetupDialog(QDialog):
    """Shows the plan, carries it out and shows the progress. ``set_up``: training is possible now.

    Closing cancels after a question; an earlier environment is kept.
    """

    set_up = Signal()

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Set up training"))
        self._context = context
        self._plan: SetupPlan | None = None
        self._closing = False
        self.job = SetupJob()
        choices = CHOICES if sys.platform != "darwin" else CHOICES[:1]
        self.build = ComboBox("", [(choice, _BUILD_TITLES[choice]) for choice in choices])
        self.wheels = PathField(tr("Wheel folder"))
        self.wheels.set_choices([], current="")
        self.start = make_button(tr("&Set up"), self._start)
        self.cancel = make_button(tr("Cancel"), self.reject)
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Progress of the setup"))
        self.output = make_text_view(tr("Output of the installer"), fixed_font=True)
        self.output.setMaximumBlockCount(_MAX_LINES)
        self.output.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._status, self._plan_rows, self._disk_label = WrapLabel(), QGridLayout(), WrapLabel()
        self._status.setFont(scaled_font(self.font(), 1.0, bold=True))
        self._form = QWidget()
        self._typing_timer = QTimer(self, singleShot=True, interval=_TYPING_DELAY_MS)
        self._typing_timer.timeout.connect(self._ask_plan)
        self.build.currentIndexChanged.connect(self._ask_plan)
        self.wheels.changed.connect(lambda _: self._wheels_edited())
        self.job.planned.connect(self._planned)
        self.job.rejected_plan.connect(self._plan_rejected)
        self.job.progressed.connect(self._progressed)
        self.job.finished.connect(self._finished)
        self.job.failed.connect(self._show_failure)
        self.job.stopped.connect(self._stopped)
        self.destroyed.connect(self.job.abandon)
        self._lay_out()
        self._ask_plan()

    @property
    def status_text(self) -> str:
        """The status as shown."""
        return self._status.accessibleName()

    @property
    def facts(self) -> str:
        """The rows of the plan as shown."""
        items = (self._plan_rows.itemAt(index) for index in range(self._plan_rows.count()))
        labels = (item.widget() for item in items if item is not None)
        return "\n".join(label.accessibleName() for label in labels if isinstance(label, WrapLabel))

    def reject(self) -> None:
        """Close, after asking if a setup is running."""
        if self.job.running and not self._closing:
            question = tr(
                "The setup has not finished. Stop it? An earlier environment is kept, and so are "
                "the downloads for the next attempt."
            )
            if (
                QMessageBox.question(self, tr("Stop the setup"), plain_text(question))
                != QMessageBox.StandardButton.Yes
            ):
                return
            if self.job.running:
                self._closing = True
                self.job.stop()
                self.cancel.setEnabled(False)
                self._status.setText(tr("Stopping …"))
                return
        self.job.abandon()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """The same as Cancel."""
        self.reject()
        event.setAccepted(not self.isVisible())

    # The plan

    def _wheels_edited(self) -> None:
        self._plan = None
        self.start.setEnabled(False)
        self._typing_timer.start()

    def _ask_plan(self) -> None:
        self._typing_timer.stop()
        self._plan = None
        self.start.setEnabled(False)
        self._status.setText(tr("Checking this computer …"))
        folder = self.wheels.text
        self.job.plan(self.build.currentData(), Path(folder) if folder else None)

    def _planned(self, plan: SetupPlan) -> None:
        self._plan = plan
        self._show_rows(plan.rows())
        self._status.setText("" if plan.has_space else plan.no_space_message())
        self.start.setEnabled(plan.has_space)

    def _plan_rejected(self, reason: str) -> None:
        self._show_rows([])
        self._status.setText(reason)

    def _show_rows(self, rows: list[tuple[str, str]]) -> None:
        remove_widgets(self._plan_rows)
        for number, (name, text) in enumerate(rows):
            title, message = PlainLabel(name), WrapLabel()
            title.setForegroundRole(self.foregroundRole())
            title.setFont(scaled_font(self.font(), 1.0, bold=True))
            message.setText(text)
            message.setAccessibleName(f"{name}: {text}")
            message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._plan_rows.addWidget(title, number, 0, Qt.AlignmentFlag.AlignTop)
            self._plan_rows.addWidget(message, number, 1)

    # Setup

    def _start(self) -> None:
        if self._plan is None:
            return
        self.output.clear()
        self.bar.setValue(0)
        self._running(True)
        self._status.setText(tr("Setting up …"))
        self.cancel.setFocus()
        self.job.start(self._plan)

    def _running(self, running: bool) -> None:
        self.start.setEnabled(not running)
        self._form.setVisible(not running)
        self.bar.setVisible(running)
        self._disk_label.setVisible(running)
        self.output.show()

    def _progressed(self, progress: Progress) -> None:
        if self._plan is None or self._closing:
            return
        message = tr("Step {step} of {steps}: {stage}").format(
            step=progress.step, steps=progress.steps, stage=progress.stage
        )
        if message != self.status_text:
            self._status.setText(message)
        self._disk_label.setText(tr("{size} on the disk so far").format(size=format_size(progress.written)))
        self.bar.setValue(max(self.bar.value(), estimate_percent(self._plan, progress)))
        if progress.line:
            self.output.appendPlainText(to_single_line(progress.line)[:_MAX_LINE_CHARACTERS])

    def _finished(self) -> None:
        self._running(False)
        self._form.hide()
        self.start.hide()
        self.cancel.setText(tr("Close"))
        self.cancel.setAccessibleName(tr("Close"))
        self.cancel.setFocus()
        self._status.setText(tr("Training is set up. You can close this window and start."))
        self._context.message.emit(tr("Training is set up."))
        self.set_up.emit()
        if self._closing:
            self.reject()

    def _show_failure(self, reason: str) -> None:
        self._running(False)
        self._status.setText(tr("The setup failed. {reason}").format(reason=reason))
        self.start.setText(tr("&Try again"))
        self.start.setAccessibleName(tr("Try again"))
        self.start.setFocus()
        if self._closing:
            self.reject()

    def _stopped(self, text: str) -> None:
        self._running(False)
        self._status.setText(text)
        if self._closing:
            self.reject()

    def _lay_out(self) -> None:
        about = WrapLabel(
            tr(
                "Training needs torch, which is too large to come with Evenhand. It is installed into a separate "
                "environment; nothing else on this computer changes."
            )
        )
        network = WrapLabel(
            tr(
                "The network is used only after you press “Set up”, and not at all if you choose "
                "a wheel folder. None of your data is sent."
            ),
            muted=True,
        )
        wheels_help = tr(
            "Only for a computer without network access: a folder with the wheels of torch and "
            "of everything else that training needs."
        )
        make_column(
            about,
            network,
            FormField(tr("Build of torch"), self.build),
            FormField(tr("Wheel folder"), self.wheels, help_text=wheels_help),
            parent=self._form,
            spacing=12,
        )
        self._plan_rows.setColumnStretch(1, 1)
        self._plan_rows.setHorizontalSpacing(14)
        content = QWidget()
        make_column(self._form, self._plan_rows, None, parent=content, spacing=12, margins=(0, 0, 8, 0))
        row = make_row(None, self.cancel, self.start)
        make_column(
            (make_scroll_area(content), 3),
            self._status,
            self.bar,
            self._disk_label,
            (self.output, 2),
            row,
            parent=self,
            spacing=10,
            margins=(18, 16, 18, 14),
        )
        self.output.hide()
        for widget in (self.bar, self._disk_label):
            widget.hide()
        fit_to_screen(self, 640, 620)
