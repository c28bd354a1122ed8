"""A tagger as section 3.2 has it: an encoder and a layer over the first piece of each token, with what may be added.

Added may be: linguistic features (BERT-LING: beside the state, and two layers instead of one), a classifier of the
sentence over the [CLS] state (JOINT), and a CRF over the tags.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from training.batches import IGNORED, by_length
from training.crf import Crf
from training.metrics.tags import spans, tags_of
from training.precision import autocast
from training.wikibias import encoding
from training.wikibias.encoding import NOWHERE
from training.wikibias.linguistic import Flags, Linguistic
from training.wikibias.model import BEGIN, INSIDE, OUTSIDE, Tagged

LABELS = (OUTSIDE, BEGIN, INSIDE)
_OUTSIDE = LABELS.index(OUTSIDE)
_DROPOUT = 0.1
_READ_SIZE = 64


@dataclass(frozen=True, slots=True)
class TaggerRow:
    """A sentence as pieces, its tags as numbers of LABELS, and its words' features where they are asked for."""

    pieces: encoding.Row
    tags: tuple[int, ...]
    features: Flags | None

    def __len__(self) -> int:
        """Its pieces."""
        return len(self.pieces)


@dataclass(frozen=True, slots=True)
class TaggerOutput:
    """Logits in fp32: ``tags`` [batch, tokens, 3], and of neutral and of biased, ``sentence`` [batch, 2], or None.

    ``there`` [batch, tokens] is true where a token has a piece: other logits mean nothing.
    """

    tags: Tensor
    there: Tensor
    sentence: Tensor | None


