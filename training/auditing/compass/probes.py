"""Probes of masked and causal language models: how likely each of them agrees with a statement.

Masked models, Feng et al. (2023), section 2.1 and appendix A.1: the ten likeliest fillers of *I <MASK> with this
statement*, of which positive and negative words of Table 7 count by their probability. Generators, section 2.1 and
appendix A.2: ten responses to each statement with different seeds, scored by a stance detector. Responses are saved, so
that an interrupted run resumes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from training.auditing.compass.positions import StanceReading
from training.auditing.compass.questionnaire import NEGATIVE, POSITIVE, generator_prompt, masked_prompt
from training.auditing.compass.stance import Stance, log_probabilities, normalize_gap
from training.auditing.generation.generator import Generator, check_finite
from training.auditing.generation.samples import (
    FilledPrompt,
    Sample,
    SamplePlan,
    SampleScale,
    generate_samples,
)
from training.auditing.generation.sampling import Sampling, VanillaSampler
from training.loop.batches import length_batches
from training.loop.events import Events
from training.loop.result_cache import digest
from training.loop.training_loop import TrainingError
from training.modeling.pretrained import load_pretrained

FILLERS = 10
_BATCH = 16
_CONTEXT_WORD = "I"


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words of Table 7 in a tokenizer: those with one token, which can fill a mask, and those it splits."""

    positive: frozenset[str]
    negative: frozenset[str]
    split: tuple[str, ...]


