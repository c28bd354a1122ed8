"""Do injected sentences read like real ones? Perplexity of a causal language model on both, per family.

All sentences are made comparable first: lower case, and WNC's spaces around punctuation taken out of every side. The
ratio is perplexity of the biased over that of the neutral sentence of the same pair; a family whose median ratio is
far above that of WNC's real pairs is unnatural.
"""

from __future__ import annotations

import math
import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from training.corpora import wikipedia
from training.corpora.injected_pairs import read_injected
from training.text.edits import find_word_edits
from training.types import CorpusError, open_file

SENTENCES = 300
PER_FAMILY = 60
_BATCH = 8
_MOST_TOKENS = 128
_JOINS = (
    (re.compile(r"\s+([.,;:!?%)\]])"), r"\1"),
    (re.compile(r"([(\[$#])\s+"), r"\1"),
    (re.compile(r"(?<=\w) ([-–/]) (?=\w)"), r"\1"),
    (re.compile(r"\s+(['’](?:s|re|ve|ll|d|m|t)\b)"), r"\1"),
    (re.compile(r"(['’]) (s\b)"), r"\1\2"),
    (re.compile(r"\s{2,}"), " "),
)


@dataclass(frozen=True, slots=True)
class PerplexityPair:
    """Perplexities of the two sides of one pair."""

    biased: float
    neutral: float

    @property
    def ratio(self) -> float:
        """How many times more surprising the biased side is."""
        return self.biased / self.neutral


def run(data: Path, path: Path, *, lm: str, seed: int = 42) -> str:
    """The table as text, for the injected pairs in ``path`` and WNC's train part under ``data``.

    ``lm`` is a causal language model by name, folder, or GGUF file. Raises CorpusError where a file or the model is
    missing.
    """
    chooser = random.Random(seed)
    rows = read_injected(path)
    model = _Scorer(lm)
    real: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for biased, neutral in (
        cells[:2] for cells in wikipedia.read_rows(open_file(data, "wnc/pairs.train.tsv"))
    ):
        found = find_word_edits(biased, neutral)
        if found:
            real["WNC, all"].append((biased, neutral))
        if len(found) == 1:
            real["WNC, words taken out" if not found[0].after else "WNC, words changed"].append(
                (biased, neutral)
            )
    lines = [f"{'pairs':28}{'n':>5}{'biased':>9}{'neutral':>9}{'ratio':>8}{'90%':>8}"]
    for name, found_pairs in sorted(real.items()):
        lines.append(_line(name, model.read(_sample(found_pairs, SENTENCES, chooser))))
    mixed = [(row.biased, row.neutral) for row in rows]
    lines.append(_line("injected, all", model.read(_sample(mixed, SENTENCES, chooser))))
    families: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for row in rows:
        if len(row.edits) == 1:
            families[row.edits[0].rule].append((row.biased, row.neutral))
    for family, found_pairs in sorted(families.items()):
        lines.append(_line(f"  {family}", model.read(_sample(found_pairs, PER_FAMILY, chooser))))
    return "\n".join(lines)


def normalize_spacing(text: str) -> str:
    """Lower case, without spaces around punctuation, so that tokenised and ordinary text can be compared."""
    text = text.lower()
    for pattern, replacement in _JOINS:
        text = pattern.sub(replacement, text)
    return text.strip()


def _sample(found: list[tuple[str, str]], count: int, chooser: random.Random) -> list[tuple[str, str]]:
    return found if len(found) <= count else chooser.sample(found, count)


def _line(name: str, readings: Sequence[PerplexityPair]) -> str:
    ratios = sorted(reading.ratio for reading in readings)
    biased, neutral = (median(getattr(one, side) for one in readings) for side in ("biased", "neutral"))
    high = ratios[min(len(ratios) - 1, int(0.9 * len(ratios)))]
    return f"{name:28}{len(ratios):>5}{biased:>9.1f}{neutral:>9.1f}{median(ratios):>8.3f}{high:>8.3f}"


class _Scorer:
    """A causal language model that gives perplexity per token."""

    def __init__(self, lm: str) -> None:
        import torch
        from safetensors import SafetensorError
        from transformers import AutoModelForCausalLM, AutoTokenizer

        place = Path(lm)
        packed = {"gguf_file": place.name} if place.suffix == ".gguf" else {}
        source = str(place.parent) if packed else lm
        try:
            self._tokenizer: Any = AutoTokenizer.from_pretrained(source, trust_remote_code=False, **packed)
            self._model: Any = AutoModelForCausalLM.from_pretrained(
                source, dtype=torch.float32, use_safetensors=True, trust_remote_code=False, **packed
            )
        except (OSError, ValueError, KeyError, TypeError, SafetensorError) as error:
            raise CorpusError(
                f"{lm} is not a causal language model with safetensors weights. "
                "Name one by hub name, folder or GGUF file with --lm."
            ) from error
        self._model.train(False)
        if self._tokenizer.pad_token is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token

    def read(self, found: Sequence[tuple[str, str]]) -> list[PerplexityPair]:
        """Both perplexities of each pair (biased, neutral)."""
        sides = self._perplexities([normalize_spacing(side) for pair in found for side in pair])
        return [PerplexityPair(sides[at], sides[at + 1]) for at in range(0, len(sides), 2)]

    def _perplexities(self, texts: Sequence[str]) -> list[float]:
        import torch

        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        found = [0.0] * len(texts)
        start = self._tokenizer.bos_token or self._tokenizer.eos_token
        for first in range(0, len(order), _BATCH):
            part = order[first : first + _BATCH]
            batch = self._tokenizer(
                [start + texts[at] for at in part],
                return_tensors="pt",
                padding=True,
                truncation=True,
                max_length=_MOST_TOKENS,
                padding_side="right",
            )
            with torch.inference_mode():
                logits = self._model(
                    input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
                ).logits
            wanted = batch["input_ids"][:, 1:]
            each = torch.nn.functional.cross_entropy(
                logits[:, :-1].reshape(-1, logits.shape[-1]), wanted.reshape(-1), reduction="none"
            )
            losses = each.view_as(wanted)
            mask = batch["attention_mask"][:, 1:]
            means = (losses * mask).sum(dim=1) / mask.sum(dim=1)
            for at, mean in zip(part, means.tolist(), strict=True):
                found[at] = math.exp(mean)
        return found
