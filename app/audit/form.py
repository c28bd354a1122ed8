"""The form of an audit: generator, attributes, how it is calibrated, corpora, scale, device, seed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QHBoxLayout, QVBoxLayout, QWidget

from app.audit.asked import AuditAsked
from app.audit.words import ATTRIBUTES, KINDS, MEANINGS, run_line
from app.parts.labels import WrapLabel
from app.settings.settings import Settings
from app.training.child_question import Answer, Question
from app.training.recipes import DEFAULT_SCALE, DEFAULT_SEED, SCALES
from app.training.retrain_asking import AskButton
from app.training.retrain_fields import Choice, Field, Number, Place, button
from app.training.retrain_form import DATA_VARIABLE
from app.training.retrain_words import device_title, devices_in, estimated
from core.environment import Trainer
from core.language import tr
from core.runs.model import Run

MODES = {"emb": tr("Mode 1: by words"), "cls": tr("Mode 2: by a classifier")}
SCALES_TOLD = {
    "smoke": tr("A few short texts: shows that all works. The figures are of no use."),
    "cpu": tr("Two texts of 50 tokens after every prompt. “Estimate” tells how long that takes here."),
    "full": tr("Ten texts of 100 tokens after every prompt, as in the paper. It wants a graphics card."),
}
_KEPT = 5
_NARROW = 520
_MOST_SEED = 2**31 - 1


class AuditForm(QWidget):
    """``start_asked``: a person asks for this audit, and nothing is missing that can be seen from here."""

    start_asked = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._trainer: Trainer | None = None
        self._blocked = ""
        self._devices = Question(self)
        self.base, self.data = Place(tr("Generator")), Place(tr("Corpora"))
        self.own, self.scale, self.device = Choice(), Choice(), Choice()
        self.seed = Number(DEFAULT_SEED, most=_MOST_SEED)
        self.attributes = {name: QCheckBox(title) for name, title in ATTRIBUTES.items()}
        self.modes = {name: QCheckBox(title) for name, title in MODES.items()}
        self.estimate = AskButton(
            tr("Estimate"),
            tr("Stop estimating"),
            self._estimate_command,
            tip=tr("Writes a few tokens and tells time, memory and disk"),
        )
        self.start = button(tr("Start"), self._ask, tip=tr("Starts the audit on this computer"))
        self._said, self._reason = WrapLabel(), WrapLabel()
        self._lay_out()
        self._fill()
        self._connect()
        self._scale_changed()

    @property
    def said(self) -> str:
        """What was answered last: an estimate, or what is missing."""
        return self._said.accessibleName()

    def set_trainer(self, trainer: Trainer) -> None:
        """Audit with this one from now on, on one of the devices that it sees."""
        if trainer == self._trainer:
            return
        self._trainer = trainer
        self.device_field.tell(tr("Looking for devices…"))
        self._devices.ask(trainer.command(["devices", "--json"]), self._devices_known)

    def offer_own(self, found: Sequence[tuple[Run, Path]]) -> None:
        """Offer the generators that runs have left behind."""
        self.own.clear()
        self.own.addItem(tr("None chosen"), "")
        for run, folder in found:
            self.own.addItem(run_line(run), str(folder))
        self.own_field.setVisible(bool(found))

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

    def asked(self) -> AuditAsked:
        """What the form says now."""
        return AuditAsked(
            base=self.base.text,
            data=self.data.text,
            attributes=tuple(name for name, box in self.attributes.items() if box.isChecked()),
            modes=tuple(name for name, box in self.modes.items() if box.isChecked()),
            device=str(self.device.currentData() or "auto"),
            scale=str(self.scale.currentData()),
            seed=self.seed.value,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, fields stand below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        way = ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight
        for pair in self._pairs:
            pair.setDirection(way)

    # Building

    def _lay_out(self) -> None:
        intro = WrapLabel()
        intro.setText(
            tr(
                "A generator writes after prompts that name a gender, a place or a topic, and a judge of political "
                "leaning reads what it wrote."
            )
            + "".join(f"\n{KINDS[kind]}: {meaning}" for kind, meaning in MEANINGS.items())
        )
        self.base_field = Field(
            tr("Generator"),
            self.base,
            told=tr(
                "None comes with Evenhand. A folder with a causal language model, or its name on the Hugging Face hub, "
                "such as openai-community/gpt2-medium: it is downloaded if it is not on this computer yet."
            ),
        )
        self.own_field = Field(tr("From your runs"), self.own)
        self.own_field.hide()
        self.attributes_field = Field(tr("What is asked about"), _together(self.attributes.values()))
        self.modes_field = Field(
            tr("Calibrated"),
            _together(self.modes.values()),
            told=tr(
                "While it writes, the generator is pulled towards the middle. Without either it is measured as it is."
            ),
        )
        self.data_field = Field(
            tr("Corpora"),
            self.data,
            told=tr(
                "The folder with the corpora; the judge learns from its articles (article_bias). “evenhand train data "
                "list” tells where they are at home."
            ),
        )
        self.scale_field, self.device_field = Field(tr("Scale"), self.scale), Field(tr("Device"), self.device)
        self.seed_field = Field(
            tr("Seed"), self.seed, told=tr("The same seed on the same device writes the same texts.")
        )
        self._pairs: list[QBoxLayout] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        for widget in (intro, self.base_field, self.own_field):
            column.addWidget(widget)
        self._add_pair(column, self.attributes_field, self.modes_field)
        column.addWidget(self.data_field)
        self._add_pair(column, self.scale_field, self.device_field)
        self._add_pair(column, self.seed_field, QWidget())
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

    def _add_pair(self, column: QVBoxLayout, *fields: QWidget) -> None:
        pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        pair.setSpacing(18)
        for field in fields:
            pair.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
        self._pairs.append(pair)
        column.addLayout(pair)

    def _fill(self) -> None:
        for scale in SCALES.values():
            self.scale.addItem(scale.title, scale.name)
        self.scale.setCurrentIndex(self.scale.findData(DEFAULT_SCALE))
        self.device.addItem(tr("The best there is"), "auto")
        for box in (*self.attributes.values(), *self.modes.values()):
            box.setChecked(True)
        folders = self._settings.value("corpora_folders")
        self.data.offer(folders, chosen=[*folders, os.environ.get(DATA_VARIABLE, "")][0])
        bases = self._settings.value("generators")
        self.base.offer(bases, chosen=[*bases, ""][0])

    def _connect(self) -> None:
        self.scale.currentIndexChanged.connect(self._scale_changed)
        self.own.activated.connect(self._own_chosen)
        self.estimate.answered.connect(self._estimated)
        self.estimate.given_up.connect(lambda: self._say(""))
        for place in (self.base, self.data):
            place.changed.connect(self._changed)
        for box in (*self.attributes.values(), *self.modes.values()):
            box.toggled.connect(self._changed)
        self.device.currentIndexChanged.connect(self._changed)

    # What a person does

    def _own_chosen(self) -> None:
        if self.own.currentData():
            self.base.box.setEditText(str(self.own.currentData()))

    def _scale_changed(self) -> None:
        self.scale_field.tell(SCALES_TOLD[self.scale.currentData()])
        self._changed()

    def _changed(self) -> None:
        """What was answered holds no more."""
        self.estimate.give_up()
        self._say("")

    def _is_whole(self) -> bool:
        """Whether all is given that an audit needs; if not, what is missing is said."""
        asked = self.asked()
        if not asked.base:
            said = tr("No generator is named. Choose a folder, or type its name on the hub.")
            return self._want(self.base, said)
        if not asked.attributes:
            said = tr("Nothing is chosen to be asked about. Choose one at least.")
            return self._want(next(iter(self.attributes.values())), said)
        if not asked.data:
            said = tr("No corpora are named. Choose the folder that they lie in.")
            return self._want(self.data, said)
        if not Path(asked.data).is_dir():
            said = tr("{path} is not a folder. Choose the folder with the corpora.")
            return self._want(self.data, said.format(path=asked.data))
        return True

    def _want(self, widget: QWidget, said: str) -> bool:
        widget.setFocus()
        self._say(said)
        return False

    def _ask(self) -> None:
        if self._blocked or not self._is_whole():
            return
        asked = self.asked()
        self.estimate.give_up()
        self._remember("generators", asked.base)
        self._remember("corpora_folders", asked.data)
        self.start_asked.emit(asked)

    def _remember(self, name: str, text: str) -> None:
        kept = [one for one in self._settings.value(name) if one != text]
        self._settings.set(name, (text, *kept)[:_KEPT])

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
        self._say(tr("Writing a few tokens…"))
        return self._trainer.command([*self.asked().arguments(), "--dry-run"])

    def _estimated(self, answer: Answer) -> None:
        try:
            self._say(estimated(answer.said) if answer.code == 0 else answer.problem)
        except ValueError:
            self._say(answer.problem)

    def _say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))


def _together(boxes: Iterable[QCheckBox]) -> QWidget:
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    for box in boxes:
        column.addWidget(box)
    return made
