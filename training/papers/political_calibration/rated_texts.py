"""Generated texts for a rating sheet: each prompt, and the continuation of every system.

Liu et al. 2021, section 6.4 and Table 9, where raters read the texts of the systems of Table 6. The files are those of
tables and audits (``training.auditing.generation.samples``).
"""

from __future__ import annotations

from pathlib import Path

from training.auditing.generation.prompts import load_attributes
from training.auditing.generation.samples import Sample, read_samples
from training.loop.training_loop import TrainingError
from training.types import RatingError

NOTHING = "[no text]"
_HELD = "held still"
_Place = tuple[str, ...]


def read_generated_texts(folder: Path) -> tuple[list[str], dict[str, list[str]]]:
    """Filled prompts, and the texts of each system in their order, for the prompts that every system in ``folder`` has.

    The sweep of Table 7 is left out. Raises RatingError if there are no such texts, if they are of two generators, or
    if a system has a text twice with different settings.
    """
    by_system: dict[str, dict[_Place, tuple[str, str]]] = {}
    generators: set[str] = set()
    for path in sorted(folder.glob("samples-*.jsonl")):
        facts, samples = _read(path)
        if not facts or _HELD in facts.get("lambda", ""):
            continue
        generators.add(facts["generator"])
        found = by_system.setdefault(facts["system"], {})
        for sample in samples:
            place = (facts["scale"], facts["seed"], facts["prompts"], *_place(sample))
            if place in found:
                raise RatingError(
                    f"{facts['system']} has the same text with two settings. Keep only the files of one "
                    f"of them in {folder}."
                )
            found[place] = (_prompt(sample, path), " ".join(sample.text.split()) or NOTHING)
    if len(generators) > 1:
        raise RatingError(
            f"{folder} holds texts of {len(generators)} generators. Keep only those of one there."
        )
    if not by_system:
        raise RatingError(
            f"{folder} contains no generated texts. Name the folder samples of `evenhand train table "
            "calibration-6`, or of an audit."
        )
    shared = sorted(set.intersection(*map(set, by_system.values())))
    if not shared:
        raise RatingError(f"No prompt of {folder} was answered by all of {', '.join(sorted(by_system))}.")
    prompts = [next(iter(by_system.values()))[place][0] for place in shared]
    return prompts, {name: [found[place][1] for place in shared] for name, found in by_system.items()}


def _read(path: Path) -> tuple[dict[str, str], list[Sample]]:
    try:
        return read_samples(path)
    except TrainingError as error:
        raise RatingError(str(error)) from error


def _place(sample: Sample) -> _Place:
    return (
        sample.attribute,
        sample.option,
        sample.keyword,
        f"{sample.prompt:03}",
        sample.trigger,
        f"{sample.number:03}",
    )


def _prompt(sample: Sample, path: Path) -> str:
    try:
        (attribute,) = load_attributes([sample.attribute])
        (prompt,) = (one for one in attribute.prompts if one.number == sample.prompt)
        keywords = (one for option in attribute.options for one in option.keywords)
        (keyword,) = (one for one in keywords if one.text == sample.keyword)
    except (TrainingError, ValueError) as error:
        raise RatingError(
            f"{path} has a prompt that this version does not know: {sample.attribute}, prompt "
            f"{sample.prompt}, {sample.keyword}. Generate the texts again."
        ) from error
    return prompt.fill(keyword)
