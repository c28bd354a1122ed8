"""The form that starts a training run. Its fields follow from the options of the recipes that it offers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from app.runs.request_form import SHARED_OPTIONS, QueryButton, RequestForm
from app.runs.run_process import QueryResult
from app.runs.run_strings import describe_data_check
from app.settings.settings import Settings
from app.widgets.form_fields import ComboBox, FormField, PathField
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from core.corrections.corpus import chosen_corpus
from core.i18n import tr
from core.runs.recipes import RECIPES, SCALES, Control, Option, Recipe, Request, StartedFrom

_RECIPES = {
    name: recipe for name, recipe in RECIPES.items() if recipe.started_from is StartedFrom.TRAINING_FORM
}
_HELP = {
    "base": tr(
        "A name on the Hugging Face hub, or a folder with an encoder and its tokenizer. A model "
        "that is not on this computer yet is downloaded when the run starts."
    ),
    "pairs": tr(
        "Optional. A text file of sentences that you made neutral: in each line the sentence before, a tab, and the "
        "sentence after."
    ),
}
"""Help texts by the name of the option."""
_RECENT = {"base": "base_models", "pairs": "pairs_files"}
"""Settings with earlier choices, by the name of the option."""


def _shown_options(recipe: Recipe) -> dict[str, Option]:
    """The options of a recipe that the window offers, besides the shared ones."""
    return {
        name: option for name, option in recipe.options.items() if option.title and name not in SHARED_OPTIONS
    }


class TrainingForm(RequestForm):
    """The form of a training run. ``paths`` and ``fields`` hold the inputs of the options by name."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(
            settings,
            (tr("Train"), tr("Starts a training run on this computer")),
            scales={scale.name: scale.help for scale in SCALES.values()},
            estimate_tip=tr("Tries a few steps, and estimates time, memory and disk space"),
            parent=parent,
        )
        self.recipe = ComboBox("", [(name, recipe.title) for name, recipe in _RECIPES.items()])
        self.paths: dict[str, PathField] = {}
        self.fields: dict[str, FormField] = {}
        for recipe in _RECIPES.values():
            for option in _shown_options(recipe).values():
                self._add_option(option)
        self.check_button = QueryButton(
            tr("Check the files"),
            tr("Stop checking"),
            self._make_check_command,
            tip=tr("Compares every file with its published checksum"),
        )
        self._corrections = WrapLabel(
            tr("The model also learns from the corrections that you chose under “Corrections”.")
        )
        self._lay_out()
        self.recipe.currentIndexChanged.connect(self._recipe_changed)
        self.check_button.answered.connect(self._show_check)
        self.check_button.cancelled.connect(lambda: self.data_field.set_help(tr("The check was stopped.")))
        self._recipe_changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Check whether there are corrections to learn from."""
        self._corrections.setVisible(chosen_corpus() is not None)
        super().showEvent(event)

    def stop(self) -> None:
        """Cancel all queries."""
        super().stop()
        self.check_button.cancel()

    def request(self) -> Request:
        """The request that the form describes."""
        recipe = self._recipe
        values: dict[str, Any] = {"corrections": chosen_corpus()} if "corrections" in recipe.options else {}
        for name, option in _shown_options(recipe).items():
            text = self.paths[name].text
            if option.control is Control.MODEL:
                values[name] = text or option.default
            else:
                values[name] = Path(text) if text else None
        return recipe.request(**self.shared_values(), **values)

    def find_missing(self) -> tuple[QWidget, str] | None:
        """The first missing field besides the corpora."""
        for name, option in _shown_options(self._recipe).items():
            path = self.paths[name]
            if option.control is not Control.FILE or Path(path.text or "-").is_file():
                continue
            if option.is_required:
                return path, tr("Choose a file: {title}.").format(title=option.title)
            if path.text:
                template = tr("{path} is not a file. Choose another one, or leave the field empty.")
                return path, template.format(path=path.text)
        return None

    def save_choices(self) -> None:
        """Remember base model and files."""
        for name in _shown_options(self._recipe):
            if self.paths[name].text and name in _RECENT:
                self.save_recent(_RECENT[name], self.paths[name].text)

    # Building

    @property
    def _recipe(self) -> Recipe:
        return _RECIPES[self.recipe.currentData()]

    def _add_option(self, option: Option) -> None:
        """Add the input of an option: a path, a file or the name of a model."""
        if option.name in self.paths:
            return
        path = self.paths[option.name] = PathField(option.title, file=option.control is Control.FILE)
        self.fields[option.name] = FormField(option.title, path, help_text=_HELP.get(option.name, ""))
        recent = self._settings.value(_RECENT[option.name]) if option.name in _RECENT else ()
        path.set_choices(recent, current=[*recent, ""][0] if option.is_required else "")
        path.changed.connect(self.changed)

    def _lay_out(self) -> None:
        self.recipe_field = FormField(tr("What to train"), self.recipe)
        self.seed_field.set_help(tr("The same seed on the same device gives the same model again."))
        self.data_field.set_help(
            tr("The folder with the corpora. “evenhand train data list” says where to get them.")
        )
        column = make_column(parent=self, spacing=14)
        self.add_row(column, self.recipe_field, self.scale_field)
        column.addWidget(self.data_field)
        line = make_row(self.check_button, None)
        column.addLayout(line)
        for field in self.fields.values():
            column.addWidget(field)
        self.add_row(column, self.device_field, self.seed_field)
        column.addWidget(self._corrections)
        self.add_footer(column)
        self.fill_choices()

    def _recipe_changed(self) -> None:
        shown = _shown_options(self._recipe)
        self.recipe_field.set_help(self._recipe.help)
        for name, field in self.fields.items():
            field.setVisible(name in shown)
        base = self._recipe.default_base
        recent = [other for other in self._settings.value(_RECENT["base"]) if other != base]
        self.paths["base"].set_choices([base, *recent], current=base)
        self.changed()

    # Queries

    def _make_check_command(self) -> list[str] | None:
        if self._trainer is None or self.report_missing_data():
            return None
        self.data_field.set_help(tr("Checking every file…"))
        return self._trainer.command(["data", "check", "--data", self.data.text])

    def _show_check(self, result: QueryResult) -> None:
        try:
            message, all_match = describe_data_check(result.output)
        except ValueError:
            self.data_field.set_help(result.problem)
            return
        self.data_field.set_help(("✓ " if all_match else "⚠ ") + message)
