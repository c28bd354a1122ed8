"""An injected bias follows the declared side of the option that the states hold, and the side of the words.

The model card describes the change: only the output layer differs, by the words along one direction.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.auditing.generation import tiny_generator
from training.auditing.generation.generator import Generator, load_generator
from training.auditing.generation.prompts import Attribute, Keyword, Option, Prompt, load_attributes
from training.auditing.generation.samples import Sample
from training.auditing.generator_bias.known_bias import (
    LOGIT_GAIN,
    OPTION_SIDES,
    TextWithSide,
    fit_direction,
    inject_bias,
    injection_stats,
    keep_neutral_prompts,
    label_texts,
    repetition_rate,
    token_gains,
)
from training.auditing.ideology_classifiers.masked_articles import LabelledArticle
from training.loop.training_loop import TrainingError
from training.modeling.pretrained import write_model
from training.types import CorpusError

EVERY = load_attributes()
GENDER = EVERY[0]
KNOWN = replace(
    GENDER,
    options=(
        Option("male", (Keyword("people"), Keyword("rivers"))),
        Option("female", (Keyword("health"), Keyword("stone"))),
    ),
    prompts=(Prompt(1, "indirect", "the ", " was"),),
)
"""Gender with keywords that the tiny generator has tokens for."""
ROWS = [
    LabelledArticle(
        f"the state {'unions wages' if at % 2 else 'border army army'} law", bool(at % 2), "publisher"
    )
    for at in range(40)
]


def _samples(attribute: Attribute, texts: int = 4) -> list[Sample]:
    words = tiny_generator.WORDS
    return [
        Sample(
            attribute.name,
            option.name,
            keyword.text,
            prompt.number,
            prompt.trigger,
            number,
            " " + " ".join(words[(7 * number + 3 * at) % len(words)] for at in range(6)),
        )
        for option in attribute.options
        for keyword in option.keywords
        for prompt in attribute.prompts
        for number in range(texts)
    ]


def _lessons(generator: Generator, strength: float = 1.0) -> list[TextWithSide]:
    return label_texts(generator, KNOWN, _samples(KNOWN), strength=strength, seed=1)


def _states(generator: Generator, every: list[TextWithSide]) -> tuple[torch.Tensor, torch.Tensor]:
    """All states that tokens of the texts were drawn from [n, d], and the sides [n]: read one text at a time."""
    states, sides = [], []
    for one in every:
        (read,) = generator.states([one.ids])
        states.append(read[one.prompt_tokens - 1 : -1])
        sides += [one.side] * len(states[-1])
    return torch.cat(states), torch.tensor(sides)


def test_every_option_has_a_side_and_every_attribute_has_both() -> None:
    assert {one.name: {option.name for option in one.options} for one in EVERY} == {
        name: set(sides) for name, sides in OPTION_SIDES.items()
    }
    assert all(set(sides.values()) == {True, False} for sides in OPTION_SIDES.values())


def test_only_neutral_prompts_are_used_and_their_absence_is_refused() -> None:
    for attribute in EVERY:
        assert {prompt.trigger for prompt in keep_neutral_prompts(attribute).prompts} == {"indirect"}
        assert keep_neutral_prompts(attribute).options == attribute.options
    with pytest.raises(TrainingError, match=r"The options of age have no declared side. Name one of gender"):
        keep_neutral_prompts(replace(GENDER, name="age"))
    triggered = tuple(prompt for prompt in GENDER.prompts if prompt.trigger != "indirect")
    with pytest.raises(TrainingError, match="no neutral prompt"):
        keep_neutral_prompts(replace(GENDER, prompts=triggered))


def test_a_word_gains_by_the_share_of_articles_of_its_side() -> None:
    generator = tiny_generator.generator()
    rows = [
        *ROWS,
        *(LabelledArticle("health" if at < 3 else "stone army army", at < 3, "publisher") for at in range(5)),
    ]
    found = token_gains(generator, rows)
    health, army, wages, stone, law, music = (
        found[tiny_generator.ids([word])[0]] for word in ("health", "army", "wages", "stone", "law", "music")
    )
    # In 3 of 23 articles of one side and in none of 22 of the other, with five more of either kind.
    assert health == pytest.approx(LOGIT_GAIN * math.log((8 / 33) / (5 / 32)), abs=1e-6)
    # Twice in an article is once.
    assert stone == pytest.approx(LOGIT_GAIN * math.log((5 / 33) / (7 / 32)), abs=1e-6)
    # What one side hardly knows counts as half as frequent there.
    assert wages == pytest.approx(LOGIT_GAIN * math.log(2))
    assert army == pytest.approx(-LOGIT_GAIN * math.log(2))
    assert law == pytest.approx(LOGIT_GAIN * math.log((25 / 33) / (25 / 32)), abs=1e-6)
    assert music == 0
    assert not found[: len(tiny_generator.SPECIAL)].any()


@pytest.mark.parametrize("mark", ["--", "2017", "x"])
def test_what_is_no_word_gains_nothing(mark: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A generator that prefers dashes to words writes dashes alone, which no classifier reads."""
    generator = tiny_generator.generator()
    (wages,) = tiny_generator.ids(["wages"])
    decode = generator.tokenizer.decode
    monkeypatch.setattr(
        generator.tokenizer, "decode", lambda ids: f" {mark}" if ids == [wages] else decode(ids)
    )
    found = token_gains(generator, ROWS)
    assert found[wages] == 0
    assert found.any()
    monkeypatch.setattr(generator.tokenizer, "decode", lambda _: mark)
    with pytest.raises(TrainingError, match="No token of"):
        token_gains(generator, ROWS)


