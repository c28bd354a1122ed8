"""What the word-level models share: the likelihood of a target, with and without copying, and beam search."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.papers.wikibias.generators.base import Settings
from training.papers.wikibias.generators.vocabulary import BOS, EOS, PAD, UNK, Batch, Vocabulary

# What the word-level models share: how likely a target is, with and without copying, and how a batch is scored.


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


# Beam search over a word-level model; unknown words of a model that cannot copy become the word attended to most.


_MARGIN = 8


def search(model: Seq2Seq, batch: Batch, vocabulary: Vocabulary, *, beam: int) -> list[list[str]]:
    """The words of the best sentence of each row by mean log-probability; at most eight more than the source has."""
    memory = {name: tensor.repeat_interleave(beam, 0) for name, tensor in model.remember(batch).items()}
    rows, device = len(batch.rows), batch.source.device
    state = model.begin(memory)
    scores = torch.full((rows, beam), NEVER, device=device)
    scores[:, 0] = 0.0
    said = torch.full((rows * beam, 1), BOS, dtype=torch.long, device=device)
    looked = torch.zeros_like(said)
    ended = torch.zeros(rows, beam, dtype=torch.bool, device=device)
    lengths = torch.ones(rows, beam, device=device)
    first = torch.arange(rows, device=device).unsqueeze(1) * beam
    for _ in range(batch.source.shape[1] + _MARGIN):
        found, state = model.advance(memory, state, said[:, -1])
        chances = merged(found, memory["extended"], strangers=batch.strangers)
        chances[:, [PAD, BOS] if found.places is None else [PAD, BOS, UNK]] = NEVER
        width = chances.shape[-1]
        chances[ended.flatten()] = NEVER
        chances[ended.flatten(), PAD] = 0.0
        whole = (scores.unsqueeze(-1) + chances.view(rows, beam, width)).flatten(1)
        scores, picks = whole.topk(beam, dim=-1)
        origin = (first + picks // width).flatten()
        word = picks % width
        place = found.attention[:, -1].argmax(-1)[origin]
        said = torch.cat([said[origin], word.flatten().unsqueeze(1)], 1)
        looked = torch.cat([looked[origin], place.unsqueeze(1)], 1)
        state = {name: tensor[origin] for name, tensor in state.items()}
        lengths = lengths.flatten()[origin].view(rows, beam) + (word != PAD)
        ended = ended.flatten()[origin].view(rows, beam) | (word == EOS)
        if bool(ended.all()):
            break
    best = (scores / lengths - (~ended) * 1e3).argmax(-1) + first.squeeze(1)
    return [_words(batch, vocabulary, row, said[at], looked[at]) for row, at in enumerate(best.tolist())]


def _words(batch: Batch, vocabulary: Vocabulary, row: int, said: Tensor, looked: Tensor) -> list[str]:
    source = batch.rows[row].source
    others = {number: word for word, number in vocabulary.strangers(source).items()}
    words: list[str] = []
    for number, place in zip(said.tolist()[1:], looked.tolist()[1:], strict=True):
        if number == EOS:
            break
        if number == UNK:
            words += [source[place]] if place < len(source) else []
        else:
            words.append(others[number] if number in others else vocabulary.words[number])
    return words