class MaskedProbe:
    """Puts statements to a masked model. It is deterministic: there is no seed."""

    def __init__(self, model: Any, tokenizer: Any, *, name: str, device: torch.device) -> None:
        self.name, self.tokenizer, self.device = name, tokenizer, device
        self._model = model
        self.lexicon = build_lexicon(tokenizer, name)

    def extra_values(self) -> dict[str, float]:
        """The number of lexicon words that cannot fill a mask."""
        return {"split_words": float(len(self.lexicon.split))}

    def read(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[StanceReading]:  # noqa: ARG002
        """A reading of each statement; ``prompt`` is a number of Table 11.

        Raises TrainingError if a prompt is too long for the model, or if its output is not finite.
        """
        texts = [masked_prompt(prompt, statement, self.tokenizer.mask_token) for statement in statements]
        rows: list[list[int]] = self.tokenizer(texts)["input_ids"]
        mask = self.tokenizer.mask_token_id
        longest = min(self.tokenizer.model_max_length, max_tokens(self._model))
        if max(map(len, rows)) > longest or any(row.count(mask) != 1 for row in rows):
            raise TrainingError(
                f"{self.name} has a context of {longest} tokens; the longest statement needs "
                f"{max(map(len, rows))} with its prompt and one mask. Name a model with a longer "
                "context."
            )
        found = [StanceReading(0.0, 0.0)] * len(rows)
        for part in length_batches(rows, _BATCH):
            for at, reading in zip(part, self._fill([rows[at] for at in part]), strict=True):
                found[at] = reading
        return found

    @torch.inference_mode()
    def _fill(self, rows: Sequence[list[int]]) -> list[StanceReading]:
        pad = self.tokenizer.pad({"input_ids": list(rows)}, return_tensors="pt").to(self.device)
        logits = self._model(input_ids=pad["input_ids"], attention_mask=pad["attention_mask"]).logits.float()
        masks = pad["input_ids"] == self.tokenizer.mask_token_id
        chances = logits[masks].softmax(1)
        check_finite(chances, self.name)
        best, tokens = chances.topk(min(FILLERS, chances.shape[1]), dim=1)
        return [
            self._summed(row.tolist(), ids.tolist())
            for row, ids in zip(best.cpu(), tokens.cpu(), strict=True)
        ]

    def _summed(self, chances: Sequence[float], tokens: Sequence[int]) -> StanceReading:
        agree = disagree = 0.0
        for chance, token in zip(chances, tokens, strict=True):
            word = self.tokenizer.decode([token]).strip().lower()
            agree += chance * (word in self.lexicon.positive)
            disagree += chance * (word in self.lexicon.negative)
        return StanceReading(agree, disagree)


def max_tokens(model: Any) -> int:
    """The context length of a model; RoBERTa's positions start behind the pad token."""
    most = getattr(model.config, "max_position_embeddings", None) or 10**6
    return int(most) - (2 if model.config.model_type == "roberta" else 0)


def build_lexicon(tokenizer: Any, name: str) -> Lexicon:
    """The words of Table 7 as ``tokenizer`` splits them inside a sentence.

    Raises TrainingError if it splits all positive or all negative ones.
    """
    before = len(tokenizer(_CONTEXT_WORD, add_special_tokens=False)["input_ids"])
    split = []
    for word in sorted(POSITIVE | NEGATIVE):
        pieces = tokenizer(f"{_CONTEXT_WORD} {word}", add_special_tokens=False)["input_ids"][before:]
        if len(pieces) != 1 or pieces[0] == tokenizer.unk_token_id:
            split.append(word)
    positive, negative = POSITIVE.difference(split), NEGATIVE.difference(split)
    for side, words in (("positive", positive), ("negative", negative)):
        if not words:
            raise TrainingError(
                f"The tokenizer of {name} splits every {side} word of the lexicon, so that its answers "
                "cannot be scored. Name a masked model with whole words, such as "
                "FacebookAI/roberta-base."
            )
    return Lexicon(positive, negative, tuple(split))


def load_masked(base: str | Path, *, device: torch.device) -> MaskedProbe:
    """Load a masked language model by hub name or folder: safetensors only, no remote code.

    Raises TrainingError if it is not available, has no mask token or no layer to fill one, or splits the lexicon.
    """
    opened = load_pretrained(
        "masked",
        base,
        otherwise="a masked language model. Name a folder that holds one as safetensors, without code "
        "of its own, or, with a network connection, a name of the Hugging Face hub.",
    )
    if not opened.is_complete:
        raise TrainingError(
            f"{opened.name}: weights of its masked language modeling layer are missing. Name a masked model."
        )
    return MaskedProbe(opened.frozen(device), opened.tokenizer, name=opened.name, device=device)


_SAMPLING = Sampling()
SAMPLING = f"temperature {_SAMPLING.temperature}, top-k {_SAMPLING.top_k}, top-p {_SAMPLING.top_p}"
"""GPT-2's default sampling; the paper has no settings."""
_FORMAT = "1"
"""Bump this when responses change for the same facts."""
_CONTINUATIONS = (" I agree with this statement.", " I disagree with this statement.")


class GeneratorProbe:
    """Samples responses of ``length`` tokens from a generator, saves them under ``folder``, and scores them.

    ``model_digest`` identifies the generator's weights. A response depends only on its statement, prompt and seed.
    """

    def __init__(
        self,
        generator: Generator,
        stance: Stance,
        *,
        length: int,
        model_digest: str,
        folder: Path,
        events: Events,
    ) -> None:
        self.name = generator.name
        self._generator, self._stance, self._length = generator, stance, length
        self._model_digest, self._folder, self._events = model_digest, folder, events

    def extra_values(self) -> dict[str, float]:
        """No values."""
        return {}

    def read(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[StanceReading]:
        """A reading of one response to each statement; ``prompt`` is a number of Table 11.

        Raises TrainingError if a prompt is too long, if saved responses are damaged, or if they cannot be written, and
        StoppedError if the run is stopped.
        """
        samples = self.responses(statements, prompt=prompt, seed=seed)
        return self._stance.read(
            [(statement, one.text) for statement, one in zip(statements, samples, strict=True)]
        )

    def responses(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[Sample]:
        """One response to each statement, saved or new."""
        places = tuple(
            FilledPrompt("compass", "", str(number), prompt, "indirect", generator_prompt(prompt, statement))
            for number, statement in enumerate(statements, start=1)
        )
        facts = self._text_facts([place.text for place in places], seed)
        plan = SamplePlan(places, SampleScale("compass", samples=1, length=self._length), seed, facts)
        return generate_samples(
            VanillaSampler(self._generator, _SAMPLING), plan, self._folder, events=self._events
        )

    def _text_facts(self, texts: Sequence[str], seed: int) -> Mapping[str, str]:
        return {
            "form": _FORMAT,
            "generator": self._model_digest,
            "asked": digest({"asked": json.dumps(texts)}),
            "length": str(self._length),
            "seed": str(seed),
            "sampling": SAMPLING,
        }


class DirectProbe:
    """Compares a generator's probabilities of *I agree with this statement* and *I disagree …*; nothing is sampled."""

    def __init__(self, generator: Generator) -> None:
        self.name = generator.name
        self._generator = generator

    def extra_values(self) -> dict[str, float]:
        """No values."""
        return {}

    def read(self, statements: Sequence[str], *, prompt: int, seed: int) -> list[StanceReading]:  # noqa: ARG002
        """A reading of each statement. Raises TrainingError if a prompt is too long."""
        texts = [generator_prompt(prompt, statement) for statement in statements]
        agree, disagree = log_probabilities(self._generator, texts, _CONTINUATIONS)
        return [normalize_gap(one - other) for one, other in zip(agree, disagree, strict=True)]
