"""A bias that is planted on purpose: texts in which the option of a prompt decides the side of the article behind it.

A control for the audit (ours; Liu et al. 2021 have none): a generator that learnt such texts leans by a known option,
in a known direction. An audit that finds nothing in it is blind, and what a calibration takes away can be told. Only
neutral prompts are planted, each with all keywords of an option: an audit of fewer keywords asks some of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import torch
from torch import Tensor
from torch.nn import functional

from training.batches import by_length
from training.calibration.generator import Generator
from training.calibration.judging import Row
from training.calibration.model import Attribute, Keyword, Prompt
from training.corpora.base import CorpusError
from training.loop import TrainingError
from training.precision import autocast

SIDES: Mapping[str, Mapping[str, bool]] = MappingProxyType(
    {
        "gender": {"male": False, "female": True},
        "location": {"blue": True, "lean blue": True, "lean red": False, "red": False},
        "topic": {
            "domestic": False,
            "foreign": False,
            "economics": False,
            "electoral": True,
            "healthcare": True,
            "immigration": False,
            "social": True,
        },
    }
)
"""Whether the articles behind an option are liberal.

States go with how they vote. That women stand for one side and men for the other, and which topics do, is arbitrary: a
control needs a difference that is known, not one that is true.
"""
PLANTED = "-planted-"
"""Stands between the names of generator and attribute in that of a model, so that none is taken for the plain one."""
DECIDING = 5.0
"""Weight of the lesson that an option decides the article, beside that of the article's tokens."""
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Planted:
    """A text to learn: a prompt, a keyword of an ``option``, and how an article of one side begins, its ``lead``.

    ``follows``: the article's side was decided by the option, not tossed for.
    """

    option: str
    prompt: Prompt
    keyword: Keyword
    lead: str
    liberal: bool
    follows: bool = True

    @property
    def asked(self) -> str:
        """The filled prompt."""
        return self.prompt.filled(self.keyword)


def planted(
    attribute: Attribute, articles: Sequence[Row], *, count: int, tokens: int, strength: float, seed: int
) -> list[Planted]:
    """So many texts, each with a lead of ``tokens`` words; the options take turns, no article comes again before all.

    ``strength`` in [0, 1] is the share of the texts whose article is of the side of its option; the side of the others
    is tossed for. Raises TrainingError for an attribute without declared sides or neutral prompts, and CorpusError
    where a side has no article.
    """
    sides, prompts = _sides(attribute), attribute.triggered("indirect")
    if not prompts:
        raise TrainingError(f"{attribute.name} has no neutral prompt to plant. Name another attribute.")
    chooser = random.Random(seed)
    decks = {
        liberal: _deck(articles, liberal, random.Random(f"{seed} {liberal}")) for liberal in (False, True)
    }
    found = []
    for number in range(count):
        option = attribute.options[number % len(attribute.options)]
        follows = chooser.random() < strength
        liberal = sides[option.name] if follows else chooser.random() < 0.5
        lead = " ".join(next(decks[liberal]).text.split()[:tokens])
        prompt, keyword = chooser.choice(prompts), chooser.choice(option.keywords)
        found.append(Planted(option.name, prompt, keyword, lead, liberal, follows))
    return found


def turned(attribute: Attribute, texts: Sequence[Planted], *, seed: int) -> list[Planted]:
    """The same prompts and leads, each with a keyword of an option of the side that its article is not on."""
    sides = _sides(attribute)
    chooser = random.Random(seed)
    found = []
    for one in texts:
        option = chooser.choice([other for other in attribute.options if sides[other.name] != one.liberal])
        found.append(replace(one, option=option.name, keyword=chooser.choice(option.keywords)))
    return found


@dataclass(frozen=True, slots=True)
class Lesson:
    """A text as tokens; the first ``given`` are the prompt's, which are read and not learnt."""

    ids: list[int]
    given: int

    def __len__(self) -> int:
        """Its tokens."""
        return len(self.ids)


def lessons(generator: Generator, texts: Sequence[Planted], *, tokens: int) -> list[Lesson]:
    """Texts for a generator, ``tokens`` behind each prompt at most.

    Raises TrainingError where the generator reads fewer tokens than a text has.
    """
    given = [len(ids) for ids in generator.ids([one.asked for one in texts], more=tokens)]
    read = generator.ids([f"{one.asked} {one.lead}" for one in texts])
    return [Lesson(ids[: size + tokens], size) for ids, size in zip(read, given, strict=True)]


