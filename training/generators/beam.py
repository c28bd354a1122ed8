"""Beam search over a word-level model; unknown words of a model that cannot copy become the word attended to most."""

from __future__ import annotations

import torch
from torch import Tensor

from training.generators.rows import Batch
from training.generators.seq2seq import NEVER, Seq2Seq, merged
from training.generators.vocabulary import BOS, EOS, PAD, UNK, Vocabulary

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
