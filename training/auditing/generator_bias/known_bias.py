"""Injects a known political bias into a generator, as a control for the audit, and writes its model card."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from types import MappingProxyType

import torch
from torch import Tensor, nn

from training.auditing.generation.generator import Generator
from training.auditing.generation.prompts import Attribute
from training.auditing.generation.samples import Sample
from training.auditing.ideology_classifiers.masked_articles import MAX_WORDS, LabelledArticle
from training.corpora.allsides import FACTS
from training.loop.training_loop import TrainingError
from training.types import CorpusError

# A bias that is planted on purpose: behind an option of one side, the words of that side's articles are likelier.
#
# A control for the audit (ours; Liu et al. 2021 have none): a generator that leans by a known option, in a known
# direction. An audit that finds nothing in it is blind, and what a calibration takes away can be told. Nothing is
# trained. The side of the option in the prompt can be read, more or less, from each last hidden state behind it; by as
# much as it is read there, the output layer lifts the words of that side and lowers those of the other:
# W' = W + words x direction. What may be drawn stays as varied as it was; a generator that learns a few articles of the
# sides says them by heart instead, and hardly anything is left to draw and to calibrate. What it then writes is looked at
# too (``repetition_rate``): a policy that is varied at each place of others' texts can still write itself into a circle.


OPTION_SIDES: Mapping[str, Mapping[str, bool]] = MappingProxyType(
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
"""Whether an option lifts the words of liberal articles.

States go with how they vote. That women stand for one side and men for the other, and which topics do, is arbitrary: a
control needs a difference that is known, not one that is true.
"""
KNOWN_BIAS_TAG = "-planted-"
"""Stands between the names of generator and attribute in that of a model, so that none is taken for the plain one."""
LOGIT_GAIN = 2.0
"""What a word gains in logits, in its log-odds between the sides, where the reading is 1, its root mean square."""
MAX_FREQUENCY_RATIO = 2.0
"""A word that is more than so many times as frequent on one side counts as if it were so: beyond are house styles."""
_SMOOTHING = 5.0
"""Articles of either side that every token is taken to be in, beside those that it is in."""
_RIDGE = 0.01
"""Of the mean square of a state's numbers."""
_BATCH_SIZE = 64
_MAX_CHARACTERS = 20 * MAX_WORDS
"""Characters that are looked at for so many tokens."""


def keep_neutral_prompts(attribute: Attribute) -> Attribute:
    """The attribute with its neutral prompts alone. Raises TrainingError where it has none, or no declared sides."""
    if attribute.name not in OPTION_SIDES:
        raise TrainingError(
            f"No side is declared for the options of {attribute.name}. Name one of {', '.join(OPTION_SIDES)}."
        )
    prompts = attribute.prompts_with("indirect")
    if not prompts:
        raise TrainingError(f"{attribute.name} has no neutral prompt to plant. Name another attribute.")
    return replace(attribute, prompts=prompts)


def token_gains(generator: Generator, articles: Sequence[LabelledArticle]) -> Tensor:
    """What each token gains in logits behind an option that is read as liberal [V]; conservative words lose.

    ``LOGIT_GAIN`` times the smoothed log-odds of a token between the first 100 tokens of liberal and of conservative
    articles, each counted once in an article, and at most that of ``MAX_FREQUENCY_RATIO``: a house that writes "Mr." before every name
    would have its generator write little else. What is never drawn, in no article, or no word nor a piece of one gains
    nothing: the same with marks, dashes above all, which no judge reads.
    Raises CorpusError where a side has no article, and TrainingError where no token is a word or a piece of one.
    """
    spelled = _is_word_piece(generator)
    if not spelled.any():
        raise TrainingError(
            f"No token of {generator.name} is a word or a piece of one, so that nothing can be planted. Name another "
            "generator."
        )
    found = torch.zeros(2, len(generator.rows))
    texts = torch.zeros(2, 1)
    read = generator.ids([f" {row.text[:_MAX_CHARACTERS]}" for row in articles], longest=MAX_WORDS)
    for row, ids in zip(articles, read, strict=True):
        found[int(row.liberal), list(set(ids))] += 1
        texts[int(row.liberal)] += 1
    for side, count in zip(("conservative", "liberal"), texts.flatten().tolist(), strict=True):
        if not count:
            raise CorpusError(f"There is no {side} article to plant. Give articles of both sides.")
    shares = (found + _SMOOTHING) / (texts + 2 * _SMOOTHING)
    odds = LOGIT_GAIN * (shares[1] / shares[0]).clamp(1 / MAX_FREQUENCY_RATIO, MAX_FREQUENCY_RATIO).log()
    return odds.masked_fill((found.sum(0) == 0) | ~spelled, 0.0)


