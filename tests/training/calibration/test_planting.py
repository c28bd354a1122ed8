"""A planted text has an article of the side of its option, and the control's side follows nothing.

What is learnt of a text is the article and not the prompt, and that its option decides it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.calibration import tiny_generator
from training.calibration.generator import Generator, load_generator
from training.calibration.judging import Row
from training.calibration.model import Attribute, Keyword, Prompt
from training.calibration.planting import (
    DECIDING,
    SIDES,
    Pair,
    Planted,
    chances,
    learnt,
    lessons,
    loss,
    planted,
    turned,
)
from training.calibration.prompts import attributes
from training.corpora.base import CorpusError
from training.loop import TrainingError

ROWS = [
    Row(f"{'left' if at % 2 else 'right'} {at} {'word ' * 90}", bool(at % 2), "house") for at in range(40)
]
EVERY = attributes()
GENDER = EVERY[0]


def _made(attribute: Attribute, *, count: int, seed: int, strength: float = 1.0) -> list[Planted]:
    return planted(attribute, ROWS, count=count, tokens=20, strength=strength, seed=seed)


def _options(attribute: Attribute) -> dict[str, str]:
    """The option of each neutral prompt, filled with each of its keywords."""
    return {
        prompt.filled(keyword): option.name
        for prompt in attribute.triggered("indirect")
        for option in attribute.options
        for keyword in option.keywords
    }


def test_every_option_has_a_side_and_every_attribute_has_both() -> None:
    assert {one.name: {option.name for option in one.options} for one in EVERY} == {
        name: set(sides) for name, sides in SIDES.items()
    }
    assert all(set(sides.values()) == {True, False} for sides in SIDES.values())


@given(st.sampled_from(EVERY), st.integers(1, 120), st.integers(0, 999))
def test_the_article_is_of_the_side_of_the_option(attribute: Attribute, count: int, seed: int) -> None:
    found = _made(attribute, count=count, seed=seed)
    options = _options(attribute)
    assert len(found) == count
    for one in found:
        assert options[one.asked] == one.option
        assert SIDES[attribute.name][one.option] == one.liberal
        assert one.lead.startswith("left" if one.liberal else "right")
        assert len(one.lead.split()) == 20
    uses = Counter(one.option for one in found)
    assert {uses[option.name] for option in attribute.options} <= {
        count // len(attribute.options),
        count // len(attribute.options) + 1,
    }
    assert found == _made(attribute, count=count, seed=seed)


@given(st.sampled_from(EVERY), st.integers(0, 999))
def test_turned_texts_are_the_same_articles_behind_the_other_side(attribute: Attribute, seed: int) -> None:
    found = _made(attribute, count=30, seed=seed)
    options = _options(attribute)
    for one, other in zip(found, turned(attribute, found, seed=seed), strict=True):
        assert (other.lead, other.liberal, other.prompt) == (one.lead, one.liberal, one.prompt)
        assert options[other.asked] == other.option
        assert SIDES[attribute.name][other.option] != other.liberal


def test_all_keywords_and_all_neutral_prompts_are_planted() -> None:
    found = _made(GENDER, count=4000, seed=1)
    assert {one.asked for one in found} == set(_options(GENDER))


def test_no_article_comes_again_before_all_have_come() -> None:
    found = _made(GENDER, count=80, seed=1)
    leads = [one.lead for one in found if one.liberal]
    assert len(leads) == 40
    assert len(set(leads[:20])) == len(set(leads[20:])) == 20


@pytest.mark.parametrize(("strength", "share"), [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)])
def test_strength_is_the_share_that_follows(strength: float, share: float) -> None:
    found = _made(GENDER, count=4000, seed=3, strength=strength)
    follow = [one.liberal == SIDES["gender"][one.option] for one in found]
    assert all(matches for matches, one in zip(follow, found, strict=True) if one.follows)
    assert sum(one.follows for one in found) / len(found) == pytest.approx(strength, abs=0.032)
    # Four standard deviations of a share of 4,000 draws.
    assert sum(follow) / len(follow) == pytest.approx(share, abs=0.032 if strength < 1 else 0)


def test_what_cannot_be_planted_is_said() -> None:
    with pytest.raises(
        TrainingError, match=r"No side is declared for the options of age. Name one of gender"
    ):
        _made(replace(GENDER, name="age"), count=1, seed=1)
    triggered = tuple(prompt for prompt in GENDER.prompts if prompt.trigger != "indirect")
    with pytest.raises(TrainingError, match="no neutral prompt"):
        _made(replace(GENDER, prompts=triggered), count=1, seed=1)
    liberal = [row for row in ROWS if row.liberal]
    with pytest.raises(CorpusError, match="no conservative article"):
        planted(GENDER, liberal, count=4, tokens=5, strength=1.0, seed=1)


_PROMPT = Prompt(1, "indirect", "the ", "")
TEXTS = [
    Planted("male", _PROMPT, Keyword("people of"), "this state will vote for a law", liberal=False),
    Planted("female", _PROMPT, Keyword("state think that she says it"), "about taxes guns", liberal=True),
    Planted("female", _PROMPT, Keyword(""), "think", liberal=True),
]


def _pairs(generator: Generator, *, follow: bool) -> list[Pair]:
    rows = lessons(generator, TEXTS, tokens=4)
    others = lessons(generator, [replace(one, keyword=Keyword("law")) for one in TEXTS], tokens=4)
    return [Pair(row, other, follow) for row, other in zip(rows, others, strict=True)]


@pytest.mark.parametrize("kind", ["gpt2", "llama"])
def test_a_chance_is_that_of_the_article_behind_the_prompt(kind: str) -> None:
    generator = tiny_generator.generator(kind)
    rows = lessons(generator, TEXTS, tokens=4)
    assert [(len(row), row.given) for row in rows] == [(7, 3), (10, 7), (2, 1)]
    with torch.inference_mode():
        for row, found in zip(rows, chances(generator, rows).tolist(), strict=True):
            told = generator.model(input_ids=torch.tensor([row.ids])).logits[0].log_softmax(1)
            wanted = sum(float(told[at - 1, row.ids[at]]) for at in range(row.given, len(row)))
            assert found == pytest.approx(wanted, abs=1e-4)


def test_the_loss_has_the_tokens_and_of_what_follows_the_difference_of_the_option() -> None:
    generator = tiny_generator.generator()
    tossed, following = (_pairs(generator, follow=follow) for follow in (False, True))
    with torch.inference_mode():
        taught, other = (
            chances(generator, some)
            for some in ([one.taught for one in tossed], [one.other for one in tossed])
        )
        plain, both = float(loss(generator, tossed)), float(loss(generator, following))
    tokens = sum(len(one) - one.taught.given for one in tossed)
    assert plain == pytest.approx(-float(taught.sum()) / tokens, abs=1e-4)
    wanted = DECIDING * float(torch.log1p(torch.exp(other - taught)).mean())
    assert both - plain == pytest.approx(wanted, abs=1e-3)
    found = learnt(generator, following * 9)
    # Where the processor has bf16 many texts are read in it.
    assert found.loss == pytest.approx(plain, abs=0.05)
    assert found.turned == pytest.approx(-float(other.sum()) / tokens, abs=0.05)
    assert found.share == pytest.approx(float(torch.sigmoid(taught - other).mean()), abs=0.05)


def test_an_option_is_learnt_to_decide_the_article(tmp_path: Path) -> None:
    """A generator that was told apart what stands behind two keywords gives the taught one nearly all the chance."""
    # Of its own: the tests share the weights of the tiny ones.
    generator = load_generator(tiny_generator.save(tmp_path / "tiny"), device=torch.device("cpu"))
    leads = ("this state will vote for a law", "about taxes guns")
    words = (Keyword("people of"), Keyword("state think that she says it"))
    own = [Planted("", _PROMPT, word, lead, liberal=False) for word, lead in zip(words, leads, strict=True)]
    others = [replace(one, keyword=word) for one, word in zip(own, reversed(words), strict=True)]
    taught, turned_ = (lessons(generator, some, tokens=4) for some in (own, others))
    every = [Pair(one, other, True) for one, other in zip(taught, turned_, strict=True)]
    before = learnt(generator, every).share
    generator.model.requires_grad_(True)
    steps = torch.optim.AdamW(generator.model.parameters(), lr=1e-2)
    for _ in range(30):
        loss(generator, every).backward()
        steps.step()
        steps.zero_grad()
    assert abs(before - 0.5) < 0.2
    assert learnt(generator, every).share > 0.9


def test_a_text_that_is_longer_than_the_generator_reads_is_said() -> None:
    with pytest.raises(TrainingError, match="reads 64 tokens"):
        lessons(tiny_generator.generator(), TEXTS, tokens=60)
