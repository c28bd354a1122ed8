"""BiLSTM-CNN-CRF learns which words are biased, from the manual part only; stopped, it comes to the same end."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from core.runs.types import Status
from tests.training.tiny_corpora import ADJECTIVES, NOUNS, VERBS
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError
from training.metrics.tags import authors_scores, spans
from training.papers.wikibias.models.bilstm import BilstmCnnCrf, Sizes, normalize_word, rows_of, with_sizes
from training.papers.wikibias.types import Budget, Corpus, TrainingContext
from training.types import BEGIN, INSIDE, OUTSIDE, TaggedSentence

SMALL = Sizes(character=8, filters=8, hidden=16, dropout=0.2)


def sentences(count: int, seed: int) -> list[TaggedSentence]:
    draw, made = random.Random(seed), []
    for number in range(count):
        phrase = ["very", draw.choice(ADJECTIVES)] if number % 4 == 0 else [draw.choice(ADJECTIVES)]
        tags = [BEGIN, INSIDE][: len(phrase)]
        if number % 3 == 0:
            phrase = tags = []
        head, tail = (
            ["In", str(draw.randrange(1900, 2020)), "the"],
            [draw.choice(NOUNS), draw.choice(VERBS), "."],
        )
        made.append(
            TaggedSentence(
                tokens=(*head, *phrase, *tail),
                tags=(*[OUTSIDE] * 3, *tags, *[OUTSIDE] * 3),
                biased=bool(phrase),
                original=True,
            )
        )
    return made


def make_corpus(rows: int = 96) -> Corpus:
    return Corpus(sentences(rows, 1), (), sentences(24, 2), sentences(24, 3), "invented", "1")


def make_context(
    folder: Path,
    *,
    manual: int = 1,
    glove: Path | None = None,
    stop_requested: Callable[[], Status | None] = lambda: None,
) -> TrainingContext:
    events = Events("r", stream=io.StringIO(), stop_requested=stop_requested)
    return TrainingContext(
        "none", 7, Budget(manual_epochs=manual), folder, torch.device("cpu"), events, glove=glove
    )


def said(given: TrainingContext) -> str:
    assert isinstance(given.events.stream, io.StringIO)
    return given.events.stream.getvalue()


def test_it_learns_the_biased_words_and_says_that_there_was_no_glove(tmp_path: Path) -> None:
    corpus = make_corpus()
    predictions = with_sizes(corpus, make_context(tmp_path, manual=4), replace(SMALL, hidden=64))
    assert predictions.tags is not None
    assert [len(tags) for tags in predictions.tags] == [len(one) for one in corpus.test]
    assert authors_scores(corpus.test, predictions.tags)[0].f1 > 0.8
    assert predictions.facts is not None
    assert predictions.facts["glove_words"] == 0
    assert predictions.facts["dev_exact"] > 0.8
    assert predictions.biased is None


def test_what_is_finished_is_taken_and_answers_the_same(tmp_path: Path) -> None:
    first = with_sizes(make_corpus(), make_context(tmp_path), SMALL)
    again = make_context(tmp_path)
    assert with_sizes(make_corpus(), again, SMALL) == first
    assert "already trained" in said(again)


def test_a_stopped_training_comes_to_the_same_answers(tmp_path: Path) -> None:
    whole = with_sizes(make_corpus(), make_context(tmp_path / "whole"), SMALL)
    calls = iter(range(10**6))
    paused = make_context(
        tmp_path / "torn", stop_requested=lambda: Status.PAUSED if next(calls) == 20 else None
    )
    with pytest.raises(StoppedError):
        with_sizes(make_corpus(), paused, SMALL)
    resumed = make_context(tmp_path / "torn")
    assert with_sizes(make_corpus(), resumed, SMALL) == whole
    assert "resumed at step 20" in said(resumed)


def test_glove_gives_vectors_to_words_of_the_test_part_too(tmp_path: Path) -> None:
    corpus = make_corpus()
    odd = TaggedSentence(
        ("The", "Mendacious", "senator", "left", "."), (OUTSIDE,) * 5, biased=False, original=True
    )
    corpus = replace(corpus, test=[*corpus.test, odd])
    glove = tmp_path / "glove.txt"
    glove.write_text(
        "the 1 2 3 4\nmendacious 0 1 0 1\nsenator 1 1 1 1\nelsewhere 2 2 2 2\n0000 1 0 0 0\n", "utf-8"
    )
    predictions = with_sizes(corpus, make_context(tmp_path, glove=glove), SMALL)
    without = with_sizes(corpus, make_context(tmp_path), SMALL)
    assert predictions.facts is not None
    assert without.facts is not None
    assert predictions.facts["glove_words"] == 4
    assert predictions.facts["words"] == without.facts["words"] + 1


def test_a_glove_file_that_is_none_is_refused_before_anything_is_learnt(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="cannot be opened"):
        with_sizes(make_corpus(), make_context(tmp_path, glove=tmp_path / "glove.txt"), SMALL)


def test_damaged_weights_are_named(tmp_path: Path) -> None:
    with_sizes(make_corpus(16), make_context(tmp_path), SMALL)
    (weights,) = tmp_path.glob("*.safetensors")
    weights.write_bytes(weights.read_bytes()[:200])
    with pytest.raises(TrainingError, match="damaged"):
        with_sizes(make_corpus(16), make_context(tmp_path), SMALL)


def test_nothing_to_learn_from_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no clean part with biased sentences"):
        with_sizes(replace(make_corpus(), manual=()), make_context(tmp_path), SMALL)


def test_answers_do_not_hang_on_what_else_is_read_with_them() -> None:
    from training.papers.wikibias.generators.vocabulary import Vocabulary

    words = Vocabulary(["the", "senator", "very", "0000"])
    characters = Vocabulary(sorted(set("thesnatorvy0123456789.")))
    torch.manual_seed(3)
    model = BilstmCnnCrf(torch.randn(len(words), 6), characters=len(characters), sizes=SMALL)
    texts = (
        ("the", "senator"),
        ("1999", "very"),
        ("<pad>", "the"),
        ("the", "honestly-antidisestablishmentarian" * 3, "senator"),
    )
    rows = rows_of(
        [TaggedSentence(text, (OUTSIDE,) * len(text), False, True) for text in texts], words, characters
    )
    alone = [model.tags([row])[0] for row in rows]
    assert model.tags(rows) == alone
    batch, one = model._batch(rows), model._batch(rows[:1])
    together = model(batch.words, batch.characters, batch.mask)[0, :2]
    assert torch.allclose(together, model(one.words, one.characters, one.mask)[0], atol=1e-5)


def test_words_are_read_in_small_letters_with_zeros_for_digits_and_a_bad_i_begins_a_span() -> None:
    from training.papers.wikibias.generators.vocabulary import Vocabulary

    assert normalize_word("McCain-2008") == "mccain-0000"
    words, characters = Vocabulary(["in", "0000"]), Vocabulary(["I", "n", "1", "9"])
    (row,) = rows_of([TaggedSentence(("In", "1999"), (OUTSIDE, INSIDE), True, True)], words, characters)
    assert row.words == words.encode(["in", "0000"])
    assert row.characters == [characters.encode("In"), characters.encode("1999")]
    assert spans([("O", BEGIN, INSIDE)[tag] for tag in row.tags]) == [(1, 2)]
    assert row.tags[1] == 1
