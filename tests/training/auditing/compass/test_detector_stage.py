"""The compass trains detectors on its models, keeps their scores by group, and goes on where it was stopped."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoModel

from core.runs.political_compass import ALL_GROUPS, COMPASS_FILE, CompassReport, read_compass
from core.runs.recipes import CompassRequest
from core.runs.types import Status
from tests.training.auditing.compass.tiny_models import make_statements, save_generator, save_masked
from tests.training.auditing.compass.tiny_tasks import make_hatexplain, make_liar
from tests.training.tiny_corpora import make_running
from training.auditing.compass import detector_runner, recipe
from training.cli import main
from training.loop.dry_run import estimate
from training.loop.events import StoppedError
from training.loop.result_cache import load_cells
from training.loop.training_loop import TrainingError

TASKS = ("hatexplain", "liar")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Statements and two tasks."""
    return make_liar(make_hatexplain(make_statements(tmp_path_factory.mktemp("data"))))


@pytest.fixture(scope="module")
def request_(data: Path, tmp_path_factory: pytest.TempPathFactory) -> CompassRequest:
    """Two encoders."""
    folder = tmp_path_factory.mktemp("models")
    for seed, name in enumerate(("left", "right")):
        save_masked(folder / name, seed=seed)
    named = (str(folder / "left"), str(folder / "right"))
    return CompassRequest(data=data, models=named, detectors=TASKS, device="cpu", scale="smoke", seed=3)


@pytest.fixture(scope="module")
def finished(
    request_: CompassRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict[str, Any]]]:
    """The folder of a run that came to its end, and what it said."""
    said, folder = io.StringIO(), tmp_path_factory.mktemp("run")
    recipe.run(request_, make_running(folder, request_, said))
    (file,) = folder.rglob(COMPASS_FILE)
    return file.parent, [json.loads(line) for line in said.getvalue().splitlines()]


def _found(folder: Path) -> CompassReport:
    found = read_compass(folder)
    assert found is not None
    return found


def test_every_model_has_a_detector_of_every_task_with_scores_by_group(
    finished: tuple[Path, list[dict[str, Any]]],
) -> None:
    found = _found(finished[0])
    assert found.is_complete
    assert found.tasks == TASKS == tuple(one.task for one in found.downstream)
    cells = {
        cell.row: cell for cell in load_cells(finished[0] / "cells") if cell.place.startswith("downstream-")
    }
    assert set(cells) == {f"{task}: {name}" for task in TASKS for name in ("left", "right")}
    for task in found.downstream:
        assert task.groups[ALL_GROUPS] >= max(task.groups.values())
        assert task.differing is not None
        assert 0 <= task.differing <= task.groups[ALL_GROUPS]
        for one in task.detectors:
            values = cells[f"{task.task}: {one.model}"].values
            for group, scores in one.scores.items():
                assert task.groups[group] == values[f"{group} rows"]
                for name, score in scores.items():
                    assert score.value == pytest.approx(values[f"{group} {name}"])
                    assert score.low is not None
                    assert score.high is not None
                    assert score.low <= score.high
    hate = found.downstream[0].detectors[0]
    assert hate.score("economic", "bacc") is None
    assert hate.score("gender", "bacc") is not None
    assert not any(str(finished[0]) in cell.command + str(cell.facts) for cell in cells.values())


def test_training_steps_count_all_detectors(
    finished: tuple[Path, list[dict[str, Any]]], request_: CompassRequest
) -> None:
    steps = [one for one in finished[1] if one["event"] == "step" and one["stage"].startswith(TASKS)]
    every = 4 * detector_runner.SCALES[request_.scale].epochs
    assert {one["steps"] for one in steps} == {every}
    assert [one["step"] for one in steps] == sorted(one["step"] for one in steps)
    assert steps[-1]["step"] == every
    end = finished[1][-1]
    assert {"liar_f1_left", "hatexplain_bacc_right", "economic_left"} <= set(end["metrics"])


