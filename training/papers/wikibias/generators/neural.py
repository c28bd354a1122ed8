"""A word-level model as a generator, with its weights and vocabulary in a folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from training.corpora.wikipedia import SentencePair
from training.loop import training_loop
from training.loop.batches import Stream
from training.loop.devices import autocast
from training.loop.events import Events
from training.metrics.generation import restore_source_text
from training.papers.wikibias.generators.base import Settings
from training.papers.wikibias.generators.seq2seq import Seq2Seq, search
from training.papers.wikibias.generators.vocabulary import Batch, Row, Vocabulary, collate, rows_of

_SIZE = 32


class NeuralGenerator:
    """A generator with a ``Seq2Seq``, which ``build`` makes from vocabulary size and settings."""

    def __init__(self, name: str, build: Callable[[int, Settings], Seq2Seq]) -> None:
        self.name = name
        self._build = build
        self._model: Seq2Seq | None = None
        self._vocabulary = Vocabulary([])
        self._settings = Settings(steps=0)

    @property
    def model(self) -> Seq2Seq:
        """The trained model. Raises ValueError before ``fit``."""
        if self._model is None:
            raise ValueError(f"{self.name} has not been fitted; call fit first")
        return self._model

    def fit(
        self,
        pairs: Sequence[SentencePair],
        *,
        dev: Sequence[SentencePair],
        settings: Settings,
        folder: Path,
        events: Events,
    ) -> None:
        """Train on ``pairs`` with early stopping on ``dev``; weights and checkpoints are saved in ``folder``.

        Finished training is loaded from ``folder``, stopped training resumes. Raises TrainingError where the loss is
        not finite, OSError where the folder or a base encoder cannot be read.
        """
        folder.mkdir(parents=True, exist_ok=True)
        events.stage = self.name
        rows, dev_rows = (rows_of(side, max_words=settings.max_words) for side in (pairs, dev))
        self._vocabulary = _vocabulary(rows, settings, folder)
        self._settings = settings
        torch.manual_seed(settings.seed)
        model = self._build(len(self._vocabulary), settings).to(settings.device)
        weights = folder / f"{self.name}.safetensors"
        if weights.is_file():
            model.load_state_dict(load_file(weights))
        else:
            events.emit(
                "start", f"{len(rows)} pairs, {len(dev_rows)} to stop by, {len(self._vocabulary)} words"
            )
            self.stages(model, rows, dev_rows, folder=folder, events=events)
            save_file(model.state_dict(), weights)
        self._model = model.eval()

    def stages(
        self, model: Seq2Seq, rows: Sequence[Row], dev: Sequence[Row], *, folder: Path, events: Events
    ) -> None:
        """What is fitted, in which order: here the whole model at once."""
        self.fit_stage(
            model, rows, dev, steps=self._settings.steps, checkpoint=folder / "run.pt", events=events
        )

    def fit_stage(
        self,
        model: Seq2Seq,
        rows: Sequence[Row],
        dev: Sequence[Row],
        *,
        steps: int,
        checkpoint: Path,
        events: Events,
        loss_fn: Callable[[Batch], torch.Tensor] | None = None,
    ) -> None:
        """Fit the parameters that want gradients to ``rows``, by the model's own loss or by ``loss_fn``."""
        settings, device = self._settings, torch.device(self._settings.device)
        dev_batches = self._batches(dev)
        measure = loss_fn or model.loss

        def loss(_: Stream[Row], chosen: Sequence[Row]) -> torch.Tensor:
            return measure(collate(chosen, self._vocabulary, device=settings.device))

        def evaluate() -> float:
            model.eval()
            with torch.inference_mode(), autocast(device):
                return -sum(float(measure(batch)) for batch in dev_batches) / max(1, len(dev_batches))

        training_loop.train(
            model,
            [Stream("pairs", rows, 1.0)],
            settings.loop(steps),
            loss_fn=loss,
            device=device,
            events=events,
            checkpoint=checkpoint,
            eval_fn=evaluate,
        )

    def generate(self, sources: Sequence[str]) -> list[str]:
        """One rewrite of each source, in order; unchanged words keep the characters of the source.

        Sources without words are unchanged. Raises ValueError before ``fit``.
        """
        model = self.model
        made = list(sources)
        rows = rows_of([SentencePair(source, "", "") for source in sources])
        order = sorted((at for at, row in enumerate(rows) if row.source), key=lambda at: len(rows[at].source))
        for start in range(0, len(order), _SIZE):
            places = order[start : start + _SIZE]
            batch = collate([rows[at] for at in places], self._vocabulary, device=self._settings.device)
            with torch.inference_mode(), autocast(torch.device(self._settings.device)):
                found = search(model, batch, self._vocabulary, beam=self._settings.beam)
            for at, words in zip(places, found, strict=True):
                made[at] = restore_source_text(sources[at], words)
        return made

    def _batches(self, rows: Sequence[Row]) -> list[Batch]:
        ordered = sorted(rows, key=lambda row: len(row.source))
        return [
            collate(ordered[at : at + _SIZE], self._vocabulary, device=self._settings.device)
            for at in range(0, len(ordered), _SIZE)
        ]


def _vocabulary(rows: Sequence[Row], settings: Settings, folder: Path) -> Vocabulary:
    """The vocabulary in the folder, built from ``rows`` where it is missing."""
    path = folder / "vocabulary.json"
    if not path.is_file():
        sides = (side for row in rows for side in (row.source, row.target))
        Vocabulary.build(sides, size=settings.vocabulary).save(path)
    return Vocabulary.load(path)
