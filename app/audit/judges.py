"""The field that asks who scores the texts: a judge that learns within the audit, or one that was trained here."""

from __future__ import annotations

from collections.abc import Sequence

from app.audit.run_words import run_line
from app.audit.words import JUDGES
from app.training.retrain_fields import Choice, Field
from core.language import tr
from core.runs.judges import TrainedJudge, measured

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
