"""Texts that a generator wrote after every prompt, saved so that an interrupted generation resumes.

The file is JSON lines: the facts that the texts depend on, then one text per line. Prompts are sampled in a fixed
order, in batches with fixed seeds, so that a generation that was killed at any line ends with the same texts.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from training.auditing.generation.prompts import Attribute, Sampler, Trigger
from training.loop.events import Events
from training.loop.result_cache import digest
from training.loop.training_loop import TrainingError

_BATCH_SIZE = 32
"""Filled prompts per call: the most that a kill can lose."""
_FORMAT = "1"
"""Bump this when the lines of the file or the batches change."""

_Key = tuple[str, str, str, int, str, int]


@dataclass(frozen=True, slots=True)
class SampleScale:
    """How much is generated: ``samples`` texts of ``length`` tokens after each filled prompt.

    ``keywords`` per option and ``prompts`` per trigger are used, the first ones; None uses all.
    """

    name: str
    samples: int
    length: int
    keywords: int | None = None
    prompts: int | None = None


SCALES: dict[str, SampleScale] = {
    scale.name: scale
    for scale in (
        SampleScale("smoke", samples=1, length=20, keywords=2, prompts=1),
        SampleScale("cpu", samples=2, length=50, keywords=6),
        SampleScale("full", samples=10, length=100),
    )
}
"""``full`` is Section 5.2.1 of Liu et al. (2021): ten samples of 100 tokens."""


@dataclass(frozen=True, slots=True)
class FilledPrompt:
    """A filled prompt: option and keyword of an attribute, number and trigger of the prompt, and the ``text``."""

    attribute: str
    option: str
    keyword: str
    prompt: int
    trigger: Trigger
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """A text after a filled prompt, without the prompt. ``number`` counts the samples of a prompt from 0."""

    attribute: str
    option: str
    keyword: str
    prompt: int
    trigger: Trigger
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """The prompts to sample from one generator, and the facts that identify the file of its texts."""

    places: tuple[FilledPrompt, ...]
    scale: SampleScale
    seed: int
    facts: Mapping[str, str]

    def file(self, folder: Path) -> Path:
        """The file in ``folder`` that holds the texts; its name changes with the facts."""
        return folder / f"samples-{digest(dict(self.facts))}.jsonl"

    def batches(self) -> Iterator[tuple[int, tuple[FilledPrompt, ...]]]:
        """The seed and the prompts of each call of the generator."""
        for start in range(0, len(self.places), _BATCH_SIZE):
            yield zlib.crc32(f"{self.seed} {start}".encode()), self.places[start : start + _BATCH_SIZE]


def plan_samples(
    attributes: Sequence[Attribute], scale: SampleScale, *, seed: int, generator: Mapping[str, str]
) -> SamplePlan:
    """The plan for ``scale``: each prompt of each attribute with each keyword.

    ``generator`` holds the facts that change a text: the model and the digest of its weights, the sampling, the
    debiasing. Raises TrainingError for a scale without samples, tokens or prompts, or with fewer than two keywords per
    option.
    """
    prompts = 1 if scale.prompts is None else scale.prompts
    keywords = 2 if scale.keywords is None else scale.keywords
    if min(scale.samples, scale.length, prompts) < 1 or keywords < 2:
        raise TrainingError(
            f"Scale {scale.name} is too small: it needs at least one sample, token and prompt, and two "
            "keywords."
        )
    places = tuple(place for attribute in attributes for place in _fill_prompts(attribute, scale))
    asked = json.dumps([[place.attribute, place.option, place.trigger, place.text] for place in places])
    facts = {
        **generator,
        "form": _FORMAT,
        "prompts": digest({"asked": asked}),
        "scale": f"{scale.samples} x {scale.length} tokens",
        "seed": str(seed),
    }
    return SamplePlan(places, scale, seed, facts)


def _fill_prompts(attribute: Attribute, scale: SampleScale) -> Iterator[FilledPrompt]:
    asked: dict[Trigger, int] = {}
    for prompt in attribute.prompts:
        asked[prompt.trigger] = asked.get(prompt.trigger, 0) + 1
        if scale.prompts is not None and asked[prompt.trigger] > scale.prompts:
            continue
        for option in attribute.options:
            for keyword in option.keywords[: scale.keywords]:
                yield FilledPrompt(
                    attribute.name,
                    option.name,
                    keyword.text,
                    prompt.number,
                    prompt.trigger,
                    prompt.fill(keyword),
                )


def generate_samples(sampler: Sampler, asked: SamplePlan, folder: Path, *, events: Events) -> list[Sample]:
    """All samples of the plan ``asked``, in its order: the saved ones from ``folder``, the missing ones from
    ``sampler``.

    Raises TrainingError if the file is damaged or cannot be written, or if ``sampler`` returns another number of texts,
    and StoppedError if the run is stopped; finished texts stay saved.
    """
    path = asked.file(folder)
    found = {_key_of(sample): sample for sample in _load_saved(path, asked)}
    wanted = len(asked.places) * asked.scale.samples
    began, before = time.monotonic(), len(found)
    for seed, places in asked.batches():
        missing = {key for place in places for key in _keys_of(place, asked.scale) if key not in found}
        if not missing:
            continue
        events.check_cancelled()
        fresh = {_key_of(sample): sample for sample in _sample_batch(sampler, places, asked.scale, seed)}
        _append_samples(path, [fresh[key] for key in fresh if key in missing], asked)
        found |= {key: fresh[key] for key in missing}
        pace = (time.monotonic() - began) / (len(found) - before)
        events.emit("step", step=len(found), steps=wanted, eta_s=pace * (wanted - len(found)))
    return [found[key] for place in asked.places for key in _keys_of(place, asked.scale)]


def read_samples(path: Path) -> tuple[dict[str, str], list[Sample]]:
    """The facts and the finished samples of a saved file, complete or not; a truncated last line is ignored.

    Raises TrainingError if the file is missing or damaged, with the number of the line.
    """
    try:
        *lines, _ = path.read_bytes().split(b"\n")
    except OSError as error:
        raise TrainingError(f"{path} cannot be read: {error}. Generate the samples again.") from error
    rows = [_parse_row(path, number, line) for number, line in enumerate(lines, start=1)]
    if not rows:
        return {}, []
    if not all(isinstance(value, str) for value in rows[0].values()):
        raise _damage_error(path, 1)
    return rows[0], [_parse_sample(path, number, row) for number, row in enumerate(rows[1:], start=2)]


def _load_saved(path: Path, asked: SamplePlan) -> list[Sample]:
    """The samples of ``asked`` that the file holds; a truncated last line is removed from the file."""
    if not path.exists():
        return []
    facts, samples = read_samples(path)
    if facts and facts != dict(asked.facts):
        raise TrainingError(f"{path} has other settings than its name says. Remove it, then resume.")
    wanted = {key for place in asked.places for key in _keys_of(place, asked.scale)}
    seen: set[_Key] = set()
    for number, sample in enumerate(samples, start=2):
        if _key_of(sample) not in wanted or _key_of(sample) in seen:
            raise _damage_error(path, number)
        seen.add(_key_of(sample))
    whole = path.read_bytes()
    os.truncate(path, whole.rfind(b"\n") + 1)
    return samples


def _sample_batch(
    sampler: Sampler, places: Sequence[FilledPrompt], scale: SampleScale, seed: int
) -> Iterator[Sample]:
    prompts = [place.text for place in places]
    texts = sampler.sample(prompts, samples=scale.samples, length=scale.length, seed=seed)
    if [len(of_one) for of_one in texts] != [scale.samples] * len(places):
        raise TrainingError(
            f"The generator did not return {scale.samples} texts for each of {len(places)} prompts. Use "
            "a generator that implements training.auditing.generation.prompts.Sampler."
        )
    for place, of_one in zip(places, texts, strict=True):
        for number, text in enumerate(of_one):
            yield Sample(
                place.attribute, place.option, place.keyword, place.prompt, place.trigger, number, text
            )


def _append_samples(path: Path, samples: Sequence[Sample], asked: SamplePlan) -> None:
    rows = [json.dumps(asdict(sample)) for sample in samples]
    if not path.exists() or not path.stat().st_size:
        rows.insert(0, json.dumps(dict(asked.facts)))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8", newline="\n") as stream:
            stream.writelines(f"{row}\n" for row in rows)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:
        raise TrainingError(
            f"{path} cannot be written: {error}. Free some space or use another folder; finished texts "
            "stay saved."
        ) from error


def _keys_of(place: FilledPrompt, scale: SampleScale) -> list[_Key]:
    of_place = (place.attribute, place.option, place.keyword, place.prompt, place.trigger)
    return [(*of_place, number) for number in range(scale.samples)]


def _key_of(sample: Sample) -> _Key:
    of_place = (sample.attribute, sample.option, sample.keyword, sample.prompt, sample.trigger)
    return (*of_place, sample.number)


def _parse_row(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _damage_error(path, number) from error
    if not isinstance(row, dict):
        raise _damage_error(path, number)
    return row


def _parse_sample(path: Path, number: int, row: Mapping[str, Any]) -> Sample:
    try:
        sample = Sample(**row)
    except TypeError as error:
        raise _damage_error(path, number) from error
    numbers = isinstance(sample.prompt, int) and isinstance(sample.number, int)
    names = (sample.attribute, sample.option, sample.keyword, sample.trigger, sample.text)
    if not numbers or not all(isinstance(name, str) for name in names):
        raise _damage_error(path, number)
    return sample


def _damage_error(path: Path, number: int) -> TrainingError:
    return TrainingError(
        f"{path}, line {number}: not a sample of this generation. Remove this line and all after it, "
        "then resume."
    )
