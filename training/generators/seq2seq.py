"""What the word-level models share: how likely a target is, with and without copying, and how a batch is scored."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.generators.base import Settings
from training.generators.rows import Batch
from training.generators.vocabulary import PAD, UNK

NEVER = -1e9
State = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Scores:
    """Log-probabilities of the next word: ``words`` [rows, T, vocabulary] of saying a word of the vocabulary,
    ``places`` [rows, T, S] of copying the word at a place of the source (None: this model cannot copy). With places,
    both together sum to one. ``attention`` [rows, T, S] sums to one over the source.
    """

    words: Tensor
    places: Tensor | None
    attention: Tensor


class Seq2Seq(nn.Module):
    """A model that reads a batch once and then says its targets word by word.

    All tensors of memory and state have the rows first, so that beam search may reorder them.
    """

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__()
        self.size = vocabulary
        self.settings = settings
        self.embedding = nn.Embedding(vocabulary, settings.embedding, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=settings.embedding**-0.5)
        self.dropout = nn.Dropout(settings.dropout)

    @abstractmethod
    def remember(self, batch: Batch) -> State:
        """The source as the decoder sees it: at least ``states`` [rows, S, …], ``mask`` and ``extended`` [rows, S]."""

    @abstractmethod
    def begin(self, memory: State) -> State:
        """The decoder's state before the first word."""

    @abstractmethod
    def advance(self, memory: State, state: State, last: Tensor) -> tuple[Scores, State]:
        """Scores of the next word (T = 1) after ``last`` int64 [rows], extended numbers; and the new state."""

    @abstractmethod
    def teach(self, memory: State, given: Tensor) -> Scores:
        """Scores of every next word where the words before it are ``given`` int64 [rows, T], extended numbers."""

    def known(self, numbers: Tensor) -> Tensor:
        """Extended numbers with strangers as UNK."""
        return numbers.masked_fill(numbers >= self.size, UNK)

    def weights(self, batch: Batch) -> Tensor:
        """How much each word of the targets counts, [rows, T]; padding counts nothing."""
        return (batch.target != PAD).float()

    def loss(self, batch: Batch) -> Tensor:
        """Mean negative log-likelihood of a target word."""
        memory = self.remember(batch)
        scores = self.teach(memory, batch.given)
        found = likelihood(scores, batch.target, memory["extended"], self.known(batch.target))
        weights = self.weights(batch)
        return -(found * weights).sum() / weights.sum()


def likelihood(scores: Scores, target: Tensor, extended: Tensor, known: Tensor) -> Tensor:
    """Log-probability of each target word [rows, T]: of saying it, or of copying it from any place where it stands.

    A stranger can only be copied; a word that neither can say counts as the unknown word.
    """
    said = scores.words.float().gather(-1, known.unsqueeze(-1)).squeeze(-1)
    if scores.places is None:
        return said
    said = said.masked_fill(known != target, NEVER)
    same = target.unsqueeze(-1) == extended.unsqueeze(1)
    copied = scores.places.float().masked_fill(~same, NEVER).logsumexp(-1)
    return torch.logaddexp(said, copied)


def merged(scores: Scores, extended: Tensor, *, strangers: int) -> Tensor:
    """Log-probabilities [rows, vocabulary + strangers] of the next word (T = 1), said or copied."""
    words = scores.words[:, -1].float()
    if scores.places is None:
        return words
    chances = torch.cat([words.exp(), words.new_zeros(len(words), strangers)], dim=-1)
    chances.scatter_add_(-1, extended, scores.places[:, -1].float().exp())
    return chances.clamp(min=1e-30).log()
