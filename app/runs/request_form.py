"""The base of forms that start a run (corpora, device, seed, estimate), and what replaces them without a trainer."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.models.app_context import Desk
from app.runs.recipes import DEFAULT_SCALE, DEFAULT_SEED, SCALES
from app.runs.run_process import Answer, Asking, Question
from app.runs.run_strings import device_title, devices_in, estimated
from app.settings.settings import Settings
from app.widgets.form_fields import Choice, Field, Number, Place, button
from app.widgets.labels import WrapLabel
from core.i18n import tr
from core.training_env import Trainer

# A button that asks the trainer something, and stops asking when it is pressed again.


class AskButton(QPushButton):
    """Asks what ``command`` gives, if it gives something. ``answered`` carries the answer.

    ``given_up``: the person, or the form, waits for it no longer.
    """

    answered = Signal(object)
    given_up = Signal()

    def __init__(
        self, words: str, stop_words: str, command: Callable[[], list[str] | None], *, tip: str
    ) -> None:
        super().__init__()
        self._words = (words, stop_words)
        self._command = command
        self._question = Question(self)
        self.setAutoDefault(False)
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)
        self.clicked.connect(self._pressed)
        self._show()

    @property
    def waits(self) -> bool:
        """Whether an answer is waited for."""
        return self._question.waits

    def give_up(self) -> None:
        """Wait no longer, if there is something that is waited for."""
        if self.waits:
            self._question.stop()
            self._show()
            self.given_up.emit()

    def _pressed(self) -> None:
        if self.waits:
            self.give_up()
        elif (command := self._command()) is not None:
            self._question.ask(command, self._answered)
            self._show()

    def _answered(self, answer: Answer) -> None:
        self._show()
        self.answered.emit(answer)

    def _show(self) -> None:
        words = self._words[self.waits]
        self.setText(words)
        self.setAccessibleName(words.replace("&", ""))


# What every form that asks the trainer has: corpora, scale, device, seed, the estimate, the start, and why not.


DATA_VARIABLE = "EVENHAND_DATA"
_KEPT = 5
_NARROW = 520
_MOST_SEED = 2**31 - 1


class Wanted(Asking, Protocol):
    """What a form asks of the trainer. ``base`` is what the run is recorded by."""

    @property
    def base(self) -> str: ...
    @property
    def data(self) -> str: ...
    @property
    def device(self) -> str: ...
    @property
    def scale(self) -> str: ...
    @property
    def seed(self) -> int: ...


class AskingForm(QWidget):
    """``start_asked``: a person asks for this run, and nothing is missing that can be seen from here.

    Subclasses give ``asked``, ``missing`` and ``remember``, lay fields out, those that are made here among them, and
    call ``fill`` in the end. ``scales`` tells what each scale does, ``trying`` what an estimate does.
    """

    start_asked = Signal(object)

    def __init__(
        self,
        settings: Settings,
        start: tuple[str, str],
        *,
        scales: Mapping[str, str],
        trying: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._settings, self._scales = settings, scales
        self._trainer: Trainer | None = None
        self._blocked = ""
        self._devices = Question(self)
        self._pairs: list[QBoxLayout] = []
        self.data, self.scale, self.device = Place(tr("Corpora")), Choice(), Choice()
        self.seed = Number(DEFAULT_SEED, most=_MOST_SEED)
        self.data_field = Field(tr("Corpora"), self.data)
        self.scale_field, self.device_field = Field(tr("Scale"), self.scale), Field(tr("Device"), self.device)
        self.estimate = AskButton(tr("Estimate"), tr("Stop estimating"), self._estimate_command, tip=trying)
        title, tip = start
        self.start = button(title, self._ask, tip=tip)
        self._said, self._reason = WrapLabel(), WrapLabel()

    @property
    def said(self) -> str:
        """What was answered last: an estimate, or what is missing."""
        return self._said.accessibleName()

    @property
    def reason(self) -> str:
        """Why nothing can be started now; empty where it can."""
        return self._reason.accessibleName()

    def asked(self) -> Wanted:
        """What the form says now."""
        raise NotImplementedError

    def missing(self) -> tuple[QWidget, str] | None:
        """The control that something is missing in, and what; None where all is there but the corpora."""
        raise NotImplementedError

    def remember(self) -> None:
        """Keep for the next time what a person named."""
        raise NotImplementedError

    def set_trainer(self, trainer: Trainer) -> None:
        """Ask this one from now on, on one of the devices that it sees."""
        if trainer == self._trainer:
            return
        self._trainer = trainer
        self.device_field.tell(tr("Looking for devices…"))
        self._devices.ask(trainer.command(["devices", "--json"]), self._devices_known)

    def block(self, reason: str) -> None:
        """Let nothing be started, for this reason; an empty one lets it again."""
        self._blocked = reason
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        self.start.setEnabled(not reason)
        self.start.setAccessibleDescription(reason or self.start.toolTip())

    def stop(self) -> None:
        """Ask nothing any more."""
        self._devices.stop()
        self.estimate.give_up()

    def changed(self) -> None:
        """What was answered holds no more."""
        self.estimate.give_up()
        self._say("")

    def keep(self, name: str, text: str) -> None:
        """Keep a text first in the setting of that name."""
        kept = [one for one in self._settings.value(name) if one != text]
        self._settings.set(name, (text, *kept)[:_KEPT])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, fields stand below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        way = ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight
        for pair in self._pairs:
            pair.setDirection(way)

    # Building

    def add_pair(self, column: QVBoxLayout, *fields: QWidget) -> None:
        """Put fields side by side, where there is room."""
        pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        pair.setSpacing(18)
        for field in fields:
            pair.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
        self._pairs.append(pair)
        column.addLayout(pair)

    def add_end(self, column: QVBoxLayout) -> None:
        """What stands below all fields: the buttons, why they do nothing, and what was answered."""
        buttons = QHBoxLayout()
        buttons.addWidget(self.estimate)
        buttons.addWidget(self.start)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addWidget(self._reason)
        column.addWidget(self._said)
        column.addStretch(1)
        self._reason.hide()
        self._say("")

    def fill(self) -> None:
        """Put into the shared controls what can be chosen, and hear them."""
        for scale in SCALES.values():
            self.scale.addItem(scale.title, scale.name)
        self.scale.setCurrentIndex(self.scale.findData(DEFAULT_SCALE))
        self.device.addItem(tr("The best there is"), "auto")
        folders = self._settings.value("corpora_folders")
        self.data.offer(folders, chosen=[*folders, os.environ.get(DATA_VARIABLE, "")][0])
        self.scale.currentIndexChanged.connect(self._scale_changed)
        self.estimate.answered.connect(self._estimated)
        self.estimate.given_up.connect(lambda: self._say(""))
        self.data.changed.connect(self.changed)
        self.device.currentIndexChanged.connect(self.changed)
        self._scale_changed()

    # What a person does

    def _scale_changed(self) -> None:
        self.scale_field.tell(self._scales[self.scale.currentData()])
        self.changed()

    def lacks_data(self) -> bool:
        """Whether there is no folder of corpora; that is said."""
        return self._tells(self._missing_data())

    def _tells(self, found: tuple[QWidget, str] | None) -> bool:
        """Whether something is missing; if so, it is said and its control has the focus."""
        if found is None:
            return False
        widget, said = found
        widget.setFocus()
        self._say(said)
        return True

    def _missing_data(self) -> tuple[QWidget, str] | None:
        if not self.data.text:
            return self.data, tr("No corpora are named. Choose the folder that they lie in.")
        if not Path(self.data.text).is_dir():
            said = tr("{path} is not a folder. Choose the folder with the corpora.")
            return self.data, said.format(path=self.data.text)
        return None

    def _is_whole(self) -> bool:
        """Whether all is given that a run needs; if not, what is missing is said."""
        return not self._tells(self.missing() or self._missing_data())

    def _ask(self) -> None:
        if self._blocked or not self._is_whole():
            return
        asked = self.asked()
        self.estimate.give_up()
        self.remember()
        self.keep("corpora_folders", asked.data)
        self.start_asked.emit(asked)

    # What the trainer is asked

    def _devices_known(self, answer: Answer) -> None:
        try:
            found = devices_in(answer.said)
        except ValueError:
            said = tr("The trainer names no devices: {problem}")
            self.device_field.tell(said.format(problem=answer.problem))
            return
        while self.device.count() > 1:
            self.device.removeItem(1)
        for device in found:
            self.device.addItem(device_title(device), device.name)
        cards = any(device.name.startswith("cuda") for device in found)
        self.device_field.tell("" if cards else tr("No graphics card that can train (CUDA) was found."))

    def _estimate_command(self) -> list[str] | None:
        if self._trainer is None or not self._is_whole():
            return None
        self._say(tr("Trying it out…"))
        return self._trainer.command([*self.asked().arguments(), "--dry-run"])

    def _estimated(self, answer: Answer) -> None:
        try:
            self._say(estimated(answer.said) if answer.code == 0 else answer.problem)
        except ValueError:
            self._say(answer.problem)

    def _say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))


# What stands in the place of a form where nothing can train: why, and the way to a trainer.


class Missing(QWidget):
    """``why`` is a sentence or two for a person. ``closed``: the dialog that sets up training was closed."""

    closed = Signal()

    def __init__(self, desk: Desk, why: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.set_up = button(tr("Set up training…"), self._set_up)
        said = WrapLabel()
        said.setText(why)
        row = QHBoxLayout()
        row.addWidget(self.set_up)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        column.addWidget(said)
        column.addLayout(row)
        column.addStretch(1)

    def _set_up(self) -> None:
        from app.runs.environment_dialog import SetupDialog

        dialog = SetupDialog(self._desk, self)
        dialog.finished.connect(self.closed)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