class TaggerModel(nn.Module):
    """Encoder and layers; ``mark`` is the id of [CLS], ``features`` how many features a word has (0: none are read)."""

    def __init__(
        self, encoder: nn.Module, hidden: int, *, mark: int, features: int, joint: bool, crf: bool
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.mark = mark
        self.dropout = nn.Dropout(_DROPOUT)
        self.tags: nn.Module = nn.Linear(hidden, len(LABELS))
        if features:
            self.tags = nn.Sequential(
                nn.Linear(hidden + features, hidden),
                nn.ReLU(),
                nn.Dropout(_DROPOUT),
                nn.Linear(hidden, len(LABELS)),
            )
        self.sentence = nn.Linear(hidden, 2) if joint else None
        self.crf = Crf(LABELS) if crf else None

    def forward(self, batch: encoding.Batch, features: Tensor | None) -> TaggerOutput:
        """Read a batch; ``features`` float [batch, tokens, features] where the model was made for them."""
        states = self.encoder(input_ids=batch.ids, attention_mask=batch.mask).last_hidden_state
        places = batch.firsts.clamp(min=0).unsqueeze(-1).expand(-1, -1, states.shape[-1])
        words = self.dropout(states.gather(1, places))
        if features is not None:
            words = torch.cat([words, features.to(words.dtype)], dim=-1)
        return TaggerOutput(
            tags=self.tags(words).float(),
            there=batch.firsts != NOWHERE,
            sentence=None if self.sentence is None else self._sentence(self.sentence, states, batch.ids),
        )

    def _sentence(self, layer: nn.Linear, states: Tensor, ids: Tensor) -> Tensor:
        marks = (ids == self.mark).int().argmax(1)
        found: Tensor = layer(self.dropout(states[torch.arange(len(states), device=states.device), marks]))
        return found.float()


@dataclass(frozen=True, slots=True)
class Said:
    """A tagger's answers for sentences: valid BIO tags of every token, and from a joint model whether it is biased."""

    tags: list[list[str]]
    biased: list[bool] | None


@dataclass(frozen=True, slots=True)
class Tagger:
    """A model on states of ``width``, the tokenizer of its encoder, and the features it reads."""

    model: TaggerModel
    tokenizer: Any
    linguistic: Linguistic | None
    width: int

    def rows(self, sentences: Sequence[Tagged]) -> list[TaggerRow]:
        """The sentences as rows, cut at 128 pieces. Raises TrainingError for an empty sentence or token."""
        return [
            TaggerRow(
                row,
                tuple(LABELS.index(tag) for tag in tags_of(spans(row.sentence.tags), len(row.sentence))),
                None if self.linguistic is None else self.linguistic.features(row.sentence.tokens),
            )
            for row in encoding.encode(sentences, self.tokenizer)
        ]

    def output(self, rows: Sequence[TaggerRow], *, device: torch.device) -> TaggerOutput:
        """Logits of some rows, as the model is (training or not)."""
        pieces = [row.pieces for row in rows]
        batch = encoding.collate(pieces, pad=self.tokenizer.pad_token_id, device=device)
        known = [torch.from_numpy(row.features) for row in rows if row.features is not None]
        features = nn.utils.rnn.pad_sequence(known, batch_first=True).to(device).float() if known else None
        return self.model(batch, features)  # type: ignore[no-any-return]

    def said(self, sentences: Sequence[Tagged], *, device: torch.device) -> Said:
        """What it says of any number of sentences, in evaluation mode."""
        return self.read(self.rows(sentences), device=device)

    def read(self, rows: Sequence[TaggerRow], *, device: torch.device) -> Said:
        """What it says of any number of rows, in evaluation mode. Tokens behind the cut are outside."""
        self.model.to(device).eval()
        tags: list[list[str]] = [[] for _ in rows]
        biased = [False] * len(rows)
        with torch.inference_mode(), autocast(device):
            for indices in by_length(rows, _READ_SIZE):
                output = self.output([rows[at] for at in indices], device=device)
                if output.sentence is not None:
                    for at, (neutral, loaded) in zip(indices, output.sentence.tolist(), strict=True):
                        biased[at] = loaded > neutral
                for at, path in zip(indices, self._paths(output), strict=True):
                    found = [LABELS[label] for label in path[: len(rows[at].tags)]]
                    tags[at] = tags_of(spans(found), len(found))
        return Said(tags, None if self.model.sentence is None else biased)

    def _paths(self, output: TaggerOutput) -> NDArray[np.int64]:
        """The best label of every token, or with a CRF the best sequence, [batch, tokens]."""
        there = output.there.cpu().numpy()
        if self.model.crf is None:
            return np.where(there, output.tags.argmax(-1).cpu().numpy(), _OUTSIDE)
        paths = np.full(there.shape, _OUTSIDE, dtype=np.int64)
        # The best sequences are in the order of the tokens that are there, as the mask takes them.
        paths[there] = np.concatenate(
            [np.asarray(path, dtype=np.int64) for path in self.model.crf.best(output.tags, output.there)]
        )
        return paths


@dataclass(frozen=True, slots=True)
class Weights:
    """How much the classification loss of biased and of neutral sentences counts beside that of the tags."""

    biased: float
    neutral: float


def loss_of(model: TaggerModel, output: TaggerOutput, rows: Sequence[TaggerRow], weights: Weights) -> Tensor:
    """The loss of some rows, for a step. A joint model learns tags from biased sentences only, as the paper says.

    Tags: the mean over tokens, or with a CRF over sentences. Sentences: the mean of their weighted losses.
    """
    device = output.tags.device
    gold = nn.utils.rnn.pad_sequence([torch.tensor(row.tags) for row in rows], batch_first=True).to(device)
    biased = torch.tensor([row.pieces.sentence.biased for row in rows], device=device)
    there = output.there if output.sentence is None else output.there & biased.unsqueeze(1)
    if model.crf is not None:
        tagging = model.crf.loss(output.tags, gold, there)
    else:
        known = gold.masked_fill(~there, IGNORED)
        losses = nn.functional.cross_entropy(
            output.tags.flatten(0, 1), known.flatten(), ignore_index=IGNORED, reduction="sum"
        )
        tagging = losses / there.sum().clamp(min=1)
    if output.sentence is None:
        return tagging
    each = torch.where(biased, weights.biased, weights.neutral)
    said = nn.functional.cross_entropy(output.sentence, biased.long(), reduction="none")
    return tagging + (each * said).mean()
