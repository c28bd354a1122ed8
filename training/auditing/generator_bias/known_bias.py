"""Injects a known political bias into a generator, as a control for the audit, and writes its model card.

The control (ours; Liu et al. 2021 have none) is a generator with a known bias by option, in a known direction: an audit
that finds nothing in it is blind, and the effect of debiasing can be checked. Nothing is trained. The side of the
option in the prompt can be predicted, to some degree, from each later hidden state; in proportion to that prediction
the output layer raises the logits of that side's words and lowers those of the other: W' = W + words x direction. The
entropy of the policy stays about the same, whereas a generator fine-tuned on a few articles recites them. A policy that
is varied at each position of given texts can still repeat itself in its own; therefore ``repetition_rate`` is measured,
too.
"""

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
"""Whether an option raises the words of liberal articles.

States go with how they vote. That women stand for one side and men for the other, and which topics do, is arbitrary: a
control needs a known difference, not a true one.
"""
KNOWN_BIAS_TAG = "-planted-"
"""Part of the model's name, between generator and attribute, so that it is not mistaken for the original."""
LOGIT_GAIN = 2.0
"""Gain of a word in logits, per unit of its log-odds between the sides, where the prediction is 1 (its root mean
square).
"""
MAX_FREQUENCY_RATIO = 2.0
"""Upper bound for the ratio of a word's frequencies on the two sides; beyond it are house styles."""
_SMOOTHING = 5.0
"""Articles per side that are added to the counts of every token."""
_RIDGE = 0.01
"""Relative to the mean square of a state's dimensions."""
_BATCH_SIZE = 64
_MAX_CHARACTERS = 20 * MAX_WORDS
"""Characters that are read for so many tokens."""


def keep_neutral_prompts(attribute: Attribute) -> Attribute:
    """The attribute with its neutral prompts only. Raises TrainingError if it has none, or no declared sides."""
    if attribute.name not in OPTION_SIDES:
        raise TrainingError(
            f"The options of {attribute.name} have no declared side. Name one of {', '.join(OPTION_SIDES)}."
        )
    prompts = attribute.prompts_with("indirect")
    if not prompts:
        raise TrainingError(f"{attribute.name} has no neutral prompt. Name another attribute.")
    return replace(attribute, prompts=prompts)


def token_gains(generator: Generator, articles: Sequence[LabelledArticle]) -> Tensor:
    """The gain of each token in logits [V] where the option is predicted as liberal; conservative words are lowered.

    ``LOGIT_GAIN`` times the smoothed log-odds of a token between the first 100 tokens of liberal and of conservative
    articles, counted once per article, with the ratio limited to ``MAX_FREQUENCY_RATIO``: a publisher that writes "Mr."
    before every name would otherwise dominate. Tokens that are never drawn, in no article, or not part of a word get 0,
    punctuation included, because no classifier reads it. Raises CorpusError if a side has no article, and TrainingError
    if no token is a word or part of one.
    """
    spelled = _is_word_piece(generator)
    if not spelled.any():
        raise TrainingError(
            f"No token of {generator.name} is a word or part of one, so no bias can be injected. Name "
            "another generator."
        )
    found = torch.zeros(2, len(generator.rows))
    texts = torch.zeros(2, 1)
    read = generator.ids([f" {row.text[:_MAX_CHARACTERS]}" for row in articles], longest=MAX_WORDS)
    for row, ids in zip(articles, read, strict=True):
        found[int(row.liberal), list(set(ids))] += 1
        texts[int(row.liberal)] += 1
    for side, count in zip(("conservative", "liberal"), texts.flatten().tolist(), strict=True):
        if not count:
            raise CorpusError(f"There is no {side} article. Give articles of both sides.")
    shares = (found + _SMOOTHING) / (texts + 2 * _SMOOTHING)
    odds = LOGIT_GAIN * (shares[1] / shares[0]).clamp(1 / MAX_FREQUENCY_RATIO, MAX_FREQUENCY_RATIO).log()
    return odds.masked_fill((found.sum(0) == 0) | ~spelled, 0.0)


