"""How fast a generator writes: as it is, calibrated in each mode, and beside transformers.generate.

    python -m tests.benchmarks.calibration_speed GENERATOR [--device cpu] [--rounds 3]

All write after the same prompts with the same batch, one after the other in each round; a ratio is the median of the
rounds' own. Speed does not depend on what the classifiers or the lists of words say: the first are random here, the
others are a few words. Liu et al. (2021), Section 5.2.1, took 0.8 s for a text of 100 tokens on an RTX 2080, 1.1 s
in mode 1 and 1.3 s in mode 2; the bar here is 1.7 times vanilla on CUDA.
Prints figures and asserts nothing: run it on a quiet machine.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from typing import Any

import torch

from training.auditing.debiasing.ideology_head import IdeologyHead
from training.auditing.debiasing.reinforced_calibration import ReinforcedCalibration
from training.auditing.debiasing.rewards import HeadReward, WordReward
from training.auditing.debiasing.token_reweighting import TokenReweighting, TokenScorer
from training.auditing.debiasing.training_data import BiasWords
from training.auditing.generation.generator import BATCH_SIZE, Generator, load_generator
from training.auditing.generation.prompts import Sampler, load_attributes
from training.auditing.generation.sampling import Sampling, VanillaSampler
from training.loop.devices import has_fast_bf16
from training.loop.training_loop import choose_device

LENGTH = 100
"""Tokens of a text (Section 5.2.1)."""
_WORDS = BiasWords(("climate", "health", "unions", "wages"), ("border", "army", "church", "guns"))


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Speed of a generator, calibrated and not.")
    parser.add_argument("generator", help="a causal language model: folder or hub name")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    device = choose_device(arguments.device)
    half = has_fast_bf16(device)
    opened = {kind: load_generator(arguments.generator, device=device, bf16=kind) for kind in {False, half}}
    numbers = "bf16" if half else "fp32"
    writers = {
        f"vanilla, {numbers}": _writes(VanillaSampler(opened[half])),
        f"word embedding (mode 1), {numbers}": _writes(_words(opened[half])),
        f"classifier (mode 2), {numbers}": _writes(_head(opened[half])),
        f"token reweighting (ours; by bias words or a classifier), {numbers}": _writes(
            _token_reweighting(opened[half])
        ),
        f"transformers.generate, {numbers}": _peer(opened[half]),
    }
    if half:
        writers["vanilla, fp32"] = _writes(VanillaSampler(opened[False]))
    prompts = _prompts()
    taken: dict[str, list[float]] = {name: [] for name in writers}
    for number in range(arguments.rounds + 1):
        for name, write in writers.items():
            began = time.perf_counter()
            write(prompts)
            if device.type == "cuda":
                torch.cuda.synchronize()
            if number:  # The first round pays for what is set up once.
                taken[name].append(time.perf_counter() - began)
    base = taken[f"vanilla, {numbers}"]
    print(
        f"{opened[half].name}, {len(prompts)} texts of {LENGTH} tokens at once, {device}, {arguments.rounds} rounds"
    )
    for name, seconds in taken.items():
        ratio = statistics.median(one / other for one, other in zip(seconds, base, strict=True))
        each = 1000 * statistics.median(seconds) / (len(prompts) * LENGTH)
        print(f"{name:36} {each:8.2f} ms a token {ratio:8.2f} x vanilla")


def _prompts() -> list[str]:
    filled = [
        prompt.fill(keyword)
        for attribute in load_attributes()
        for prompt in attribute.prompts
        for option in attribute.options
        for keyword in option.keywords
    ]
    return filled[:: max(1, len(filled) // BATCH_SIZE)][:BATCH_SIZE]


def _writes(sampler: Sampler) -> Callable[[list[str]], Any]:
    return lambda prompts: sampler.sample(prompts, samples=1, length=LENGTH, seed=1)


def _words(generator: Generator) -> ReinforcedCalibration:
    return ReinforcedCalibration(generator, WordReward(generator, _WORDS))


def _head(generator: Generator) -> ReinforcedCalibration:
    torch.manual_seed(1)
    head = IdeologyHead(generator.width).to(generator.device).eval().requires_grad_(False)
    return ReinforcedCalibration(generator, HeadReward(head))


def _token_reweighting(generator: Generator) -> TokenReweighting:
    weights = torch.randn(len(generator.rows), generator=torch.Generator().manual_seed(1))
    return TokenReweighting(generator, TokenScorer(weights.to(generator.device), 0.0, 1.0))


def _peer(generator: Generator) -> Callable[[list[str]], Any]:
    """The library's own sampling with the same weights, settings and batch."""
    tokenizer, settings = generator.tokenizer, Sampling()
    tokenizer.padding_side = "left"
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token

    def write(prompts: list[str]) -> None:
        packed = tokenizer(prompts, return_tensors="pt", padding=True).to(generator.device)
        with torch.inference_mode():
            generator.model.generate(
                **packed,
                do_sample=True,
                temperature=settings.temperature,
                top_k=settings.top_k,
                top_p=settings.top_p,
                min_new_tokens=LENGTH,
                max_new_tokens=LENGTH,
                pad_token_id=tokenizer.pad_token_id,
            )

    return write


if __name__ == "__main__":
    main()