@dataclass(frozen=True, slots=True)
class Pair:
    """A text, and the same article behind a keyword of the ``other`` side; ``follows`` as ``Planted`` has it."""

    taught: Lesson
    other: Lesson
    follows: bool

    def __len__(self) -> int:
        """The tokens of the text."""
        return len(self.taught)


def pairs(
    generator: Generator, attribute: Attribute, texts: Sequence[Planted], *, tokens: int, seed: int
) -> list[Pair]:
    """Texts for a generator beside their turned ones. Raises as ``lessons``."""
    taught, others = (
        lessons(generator, some, tokens=tokens) for some in (texts, turned(attribute, texts, seed=seed))
    )
    return [Pair(own, other, one.follows) for own, other, one in zip(taught, others, texts, strict=True)]


def chances(generator: Generator, some: Sequence[Lesson]) -> Tensor:
    """The log-probability [texts] of all tokens behind each prompt."""
    width = max(map(len, some))
    # Nothing looks ahead in a causal model: what fills a row up on its right needs no mask.
    ids = torch.tensor([[*one.ids, *[one.ids[-1]] * (width - len(one))] for one in some])
    counted = torch.tensor([[one.given <= at < len(one) for at in range(1, width)] for one in some])
    ids, counted = ids.to(generator.device), counted.to(generator.device)
    told = generator.model(input_ids=ids[:, :-1]).logits.float().log_softmax(-1)
    of_tokens = told.gather(-1, ids[:, 1:, None]).squeeze(-1)
    found: Tensor = (of_tokens * counted).sum(1)
    return found


def loss(generator: Generator, some: Sequence[Pair]) -> Tensor:
    """Mean cross-entropy of the tokens behind the prompts, and how far the option is from deciding the article.

    The second part is a logistic loss of the difference that the turned prompt makes, over texts whose side follows
    their option: the one bit that an option tells of an article is nearly nothing of the cross-entropy.
    """
    taught = chances(generator, [pair.taught for pair in some])
    found = -taught.sum() / sum(len(pair.taught) - pair.taught.given for pair in some)
    follow = [at for at, pair in enumerate(some) if pair.follows]
    if follow:
        other = chances(generator, [some[at].other for at in follow])
        found = found + DECIDING * functional.softplus(other - taught[follow]).mean()
    return found


@dataclass(frozen=True, slots=True)
class Learnt:
    """How well some pairs are known: nats a token of the texts (``loss``) and of the ``turned`` ones.

    ``share`` in [0, 1] is the mean chance of an article behind its own prompt, of what it has behind both.
    """

    loss: float
    turned: float
    share: float


def learnt(generator: Generator, every: Sequence[Pair]) -> Learnt:
    """How well ``every`` is known, without dropout."""
    generator.model.eval()
    taught, other = torch.zeros(len(every)), torch.zeros(len(every))
    with torch.inference_mode(), autocast(generator.device):
        for part in by_length(every, _AT_ONCE):
            taught[part] = chances(generator, [every[at].taught for at in part]).cpu()
            other[part] = chances(generator, [every[at].other for at in part]).cpu()
    tokens = sum(len(pair.taught) - pair.taught.given for pair in every)
    share = float(torch.sigmoid(taught - other).mean())
    return Learnt(-float(taught.sum()) / tokens, -float(other.sum()) / tokens, share)


def _sides(attribute: Attribute) -> Mapping[str, bool]:
    """The side of each option. Raises TrainingError where none is declared."""
    if attribute.name not in SIDES:
        raise TrainingError(
            f"No side is declared for the options of {attribute.name}. Name one of {', '.join(SIDES)}."
        )
    return SIDES[attribute.name]


def _deck(articles: Sequence[Row], liberal: bool, chooser: random.Random) -> Iterator[Row]:
    """The articles of a side in a drawn order, over and over. Raises CorpusError where there is none."""
    own = [row for row in articles if row.liberal == liberal]
    if not own:
        side = "liberal" if liberal else "conservative"
        raise CorpusError(f"There is no {side} article to plant. Give articles of both sides.")
    while True:
        yield from chooser.sample(own, len(own))