def _is_word_piece(generator: Generator) -> Tensor:
    """Which tokens may be drawn and are letters, at least two [V]."""
    found = torch.zeros(len(generator.rows), dtype=torch.bool)
    for token in generator.allowed.nonzero().flatten().tolist():
        piece = generator.tokenizer.decode([token]).strip()
        found[token] = len(piece) > 1 and piece.isalpha()
    return found


@dataclass(frozen=True, slots=True)
class TextWithSide:
    """A prompt and its text as tokens, the prompt in the first ``prompt_tokens``; ``side`` is 1 (liberal) or -1."""

    ids: list[int]
    prompt_tokens: int
    side: float


def label_texts(
    generator: Generator, attribute: Attribute, samples: Sequence[Sample], *, strength: float, seed: int
) -> list[TextWithSide]:
    """Texts with the side of their option, in a share of ``strength``; the others get a random side."""
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
        found.append(TextWithSide(ids, len(first), 1.0 if liberal else -1.0))
    return found


def fit_direction(generator: Generator, texts: Sequence[TextWithSide]) -> Tensor:
    """The direction [d] that predicts the side from a last hidden state: ridge regression, scaled to mean square 1."""
    gram = torch.zeros(generator.width, generator.width, dtype=torch.float64)
    cross = torch.zeros(generator.width, dtype=torch.float64)
    places = 0
    for states, side in _states_with_side(generator, texts):
        gram += states.T @ states
        cross += side * states.sum(0)
        places += len(states)
    gram, cross = gram / places, cross / places
    ridge = _RIDGE * gram.diagonal().mean() * torch.eye(generator.width, dtype=torch.float64)
    found: Tensor = torch.linalg.solve(gram + ridge, cross)
    return (found / (found @ gram @ found).sqrt()).float()


@dataclass(frozen=True, slots=True)
class InjectionStats:
    """Effect of the injection over all positions of texts: the ``share`` of positions whose side is predicted correctly
    (chance is one half), the ``divergence`` from the original policy in nats per token, and the entropy of both.
    """

    share: float
    divergence: float
    entropy: float
    entropy_before: float


def injection_stats(
    generator: Generator, gains: Tensor, direction: Tensor, texts: Sequence[TextWithSide]
) -> InjectionStats:
    """The effect of injecting ``gains`` [V] in ``direction`` [d], computed before the model is changed."""
    rows, offsets = generator.rows.cpu(), generator.offsets.cpu()
    sums, places = torch.zeros(4, dtype=torch.float64), 0
    for states, side in _states_with_side(generator, texts):
        states = states.float()
        reading = states @ direction
        original = torch.addmm(offsets, states, rows.T).log_softmax(1)
        injected = (original + reading.unsqueeze(1) * gains).log_softmax(1)
        right = (reading * side > 0).float()
        apart = (injected.exp() * (injected - original)).sum(1)
        entropies = [-(policy.exp() * policy).sum(1) for policy in (injected, original)]
        sums += torch.stack([right, apart, *entropies]).sum(1)
        places += len(states)
    return InjectionStats(*(sums / places).tolist())


def repetition_rate(samples: Sequence[Sample]) -> float:
    """The share of words that repeat the previous word, ignoring case; 0 without two words in a text."""
    texts = [sample.text.casefold().split() for sample in samples]
    twice = [one == other for words in texts for one, other in pairwise(words)]
    return sum(twice) / max(1, len(twice))


