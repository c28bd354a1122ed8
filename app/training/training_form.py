"""The form that starts a training run: recipe, base model and files, besides the shared fields."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.runs.recipes import RECIPES, SCALES
from app.runs.request_form import QueryButton, RequestForm
from app.runs.run_process import QueryResult, TrainingRequest
from app.runs.run_strings import describe_data_check
from app.settings.settings import Settings
from app.widgets.form_fields import ComboBox, FormField, PathField
from app.widgets.labels import WrapLabel
from core.corrections.corpus import chosen_corpus
from core.i18n import tr


class TrainingForm(RequestForm):
    """The form of a training run."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(
            settings,
            (tr("Retrain"), tr("Starts the training on this computer")),
            scales={scale.name: scale.what for scale in SCALES.values()},
            estimate_tip=tr("Tries a few steps and tells time, memory and disk"),
            parent=parent,
        )
        self.recipe = ComboBox()
        self.base = PathField(tr("Base model"))
        self.pairs = PathField(tr("Injected pairs"), file=True)
        self.own_pairs = PathField(tr("Own pairs"), file=True)
        self.check_button = QueryButton(
            tr("Check the files"),
            tr("Stop checking"),
            self._make_check_command,
            tip=tr("Compares every file with its published checksum"),
        )
        self._corrections = WrapLabel()
        self._corrections.setText(
            tr("The corrections of yours that you chose under “Corrections” are learnt from, too.")
        )
        self._lay_out()
        self._fill_own_choices()
        self.recipe.currentIndexChanged.connect(self._recipe_changed)
        self.check_button.answered.connect(self._show_check)
        self.check_button.cancelled.connect(lambda: self.data_field.set_help(tr("Not checked to the end.")))
        for place in (self.base, self.pairs, self.own_pairs):
            place.changed.connect(self.changed)
        self._recipe_changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Check whether there are corrections to learn from."""
        self._corrections.setVisible(chosen_corpus() is not None)
        super().showEvent(event)

    def stop(self) -> None:
        """Cancel all queries."""
        super().stop()
        self.check_button.cancel()

    def request(self) -> TrainingRequest:
        """The request that the form describes."""
        recipe = RECIPES[self.recipe.currentData()]
        return TrainingRequest(
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

    def find_missing(self) -> tuple[QWidget, str] | None:
        """The first missing field besides the corpora."""
        if RECIPES[self.recipe.currentData()].pairs and not Path(self.pairs.text or "-").is_file():
            message = tr(
                "The rewriter learns from a file of injected pairs. Make one with “evenhand train data inject --out "
                "FILE”, then choose it here."
            )
            return self.pairs, message
        own_pairs = self.own_pairs.text
        if own_pairs and not Path(own_pairs).is_file():
            message = tr(
                "{path} is not a file. Choose the file with your own pairs, or leave the field empty."
            )
            return self.own_pairs, message.format(path=own_pairs)
        return None

    def save_choices(self) -> None:
        """Remember base model and files."""
        request = self.request()
        self.save_recent("base_models", request.base)
        if request.injected:
            self.save_recent("injected_files", request.injected)
        if request.pairs:
            self.save_recent("pairs_files", request.pairs)

    # Building

    def _lay_out(self) -> None:
        self.recipe_field = FormField(tr("What to train"), self.recipe)
        seed_field = FormField(
            tr("Seed"),
            self.seed,
            help_text=tr("The same seed on the same device gives the same model again."),
        )
        self.base_field = FormField(
            tr("Base model"),
            self.base,
            help_text=tr(
                "A name on the Hugging Face hub, or a folder with an encoder and its tokenizer. A name that is not on "
                "this computer yet is downloaded when the training starts."
            ),
        )
        self.data_field.set_help(
            tr("The folder with the corpora. “evenhand train data list” tells where they are at home.")
        )
        self.pairs_field = FormField(
            tr("Injected pairs"),
            self.pairs,
            help_text=tr("The file that “evenhand train data inject --out FILE” writes."),
        )
        self.own_pairs_field = FormField(
            tr("Own pairs"),
            self.own_pairs,
            help_text=tr(
                "May stay empty. A text file of sentences that you made neutral: in each line the sentence before, a "
                "tab, and the sentence after."
            ),
        )
        self.pairs_field.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        self.add_row(column, self.recipe_field, self.scale_field)
        column.addWidget(self.data_field)
        line = QHBoxLayout()
        line.addWidget(self.check_button)
        line.addStretch(1)
        column.addLayout(line)
        column.addWidget(self.pairs_field)
        column.addWidget(self.base_field)
        self.add_row(column, self.device_field, seed_field)
        column.addWidget(self.own_pairs_field)
        column.addWidget(self._corrections)
        self.add_footer(column)
        self.fill_choices()

    def _fill_own_choices(self) -> None:
        for recipe in RECIPES.values():
            self.recipe.addItem(recipe.title, recipe.name)
        recent_files = self._settings.value("injected_files")
        self.pairs.set_choices(recent_files, current=[*recent_files, ""][0])
        self.own_pairs.set_choices(self._settings.value("pairs_files"), current="")

    # What a person does

    def _recipe_changed(self) -> None:
        recipe = RECIPES[self.recipe.currentData()]
        self.recipe_field.set_help(recipe.what)
        self.pairs_field.setVisible(recipe.pairs)
        recent = [base for base in self._settings.value("base_models") if base != recipe.base]
        self.base.set_choices([recipe.base, *recent], current=recipe.base)
        self.changed()

    # What the trainer is asked

    def _make_check_command(self) -> list[str] | None:
        if self._trainer is None or self.report_missing_data():
            return None
        self.data_field.set_help(tr("Checking every file…"))
        return self._trainer.command(["data", "check", "--data", self.data.text])

    def _show_check(self, answer: QueryResult) -> None:
        try:
            message, all_match = describe_data_check(answer.output)
        except ValueError:
            self.data_field.set_help(answer.problem)
            return
        self.data_field.set_help(("✓ " if all_match else "⚠ ") + message)
