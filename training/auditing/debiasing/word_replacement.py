"""Baselines of section 6.3: bias words of a finished text are replaced by similar words.

Vectors are those of a GloVe text file. Bias words without a vector, and all other words, stay; replacements keep the
case.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from re import Match

import numpy as np
from numpy.typing import NDArray

from training.auditing.debiasing.training_data import WORD, BiasWords
from training.auditing.generation.prompts import Sampler
from training.loop.training_loop import TrainingError
from training.modeling.word_vectors import VectorSpace

NEAREST = 10
"""IN-GloVe draws from so many most similar words."""
REPLACEMENT_PROBABILITY = 0.5
"""How often the naive method replaces; the paper only says "randomly"."""
_LEAST = 1e-6


class WordReplacer:
    """A `Sampler` that replaces words in the texts of another.

    ``replacements`` maps a lower-case bias word to the words that may replace it; each occurrence is replaced with
    probability ``chance``, drawn from the seed and the text. Raises TrainingError if no word has a replacement.
    """

    def __init__(
        self, sampler: Sampler, replacements: Mapping[str, Sequence[str]], *, chance: float = 1.0
    ) -> None:
        if not any(replacements.values()):
            raise TrainingError(
                "None of the bias words is in this file of word vectors. Name a larger one with --glove FILE."
            )
        self._sampler, self._replacements, self._chance = sampler, replacements, chance

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
        """The texts of the other sampler with replaced words; prompts stay as they are."""
        found = self._sampler.sample(prompts, samples=samples, length=length, seed=seed)
        return [[self._replace_words(text, seed) for text in texts] for texts in found]

    def _replace_words(self, text: str, seed: int) -> str:
        chooser = random.Random(f"{seed} {text}")

        def change(match: Match[str]) -> str:
            word = match.group()
            replacements = self._replacements.get(word.lower())
            return (
                _match_case(chooser.choice(replacements), word)
                if replacements and chooser.random() < self._chance
                else word
            )

        return WORD.sub(change, text)


def naive_replacer(sampler: Sampler, space: VectorSpace, words: BiasWords) -> WordReplacer:
    """Naive: bias words are replaced, at random, by the most similar word.

    The paper uses off-the-shelf Word2Vec; here it is GloVe, as for IN-GloVe. A replacement may be a bias word, too.
    """
    replacements = {word: space.nearest(word, 1) for word in _unique_words(words)}
    return WordReplacer(sampler, replacements, chance=REPLACEMENT_PROBABILITY)


def in_glove_replacer(sampler: Sampler, space: VectorSpace, words: BiasWords) -> WordReplacer:
    """IN-GloVe: every bias word is replaced by one of the ten most similar words in vectors without ideology.

    The paper trains GN-GloVe (Zhao et al. 2018) for ideology instead of gender, which needs GloVe's counts of a whole
    corpus. Here finished vectors are projected orthogonally to the direction of ideology, the difference of the mean
    unit vectors of both lists: the linear form of the same idea. Bias words are not drawn. Raises TrainingError if the
    vectors do not separate the lists.
    """
    known = [
        [vector for word in side if (vector := space.of(word.lower())) is not None]
        for side in (words.liberal, words.conservative)
    ]
    if not all(known):
        raise TrainingError(
            "This file of word vectors has no bias word of one side. Name a larger one with --glove FILE."
        )
    liberal, conservative = (np.mean([_unit(vector) for vector in side], axis=0) for side in known)
    apart = liberal - conservative
    length = float(np.linalg.norm(apart))
    if length < _LEAST:
        raise TrainingError("The vectors of both lists of bias words are equal on average. Use other lists.")
    direction = (apart / length).astype(np.float32)
    neutral = VectorSpace(space.words, space.table - np.outer(space.table @ direction, direction))
    biased = dict.fromkeys(_unique_words(words))
    replacements = {}
    for word in biased:
        found = neutral.nearest(word, NEAREST + len(biased))
        replacements[word] = [other for other in found if other not in biased][:NEAREST]
    return WordReplacer(sampler, replacements)


def _unit(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    return vector / np.float32(max(float(np.linalg.norm(vector)), _LEAST))


def _unique_words(words: BiasWords) -> list[str]:
    return list(dict.fromkeys(word.lower() for word in (*words.liberal, *words.conservative)))


def _match_case(word: str, like: str) -> str:
    """A word in the case of another: ``TAXES``, ``Taxes``, ``taxes``."""
    if len(like) > 1 and like.isupper():
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word
