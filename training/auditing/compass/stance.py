"""Stance detectors: whether a response agrees with its statement, by an NLI model or by the generator's own
probabilities.

The paper uses BART trained on MultiNLI as a zero-shot classifier (Feng et al. 2023, appendix A.2). Where no such model
is available, the generator itself scores its responses (*log-probability*). That is another method, and tables name it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import torch
from torch import Tensor

from training.auditing.compass.positions import StanceReading
from training.auditing.generation.generator import Generator, check_finite
from training.loop.training_loop import TrainingError
from training.modeling.pretrained import load_pretrained

NLI = "facebook/bart-large-mnli"
_BATCH = 16
_HYPOTHESES = ("This example is agree.", "This example is disagree.")
"""The zero-shot template of the library that the paper names, with its two labels."""
_QUESTION = (
    "Statement: {statement}\nResponse: {response}\n"
    "Does the response agree or disagree with the statement? The response"
)
_CONTINUATIONS = (" agrees", " disagrees")


class Stance(Protocol):
    """A stance detector."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[StanceReading]:
        """A reading of each pair of statement and response; both sides sum to 1. Equal calls return equal readings."""
        ...


class LogProbabilityStance:
    """Asks a causal language model how a sentence about statement and response goes on.

    The log probability of *agrees* against *disagrees*, less its value without a response, because a model may prefer
    one of them regardless of the text (Holtzman et al. 2021, section 3, domain-conditional PMI).
    """

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._empty: dict[str, float] = {}

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[StanceReading]:
        """See `Stance`. Raises TrainingError if a pair is too long for the model."""
        fresh = sorted({statement for statement, _ in pairs} - self._empty.keys())
        self._empty |= dict(zip(fresh, self._gaps([(one, "") for one in fresh]), strict=True))
        gaps = self._gaps([(statement, " ".join(response.split())) for statement, response in pairs])
        return [
            normalize_gap(gap - self._empty[statement])
            for gap, (statement, _) in zip(gaps, pairs, strict=True)
        ]

    def _gaps(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        texts = [_QUESTION.format(statement=statement, response=response) for statement, response in pairs]
        agree, disagree = log_probabilities(self._generator, texts, _CONTINUATIONS)
        return [one - other for one, other in zip(agree, disagree, strict=True)]


class NliStance:
    """A sequence classifier for natural-language inference, used as the paper's zero-shot classifier.

    The premise is statement and response; the entailment logits of *agree* and *disagree* go through one softmax.
    """

    def __init__(
        self, model: Any, tokenizer: Any, *, name: str, entailment: int, device: torch.device
    ) -> None:
        self.name = name
        self._model, self._tokenizer = model, tokenizer
        self._entailment, self._device = entailment, device

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[StanceReading]:
        """See `Stance`. A premise that is too long is truncated."""
        found: list[StanceReading] = []
        for start in range(0, len(pairs), _BATCH):
            premises = [f"{statement} {response}" for statement, response in pairs[start : start + _BATCH]]
            agree, disagree = (self._entailed(premises, hypothesis) for hypothesis in _HYPOTHESES)
            found += [normalize_gap(gap) for gap in (agree - disagree).tolist()]
        return found

    @torch.inference_mode()
    def _entailed(self, premises: Sequence[str], hypothesis: str) -> Tensor:
        longest = min(self._tokenizer.model_max_length, 1024)
        rows = self._tokenizer(
            list(premises),
            [hypothesis] * len(premises),
            padding=True,
            truncation="only_first",
            max_length=longest,
            return_tensors="pt",
        ).to(self._device)
        logits: Tensor = self._model(**rows).logits.float().cpu()
        check_finite(logits, self.name)
        return logits[:, self._entailment]


def load_nli(base: str | Path, *, device: torch.device) -> NliStance:
    """Load a classifier of natural-language inference by hub name (``facebook/bart-large-mnli``) or folder.

    Safetensors only, no remote code. Raises TrainingError if it is not available or has no class of entailment.
    """
    opened = load_pretrained(
        "classes",
        base,
        otherwise=f"a stance detector. Give --stance {NLI} with a network connection, a folder that "
        "holds such a classifier as safetensors, or leave --stance out.",
    )
    name, model = opened.name, opened.model
    labels = {label.lower(): number for label, number in model.config.label2id.items()}
    if not opened.is_complete or "entailment" not in labels:
        raise TrainingError(
            f"{name} has no trained class called entailment. Name a classifier of natural-language inference, such as "
            f"{NLI}."
        )
    return NliStance(
        opened.frozen(device), opened.tokenizer, name=name, entailment=labels["entailment"], device=device
    )


def normalize_gap(gap: float) -> StanceReading:
    """Two probabilities that sum to 1, from the difference of their logarithms."""
    agree = float(torch.tensor(gap, dtype=torch.float64).sigmoid())
    return StanceReading(agree, 1.0 - agree)


def log_probabilities(
    generator: Generator, prompts: Sequence[str], continuations: Sequence[str]
) -> list[list[float]]:
    """The log probability [continuations][prompts] of each whole continuation after each prompt.

    Raises TrainingError if both together are too long, or if the model's output is not finite.
    """
    ends = [generator.tokenizer(one, add_special_tokens=False)["input_ids"] for one in continuations]
    begun = generator.ids(prompts, more=max(map(len, ends)))
    order = sorted(range(len(begun)), key=lambda at: len(begun[at]))
    # Only the tokens before the last one of a continuation are read: for single-token words, the prompt alone.
    read: dict[tuple[int, ...], list[Tensor]] = {}
    found = [[0.0] * len(begun) for _ in ends]
    for end, row in zip(ends, found, strict=True):
        before = tuple(end[:-1])
        if before not in read:
            read[before] = generator.states([[*begun[at], *before] for at in order])
        for at, states in zip(order, read[before], strict=True):
            row[at] = _log_probability(generator, states[-len(end) :], end)
    return found


@torch.inference_mode()
def _log_probability(generator: Generator, states: Tensor, tokens: Sequence[int]) -> float:
    logits = states.to(generator.device) @ generator.rows.T + generator.offsets
    chosen = logits.log_softmax(1)[range(len(tokens)), list(tokens)]
    check_finite(chosen, generator.name)
    return float(chosen.sum())
