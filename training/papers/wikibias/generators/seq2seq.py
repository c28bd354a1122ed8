"""The base of the word-level models: log-probabilities of a target, with and without copying, and beam search."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from training.papers.wikibias.generators.base import Settings
from training.papers.wikibias.generators.vocabulary import BOS, EOS, PAD, UNK, Batch, Vocabulary

NEGATIVE = -1e9
State = dict[str, Tensor]


@dataclass(frozen=True, slots=True)
class Scores:
    """Log-probabilities of the next word: ``words`` [rows, T, vocabulary] of generating a word, ``places`` [rows, T, S]
    of copying the source word at a position (None for a model without copying); together they sum to one. ``attention``
    [rows, T, S] sums to one over the source.
    """

    words: Tensor
    places: Tensor | None
    attention: Tensor


class Seq2Seq(nn.Module):
    """A model that encodes a batch once and then generates its targets word by word.

    Rows are the first dimension of all tensors of memory and state, so that beam search can reorder them.
    """

    def __init__(self, vocabulary: int, settings: Settings) -> None:
        super().__init__()
        self.size = vocabulary
        self.settings = settings
        self.embedding = nn.Embedding(vocabulary, settings.embedding, padding_idx=PAD)
        nn.init.normal_(self.embedding.weight, std=settings.embedding**-0.5)
        self.dropout = nn.Dropout(settings.dropout)

    @abstractmethod
    def encode_source(self, batch: Batch) -> State:
        """The encoded source: at least ``states`` [rows, S, …], ``mask`` and ``extended`` [rows, S]."""

    @abstractmethod
    def initial_state(self, memory: State) -> State:
        """The decoder's state before the first word."""

    @abstractmethod
    def step(self, memory: State, state: State, last: Tensor) -> tuple[Scores, State]:
        """Scores of the next word (T = 1) after ``last`` int64 [rows], extended indices; and the new state."""

    @abstractmethod
    def teacher_forced(self, memory: State, decoder_input: Tensor) -> Scores:
        """Scores of every next word after the words ``decoder_input`` int64 [rows, T], extended indices."""

    def known(self, numbers: Tensor) -> Tensor:
        """Extended indices with out-of-vocabulary words as UNK."""
        return numbers.masked_fill(numbers >= self.size, UNK)

    def weights(self, batch: Batch) -> Tensor:
        """Weight of each target word in the loss, [rows, T]; 0 for padding."""
        return (batch.target != PAD).float()

    def loss(self, batch: Batch) -> Tensor:
        """Mean negative log-likelihood of a target word."""
        memory = self.encode_source(batch)
        scores = self.teacher_forced(memory, batch.decoder_input)
        found = target_log_probabilities(scores, batch.target, memory["extended"], self.known(batch.target))
        weights = self.weights(batch)
        return -(found * weights).sum() / weights.sum()


def target_log_probabilities(scores: Scores, target: Tensor, extended: Tensor, known: Tensor) -> Tensor:
    """Log-probability of each target word [rows, T]: of generating it, or copying it from any of its positions.

    Words outside the vocabulary can only be copied; a word that can be neither generated nor copied counts as UNK.
    """
    generated = scores.words.float().gather(-1, known.unsqueeze(-1)).squeeze(-1)
    if scores.places is None:
        return generated
    generated = generated.masked_fill(known != target, NEGATIVE)
    same = target.unsqueeze(-1) == extended.unsqueeze(1)
    copied = scores.places.float().masked_fill(~same, NEGATIVE).logsumexp(-1)
    return torch.logaddexp(generated, copied)


def merge_copies(scores: Scores, extended: Tensor, *, oov_words: int) -> Tensor:
    """Log-probabilities [rows, vocabulary + oov_words] of the next word (T = 1), generated or copied."""
    words = scores.words[:, -1].float()
    if scores.places is None:
        return words
    chances = torch.cat([words.exp(), words.new_zeros(len(words), oov_words)], dim=-1)
    chances.scatter_add_(-1, extended, scores.places[:, -1].float().exp())
    return chances.clamp(min=1e-30).log()


_MARGIN = 8


def search(model: Seq2Seq, batch: Batch, vocabulary: Vocabulary, *, beam: int) -> list[list[str]]:
    """The words of the best sentence of each row by mean log-probability, at most eight more than the source.

    Unknown words of a model without copying become the source word with the most attention.
    """
    memory = {name: tensor.repeat_interleave(beam, 0) for name, tensor in model.encode_source(batch).items()}
    rows, device = len(batch.rows), batch.source.device
    state = model.initial_state(memory)
    scores = torch.full((rows, beam), NEGATIVE, device=device)
    scores[:, 0] = 0.0
    generated = torch.full((rows * beam, 1), BOS, dtype=torch.long, device=device)
    attended = torch.zeros_like(generated)
    ended = torch.zeros(rows, beam, dtype=torch.bool, device=device)
    lengths = torch.ones(rows, beam, device=device)
    first = torch.arange(rows, device=device).unsqueeze(1) * beam
    for _ in range(batch.source.shape[1] + _MARGIN):
        found, state = model.step(memory, state, generated[:, -1])
        chances = merge_copies(found, memory["extended"], oov_words=batch.oov_words)
        chances[:, [PAD, BOS] if found.places is None else [PAD, BOS, UNK]] = NEGATIVE
        width = chances.shape[-1]
        chances[ended.flatten()] = NEGATIVE
        chances[ended.flatten(), PAD] = 0.0
        whole = (scores.unsqueeze(-1) + chances.view(rows, beam, width)).flatten(1)
        scores, picks = whole.topk(beam, dim=-1)
        origin = (first + picks // width).flatten()
        word = picks % width
        place = found.attention[:, -1].argmax(-1)[origin]
        generated = torch.cat([generated[origin], word.flatten().unsqueeze(1)], 1)
        attended = torch.cat([attended[origin], place.unsqueeze(1)], 1)
        state = {name: tensor[origin] for name, tensor in state.items()}
        lengths = lengths.flatten()[origin].view(rows, beam) + (word != PAD)
        ended = ended.flatten()[origin].view(rows, beam) | (word == EOS)
        if bool(ended.all()):
            break
    best = (scores / lengths - (~ended) * 1e3).argmax(-1) + first.squeeze(1)
    return [
        _words(batch, vocabulary, row, generated[at], attended[at]) for row, at in enumerate(best.tolist())
    ]


def _words(batch: Batch, vocabulary: Vocabulary, row: int, generated: Tensor, attended: Tensor) -> list[str]:
    source = batch.rows[row].source
    others = {number: word for word, number in vocabulary.oov_words(source).items()}
    words: list[str] = []
    for number, place in zip(generated.tolist()[1:], attended.tolist()[1:], strict=True):
        if number == EOS:
            break
        if number == UNK:
            words += [source[place]] if place < len(source) else []
        else:
            words.append(others[number] if number in others else vocabulary.words[number])
    return words
