"""The base of forms that start a run (corpora, scale, device, seed, estimate), and the hint shown without a trainer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.models.app_context import AppContext
from app.runs.run_process import QueryResult, TrainerQuery, recipe_of
from app.runs.run_strings import device_title, parse_devices, parse_estimate
from app.settings.settings import Settings
from app.widgets.form_fields import ComboBox, FormField, NumberField, PathField, make_button
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.runs.recipes import DEFAULT_SCALE, DEFAULT_SEED, RECIPES, SCALES, Request
from core.training_env import TrainingPython


class QueryButton(QPushButton):
    """Runs the command that ``command`` returns, or cancels it. ``answered`` carries the QueryResult.

    ``cancelled``: the query was cancelled.
    """

    answered = Signal(object)
    cancelled = Signal()

    def __init__(
        self, text: str, stop_text: str, command: Callable[[], list[str] | None], *, tip: str
    ) -> None:
        super().__init__()
        self._texts = (text, stop_text)
        self._command = command
        self._query = TrainerQuery(self)
        self.setAutoDefault(False)
        self.setToolTip(plain_text(tip))
        self.setAccessibleDescription(tip)
        self.clicked.connect(self._toggle)
        self._show()

    @property
    def is_running(self) -> bool:
        """Whether a query is running."""
        return self._query.is_running

    def cancel(self) -> None:
        """Cancel a running query."""
        if self.is_running:
            self._query.stop()
            self._show()
            self.cancelled.emit()

    def _toggle(self) -> None:
        if self.is_running:
            self.cancel()
        elif (command := self._command()) is not None:
            self._query.ask(command, self._answered)
            self._show()

    def _answered(self, answer: QueryResult) -> None:
        self._show()
        self.answered.emit(answer)

    def _show(self) -> None:
        text = self._texts[self.is_running]
        self.setText(text)
        self.setAccessibleName(text.replace("&", ""))


DATA_VARIABLE = "EVENHAND_DATA"
_MAX_RECENT = 5
_NARROW = 520
_BEST_DEVICE = ("auto", tr("Best available"))
_MAX_SEED = 2**31 - 1
_OPTIONS = RECIPES["reader"].options
"""The shared options, which are the same for all recipes."""
SHARED_OPTIONS = ("data", "device", "scale", "seed")


class RequestForm(QWidget):
    """``start_requested`` carries the request; it is complete as far as the form can check.

    Subclasses implement ``request``, ``find_missing`` and ``save_choices``, lay out the fields, and call
    ``fill_choices`` last. ``scales`` describes each scale, ``estimate_tip`` the estimate.
    """

    start_requested = Signal(object)

    def __init__(
        self,
        settings: Settings,
        start: tuple[str, str],
        *,
        scales: Mapping[str, str],
        estimate_tip: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings, self._scales = settings, scales
        self._trainer: TrainingPython | None = None
        self._blocked = ""
        self._devices = TrainerQuery(self)
        self._rows: list[QBoxLayout] = []
        self.data, self.scale, self.device = PathField(_OPTIONS["data"].title), ComboBox(), ComboBox()
        self.seed = NumberField(DEFAULT_SEED, maximum=_MAX_SEED)
        self.data_field = FormField(_OPTIONS["data"].title, self.data)
        self.scale_field = FormField(_OPTIONS["scale"].title, self.scale)
        self.device_field = FormField(_OPTIONS["device"].title, self.device)
        self.seed_field = FormField(_OPTIONS["seed"].title, self.seed)
        self.estimate = QueryButton(
            tr("Estimate"), tr("Stop estimating"), self._estimate_command, tip=estimate_tip
        )
        title, tip = start
        self.start = make_button(title, self._request_start, tip=tip)
        self._answer_label, self._reason_label = WrapLabel(), WrapLabel()

    @property
    def answer_text(self) -> str:
        """The estimate, or what is missing."""
        return self._answer_label.accessibleName()

    @property
    def blocked_reason(self) -> str:
        """Why no run can be started now; empty if it can."""
        return self._reason_label.accessibleName()

    def request(self) -> Request:
        """The request that the form describes."""
        raise NotImplementedError

    def shared_values(self) -> dict[str, Any]:
        """The values of the shared fields, by the name of the field of a request."""
        return {
            "data": Path(self.data.text),
            "device": str(self.device.currentData() or "auto"),
            "scale": str(self.scale.currentData()),
            "seed": self.seed.value,
        }

    def find_missing(self) -> tuple[QWidget, str] | None:
        """The first missing field besides the corpora with a message, or None."""
        raise NotImplementedError

    def save_choices(self) -> None:
        """Remember the choices for the next time."""
        raise NotImplementedError

    def set_trainer(self, trainer: TrainingPython) -> None:
        """Use this trainer, and look for its devices."""
        if trainer == self._trainer:
            return
        self._trainer = trainer
        self.device_field.set_help(tr("Looking for devices…"))
        self._devices.ask(trainer.command(["devices", "--json"]), self._devices_known)

    def set_blocked(self, blocked_reason: str) -> None:
        """Disable the start for this reason; an empty one enables it."""
        self._blocked = blocked_reason
        self._reason_label.show_text(blocked_reason)
        self.start.setEnabled(not blocked_reason)
        self.start.setAccessibleDescription(blocked_reason or self.start.toolTip())

    def stop(self) -> None:
        """Cancel all queries."""
        self._devices.stop()
        self.estimate.cancel()

    def changed(self) -> None:
        """The form changed: clear the answer."""
        self.estimate.cancel()
        self._show_answer("")

    def save_recent(self, name: str, text: str) -> None:
        """Put a text first in the setting of that name."""
        others = [recent for recent in self._settings.value(name) if recent != text]
        self._settings.set(name, (text, *others)[:_MAX_RECENT])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow form the fields are below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        way = ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight
        for pair in self._rows:
            pair.setDirection(way)

    # Building

    def add_row(self, column: QVBoxLayout, *fields: QWidget) -> None:
        """Add fields side by side."""
        pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        pair.setSpacing(18)
        for field in fields:
            pair.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
        self._rows.append(pair)
        column.addLayout(pair)

    def add_footer(self, column: QVBoxLayout) -> None:
        """Add the buttons, the reason for a block, and the answer."""
        buttons = make_row(self.estimate, self.start, None)
        column.addLayout(buttons)
        column.addWidget(self._reason_label)
        column.addWidget(self._answer_label)
        column.addStretch(1)
        self._reason_label.hide()
        self._show_answer("")

    def fill_choices(self) -> None:
        """Fill the shared controls and connect them."""
        self.scale.set_choices((scale.name, scale.title) for scale in SCALES.values())
        self.scale.setCurrentIndex(self.scale.findData(DEFAULT_SCALE))
        self.device.set_choices([_BEST_DEVICE])
        folders = self._settings.value("corpora_folders")
        self.data.set_choices(folders, current=[*folders, os.environ.get(DATA_VARIABLE, "")][0])
        self.scale.currentIndexChanged.connect(self._scale_changed)
        self.estimate.answered.connect(self._estimated)
        self.estimate.cancelled.connect(lambda: self._show_answer(""))
        self.data.changed.connect(self.changed)
        self.device.currentIndexChanged.connect(self.changed)
        self._scale_changed()

    # Commands

    def _scale_changed(self) -> None:
        self.scale_field.set_help(self._scales[self.scale.currentData()])
        self.changed()

    def report_missing_data(self) -> bool:
        """Whether the folder of corpora is missing; shows a message if so."""
        return self._report_missing(self._find_missing_data())

    def _report_missing(self, missing: tuple[QWidget, str] | None) -> bool:
        """Whether something is missing; shows the message and focuses the field if so."""
        if missing is None:
            return False
        widget, message = missing
        widget.setFocus()
        self._show_answer(message)
        return True

    def _find_missing_data(self) -> tuple[QWidget, str] | None:
        if not self.data.text:
            return self.data, tr("The folder with the corpora is missing. Choose a folder.")
        if not Path(self.data.text).is_dir():
            message = tr("{path} is not a folder. Choose the folder with the corpora.")
            return self.data, message.format(path=self.data.text)
        return None

    def _is_complete(self) -> bool:
        """Whether the request is complete; shows what is missing if not."""
        return not self._report_missing(self.find_missing() or self._find_missing_data())

    def _request_start(self) -> None:
        if self._blocked or not self._is_complete():
            return
        request = self.request()
        self.estimate.cancel()
        self.save_choices()
        self.save_recent("corpora_folders", self.data.text)
        self.start_requested.emit(request)

    # Queries

    def _devices_known(self, answer: QueryResult) -> None:
        try:
            devices = parse_devices(answer.output)
        except ValueError:
            message = tr("The devices could not be listed: {problem}")
            self.device_field.set_help(message.format(problem=answer.problem))
            return
        self.device.set_choices([_BEST_DEVICE, *((device.name, device_title(device)) for device in devices)])
        cards = any(device.name.startswith("cuda") for device in devices)
        self.device_field.set_help("" if cards else tr("No graphics card with CUDA was found."))

    def _estimate_command(self) -> list[str] | None:
        if self._trainer is None or not self._is_complete():
            return None
        self._show_answer(tr("Estimating…"))
        request = self.request()
        return self._trainer.command([*recipe_of(request).arguments(request), "--dry-run"])

    def _estimated(self, answer: QueryResult) -> None:
        try:
            self._show_answer(parse_estimate(answer.output) if answer.exit_code == 0 else answer.problem)
        except ValueError:
            self._show_answer(answer.problem)

    def _show_answer(self, text: str) -> None:
        self._answer_label.show_text(text)


class TrainerMissing(QWidget):
    """Replaces a form while training is not set up; ``why`` says so. ``closed``: the setup dialog was closed."""

    closed = Signal()

    def __init__(self, context: AppContext, reason: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.set_up = make_button(tr("Set up training…"), self._set_up)
        message = WrapLabel(reason)
        row = make_row(self.set_up, None)
        make_column(message, row, None, parent=self, spacing=12)

    def _set_up(self) -> None:
        from app.runs.environment_dialog import SetupDialog

        dialog = SetupDialog(self._context, self)
        dialog.finished.connect(self.closed)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
