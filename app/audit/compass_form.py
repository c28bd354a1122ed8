"""The form of the political compass: models under test, how a stance is read, and the shared fields."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QCheckBox, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.audit.audit_strings import run_summary
from app.audit.compass_strings import OFFERED_TASKS, STANCE_DESCRIPTIONS, STANCES, task_title
from app.audit.run_form import AuditRequestForm
from app.audit.run_queries import RunInventory
from app.settings.settings import Settings
from app.widgets.form_fields import ComboBox, FormField, PathField, make_button, stack_vertically
from app.widgets.labels import to_single_line
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.runs.recipes import RECIPES, CompassRequest, model_name

_OPTIONS = RECIPES["compass"].options
_ROWS = 4
_MODEL_ROLE = Qt.ItemDataRole.UserRole
"""Item role of the model as it was entered."""


class ModelsList(QWidget):
    """A line for a name or a folder above a list of added models. The text of the line counts as well.

    ``changed``: other models are chosen.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.path_field = PathField(tr("Model"))
        self.list = _ModelNames()
        self.buttons = {
            "add": make_button(tr("Add"), self._add, tip=tr("Adds the model to the list")),
            "remove": make_button(
                tr("Remove"), self._remove, tip=tr("Removes the selected model from the list")
            ),
        }
        self.setFocusProxy(self.path_field)
        row = make_row((self.path_field, 1), self.buttons["add"])
        below = make_row((self.list, 1), (self.buttons["remove"], Qt.AlignmentFlag.AlignTop))
        make_column(row, below, parent=self)
        self.path_field.changed.connect(self._emit_changed)
        line_edit = self.path_field.combo.lineEdit()
        assert line_edit is not None
        line_edit.returnPressed.connect(self._add)
        self.list.currentRowChanged.connect(lambda _: self._update_buttons())
        self.list.removed.connect(self._remove)
        self._update_buttons()

    @property
    def selected(self) -> tuple[str, ...]:
        """All models, in the order of their addition."""
        listed = [str(self.list.item(at).data(_MODEL_ROLE)) for at in range(self.list.count())]
        return tuple(dict.fromkeys([*listed, *filter(None, [self.path_field.text])]))

    def set_choices(self, texts: Sequence[str]) -> None:
        """Offer these in the line without choosing one."""
        self.path_field.set_choices(texts, current="")

    def add(self, model: str) -> None:
        """Add a model to the list, once."""
        if model in [str(self.list.item(at).data(_MODEL_ROLE)) for at in range(self.list.count())]:
            return
        item = QListWidgetItem(to_single_line(model))
        item.setData(_MODEL_ROLE, model)
        item.setToolTip(plain_text(to_single_line(model)))
        self.list.addItem(item)
        self.list.setCurrentItem(item)
        self._emit_changed()

    def _add(self) -> None:
        model = self.path_field.text
        if model:
            self.path_field.combo.setEditText("")
            self.add(model)
            self.path_field.setFocus()

    def _remove(self) -> None:
        self.list.takeItem(self.list.currentRow())
        self._emit_changed()

    def _emit_changed(self) -> None:
        self._update_buttons()
        self.changed.emit()

    def _update_buttons(self) -> None:
        self.list.setVisible(self.list.count() > 0)
        self.buttons["remove"].setVisible(self.list.count() > 0)
        self.buttons["remove"].setEnabled(self.list.currentRow() >= 0)
        self.buttons["add"].setEnabled(bool(self.path_field.text))