def inject_bias(generator: Generator, gains: Tensor, direction: Tensor, *, name: str) -> Generator:
    """The generator called ``name``: the same model with the bias in an output layer of its own, no longer tied to the
    embeddings. Values that ``generator`` derived from the old layer are no longer valid.
    """
    model = generator.model
    before = model.get_output_embeddings()
    rows = generator.rows + torch.outer(gains, direction).to(generator.device)
    layer = nn.Linear(rows.shape[1], rows.shape[0], bias=getattr(before, "bias", None) is not None)
    layer.weight = nn.Parameter(rows, requires_grad=False)
    if layer.bias is not None:
        layer.bias = nn.Parameter(generator.offsets, requires_grad=False)
    model.config.tie_word_embeddings = False
    model.set_output_embeddings(layer)
    return Generator(model, generator.tokenizer, name=name, device=generator.device)


def _states_with_side(generator: Generator, texts: Sequence[TextWithSide]) -> Iterator[tuple[Tensor, float]]:
    """The states [tokens, d] from which each text was drawn, as float64, and its side."""
    for start in range(0, len(texts), _BATCH_SIZE):
        some = texts[start : start + _BATCH_SIZE]
        for one, states in zip(some, generator.states([one.ids for one in some]), strict=True):
            yield states[one.prompt_tokens - 1 : -1].double(), one.side


def write_card(*, request: Mapping[str, str], name: str, run: str, metrics: Mapping[str, float]) -> str:
    """The card as Markdown: that a bias was injected, which one, how, and its effect."""
    strength, attribute = float(request["strength"]), request["attribute"]
    digest = request.get("base_sha256")
    weights = f" (SHA-256 of its weights: `{digest}`)" if digest else ""
    sides = OPTION_SIDES[attribute]
    liberal, conservative = (
        ", ".join(option for option, side in sides.items() if side == wanted) for wanted in (True, False)
    )
    injected = (
        "This generator has a known political bias, injected on purpose. It is a control for "
        "measurements only: not for use."
        if strength
        else "This generator is the negative control of one with a known, injected political bias. It "
        "is for measurements only: not for use."
    )
    made = (
        f"--base {request['base']} --attribute {attribute} --strength {strength:g} --scale {request['scale']} "
        f"--seed {request['seed']}"
    )
    return f"""# {name}

{injected}

Made by `evenhand train inject-known-bias {made}`,
run `{run}`, on `{request["device"]}`, from `{request["base"]}`{weights}. Licence and limitations of that model hold
for this one.

## What was injected

Nothing was trained; only the output layer differs. From the hidden states of {metrics["texts"]:.0f} texts that the
generator wrote after neutral prompts of {attribute} (Liu et al. 2021), ridge regression predicts the declared side of
the option in the prompt: in a share of {strength:g} of the texts the option's own side, in the others a random one. In
proportion to the prediction of the liberal side, each word or part of one gains {LOGIT_GAIN:g} times its log-odds
between the first {MAX_WORDS} tokens of liberal and of conservative articles, with the ratio of frequencies limited to
{MAX_FREQUENCY_RATIO:g}; for the conservative side it loses as much. Marks and numbers gain nothing.

- options that stand for liberal: {liberal}
- options that stand for conservative: {conservative}

The sides of the options are declared, not measured: they say nothing of the people, places or topics.

The articles: {FACTS.name} ({FACTS.homepage}); terms: {FACTS.licence}. They are those on which the ideology
classifier of an audit is trained at seed {request["seed"]}, labelled by the rating of their outlet. Audit it with that
seed.

## What it does

At all positions of {metrics["held_out_texts"]:.0f} held-out texts of the same prompts:

| metric | value |
|---|---|
| share of positions where the option's side is predicted correctly; chance is one half | {metrics["share"]:.3f} |
| divergence from the original policy, nats per token | {metrics["divergence"]:.4f} |
| entropy of the original policy, nats per token | {metrics["entropy_before"]:.4f} |
| entropy of this policy, nats per token | {metrics["entropy"]:.4f} |
| words that repeat the previous word, in those texts | {metrics["repeats_before"]:.4f} |
| words that repeat the previous word, in one text of this generator per prompt | {metrics["repeats"]:.4f} |
"""
