"""The form of a bias audit: generator, attributes, debiasing methods, and the ideology classifier."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from app.audit.audit_strings import ATTRIBUTES, JUDGES, KINDS, MEANINGS, run_line
from app.audit.requests import AuditAsked, Known
from app.audit.run_form import RunForm
from app.settings.settings import Settings
from app.widgets.form_fields import Choice, Field, Place, together
from core.i18n import tr
from core.runs.trained_models import TrainedJudge, measured

# The field that asks who scores the texts: a judge that learns within the audit, or one that was trained here.


_LEARNS = tr("It learns at the beginning of the audit, from articles that the calibration does not see.")
_TRAINED = tr(
    "It was trained here before and is taken as it is; it may know articles that the calibration sees."
)


class JudgeField(Field):
    """Who scores the texts, and how good that judge was found."""

    def __init__(self) -> None:
        self._choice = Choice()
        super().__init__(tr("Judge"), self._choice)
        self._trained: dict[str, TrainedJudge] = {}
        self.offer(())
        self._choice.currentIndexChanged.connect(self._tell)

    @property
    def chosen(self) -> str:
        """A key of JUDGES, or the folder of the run that trained it."""
        return str(self._choice.currentData())

    @property
    def choice(self) -> Choice:
        """The control."""
        return self._choice

    def offer(self, trained: Sequence[TrainedJudge]) -> None:
        """Offer these beside the built-in ones; what was chosen stays so while it is there."""
        before = self._choice.currentData()
        self._trained = {str(judge.run.folder): judge for judge in trained}
        self._choice.blockSignals(True)
        self._choice.clear()
        for name, judge in JUDGES.items():
            self._choice.addItem(judge.title, name)
        for folder, judge in self._trained.items():
            self._choice.addItem(run_line(judge.run), folder)
        self._choice.setCurrentIndex(max(0, self._choice.findData(before)))
        self._choice.blockSignals(False)
        self._tell()

    def _tell(self) -> None:
        trained = self._trained.get(self.chosen)
        scores = trained.scores if trained else measured()[self.chosen]
        said = tr(
            "Macro-F1 {random} on articles of outlets that it knows, {grouped} on those of others; guessing has 0.50."
        ).format(random=f"{scores.random:.2f}", grouped=f"{scores.grouped:.2f}")
        self.tell(f"{said} {_TRAINED if trained else _LEARNS}")


# The form of an audit: generator, attributes, how it is calibrated, and what all forms have.


MODES = {
    "emb": tr("Mode 1: by words"),
    "cls": tr("Mode 2: by a classifier"),
    "emb-token": tr("Token by token, by words: Evenhand’s own"),
    "token": tr("Token by token, by a classifier: Evenhand’s own"),
}
SCALES_TOLD = {
    "smoke": tr("A few short texts: shows that all works. The figures are of no use."),
    "cpu": tr("Two texts of 50 tokens after every prompt. “Estimate” tells how long that takes here."),
    "full": tr("Ten texts of 100 tokens after every prompt, as in the paper. It wants a graphics card."),
}


class AuditForm(RunForm):
    """Asks for an audit of one generator."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        trying = tr("Writes a few tokens and tells time, memory and disk")
        super().__init__(settings, scales=SCALES_TOLD, trying=trying, parent=parent)
        self.base = Place(tr("Generator"))
        self.attributes = {name: QCheckBox(title) for name, title in ATTRIBUTES.items()}
        self.modes = {name: QCheckBox(title) for name, title in MODES.items()}
        self.judge_field = JudgeField()
        self.build(
            tr(
                "A generator writes after prompts that name a gender, a place or a topic, and a judge of political "
                "leaning reads what it wrote."
            )
            + "".join(f"\n{KINDS[kind]}: {meaning}" for kind, meaning in MEANINGS.items()),
            self._add_own,
            data_told=tr(
                "The folder with the corpora; the judge learns from its articles (article_bias). “evenhand train data "
                "list” tells where they are at home."
            ),
            seed_told=tr("The same seed on the same device writes the same texts."),
        )
        self._fill_own()

    def asked(self) -> AuditAsked:
        """What the form says now."""
        return AuditAsked(
            base=self.base.text,
            data=self.data.text,
            attributes=tuple(name for name, box in self.attributes.items() if box.isChecked()),
            modes=tuple(name for name, box in self.modes.items() if box.isChecked()),
            judge=self.judge_field.chosen,
            device=str(self.device.currentData() or "auto"),
            scale=str(self.scale.currentData()),
            seed=self.seed.value,
        )

    def missing(self) -> tuple[QWidget, str] | None:
        """What is missing but for the corpora."""
        asked = self.asked()
        if not asked.base:
            return self.base, tr("No generator is named. Choose a folder, or type its name on the hub.")
        if not asked.attributes:
            said = tr("Nothing is chosen to be asked about. Choose one at least.")
            return next(iter(self.attributes.values())), said
        return None

    def remember(self) -> None:
        """Keep the generator."""
        self.keep("generators", self.base.text)

    def offer_own(self, found: Known) -> None:
        """Offer the generators and the judges that runs have left behind."""
        super().offer_own(found)
        self.judge_field.offer(found.judges)

    def _add_own(self, column: QVBoxLayout) -> None:
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
        self.attributes_field = Field(tr("What is asked about"), together(self.attributes.values()))
        self.modes_field = Field(
            tr("Calibrated"),
            together(self.modes.values()),
            told=tr(
                "While it writes, the generator is pulled towards the middle. With none it is measured as it is."
            ),
        )
        column.addWidget(self.base_field)
        column.addWidget(self.own_field)
        self.add_pair(column, self.attributes_field, self.modes_field)
        column.addWidget(self.judge_field)

    def _fill_own(self) -> None:
        bases = self._settings.value("generators")
        self.base.offer(bases, chosen=[*bases, ""][0])
        self.own.activated.connect(self._own_chosen)
        self.base.changed.connect(self.changed)
        self.judge_field.choice.currentIndexChanged.connect(self.changed)
        for box in (*self.attributes.values(), *self.modes.values()):
            box.setChecked(True)
            box.toggled.connect(self.changed)

    def _own_chosen(self) -> None:
        if self.own.currentData():
            self.base.box.setEditText(str(self.own.currentData()))
