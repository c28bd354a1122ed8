"""What the calibration is compared with (section 6.3): bias words of a finished text are replaced by near words.

Vectors are those of a GloVe text file. A bias word that the file does not hold stays as it is, and so does every other
word; the case of what is replaced is kept.
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
from training.modeling.word_vectors import Space

NEAREST = 10
"""IN-GloVe draws one of so many."""
REPLACEMENT_PROBABILITY = 0.5
"""How often the naive method replaces: "randomly", says the paper, and no more."""
_LEAST = 1e-6


class WordReplacer:
    """A `Sampler` whose texts are those of another, with words replaced.

    ``replacements`` gives the words that a bias word, in lower case, may become; each occurrence is replaced with a chance of
    ``chance``, drawn of the seed and the text. Raises TrainingError where no word has a near one.
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
        """What the other sampler gives, with words replaced; a prompt stays as it is."""
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


def naive(sampler: Sampler, space: Space, words: BiasWords) -> WordReplacer:
    """Naive: bias words become, by chance, the word most similar to them.

    The paper takes off-the-shelf Word2Vec; ours is GloVe, as IN-GloVe's. A near word may be a bias word too.
    """
    replacements = {word: space.nearest(word, 1) for word in _unique_words(words)}
    return WordReplacer(sampler, replacements, chance=REPLACEMENT_PROBABILITY)


def in_glove(sampler: Sampler, space: Space, words: BiasWords) -> WordReplacer:
    """IN-GloVe: every bias word becomes one of the ten most similar words of vectors without ideology.

    The paper trains GN-GloVe (Zhao et al. 2018) with ideology in the place of gender, which takes GloVe's counts of a
    whole corpus. Ours takes vectors as they are and projects them off the direction of ideology, the difference of the
    mean unit vectors of both lists: the linear form of the same idea. Bias words are not drawn. Raises TrainingError
    where the vectors do not tell the lists apart.
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
        raise TrainingError("The vectors of both lists of bias words are alike. Name other lists.")
    direction = (apart / length).astype(np.float32)
    neutral = Space(space.words, space.table - np.outer(space.table @ direction, direction))
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