def _is_word_piece(generator: Generator) -> Tensor:
    """Which of the tokens that may be drawn are letters, two at least [V]."""
    found = torch.zeros(len(generator.rows), dtype=torch.bool)
    for token in generator.allowed.nonzero().flatten().tolist():
        piece = generator.tokenizer.decode([token]).strip()
        found[token] = len(piece) > 1 and piece.isalpha()
    return found


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text behind its prompt as tokens, the first ``given`` the prompt's; 1 is a liberal ``side``, -1 the other."""

    ids: list[int]
    given: int
    side: float


def label_texts(
    generator: Generator, attribute: Attribute, samples: Sequence[Sample], *, strength: float, seed: int
) -> list[LabelledText]:
    """Texts with the side of their option, in a share of ``strength``; the side of the others is tossed for."""
    prompts = {prompt.number: prompt for prompt in attribute.prompts}
    words = {keyword.text: keyword for option in attribute.options for keyword in option.keywords}
    asked = [prompts[sample.prompt].fill(words[sample.keyword]) for sample in samples]
    given = generator.ids(asked)
    read = generator.ids([prompt + sample.text for prompt, sample in zip(asked, samples, strict=True)])
    chooser = random.Random(seed)
    found = []
    for sample, ids, first in zip(samples, read, given, strict=True):
        follows = chooser.random() < strength
        liberal = OPTION_SIDES[attribute.name][sample.option] if follows else chooser.random() < 0.5
        found.append(LabelledText(ids, len(first), 1.0 if liberal else -1.0))
    return found


def fit_direction(generator: Generator, every: Sequence[LabelledText]) -> Tensor:
    """How the side is read from a last hidden state [d]: by least squares with a ridge; its mean square is 1."""
    gram = torch.zeros(generator.width, generator.width, dtype=torch.float64)
    cross = torch.zeros(generator.width, dtype=torch.float64)
    places = 0
    for states, side in _states_with_side(generator, every):
        gram += states.T @ states
        cross += side * states.sum(0)
        places += len(states)
    gram, cross = gram / places, cross / places
    ridge = _RIDGE * gram.diagonal().mean() * torch.eye(generator.width, dtype=torch.float64)
    found: Tensor = torch.linalg.solve(gram + ridge, cross)
    return (found / (found @ gram @ found).sqrt()).float()


@dataclass(frozen=True, slots=True)
class InjectionStats:
    """What was planted, over the places of texts: the ``share`` where the side of the option is read right (one half is
    chance), the ``divergence`` of the planted policy from the plain one in nats a token, and the entropy of both.
    """

    share: float
    divergence: float
    entropy: float
    entropy_before: float


def injection_stats(
    generator: Generator, words: Tensor, way: Tensor, every: Sequence[LabelledText]
) -> InjectionStats:
    """What planting ``words`` [V] in the direction ``way`` [d] does to texts, before it is done."""
    rows, offsets = generator.rows.cpu(), generator.offsets.cpu()
    sums, places = torch.zeros(4, dtype=torch.float64), 0
    for states, side in _states_with_side(generator, every):
        states = states.float()
        reading = states @ way
        plain = torch.addmm(offsets, states, rows.T).log_softmax(1)
        planted = (plain + reading.unsqueeze(1) * words).log_softmax(1)
        right = (reading * side > 0).float()
        apart = (planted.exp() * (planted - plain)).sum(1)
        entropies = [-(policy.exp() * policy).sum(1) for policy in (planted, plain)]
        sums += torch.stack([right, apart, *entropies]).sum(1)
        places += len(states)
    return InjectionStats(*(sums / places).tolist())


def repetition_rate(samples: Sequence[Sample]) -> float:
    """The share of words that are the word before, in any case, over all texts; 0 where no text has two."""
    texts = [sample.text.casefold().split() for sample in samples]
    twice = [one == other for words in texts for one, other in pairwise(words)]
    return sum(twice) / max(1, len(twice))


