"""A Transformer from scratch (Vaswani et al. 2017): pre-norm, sine positions, tied word vectors, label smoothing 0.1.

WIKIBIAS uses BART's shape and schedule (appendix D.3); from scratch on few pairs a higher learning rate is needed.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from training.papers.wikibias.generators.base import Settings
from training.papers.wikibias.generators.seq2seq import Scores, Seq2Seq, State
from training.papers.wikibias.generators.vocabulary import PAD, Batch

_SMOOTHING = 0.1


class Transformer(Seq2Seq):
    """Without copying; unknown words are replaced by the source word with the most attention."""

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__(vocabulary, settings)
        width, heads = settings.hidden, settings.heads
        shape = {
            "dim_feedforward": 4 * width,
            "dropout": settings.dropout,
            "batch_first": True,
            "norm_first": True,
        }
        self.widen = nn.Linear(settings.embedding, width)
        encoder = nn.TransformerEncoderLayer(width, heads, **shape)  # type: ignore[arg-type]
        decoder = nn.TransformerDecoderLayer(width, heads, **shape)  # type: ignore[arg-type]
        self.encoder = nn.TransformerEncoder(
            encoder, settings.layers, norm=nn.LayerNorm(width), enable_nested_tensor=False
        )
        self.decoder = nn.TransformerDecoder(decoder, settings.layers, norm=nn.LayerNorm(width))
        self.look = nn.MultiheadAttention(width, 1, batch_first=True)
        self.narrow = nn.Linear(2 * width, settings.embedding)
        self.bias = nn.Parameter(torch.zeros(vocabulary))

    def encode_source(self, batch: Batch) -> State:
        """The states of the source."""
        states = self.encoder(self._vectors(batch.source), src_key_padding_mask=~batch.mask)
        return {"states": states, "mask": batch.mask, "extended": batch.extended}

    def initial_state(self, memory: State) -> State:
        """An empty past for every layer."""
        nothing = memory["states"][:, :0]
        return {f"layer{number}": nothing for number in range(len(self.decoder.layers))}

    def step(self, memory: State, state: State, last: Tensor) -> tuple[Scores, State]:
        """One word through all layers, with the cached past of each."""
        hidden = self._vectors(last.unsqueeze(1), start=state["layer0"].shape[1])
        after: State = {}
        for number, layer in enumerate(self.decoder.layers):
            seen = torch.cat([state[f"layer{number}"], hidden], 1)
            after[f"layer{number}"] = seen
            normed = layer.norm1(seen)
            hidden = hidden + layer.self_attn(normed[:, -1:], normed, normed, need_weights=False)[0]
            read, _ = layer.multihead_attn(
                layer.norm2(hidden), memory["states"], memory["states"], key_padding_mask=~memory["mask"]
            )
            hidden = hidden + read
            hidden = hidden + layer.linear2(torch.relu(layer.linear1(layer.norm3(hidden))))
        assert self.decoder.norm is not None
        return self._scores(memory, self.decoder.norm(hidden)), after

    def teacher_forced(self, memory: State, decoder_input: Tensor) -> Scores:
        """All positions at once with a causal mask."""
        length, device = decoder_input.shape[1], decoder_input.device
        causal = torch.ones(length, length, dtype=torch.bool, device=device).triu(1)
        hidden = self.decoder(
            self._vectors(decoder_input),
            memory["states"],
            tgt_mask=causal,
            memory_key_padding_mask=~memory["mask"],
        )
        return self._scores(memory, hidden)

    def loss(self, batch: Batch) -> Tensor:
        """Cross-entropy, with label smoothing in training mode."""
        memory = self.encode_source(batch)
        words = self.teacher_forced(memory, batch.decoder_input).words
        target, counted = self.known(batch.target), (batch.target != PAD).float()
        picked = words.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        if self.training:
            picked = (1 - _SMOOTHING) * picked + _SMOOTHING * words.mean(-1)
        return -(picked * counted).sum() / counted.sum()

    def _scores(self, memory: State, hidden: Tensor) -> Scores:
        states = memory["states"]
        read, attention = self.look(hidden, states, states, key_padding_mask=~memory["mask"])
        narrow = self.narrow(torch.cat([hidden, read], -1))
        logits = nn.functional.linear(narrow, self.embedding.weight, self.bias)
        return Scores(logits.log_softmax(-1), None, attention)

    def _vectors(self, numbers: Tensor, *, start: int = 0) -> Tensor:
        """Word vectors with sine positions from ``start``."""
        vectors = self.widen(self.embedding(self.known(numbers)) * math.sqrt(self.settings.embedding))
        width, length = vectors.shape[-1], vectors.shape[1]
        place = torch.arange(start, start + length, device=vectors.device).unsqueeze(1)
        pace = torch.exp(torch.arange(0, width, 2, device=vectors.device) * (-math.log(10_000.0) / width))
        waves = torch.stack([(place * pace).sin(), (place * pace).cos()], -1).flatten(1)
        return self.dropout(vectors + waves[:, :width])  # type: ignore[no-any-return]
