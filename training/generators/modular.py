"""MODULAR (Pryzant et al. 2020): a detector, a join embedding and an editor, fitted one after the other, then together.

The editor is an LSTM that copies or says (its choice a gate, as in See et al. 2017); the join embedding v goes into the
encoder's states in the measure of the detector's probability, h_i + p_i v (section 3.3); new words weigh 1.3 times as
much in the loss. Left out: the editor's pre-training on noised neutral sentences and the coverage loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from training.events import Events
from training.generators.base import Settings
from training.generators.detector import Detector, changed, word_loss
from training.generators.lstm import LstmSeq2Seq
from training.generators.neural import NeuralGenerator
from training.generators.rows import Batch, Row
from training.generators.seq2seq import NEVER, Scores, Seq2Seq, State

_NEW_WORD = 1.3


class Modular(LstmSeq2Seq):
    """The editor, with the detector inside."""

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        self.detector = Detector(settings.detector_base)
        self.join_embedding = nn.Parameter(torch.zeros(settings.hidden))
        self.gate = nn.Linear(settings.hidden, 1)
        self._kept: dict[tuple[str, ...], Tensor] | None = None

    def hold(self, held: bool) -> None:
        """Hold the detector as it is (its answers are then remembered), or let it learn with the editor."""
        self._kept = {} if held else None
        for name, parameter in self.detector.named_parameters():
            parameter.requires_grad = not held and not name.startswith("encoder.embeddings.")

    def remember(self, batch: Batch) -> State:
        """The encoder's states, each with its share of the join embedding."""
        memory = super().remember(batch)
        chances = self._chances(batch).unsqueeze(-1)
        return {**memory, "states": memory["states"] + chances * self.join_embedding}

    def _chances(self, batch: Batch) -> Tensor:
        width = batch.source.shape[1]
        if self._kept is None:
            return self.detector([row.source for row in batch.rows], width=width).sigmoid()  # type: ignore[no-any-return]
        missing = [row.source for row in batch.rows if row.source not in self._kept]
        if missing:
            learning = self.detector.training
            self.detector.eval()
            with torch.no_grad():
                found = self.detector(missing, width=width).sigmoid()
            self.detector.train(learning)
            self._kept.update(
                {source: one[: len(source)] for source, one in zip(missing, found, strict=True)}
            )
        chances = torch.zeros(len(batch.rows), width, device=batch.source.device)
        for at, row in enumerate(batch.rows):
            chances[at, : len(row.source)] = self._kept[row.source]
        return chances

    def detection_loss(self, batch: Batch) -> Tensor:
        """Binary cross-entropy of the words that the editor of the pair changed, over all words."""
        width = batch.source.shape[1]
        gold = torch.stack([changed(row, width) for row in batch.rows]).to(batch.source.device)
        odds = self.detector([row.source for row in batch.rows], width=width)
        return word_loss(odds, gold, batch.mask)

    def weights(self, batch: Batch) -> Tensor:
        """Words that the source lacks weigh more."""
        new = ~(batch.target.unsqueeze(-1) == batch.extended.unsqueeze(1)).any(-1)
        return super().weights(batch) * (1.0 + (_NEW_WORD - 1.0) * new)

    def scores(self, memory: State, fed: Tensor, attention: Tensor) -> Scores:
        """Saying behind the gate, copying by attention before it."""
        gate = self.gate(fed)
        said = self.logits(fed).log_softmax(-1) + nn.functional.logsigmoid(gate)
        places = attention.clamp(min=1e-20).log() + nn.functional.logsigmoid(-gate)
        return Scores(said, places.masked_fill(~memory["mask"].unsqueeze(1), NEVER), attention)


class ModularGenerator(NeuralGenerator):
    """MODULAR in three stages."""

    def __init__(self) -> None:
        super().__init__("modular", Modular)

    def stages(
        self, model: Seq2Seq, rows: Sequence[Row], dev: Sequence[Row], *, folder: Path, events: Events
    ) -> None:
        """The detector on the words that changed, the editor with the detector held, then both."""
        assert isinstance(model, Modular)
        settings = self._settings
        for stage, steps in (
            ("detector", settings.detector_steps),
            ("editor", settings.steps),
            ("joint", settings.joint_steps),
        ):
            events.stage = f"modular {stage}"
            model.hold(stage == "editor")
            self.fit_stage(
                model,
                rows,
                dev,
                steps=steps,
                checkpoint=folder / f"{stage}.pt",
                events=events,
                loss_of=model.detection_loss if stage == "detector" else model.loss,
            )