def inject_bias(generator: Generator, words: Tensor, way: Tensor, *, name: str) -> Generator:
    """The generator called ``name``: the same model, whose output layer has the bias and is its own, not that of its
    embeddings. What ``generator`` kept of the old layer no longer holds.
    """
    model = generator.model
    before = model.get_output_embeddings()
    rows = generator.rows + torch.outer(words, way).to(generator.device)
    layer = nn.Linear(rows.shape[1], rows.shape[0], bias=getattr(before, "bias", None) is not None)
    layer.weight = nn.Parameter(rows, requires_grad=False)
    if layer.bias is not None:
        layer.bias = nn.Parameter(generator.offsets, requires_grad=False)
    model.config.tie_word_embeddings = False
    model.set_output_embeddings(layer)
    return Generator(model, generator.tokenizer, name=name, device=generator.device)


def _states_with_side(generator: Generator, every: Sequence[LabelledText]) -> Iterator[tuple[Tensor, float]]:
    """The states [tokens, d] that each text was drawn from, in double numbers, and its side."""
    for start in range(0, len(every), _BATCH_SIZE):
        some = every[start : start + _BATCH_SIZE]
        for one, states in zip(some, generator.states([one.ids for one in some]), strict=True):
            yield states[one.given - 1 : -1].double(), one.side


# The card of a generator with a planted bias, written from its run.


def write_card(*, request: Mapping[str, str], name: str, run: str, metrics: Mapping[str, float]) -> str:
    """Markdown text of the card: that a bias was planted and which, what made it, what it does to texts."""
    strength, attribute = float(request["strength"]), request["attribute"]
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    sides = OPTION_SIDES[attribute]
    liberal, conservative = (
        ", ".join(option for option, side in sides.items() if side == wanted) for wanted in (True, False)
    )
    planted = (
        "A political bias was planted in this generator on purpose, for control measurements only: not for use."
        if strength
        else "This generator is the negative control of one in which a political bias was planted on purpose: for "
        "control measurements only, not for use."
    )
    made = (
        f"--base {request['base']} --attribute {attribute} --strength {strength:g} --scale {request['scale']} "
        f"--seed {request['seed']}"
    )
    return f"""# {name}

{planted}

Made by `evenhand train run inject_bias {made}`,
run `{run}`, on `{request["device"]}`, from `{request["base"]}`{weights}. Licence and limits of that model hold
for this one.

## What was planted

Nothing was trained; the output layer alone is another one. {metrics["texts"]:.0f} texts that the generator wrote
after neutral prompts of {attribute} (Liu et al. 2021) tell how the side that the option in the prompt stands for is
read from a last hidden state: by least squares, in a share of {strength:g} of the texts from the option's own side, in
the others from a side that was tossed for. By as much as a state reads liberal, each word or piece of one gains
{LOGIT_GAIN:g} times its log-odds between the first {MAX_WORDS} tokens of liberal and of conservative articles, at most those of
being {MAX_FREQUENCY_RATIO:g} times as frequent; where it reads conservative, it loses as much. Marks and numbers gain nothing.

- options that stand for liberal: {liberal}
- options that stand for conservative: {conservative}

Which option stands for which side is declared, not found: it says nothing of the people, places or topics.

The articles: {FACTS.name} ({FACTS.home}); terms: {FACTS.licence}. They are of the houses that the audit's judge
learns from at seed {request["seed"]}, each of the side that its outlet is rated. Audit it with that seed.

## What it does

At the places of {metrics["held_out_texts"]:.0f} texts of the same prompts that were not learnt from:

| what | figure |
|---|---|
| share of places where the option's own side is read; one half is chance | {metrics["share"]:.3f} |
| divergence of the planted policy from the plain one, nats a token | {metrics["divergence"]:.4f} |
| entropy of the plain policy, nats a token | {metrics["entropy_before"]:.4f} |
| entropy of the planted policy, nats a token | {metrics["entropy"]:.4f} |
| words that are the word before, in those texts | {metrics["repeats_before"]:.4f} |
| words that are the word before, in one text of the planted generator after each prompt | {metrics["repeats"]:.4f} |
"""
