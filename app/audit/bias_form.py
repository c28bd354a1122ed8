"""The form of a bias audit: generator, attributes, debiasing methods, and the ideology classifier."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.audit.audit_strings import ATTRIBUTES, BIAS_MEANINGS, BUILT_IN_CLASSIFIERS, KINDS, run_summary
from app.audit.run_form import AuditRequestForm
from app.audit.run_queries import RunInventory
from app.settings.settings import Settings
from app.widgets.form_fields import ComboBox, FormField, PathField, stack_vertically
from core.i18n import tr
from core.runs.recipes import RECIPES, GeneratorAuditRequest
from core.runs.trained_models import TrainedClassifier, measured_scores

_OPTIONS = RECIPES["audit"].options
_TRAINED_IN_AUDIT = tr(
    "This classifier is trained at the start of the audit, on articles that debiasing does not use."
)
_TRAINED_BEFORE = tr(
    "This classifier was trained here earlier and is used unchanged; it may have seen articles "
    "that debiasing uses."
)


class ClassifierField(FormField):
    """Which ideology classifier scores the texts, with its scores."""

    def __init__(self) -> None:
        self.choice = ComboBox()
        super().__init__(_OPTIONS["ideology_classifier"].title, self.choice)
        self._trained: dict[str, TrainedClassifier] = {}
        self.set_choices(())
        self.choice.currentIndexChanged.connect(self._update_help)

    @property
    def selected(self) -> str:
        """A key of BUILT_IN_CLASSIFIERS, or the folder of the run that trained it."""
        return str(self.choice.currentData())

    def set_choices(self, trained: Sequence[TrainedClassifier]) -> None:
        """Offer these besides the built-in ones; the choice stays if it is still there."""
        self._trained = {str(classifier.run.folder): classifier for classifier in trained}
        built_in = [(name, classifier.title) for name, classifier in BUILT_IN_CLASSIFIERS.items()]
        own = [(folder, run_summary(classifier.run)) for folder, classifier in self._trained.items()]
        self.choice.set_choices([*built_in, *own])
        self._update_help()

    def _update_help(self) -> None:
        trained = self._trained.get(self.selected)
        scores = trained.scores if trained else measured_scores()[self.selected]
        template = tr(
            "Macro-F1 {random} on articles of known publishers, {grouped} on those of unseen ones; guessing "
            "gives 0.50."
        ).format(random=f"{scores.random:.2f}", grouped=f"{scores.grouped:.2f}")
        self.set_help(f"{template} {_TRAINED_BEFORE if trained else _TRAINED_IN_AUDIT}")


MODES = {
    "emb": tr("Mode 1: bias words (Liu et al.)"),
    "cls": tr("Mode 2: classifier (Liu et al.)"),
    "emb-token": tr("Token reweighting by words (Evenhand)"),
    "token": tr("Token reweighting by a classifier (Evenhand)"),
}
SCALE_DESCRIPTIONS = {
    "smoke": tr("A few short texts, to check that everything works. The metrics are not meaningful."),
    "cpu": tr("Two texts of 50 tokens after every prompt. “Estimate” says how long that takes here."),
    "full": tr("Ten texts of 100 tokens after every prompt, as in the paper. Needs a graphics card."),
}


class BiasForm(AuditRequestForm):
    """The form of a bias audit of one generator."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        estimate_tip = tr("Writes a few tokens, and estimates time, memory and disk space")
        super().__init__(settings, scales=SCALE_DESCRIPTIONS, estimate_tip=estimate_tip, parent=parent)
        self.base = PathField(_OPTIONS["base"].title)
        self.attributes = {name: QCheckBox(title) for name, title in ATTRIBUTES.items()}
        self.modes = {name: QCheckBox(title) for name, title in MODES.items()}
        self.classifier_field = ClassifierField()
        self.lay_out(
            tr(
                "A generator continues prompts that name a gender, a place or a topic, and an ideology classifier "
                "scores its texts."
            )
            + "".join(f"\n{KINDS[kind]}: {meaning}" for kind, meaning in BIAS_MEANINGS.items()),
            self._add_fields,
            data_help=tr(
                "The folder with the corpora; the ideology classifier learns from its articles (corpus: articles). "
                "“evenhand train data list” says where to get them."
            ),
            seed_help=tr("The same seed on the same device gives the same texts."),
        )
        self._fill_own_choices()

    def request(self) -> GeneratorAuditRequest:
        """The request that the form describes."""
        return GeneratorAuditRequest(
            **self.shared_values(),
            base=self.base.text,
            attributes=tuple(name for name, box in self.attributes.items() if box.isChecked()),
            modes=tuple(name for name, box in self.modes.items() if box.isChecked()),
            ideology_classifier=self.classifier_field.selected,
        )

    def find_missing(self) -> tuple[QWidget, str] | None:
        """The first missing field besides the corpora."""
        request = self.request()
        if not request.base:
            return self.base, tr("The generator is missing. Choose a folder, or enter its name on the hub.")
        if not request.attributes:
            template = tr("No attribute is chosen. Choose at least one.")
            return next(iter(self.attributes.values())), template
        return None

    def save_choices(self) -> None:
        """Remember the generator."""
        self.save_recent("generators", self.base.text)

    def offer_trained(self, found: RunInventory) -> None:
        """Offer the generators and classifiers that were trained here."""
        super().offer_trained(found)
        self.classifier_field.set_choices(found.classifiers)

    def _add_fields(self, column: QVBoxLayout) -> None:
        self.base_field = FormField(
            _OPTIONS["base"].title,
            self.base,
            help_text=tr(
                "A folder with a causal language model, or its name on the Hugging Face hub, such as "
                "openai-community/gpt2-medium. It is downloaded if it is not on this computer yet."
            ),
        )
        self.trained_field = FormField(tr("From your runs"), self.trained_choice)
        self.trained_field.hide()
        self.attributes_field = FormField(
            _OPTIONS["attributes"].title, stack_vertically(self.attributes.values())
        )
        self.modes_field = FormField(
            _OPTIONS["modes"].title,
            stack_vertically(self.modes.values()),
            help_text=tr(
                "Methods that make the generator lean less. If none is chosen, only the "
                "unchanged generator is measured."
            ),
        )
        column.addWidget(self.base_field)
        column.addWidget(self.trained_field)
        self.add_row(column, self.attributes_field, self.modes_field)
        column.addWidget(self.classifier_field)

    def _fill_own_choices(self) -> None:
        bases = self._settings.value("generators")
        self.base.set_choices(bases, current=[*bases, ""][0])
        self.trained_choice.activated.connect(self._trained_chosen)
        self.base.changed.connect(self.changed)
        self.classifier_field.choice.currentIndexChanged.connect(self.changed)
        for box in (*self.attributes.values(), *self.modes.values()):
            box.setChecked(True)
            box.toggled.connect(self.changed)

    def _trained_chosen(self) -> None:
        if self.trained_choice.currentData():
            self.base.combo.setEditText(str(self.trained_choice.currentData()))
