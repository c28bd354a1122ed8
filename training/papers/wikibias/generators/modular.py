"""MODULAR (Pryzant et al. 2020): a detector of biased words, a join embedding and an editor.

The detector (section 3.1) has a BERT encoder and word features: p_i = sigmoid(W_b b_i + W_e e_i + b), e_i = ReLU(W_in
f_i). The features f_i are Evenhand's cue classes instead of published lexicons. The editor is an LSTM with a copy gate
(See et al. 2017). The join embedding v enters the encoder's states weighted by the detector's probability, h_i + p_i v
(section 3.3). New words have 1.3 times the weight in the loss. Left out: pre-training of the editor on noised neutral
sentences, and the coverage loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

import torch
from torch import Tensor, nn

from core.engine.cues import Lexicon
from training.loop.events import Events
from training.modeling.reader import load_base
from training.papers.wikibias.generators.base import Settings
from training.papers.wikibias.generators.neural import NeuralGenerator
from training.papers.wikibias.generators.recurrent import LstmSeq2Seq
from training.papers.wikibias.generators.seq2seq import NEGATIVE, Scores, Seq2Seq, State
from training.papers.wikibias.generators.vocabulary import Batch, Row

_FEATURES = 32
_LONGEST = 192


class Detector(nn.Module):
    """Log-odds that each word of a sentence is biased."""

    def __init__(self, base: str) -> None:
        super().__init__()
        reader, self._tokenizer = load_base(base)
        self.encoder = reader.encoder
        self._lexicon = Lexicon.load()
        self._classes = {name: number for number, name in enumerate(self._lexicon.classes)}
        self.features = nn.Linear(len(self._classes), _FEATURES)
        self.state = nn.Linear(reader.bias.in_features, 1)
        self.feature = nn.Linear(_FEATURES, 1, bias=False)

    def forward(self, sentences: Sequence[Sequence[str]], *, width: int) -> Tensor:
        """Log-odds [sentences, width] of sentences of at most ``width`` words.

        They are very low for truncated words and padding.
        """
        packed = self._tokenizer(
            [list(words) for words in sentences],
            is_split_into_words=True,
            truncation=True,
            max_length=_LONGEST,
            padding=True,
            return_tensors="pt",
        )
        device = self.state.weight.device
        states = self.encoder(
            input_ids=packed["input_ids"].to(device), attention_mask=packed["attention_mask"].to(device)
        ).last_hidden_state
        places = torch.zeros(len(sentences), width, dtype=torch.long)
        there = torch.zeros(len(sentences), width, dtype=torch.bool)
        for at in range(len(sentences)):
            for piece, word in reversed(list(enumerate(packed.word_ids(at)))):
                if word is not None:
                    places[at, word], there[at, word] = piece, True
        picked = states.gather(1, places.to(device).unsqueeze(-1).expand(-1, -1, states.shape[-1]))
        known = torch.stack([self._known(words, width) for words in sentences]).to(device)
        odds = self.state(picked) + self.feature(torch.relu(self.features(known)))
        return odds.squeeze(-1).float().masked_fill(~there.to(device), -30.0)  # type: ignore[no-any-return]

    def _known(self, words: Sequence[str], width: int) -> Tensor:
        """The cue classes of each word, [width, classes]."""
        found = torch.zeros(width, len(self._classes))
        starts, at = {}, 0
        for number, word in enumerate(words):
            starts[at] = number
            at += len(word) + 1
        for start, end, name in self._lexicon.match(" ".join(words)):
            for place, number in starts.items():
                if start <= place < end:
                    found[number, self._classes[name]] = 1.0
        return found


def word_loss(odds: Tensor, gold: Tensor, mask: Tensor) -> Tensor:
    """Binary cross-entropy of log-odds and labels [sentences, width], mean over ``mask``."""
    loss = nn.functional.binary_cross_entropy_with_logits(odds, gold, reduction="none")
    return (loss * mask).sum() / mask.sum()


def changed(row: Row, width: int) -> Tensor:
    """1.0 for the words of the source that are replaced or deleted in its target, [width]."""
    labels = torch.zeros(width)
    blocks = SequenceMatcher(a=row.source, b=row.target, autojunk=False).get_opcodes()
    for tag, first, last, _, _ in blocks:
        if tag in ("replace", "delete"):
            labels[first:last] = 1.0
    return labels


_NEW_WORD = 1.3


class Modular(LstmSeq2Seq):
    """The editor with its detector."""

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        self.detector = Detector(settings.detector_base)
        self.join_embedding = nn.Parameter(torch.zeros(settings.hidden))
        self.gate = nn.Linear(settings.hidden, 1)
        self._cached: dict[tuple[str, ...], Tensor] | None = None

    def freeze_detector(self, frozen: bool) -> None:
        """Freeze the detector and cache its outputs, or train it with the editor."""
        self._cached = {} if frozen else None
        for name, parameter in self.detector.named_parameters():
            parameter.requires_grad = not frozen and not name.startswith("encoder.embeddings.")

    def encode_source(self, batch: Batch) -> State:
        """The encoder's states with the weighted join embedding."""
        memory = super().encode_source(batch)
        chances = self._bias_probabilities(batch).unsqueeze(-1)
        return {**memory, "states": memory["states"] + chances * self.join_embedding}

    def _bias_probabilities(self, batch: Batch) -> Tensor:
        width = batch.source.shape[1]
        if self._cached is None:
            return self.detector([row.source for row in batch.rows], width=width).sigmoid()  # type: ignore[no-any-return]
        missing = [row.source for row in batch.rows if row.source not in self._cached]
        if missing:
            learning = self.detector.training
            self.detector.eval()
            with torch.no_grad():
                found = self.detector(missing, width=width).sigmoid()
            self.detector.train(learning)
            self._cached.update(
                {source: one[: len(source)] for source, one in zip(missing, found, strict=True)}
            )
        chances = torch.zeros(len(batch.rows), width, device=batch.source.device)
        for at, row in enumerate(batch.rows):
            chances[at, : len(row.source)] = self._cached[row.source]
        return chances

    def detection_loss(self, batch: Batch) -> Tensor:
        """Binary cross-entropy of the words that the editor changed, over all words."""
        width = batch.source.shape[1]
        gold = torch.stack([changed(row, width) for row in batch.rows]).to(batch.source.device)
        odds = self.detector([row.source for row in batch.rows], width=width)
        return word_loss(odds, gold, batch.mask)

    def weights(self, batch: Batch) -> Tensor:
        """Words that are not in the source have a higher weight."""
        new = ~(batch.target.unsqueeze(-1) == batch.extended.unsqueeze(1)).any(-1)
        return super().weights(batch) * (1.0 + (_NEW_WORD - 1.0) * new)

    def scores(self, memory: State, fed: Tensor, attention: Tensor) -> Scores:
        """Generating and copying by attention, weighted by the gate."""
        gate = self.gate(fed)
        words = self.logits(fed).log_softmax(-1) + nn.functional.logsigmoid(gate)
        places = attention.clamp(min=1e-20).log() + nn.functional.logsigmoid(-gate)
        return Scores(words, places.masked_fill(~memory["mask"].unsqueeze(1), NEGATIVE), attention)


class ModularGenerator(NeuralGenerator):
    """MODULAR in three stages."""

    def __init__(self) -> None:
        super().__init__("modular", Modular)

    def stages(
        self, model: Seq2Seq, rows: Sequence[Row], dev: Sequence[Row], *, folder: Path, events: Events
    ) -> None:
        """The detector on the changed words, the editor with the frozen detector, then both."""
        assert isinstance(model, Modular)
        settings = self._settings
        for stage, steps in (
            ("detector", settings.detector_steps),
            ("editor", settings.steps),
            ("joint", settings.joint_steps),
        ):
            events.stage = f"modular {stage}"
            model.freeze_detector(stage == "editor")
            self.fit_stage(
                model,
                rows,
                dev,
                steps=steps,
                checkpoint=folder / f"{stage}.pt",
                events=events,
                loss_fn=model.detection_loss if stage == "detector" else model.loss,
            )
