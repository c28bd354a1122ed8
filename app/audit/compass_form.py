"""The form of the compass: which models are asked, how a generator's stance is read, and the shared fields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.audit.audit_strings import run_line
from app.audit.compass_strings import OFFERED, STANCES, STANCES_TOLD, task_title
from app.audit.requests import CompassAsked, Known, model_name
from app.audit.run_form import RunForm
from app.settings.settings import Settings
from app.widgets.form_fields import Choice, Field, Place, button, together
from app.widgets.labels import showable
from core.i18n import tr

# The list of the models that are asked: named one by one, and taken out again.


_ROWS = 4
_ITSELF = Qt.ItemDataRole.UserRole
"""Under it an item keeps the model as it was named."""


class ModelsList(QWidget):
    """A line for a name or a folder over those that were added. What stands in the line counts as well.

    ``changed``: other models are chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.line = Place(tr("Model"))
        self.list = _Names()
        self.buttons = {
            "add": button(tr("Add"), self._add, tip=tr("Puts the model on the list, for another beside it")),
            "remove": button(tr("Remove"), self._remove, tip=tr("Takes the chosen model off the list")),
        }
        self.setFocusProxy(self.line)
        row = QHBoxLayout()
        row.addWidget(self.line, 1)
        row.addWidget(self.buttons["add"])
        below = QHBoxLayout()
        below.addWidget(self.list, 1)
        below.addWidget(self.buttons["remove"], 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addLayout(below)
        self.line.changed.connect(self._changed)
        self.line.box.lineEdit().returnPressed.connect(self._add)
        self.list.currentRowChanged.connect(lambda _: self._offer())
        self.list.removed.connect(self._remove)
        self._offer()

    @property
    def chosen(self) -> tuple[str, ...]:
        """All models, in the order in which they were named."""
        listed = [str(self.list.item(at).data(_ITSELF)) for at in range(self.list.count())]
        return tuple(dict.fromkeys([*listed, *filter(None, [self.line.text])]))

    def offer(self, texts: Sequence[str]) -> None:
        """Offer these in the line, and choose none."""
        self.line.offer(texts, chosen="")

    def add(self, model: str) -> None:
        """Put a model on the list, unless it is there."""
        if model in [str(self.list.item(at).data(_ITSELF)) for at in range(self.list.count())]:
            return
        item = QListWidgetItem(showable(model))
        item.setData(_ITSELF, model)
        item.setToolTip(showable(model))
        self.list.addItem(item)
        self.list.setCurrentItem(item)
        self._changed()

    def _add(self) -> None:
        model = self.line.text
        if model:
            self.line.box.setEditText("")
            self.add(model)
            self.line.setFocus()

    def _remove(self) -> None:
        self.list.takeItem(self.list.currentRow())
        self._changed()

    def _changed(self) -> None:
        self._offer()
        self.changed.emit()

    def _offer(self) -> None:
        self.list.setVisible(self.list.count() > 0)
        self.buttons["remove"].setVisible(self.list.count() > 0)
        self.buttons["remove"].setEnabled(self.list.currentRow() >= 0)
        self.buttons["add"].setEnabled(bool(self.line.text))


class _Names(QListWidget):
    """``removed``: the Delete key was pressed."""

    removed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Models to be asked"))
        self.setFixedHeight(_ROWS * (self.fontMetrics().height() + 8) + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes the chosen one off."""
        if event.matches(QKeySequence.StandardKey.Delete) and self.currentRow() >= 0:
            self.removed.emit()
        else:
            super().keyPressEvent(event)


# The form of the compass: which models, how a generator's side is told, and what all forms have.


DETECTOR = "facebook/bart-large-mnli"
"""The paper's (Feng et al. 2023, section 2.1)."""
SCALES_TOLD = {
    "smoke": tr(
        "Two prompts, two seeds, short responses: shows that all works. The positions are of no use."
    ),
    "cpu": tr(
        "Seven prompts, three seeds, responses of 32 tokens. “Estimate” tells how long that takes here."
    ),
    "full": tr("Seven prompts, ten seeds, responses of 100 tokens. It wants a graphics card."),
}


class CompassForm(RunForm):
    """Asks for the places of some models."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        trying = tr("Asks each model a few statements and tells time, memory and disk")
        super().__init__(settings, scales=SCALES_TOLD, trying=trying, parent=parent)
        self.models, self.stance = ModelsList(), Choice()
        self.detector = Place(tr("Model of inference"))
        self.detectors = {name: QCheckBox(task_title(name)) for name in OFFERED}
        self.build(
            tr(
                "62 statements of the political compass test are put to language models, and what they answer is "
                "weighed as the test weighs it. Masked models (such as RoBERTa) fill in whether they agree; generators "
                "(such as GPT-2) write a response, whose side is told."
            ),
            self._add_own,
            data_told=tr(
                "The folder with the corpora; the statements and their weights are in it (polilean). “evenhand train "
                "data list” tells where they are at home."
            ),
            seed_told=tr("The first of the seeds. The same seed on the same device gives the same answers."),
        )
        self._fill_own()

    def asked(self) -> CompassAsked:
        """What the form says now."""
        stance = str(self.stance.currentData())
        return CompassAsked(
            models=self.models.chosen,
            data=self.data.text,
            stance=self.detector.text if stance == "nli" else stance,
            detectors=tuple(name for name, box in self.detectors.items() if box.isChecked()),
            device=str(self.device.currentData() or "auto"),
            scale=str(self.scale.currentData()),
            seed=self.seed.value,
        )

    def missing(self) -> tuple[QWidget, str] | None:
        """What is missing but for the corpora."""
        asked = self.asked()
        if not asked.models:
            return self.models, tr("No model is named. Choose a folder, or type its name on the hub.")
        names = [model_name(model) for model in asked.models]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            said = tr("Two models are called {name}. Rename a folder: models are told apart by name.")
            return self.models, said.format(name=twice)
        if not asked.stance:
            return self.detector, tr("No model of inference is named. Choose a folder, or type its name.")
        return None

    def own_models(self, found: Known) -> list[tuple[str, Path]]:
        """Generators, masked models, and those that were pre-trained on partisan texts."""
        masked = [(run_line(run), folder) for run, folder in found.masked]
        said = tr("{name} · pre-trained on partisan texts")
        partisan = [(said.format(name=showable(path.name)), path) for path in found.partisan]
        return [*super().own_models(found), *masked, *partisan]

    def remember(self) -> None:
        """Keep the models."""
        for model in reversed(self.models.chosen):
            self.keep("compass_models", model)

    def _add_own(self, column: QVBoxLayout) -> None:
        self.models_field = Field(
            tr("Models"),
            self.models,
            told=tr(
                "Folders with a masked or a causal language model, or names on the Hugging Face hub, such as "
                "FacebookAI/roberta-base: what is not on this computer yet is downloaded."
            ),
        )
        self.own_field = Field(tr("Add from what was trained here"), self.own)
        self.own_field.hide()
        self.stance_field = Field(tr("How a generator’s side is told"), self.stance)
        self.detector_field = Field(tr("Model of inference"), self.detector)
        self.detectors_field = Field(
            tr("Train detectors, too"),
            together(self.detectors.values()),
            told=tr(
                "On every model a detector of each is trained, and scored by whom a text targets or by the speaker’s "
                "party. It learns from corpora (hatexplain, liar); “Estimate” tells how long all takes here."
            ),
        )
        for field in (self.models_field, self.own_field, self.stance_field, self.detector_field):
            column.addWidget(field)
        column.addWidget(self.detectors_field)

    def _fill_own(self) -> None:
        for name, words in STANCES.items():
            self.stance.addItem(words, name)
        self.detector.offer([DETECTOR], chosen=DETECTOR)
        self.models.offer(self._settings.value("compass_models"))
        self.own.activated.connect(self._own_chosen)
        self.models.changed.connect(self.changed)
        self.detector.changed.connect(self.changed)
        self.stance.currentIndexChanged.connect(self._stance_changed)
        for box in self.detectors.values():
            box.toggled.connect(self.changed)
        self._stance_changed()

    def _stance_changed(self) -> None:
        stance = str(self.stance.currentData())
        self.stance_field.tell(STANCES_TOLD[stance])
        self.detector_field.setVisible(stance == "nli")
        self.changed()

    def _own_chosen(self) -> None:
        if self.own.currentData():
            self.models.add(str(self.own.currentData()))
            self.own.setCurrentIndex(0)
