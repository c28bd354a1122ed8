"""The form of a retraining: what every form that asks the trainer has, and recipe, base model and pairs."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.runs.recipes import RECIPES, SCALES
from app.runs.request_form import AskButton, AskingForm
from app.runs.run_process import Answer, Asked
from app.runs.run_strings import checked
from app.settings.settings import Settings
from app.widgets.form_fields import Choice, Field, Place
from app.widgets.labels import WrapLabel
from core.corrections.corpus import chosen_corpus
from core.i18n import tr


class RetrainForm(AskingForm):
    """Asks for a training."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(
            settings,
            (tr("Retrain"), tr("Starts the training on this computer")),
            scales={scale.name: scale.what for scale in SCALES.values()},
            trying=tr("Tries a few steps and tells time, memory and disk"),
            parent=parent,
        )
        self.recipe = Choice()
        self.base = Place(tr("Base model"))
        self.pairs = Place(tr("Injected pairs"), file=True)
        self.own_pairs = Place(tr("Own pairs"), file=True)
        self.check = AskButton(
            tr("Check the files"),
            tr("Stop checking"),
            self._check_command,
            tip=tr("Compares every file with its published checksum"),
        )
        self._corrections = WrapLabel()
        self._corrections.setText(
            tr("The corrections of yours that you chose under “Corrections” are learnt from, too.")
        )
        self._lay_out()
        self._fill_own()
        self.recipe.currentIndexChanged.connect(self._recipe_changed)
        self.check.answered.connect(self._data_checked)
        self.check.given_up.connect(lambda: self.data_field.tell(tr("Not checked to the end.")))
        for place in (self.base, self.pairs, self.own_pairs):
            place.changed.connect(self.changed)
        self._recipe_changed()

    def showEvent(self, event: QShowEvent) -> None:
        """See whether there are corrections to learn from."""
        self._corrections.setVisible(chosen_corpus() is not None)
        super().showEvent(event)

    def stop(self) -> None:
        """Ask nothing any more."""
        super().stop()
        self.check.give_up()

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

    def missing(self) -> tuple[QWidget, str] | None:
        """What is missing but for the corpora."""
        if RECIPES[self.recipe.currentData()].pairs and not Path(self.pairs.text or "-").is_file():
            said = tr(
                "The rewriter learns from a file of injected pairs. Make one with “evenhand train data inject --out "
                "FILE”, then choose it here."
            )
            return self.pairs, said
        own = self.own_pairs.text
        if own and not Path(own).is_file():
            said = tr("{path} is not a file. Choose the file with your own pairs, or leave the field empty.")
            return self.own_pairs, said.format(path=own)
        return None

    def remember(self) -> None:
        """Keep the base and the files."""
        asked = self.asked()
        self.keep("base_models", asked.base)
        if asked.injected:
            self.keep("injected_files", asked.injected)
        if asked.pairs:
            self.keep("pairs_files", asked.pairs)

    # Building

    def _lay_out(self) -> None:
        self.recipe_field = Field(tr("What to train"), self.recipe)
        seed_field = Field(
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
        self.data_field.tell(
            tr("The folder with the corpora. “evenhand train data list” tells where they are at home.")
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
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        self.add_pair(column, self.recipe_field, self.scale_field)
        column.addWidget(self.data_field)
        line = QHBoxLayout()
        line.addWidget(self.check)
        line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self.pairs_field)
        column.addWidget(self.base_field)
        self.add_pair(column, self.device_field, seed_field)
        column.addWidget(self.own_pairs_field)
        column.addWidget(self._corrections)
        self.add_end(column)
        self.fill()

    def _fill_own(self) -> None:
        for recipe in RECIPES.values():
            self.recipe.addItem(recipe.title, recipe.name)
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
        self.changed()

    # What the trainer is asked

    def _check_command(self) -> list[str] | None:
        if self._trainer is None or self.lacks_data():
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
