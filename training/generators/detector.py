"""MODULAR's detector: how likely each word of a sentence is biased (Pryzant et al. 2020, section 3.1).

A BERT-architecture encoder and word features: p_i = sigmoid(W_b b_i + W_e e_i + b), with e_i = ReLU(W_in f_i). The
features f_i say in which of Evenhand's own cue classes the word stands; the paper's come from published lexicons.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import torch
from torch import Tensor, nn

from core.cues import Lexicon
from training.generators.rows import Row
from training.model import load_base

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
        """Log-odds [sentences, width] of sentences as words, each of at most ``width``.

        Words past the encoder's length, and places after the last word, are surely plain.
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
        """In which cue classes each word stands, [width, classes]."""
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
    """Binary cross-entropy of log-odds and labels [sentences, width], mean over the places of ``mask``."""
    loss = nn.functional.binary_cross_entropy_with_logits(odds, gold, reduction="none")
    return (loss * mask).sum() / mask.sum()


def changed(row: Row, width: int) -> Tensor:
    """1.0 for the words of the source that its target lacks at their place, [width]."""
    labels = torch.zeros(width)
    blocks = SequenceMatcher(a=row.source, b=row.target, autojunk=False).get_opcodes()
    for tag, first, last, _, _ in blocks:
        if tag in ("replace", "delete"):
            labels[first:last] = 1.0
    return labels
