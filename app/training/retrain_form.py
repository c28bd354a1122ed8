"""The form of a retraining: recipe, base model, corpora, device, scale, seed; what it would take is asked before."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel
from app.settings.settings import Settings
from app.training.child_question import Answer, Question
from app.training.child_start import Asked
from app.training.recipes import DEFAULT_SCALE, DEFAULT_SEED, RECIPES, SCALES
from app.training.retrain_asking import AskButton
from app.training.retrain_fields import Choice, Field, Number, Place, button
from app.training.retrain_words import checked, device_title, devices_in, estimated
from core.corrections.corpus import chosen_corpus
from core.environment import Trainer
from core.language import tr

DATA_VARIABLE = "EVENHAND_DATA"
_KEPT = 5
_NARROW = 520
_MOST_SEED = 2**31 - 1


class RetrainForm(QWidget):
    """``retrain_asked``: a person asks for this training, and nothing is missing that can be seen from here."""

    retrain_asked = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._trainer: Trainer | None = None
        self._blocked = ""
        self._devices = Question(self)
        self.recipe, self.scale, self.device = Choice(), Choice(), Choice()
        self.base = Place(tr("Base model"))
        self.data = Place(tr("Corpora"))
        self.pairs = Place(tr("Injected pairs"), file=True)
        self.own_pairs = Place(tr("Own pairs"), file=True)
        self.seed = Number(DEFAULT_SEED, most=_MOST_SEED)
        self.check = AskButton(
            tr("Check the files"),
            tr("Stop checking"),
            self._check_command,
            tip=tr("Compares every file with its published checksum"),
        )
        self.estimate = AskButton(
            tr("Estimate"),
            tr("Stop estimating"),
            self._estimate_command,
            tip=tr("Tries a few steps and tells time, memory and disk"),
        )
        self.retrain = button(tr("Retrain"), self._ask, tip=tr("Starts the training on this computer"))
        self._said = WrapLabel()
        self._reason = WrapLabel()
        self._corrections = WrapLabel()
        self._corrections.setText(
            tr("The corrections of yours that you chose under “Corrections” are learnt from, too.")
        )
        self._lay_out()
        self._fill()
        self.recipe.currentIndexChanged.connect(self._recipe_changed)
        self.scale.currentIndexChanged.connect(self._scale_changed)
        self.check.answered.connect(self._data_checked)
        self.check.given_up.connect(lambda: self.data_field.tell(tr("Not checked to the end.")))
        self.estimate.answered.connect(self._estimated)
        self.estimate.given_up.connect(lambda: self._say(""))
        for place in (self.base, self.data, self.pairs, self.own_pairs):
            place.changed.connect(self._changed)
        for box in (self.device, self.scale):
            box.currentIndexChanged.connect(self._changed)
        self._recipe_changed()
        self._scale_changed()

    @property
    def said(self) -> str:
        """What was answered last: an estimate, or what is missing."""
        return self._said.accessibleName()

    @property
    def reason(self) -> str:
        """Why nothing can be trained now; empty where it can."""
        return self._reason.accessibleName()

    def set_trainer(self, trainer: Trainer) -> None:
        """Train with this one from now on, on one of the devices that it sees."""
        if trainer == self._trainer:
            return
        self._trainer = trainer
        self.device_field.tell(tr("Looking for devices…"))
        self._devices.ask(trainer.command(["devices", "--json"]), self._devices_known)

    def showEvent(self, event: QShowEvent) -> None:
        """See whether there are corrections to learn from."""
        self._corrections.setVisible(chosen_corpus() is not None)
        super().showEvent(event)

    def block(self, reason: str) -> None:
        """Let nothing be trained, for this reason; an empty one lets it again."""
        self._blocked = reason
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        self.retrain.setEnabled(not reason)
        self.retrain.setAccessibleDescription(reason or self.retrain.toolTip())

    def stop(self) -> None:
        """Ask nothing any more."""
        self._devices.stop()
        self.check.give_up()
        self.estimate.give_up()

    def asked(self) -> Asked:
        """What the form says now."""
        recipe = RECIPES[self.recipe.currentData()]
        return Asked(
            recipe=recipe.name,
            base=self.base.text or recipe.base,
            data=self.data.text,
            device=str(self.device.currentData() or "auto"),
            scale=str(self.scale.currentData()),
            seed=self.seed.value,
            injected=self.pairs.text if recipe.pairs else "",
            corrections=str(chosen_corpus() or ""),
            pairs=self.own_pairs.text,
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, fields stand below each other."""
        super().resizeEvent(event)
        ways = QBoxLayout.Direction
        way = ways.TopToBottom if self.width() < _NARROW else ways.LeftToRight
        for pair in self._pairs_of_fields:
            pair.setDirection(way)

    # Building

    def _lay_out(self) -> None:
        self.recipe_field = Field(tr("What to train"), self.recipe)
        self.scale_field = Field(tr("Scale"), self.scale)
        self.device_field = Field(tr("Device"), self.device)
        self.seed_field = Field(
            tr("Seed"), self.seed, told=tr("The same seed on the same device gives the same model again.")
        )
        self.base_field = Field(
            tr("Base model"),
            self.base,
            told=tr(
                "A name on the Hugging Face hub, or a folder with an encoder and its tokenizer. A name that is not on "
                "this computer yet is downloaded when the training starts."
            ),
        )
        self.data_field = Field(
            tr("Corpora"),
            self.data,
            told=tr("The folder with the corpora. “evenhand train data list” tells where they are at home."),
        )
        self.pairs_field = Field(
            tr("Injected pairs"),
            self.pairs,
            told=tr("The file that “evenhand train data inject --out FILE” writes."),
        )
        self.own_pairs_field = Field(
            tr("Own pairs"),
            self.own_pairs,
            told=tr(
                "May stay empty. A text file of sentences that you made neutral: in each line the sentence before, a "
                "tab, and the sentence after."
            ),
        )
        self.pairs_field.hide()
        self._pairs_of_fields: list[QBoxLayout] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        self._add_pair(column, self.recipe_field, self.scale_field)
        column.addWidget(self.data_field)
        line = QHBoxLayout()
        line.addWidget(self.check)
        line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self.pairs_field)
        column.addWidget(self.base_field)
        self._add_pair(column, self.device_field, self.seed_field)
        column.addWidget(self.own_pairs_field)
        column.addWidget(self._corrections)
        buttons = QHBoxLayout()
        buttons.addWidget(self.estimate)
        buttons.addWidget(self.retrain)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addWidget(self._reason)
        column.addWidget(self._said)
        column.addStretch(1)
        self._reason.hide()
        self._say("")

    def _add_pair(self, column: QVBoxLayout, *fields: Field) -> None:
        pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        pair.setSpacing(18)
        for field in fields:
            pair.addWidget(field, 1, Qt.AlignmentFlag.AlignTop)
        self._pairs_of_fields.append(pair)
        column.addLayout(pair)

    def _fill(self) -> None:
        for recipe in RECIPES.values():
            self.recipe.addItem(recipe.title, recipe.name)
        for scale in SCALES.values():
            self.scale.addItem(scale.title, scale.name)
        self.scale.setCurrentIndex(self.scale.findData(DEFAULT_SCALE))
        self.device.addItem(tr("The best there is"), "auto")
        folders = self._settings.value("corpora_folders")
        self.data.offer(folders, chosen=[*folders, os.environ.get(DATA_VARIABLE, "")][0])
        files = self._settings.value("injected_files")
        self.pairs.offer(files, chosen=[*files, ""][0])
        self.own_pairs.offer(self._settings.value("pairs_files"), chosen="")

    # What a person does

    def _recipe_changed(self) -> None:
        recipe = RECIPES[self.recipe.currentData()]
        self.recipe_field.tell(recipe.what)
        self.pairs_field.setVisible(recipe.pairs)
        kept = [base for base in self._settings.value("base_models") if base != recipe.base]
        self.base.offer([recipe.base, *kept], chosen=recipe.base)
        self._changed()

    def _scale_changed(self) -> None:
        self.scale_field.tell(SCALES[self.scale.currentData()].what)

    def _changed(self) -> None:
        """What was answered holds no more."""
        self.estimate.give_up()
        self._say("")

    def _has_data(self) -> bool:
        """Whether there is a folder of corpora; if not, that is said."""
        folder = self.data.text
        if not folder:
            return self._want(self.data, tr("No corpora are named. Choose the folder that they lie in."))
        if not Path(folder).is_dir():
            said = tr("{path} is not a folder. Choose the folder with the corpora.")
            return self._want(self.data, said.format(path=folder))
        return True

    def _is_whole(self) -> bool:
        """Whether all is given that a training needs; if not, what is missing is said."""
        if not self._has_data():
            return False
        if RECIPES[self.recipe.currentData()].pairs and not Path(self.pairs.text or "-").is_file():
            said = tr(
                "The rewriter learns from a file of injected pairs. Make one with “evenhand train data inject --out "
                "FILE”, then choose it here."
            )
            return self._want(self.pairs, said)
        own = self.own_pairs.text
        if own and not Path(own).is_file():
            said = tr("{path} is not a file. Choose the file with your own pairs, or leave the field empty.")
            return self._want(self.own_pairs, said.format(path=own))
        return True

    def _want(self, place: Place, said: str) -> bool:
        place.setFocus()
        self._say(said)
        return False

    def _ask(self) -> None:
        if self._blocked or not self._is_whole():
            return
        asked = self.asked()
        self.estimate.give_up()
        self._remember("corpora_folders", asked.data)
        self._remember("base_models", asked.base)
        if asked.injected:
            self._remember("injected_files", asked.injected)
        if asked.pairs:
            self._remember("pairs_files", asked.pairs)
        self.retrain_asked.emit(asked)

    def _remember(self, name: str, text: str) -> None:
        kept = [one for one in self._settings.value(name) if one != text]
        self._settings.set(name, (text, *kept)[:_KEPT])

    # What the trainer is asked

    def _devices_known(self, answer: Answer) -> None:
        try:
            found = devices_in(answer.said)
        except ValueError:
            self.device_field.tell(
                tr("The trainer names no devices: {problem}").format(problem=answer.problem)
            )
            return
        while self.device.count() > 1:
            self.device.removeItem(1)
        for device in found:
            self.device.addItem(device_title(device), device.name)
        cards = any(device.name.startswith("cuda") for device in found)
        self.device_field.tell("" if cards else tr("No graphics card that can train (CUDA) was found."))

    def _check_command(self) -> list[str] | None:
        if self._trainer is None or not self._has_data():
            return None
        self.data_field.tell(tr("Checking every file…"))
        return self._trainer.command(["data", "check", "--data", self.data.text])

    def _data_checked(self, answer: Answer) -> None:
        try:
            said, well = checked(answer.said)
        except ValueError:
            self.data_field.tell(answer.problem)
            return
        self.data_field.tell(("✓ " if well else "⚠ ") + said)

    def _estimate_command(self) -> list[str] | None:
        if self._trainer is None or not self._is_whole():
            return None
        self._say(tr("Trying a few steps…"))
        return self._trainer.command([*self.asked().arguments(), "--dry-run"])

    def _estimated(self, answer: Answer) -> None:
        try:
            self._say(estimated(answer.said) if answer.code == 0 else answer.problem)
        except ValueError:
            self._say(answer.problem)

    def _say(self, text: str) -> None:
        self._said.setText(text)
        self._said.setVisible(bool(text))