@pytest.mark.parametrize("after", [1, 3])
def test_a_stopped_run_trains_no_detector_twice(
    request_: CompassRequest,
    finished: tuple[Path, list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    after: int,
) -> None:
    context = make_running(tmp_path, request_, io.StringIO())
    trained = 0
    real = detector_runner.train_detector

    def counted(*given: Any, **named: Any) -> Any:
        nonlocal trained
        trained += 1
        return real(*given, **named)

    monkeypatch.setattr(detector_runner, "train_detector", counted)
    context.events.stop_requested = lambda: Status.PAUSED if trained >= after else None
    with pytest.raises(StoppedError):
        recipe.run(request_, context)
    there = [one for task in _found(context.folder).downstream for one in task.detectors]
    assert len(there) == after - 1
    context.events.stop_requested = lambda: None
    assert recipe.run(request_, context) == _found(finished[0])
    assert trained == 4 + 1, "what was stopped in its midst goes on, all else is taken as it is"


def test_a_missing_corpus_and_an_untrainable_model_are_reported_and_the_rest_is_trained(
    request_: CompassRequest, tmp_path: Path
) -> None:
    alone = make_liar(make_statements(tmp_path / "alone"))
    named = (*request_.models, str(tmp_path / "nowhere"))
    said = io.StringIO()
    context = make_running(tmp_path, request_, said)
    found = recipe.run(replace(request_, data=alone, models=named), context)
    hate, liar = found.downstream
    assert hate.problems[0][0] == ""
    assert "hatexplain" in hate.problems[0][1]
    assert not hate.detectors
    assert [one.model for one in liar.detectors] == ["left", "right"]
    assert [model for model, _ in liar.problems] == [str(tmp_path / "nowhere")]
    assert not found.is_complete
    assert read_compass(context.folder) == found


def test_a_bare_encoder_cannot_answer_and_still_has_its_detector(
    request_: CompassRequest, tmp_path: Path
) -> None:
    bare = save_masked(tmp_path / "bare", seed=4)
    AutoModel.from_pretrained(bare).save_pretrained(bare)
    writer = save_generator(tmp_path / "writer")
    request = replace(request_, models=(str(bare), str(writer)), detectors=("liar",), stance="direct")
    found = recipe.run(request, make_running(tmp_path, request, io.StringIO()))
    assert [model for model, _ in found.problems] == ["bare"]
    assert [one.model for one in found.downstream[0].detectors] == ["bare", "writer"]


def test_a_dry_run_includes_the_detectors(request_: CompassRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []
    real = detector_runner.train_detector

    def noted(base: str, *given: Any, **named: Any) -> Any:
        tried.append(Path(base).name)
        return real(base, *given, **named)

    monkeypatch.setattr(detector_runner, "train_detector", noted)
    found = estimate(request_, recipe.run)
    assert tried == ["left", "right"] * 2
    assert found["estimated_s"] > 0


def test_a_dry_run_treats_models_without_answers_as_the_run_does(
    request_: CompassRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An encoder without a mask head still gets its detector; why a model cannot answer is reported."""
    bare = save_masked(tmp_path / "bare", seed=4)
    AutoModel.from_pretrained(bare).save_pretrained(bare)
    nowhere = str(tmp_path / "nowhere")
    alone = make_liar(make_statements(tmp_path / "alone"))
    tried: list[str] = []
    real = detector_runner.train_detector

    def noted(base: str, *given: Any, **named: Any) -> Any:
        tried.append(Path(base).name)
        return real(base, *given, **named)

    monkeypatch.setattr(detector_runner, "train_detector", noted)
    request = replace(request_, data=alone, models=(str(bare), nowhere, request_.models[0]))
    dry: list[str] = []
    assert estimate(request, recipe.run, on_warning=dry.append)["estimated_s"] > 0
    assert tried == ["bare", "left"]
    said = io.StringIO()
    recipe.run(request, make_running(tmp_path, request, said))
    rows = map(json.loads, said.getvalue().splitlines())
    assert sorted(dry) == sorted(row["message"] for row in rows if row["event"] == "warning")
    assert len(dry) == 3, "a mask head, a model and a corpus are missing"


def test_a_dry_run_without_anything_to_do_ends_with_the_reason(
    request_: CompassRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare = save_masked(tmp_path / "bare", seed=4)
    AutoModel.from_pretrained(bare).save_pretrained(bare)
    with pytest.raises(TrainingError, match="masked language modeling layer"):
        estimate(replace(request_, models=(str(bare),), detectors=()), recipe.run)
    words = [
        "run",
        "compass",
        "--dry-run",
        "--scale",
        "smoke",
        "--device",
        "cpu",
        "--data",
        str(request_.data),
    ]
    assert main.main([*words, "--base", str(bare), request_.models[0]]) == 0
    warning, end = map(json.loads, capsys.readouterr().out.splitlines())
    assert (warning["event"], end["event"]) == ("warning", "end")
    assert warning["message"].startswith("bare: ")


def test_an_unknown_task_is_one_clear_line(
    request_: CompassRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(TrainingError, match="named twice"):
        recipe.check(replace(request_, detectors=("liar", "liar")))
    words = ["compass", "--data", str(request_.data), "--base", request_.models[0]]
    assert main.main([*words, "--detectors", "poetry"]) == 2
    last_line = capsys.readouterr().err.strip().splitlines()[-1]
    assert "poetry is not a task. Name some of hatexplain" in last_line