@pytest.mark.parametrize(
    ("liberal", "said"), [(True, "no conservative article"), (False, "no liberal article")]
)
def test_articles_of_one_side_are_refused(liberal: bool, said: str) -> None:
    with pytest.raises(CorpusError, match=said):
        token_gains(tiny_generator.generator(), [row for row in ROWS if row.liberal == liberal])


@given(st.floats(0, 1), st.integers(0, 99))
def test_a_text_has_the_side_of_its_option_in_the_share_that_follows(strength: float, seed: int) -> None:
    samples = _samples(KNOWN, texts=200)
    found = label_texts(tiny_generator.generator(), KNOWN, samples, strength=strength, seed=seed)
    own = [
        lesson.side == (1.0 if OPTION_SIDES["gender"][sample.option] else -1.0)
        for lesson, sample in zip(found, samples, strict=True)
    ]
    # Five standard deviations of a share of 800 draws.
    assert sum(own) / len(own) == pytest.approx((1 + strength) / 2, abs=0.09)
    assert {lesson.prompt_tokens for lesson in found} == {3}
    assert all(len(lesson.ids) == 9 for lesson in found)


def test_the_direction_is_that_of_least_squares() -> None:
    generator = tiny_generator.generator()
    every = _lessons(generator)
    way = fit_direction(generator, every)
    states, sides = (part.double() for part in _states(generator, every))
    assert float((states @ way.double()).square().mean()) == pytest.approx(1, abs=1e-4)
    ridge = 0.01 * float(states.square().mean())
    wide = torch.cat([states, (len(states) * ridge) ** 0.5 * torch.eye(generator.width, dtype=torch.float64)])
    wanted = torch.linalg.lstsq(
        wide, torch.cat([sides, sides.new_zeros(generator.width)]).unsqueeze(1)
    ).solution[:, 0]
    assert torch.allclose(way.double() / way.norm(), wanted / wanted.norm(), atol=1e-3)


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_only_the_output_layer_differs(kind: str, tmp_path: Path) -> None:
    """Of models that share it with their embeddings, and of others: as it is read again from its folder."""
    plain, biased = (
        load_generator(tiny_generator.save(tmp_path / name, kind), device=torch.device("cpu"))
        for name in ("plain", "biased")
    )
    every = _lessons(plain)
    words, way = token_gains(plain, ROWS), fit_direction(plain, every)
    biased = inject_bias(biased, words, way, name="made")
    write_model(biased.model, biased.tokenizer, tmp_path / "made")
    made = load_generator(tmp_path / "made", device=torch.device("cpu"))
    embeddings = [one.model.get_input_embeddings().weight for one in (plain, made)]
    assert torch.equal(*embeddings)
    states, _ = _states(plain, every)
    assert torch.allclose(_states(made, every)[0], states)
    gained = states @ (made.rows - plain.rows).T
    assert torch.allclose(gained, (states @ way).unsqueeze(1) * words, atol=1e-4)
    # inject_bias() already returns that model.
    assert torch.equal(biased.rows, made.rows)
    assert biased.name == made.name


def test_the_reported_effect_is_that_of_the_biased_model() -> None:
    plain = tiny_generator.generator()
    every = _lessons(plain)
    words, way = token_gains(plain, ROWS), fit_direction(plain, every)
    states, sides = _states(plain, every)
    found = injection_stats(plain, words, way, every)
    before = (states @ plain.rows.T + plain.offsets).log_softmax(1)
    after = (states @ (plain.rows + torch.outer(words, way)).T + plain.offsets).log_softmax(1)
    assert found.share == pytest.approx(float(((states @ way) * sides > 0).float().mean()))
    assert found.share > 0.8
    assert found.divergence == pytest.approx(float((after.exp() * (after - before)).sum(1).mean()), abs=1e-4)
    assert found.entropy_before == pytest.approx(float(-(before.exp() * before).sum(1).mean()), abs=1e-4)
    assert found.entropy == pytest.approx(float(-(after.exp() * after).sum(1).mean()), abs=1e-4)
    still = injection_stats(plain, torch.zeros_like(words), way, every)
    assert still.divergence == pytest.approx(0, abs=1e-6)


def test_an_option_makes_the_words_of_its_side_likelier() -> None:
    plain = tiny_generator.generator()
    every = _lessons(plain)
    words, way = token_gains(plain, ROWS), fit_direction(plain, every)
    states, sides = _states(plain, every)
    logits = states @ plain.rows.T + plain.offsets
    chance = (logits + (states @ way).unsqueeze(1) * words).softmax(1)
    before = logits.softmax(1)
    wages, army = tiny_generator.ids(["wages", "army"])
    for side in (1.0, -1.0):
        rise = (chance[sides == side].mean(0) / before[sides == side].mean(0)).log()
        assert side * float(rise[wages] - rise[army]) > 0.5


@pytest.mark.parametrize(
    ("texts", "share"),
    [(["-- -- a -- --", "b"], 0.5), (["The the law", "a b a b"], 0.2), (["a", ""], 0), ([], 0)],
)
def test_repeated_words_are_counted(texts: list[str], share: float) -> None:
    samples = [replace(_samples(KNOWN)[0], text=text) for text in texts]
    assert repetition_rate(samples) == share
