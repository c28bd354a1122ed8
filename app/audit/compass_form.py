"""The form of the compass: which models, how a generator's side is told, and what all forms have."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.audit.asked import CompassAsked, model_name
from app.audit.compass_models import ModelsList
from app.audit.compass_words import STANCES, STANCES_TOLD
from app.audit.detector_words import OFFERED, task_title
from app.audit.reading import Known
from app.audit.result_parts import together
from app.audit.run_form import RunForm
from app.audit.run_words import run_line
from app.parts.labels import showable
from app.settings.settings import Settings
from app.training.retrain_fields import Choice, Field, Place
from core.language import tr

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
