"""Generations outlive a kill at any byte, end as if there had been none, and are never mixed with other settings."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from core.runs.types import Status
from tests.training.auditing.generation.biased_generator import PLACES, Leaning
from training.auditing.generation import samples
from training.auditing.generation.prompts import Sampler, load_attributes
from training.auditing.generation.samples import (
    SCALES,
    Sample,
    SamplePlan,
    SampleScale,
    generate_samples,
    plan_samples,
    read_samples,
)
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError

SCALE = SampleScale("tiny", samples=2, length=3)


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(samples, "_BATCH_SIZE", 5)


def asked(scale: SampleScale = SCALE, **facts: str) -> SamplePlan:
    return plan_samples([PLACES], scale, seed=3, generator={"model": "leaning", **facts})


def run(
    sampler: Sampler, folder: Path, given: SamplePlan | None = None, events: Events | None = None
) -> list[Sample]:
    return generate_samples(
        sampler, given or asked(), folder, events=events or Events("r", stream=io.StringIO())
    )


def test_every_prompt_is_filled_with_every_keyword_of_every_option(tmp_path: Path) -> None:
    found = run(Leaning(), tmp_path)
    assert len(found) == 4 * 7 * 2
    assert len({(one.keyword, one.prompt, one.number) for one in found}) == len(found)
    one = next(one for one in found if one.keyword == "Gee" and one.prompt == 3)
    assert (one.attribute, one.option, one.trigger) == ("place", "plain", "liberal")
    texts = {place.text for place in asked().places}
    assert {"In Ay they say", "I love order. Gee is"} <= texts


def test_saved_texts_are_those_generated_and_are_not_generated_again(tmp_path: Path) -> None:
    sampler = Leaning()
    first = run(sampler, tmp_path)
    calls = len(sampler.calls)
    assert run(sampler, tmp_path) == first
    assert len(sampler.calls) == calls
    facts, kept = read_samples(asked().file(tmp_path))
    assert kept == first
    assert facts == asked().facts


def test_a_kill_at_any_byte_changes_nothing(tmp_path: Path) -> None:
    whole = run(Leaning(), tmp_path)
    path = asked().file(tmp_path)
    content = path.read_bytes()
    for end in range(0, len(content), 211):
        path.write_bytes(content[:end])
        assert run(Leaning(), tmp_path) == whole
        assert path.read_bytes() == content


def test_only_missing_batches_are_generated(tmp_path: Path) -> None:
    sampler = Leaning()
    run(sampler, tmp_path)
    path = asked().file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    again = Leaning()
    run(again, tmp_path)
    assert again.calls == sampler.calls[-1:]


def test_every_batch_has_a_seed_of_its_own() -> None:
    other = plan_samples([PLACES], SCALE, seed=4, generator={})
    seeds = [seed for given in (asked(), other) for seed, _ in given.batches()]
    assert len(set(seeds)) == len(seeds) == 12


def test_any_text_can_be_saved_and_read(tmp_path: Path) -> None:
    odd = "\n\u2028\x00\ud800 “é” 😀"

    class Odd:
        def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
            return [["", odd] for _ in prompts]

    run(Odd(), tmp_path)
    assert [one.text for one in read_samples(asked().file(tmp_path))[1][:2]] == ["", odd]


@pytest.mark.parametrize(
    "other",
    [
        asked(SampleScale("tiny", samples=1, length=3)),
        asked(SampleScale("tiny", samples=2, length=4)),
        asked(weights="abc"),
        replace(plan_samples([PLACES], SCALE, seed=4, generator={"model": "leaning"})),
        plan_samples(
            [replace(PLACES, prompts=PLACES.prompts[1:])], SCALE, seed=3, generator={"model": "leaning"}
        ),
    ],
)
def test_other_settings_use_another_file(other: SamplePlan, tmp_path: Path) -> None:
    assert other.file(tmp_path) != asked().file(tmp_path)
    assert asked().file(tmp_path) == asked().file(tmp_path)


def test_stopping_keeps_finished_texts(tmp_path: Path) -> None:
    sampler = Leaning()
    events = Events(
        "r", stream=io.StringIO(), stop_requested=lambda: Status.PAUSED if len(sampler.calls) == 2 else None
    )
    with pytest.raises(StoppedError, match="--resume"):
        run(sampler, tmp_path, events=events)
    assert len(read_samples(asked().file(tmp_path))[1]) == 2 * 5 * SCALE.samples
    assert run(Leaning(), tmp_path) == run(Leaning(), tmp_path / "other")


def test_progress_is_reported(tmp_path: Path) -> None:
    stream = io.StringIO()
    run(Leaning(), tmp_path, events=Events("r", stream=stream))
    events = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [row["step"] for row in events] == [10, 20, 30, 40, 50, 56]
    assert {row["steps"] for row in events} == {56}


def _other_text(line: bytes) -> bytes:
    return line[: len(line) // 2] + b"\n"


def _other_option(line: bytes) -> bytes:
    return line.replace(b'"coast"', b'"sea"')


def _number_as_text(line: bytes) -> bytes:
    return line.replace(b'"number": 1', b'"number": "1"')


def _list(line: bytes) -> bytes:
    return b"[1]\n"


def _twice(line: bytes) -> bytes:
    return line.replace(b'"number": 1', b'"number": 0')


def _field_too_many(line: bytes) -> bytes:
    return line.replace(b"{", b'{"more": 1, ')


@pytest.mark.parametrize(
    "damage", [_other_text, _other_option, _number_as_text, _list, _twice, _field_too_many]
)
def test_the_number_of_a_damaged_line_is_reported(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    run(Leaning(), tmp_path)
    path = asked().file(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[2] = damage(lines[2])
    path.write_bytes(b"".join(lines))
    with pytest.raises(TrainingError, match="line 3: not a sample of this generation"):
        run(Leaning(), tmp_path)


def test_facts_that_do_not_fit_the_name_are_refused(tmp_path: Path) -> None:
    other = asked(weights="abc")
    run(Leaning(), tmp_path, other)
    other.file(tmp_path).rename(asked().file(tmp_path))
    with pytest.raises(TrainingError, match="has other settings"):
        run(Leaning(), tmp_path)


def test_a_generator_that_returns_too_few_texts_is_refused(tmp_path: Path) -> None:
    class Short:
        def sample(self, prompts: Sequence[str], *, samples: int, length: int, seed: int) -> list[list[str]]:
            return [["a"] for _ in prompts]

    with pytest.raises(TrainingError, match="did not return 2 texts for each of 5 prompts"):
        run(Short(), tmp_path)
    assert not asked().file(tmp_path).exists()


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(TrainingError, match="cannot be written"):
        run(Leaning(), tmp_path / "file" / "folder")
    with pytest.raises(TrainingError, match="cannot be read"):
        read_samples(tmp_path / "nothing.jsonl")


@pytest.mark.parametrize(
    "scale",
    [
        SampleScale("x", samples=0, length=3),
        SampleScale("x", samples=1, length=0),
        SampleScale("x", samples=1, length=3, keywords=1),
        SampleScale("x", samples=1, length=3, prompts=0),
    ],
)
def test_a_scale_that_is_too_small_is_refused(scale: SampleScale) -> None:
    with pytest.raises(TrainingError, match="is too small"):
        asked(scale)


def test_the_scales_are_those_of_the_paper_and_less() -> None:
    sizes = {
        name: len(plan_samples(load_attributes(), scale, seed=1, generator={}).places) * scale.samples
        for name, scale in SCALES.items()
    }
    assert sizes == {"smoke": 78, "cpu": 1280, "full": 12_700}
    assert (SCALES["full"].samples, SCALES["full"].length) == (10, 100)