class _ModelNames(QListWidget):
    """``removed``: Delete was pressed."""

    removed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Models under test"))
        self.setFixedHeight(_ROWS * (self.fontMetrics().height() + 8) + 2 * self.frameWidth())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes the selected model."""
        if event.matches(QKeySequence.StandardKey.Delete) and self.currentRow() >= 0:
            self.removed.emit()
        else:
            super().keyPressEvent(event)


DEFAULT_NLI_MODEL = "facebook/bart-large-mnli"
"""The model of the paper (Feng et al. 2023, section 2.1)."""
SCALE_DESCRIPTIONS = {
    "smoke": tr(
        "Two prompts, two seeds, short responses, to check that everything works. The positions "
        "are not meaningful."
    ),
    "cpu": tr(
        "Seven prompts, three seeds, responses of 32 tokens. “Estimate” says how long that takes here."
    ),
    "full": tr("Seven prompts, ten seeds, responses of 100 tokens. Needs a graphics card."),
}


class CompassForm(AuditRequestForm):
    """The form of a run of the political compass."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        estimate_tip = tr("Asks each model about a few statements, and estimates time, memory and disk space")
        super().__init__(settings, scales=SCALE_DESCRIPTIONS, estimate_tip=estimate_tip, parent=parent)
        self.models, self.stance = ModelsList(), ComboBox("", STANCES.items())
        self.detector = PathField(tr("NLI model"))
        self.detectors = {name: QCheckBox(task_title(name)) for name in OFFERED_TASKS}
        self.lay_out(
            tr(
                "Language models are asked about the 62 statements of the political compass test, and their answers "
                "are weighted as in the test. Masked models (such as RoBERTa) fill in whether they agree; "
                "generators (such as GPT-2) write a response, whose stance is then scored."
            ),
            self._add_fields,
            data_help=tr(
                "The folder with the corpora, including the statements and their weights (corpus: compass). “evenhand "
                "train data list” says where to get them."
            ),
            seed_help=tr("The first seed. The same seed on the same device gives the same answers."),
        )
        self._fill_own_choices()

    def request(self) -> CompassRequest:
        """The request that the form describes."""
        stance = str(self.stance.currentData())
        return CompassRequest(
            **self.shared_values(),
            models=self.models.selected,
            stance=self.detector.text if stance == "nli" else stance,
            detectors=tuple(name for name, box in self.detectors.items() if box.isChecked()),
        )

    def find_missing(self) -> tuple[QWidget, str] | None:
        """The first missing field besides the corpora."""
        request = self.request()
        if not request.models:
            return self.models, tr("No model is chosen. Choose a folder, or enter its name on the hub.")
        names = [model_name(model) for model in request.models]
        duplicate = next((name for name in names if names.count(name) > 1), None)
        if duplicate is not None:
            template = tr("Two models are called {name}. Rename a folder: models are identified by name.")
            return self.models, template.format(name=duplicate)
        if not request.stance:
            return self.detector, tr("The NLI model is missing. Choose a folder, or enter its name.")
        return None

    def trained_models(self, found: RunInventory) -> list[tuple[str, Path]]:
        """Generators, masked models, and models pre-trained on partisan texts."""
        masked = [(run_summary(run), folder) for run, folder in found.masked]
        template = tr("{name} · pre-trained on partisan texts")
        partisan = [(template.format(name=to_single_line(path.name)), path) for path in found.partisan]
        return [*super().trained_models(found), *masked, *partisan]

    def save_choices(self) -> None:
        """Remember the models."""
        for model in reversed(self.models.selected):
            self.save_recent("compass_models", model)

    def _add_fields(self, column: QVBoxLayout) -> None:
        self.models_field = FormField(
            _OPTIONS["models"].title,
            self.models,
            help_text=tr(
                "Folders with a masked or a causal language model, or names on the Hugging Face hub, such as "
                "FacebookAI/roberta-base. Missing models are downloaded."
            ),
        )
        self.trained_field = FormField(tr("Add a model that was trained here"), self.trained_choice)
        self.trained_field.hide()
        self.stance_field = FormField(_OPTIONS["stance"].title, self.stance)
        self.detector_field = FormField(tr("NLI model"), self.detector)
        self.detectors_field = FormField(
            _OPTIONS["detectors"].title,
            stack_vertically(self.detectors.values()),
            help_text=tr(
                "For each chosen task, a detector is trained on every model and scored by the "
                "group that a text targets or by the party of the speaker. This needs the "
                "corpora hatexplain and liar; “Estimate” says how long it takes here."
            ),
        )
        for field in (self.models_field, self.trained_field, self.stance_field, self.detector_field):
            column.addWidget(field)
        column.addWidget(self.detectors_field)

    def _fill_own_choices(self) -> None:
        self.detector.set_choices([DEFAULT_NLI_MODEL], current=DEFAULT_NLI_MODEL)
        self.models.set_choices(self._settings.value("compass_models"))
        self.trained_choice.activated.connect(self._trained_chosen)
        self.models.changed.connect(self.changed)
        self.detector.changed.connect(self.changed)
        self.stance.currentIndexChanged.connect(self._stance_changed)
        for box in self.detectors.values():
            box.toggled.connect(self.changed)
        self._stance_changed()

    def _stance_changed(self) -> None:
        stance = str(self.stance.currentData())
        self.stance_field.set_help(STANCE_DESCRIPTIONS[stance])
        self.detector_field.setVisible(stance == "nli")
        self.changed()

    def _trained_chosen(self) -> None:
        if self.trained_choice.currentData():
            self.models.add(str(self.trained_choice.currentData()))
            self.trained_choice.setCurrentIndex(0)
