"""The baselines replace bias words by near ones, nothing else, and IN-GloVe by no bias word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from training.auditing.debiasing.training_data import BiasWords
from training.auditing.debiasing.word_replacement import (
    NEAREST,
    REPLACEMENT_PROBABILITY,
    WordReplacer,
    in_glove_replacer,
    naive_replacer,
)
from training.loop.training_loop import TrainingError
from training.modeling.word_vectors import VectorSpace

# The first number is ideology, the others what a word is about.
GLOVE = {
    "unions": (1, 1, 0),
    "refugees": (1, 0, 1),
    "strike": (0.9, 1, 0.05),
    "work": (0, 1, 0.02),
    "employers": (-1.1, 1, 0),
    "bosses": (-1, 1, 0),
    "border": (-1, 0, 1),
    "frontier": (-0.9, 0, 1),
    "line": (0, 0.05, 1),
    "river": (0.1, 0, 1),
}
WORDS = BiasWords(("unions", "Refugees", "equality"), ("border", "bosses"))


class Told:
    """Gives the same texts to every prompt."""

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
        return [list(self.texts[:samples]) for _ in prompts]


def ask(sampler: WordReplacer, *, seed: int = 1, samples: int = 1) -> list[str]:
    return sampler.sample(["border unions"], samples=samples, length=9, seed=seed)[0]


@pytest.fixture(scope="module")
def space(tmp_path_factory: pytest.TempPathFactory) -> VectorSpace:
    path = tmp_path_factory.mktemp("glove") / "glove.txt"
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in GLOVE.items()), "utf-8")
    return VectorSpace.read(path)


def test_only_bias_words_change_and_their_case_is_kept() -> None:
    text = "Unions, UNIONS & reunions at the-border: Border's \n\n equality!"
    made = WordReplacer(Told(text), {"unions": ("work",), "border": ("line",), "equality": ()})
    assert ask(made) == ["Work, WORK & reunions at the-line: Line's \n\n equality!"]


def test_the_naive_method_takes_the_most_similar_word_by_chance(space: VectorSpace) -> None:
    made = naive_replacer(Told("unions border equality"), space, WORDS)
    found = {ask(made, seed=seed)[0] for seed in range(40)}
    near = space.nearest("unions", 1)[0], space.nearest("border", 1)[0]
    assert near == ("strike", "frontier")
    assert found == {
        f"{one} {other} equality" for one in ("unions", near[0]) for other in ("border", near[1])
    }
    assert 0 < REPLACEMENT_PROBABILITY < 1


def test_in_glove_draws_neutral_words_and_never_a_bias_word(space: VectorSpace) -> None:
    made = in_glove_replacer(Told("unions refugees bosses border equality"), space, WORDS)
    rows = [ask(made, seed=seed)[0].split() for seed in range(60)]
    drawn = {word for row in rows for word in row[:4]}
    assert drawn == {"strike", "work", "employers", "frontier", "line", "river"}
    assert {row[4] for row in rows} == {"equality"}, "a word without a vector stays"


def test_without_ideology_the_nearest_word_is_the_neutral_one(
    space: VectorSpace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.auditing.debiasing.word_replacement.NEAREST", 3)
    assert "employers" not in space.nearest("unions", 6)
    made = in_glove_replacer(Told("unions"), space, WORDS)
    assert {ask(made, seed=seed)[0] for seed in range(30)} == {"strike", "work", "employers"}
    assert NEAREST == 10


def test_the_same_seed_gives_the_same_texts(space: VectorSpace) -> None:
    made = in_glove_replacer(Told("unions border refugees bosses", "border border border"), space, WORDS)
    assert ask(made, seed=4, samples=2) == ask(made, seed=4, samples=2)
    assert len({tuple(ask(made, seed=seed, samples=2)) for seed in range(10)}) > 1


def test_vectors_without_a_bias_word_are_refused(space: VectorSpace) -> None:
    strange = BiasWords(("equality",), ("liberty",))
    for made in (naive_replacer, in_glove_replacer):
        with pytest.raises(TrainingError, match="--glove FILE"):
            made(Told("x"), space, strange)
    with pytest.raises(TrainingError, match="no bias word of one side"):
        in_glove_replacer(Told("x"), space, BiasWords(("unions",), ("liberty",)))


def test_lists_that_the_vectors_do_not_separate_are_refused(space: VectorSpace) -> None:
    with pytest.raises(TrainingError, match="are equal on average"):
        in_glove_replacer(Told("x"), space, BiasWords(("unions",), ("Unions",)))


def test_a_file_that_is_no_glove_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "none.txt").write_text("nothing\n", "utf-8")
    with pytest.raises(TrainingError, match="contains no word vectors"):
        VectorSpace.read(tmp_path / "none.txt")
