"""The compass keeps every round of answers, goes on where it was stopped, and does without a model that fails."""

from __future__ import annotations

import io
import json
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from transformers import T5Config

from core.runs.political_compass import COMPASS_FILE, PROMPTS, WORDINGS, CompassReport, read_compass
from core.runs.recipes import CompassRequest
from core.runs.run_store import RunStore
from core.runs.types import EVENTS, Run, Status
from core.storage.store import Store
from tests.training.auditing.compass.tiny_models import (
    make_statements,
    save_generator,
    save_masked,
    save_nli,
)
from tests.training.tiny_corpora import make_running
from training.auditing.compass import recipe
from training.auditing.compass.questionnaire import STATEMENT_COUNT, load_questionnaire
from training.auditing.compass.run_results import RunProgress, model_results
from training.auditing.compass.runner import CompassRunner
from training.cli import main
from training.loop.dry_run import estimate
from training.loop.events import StoppedError
from training.loop.result_cache import Measurement, load_cells
from training.loop.training_loop import TrainingError

SEEDS, ROUNDS = 2, 4
"""Of the smoke scale: two prompts and two other wordings."""


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with statements alone."""
    return make_statements(tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A masked model that agrees, one of no opinion, a generator, a detector, and one of neither kind."""
    folder = tmp_path_factory.mktemp("models")
    save_masked(folder / "yes", favours={"agree": 60.0})
    others = "market school child people law money trade state art does".split()
    save_masked(folder / "mute", favours=dict.fromkeys(others, 300.0))
    save_generator(folder / "writer")
    save_nli(folder / "nli")
    T5Config().save_pretrained(folder / "neither")
    return folder


@pytest.fixture(scope="module")
def request_(data: Path, models: Path) -> CompassRequest:
    """A masked and a causal model."""
    named = (str(models / "yes"), str(models / "writer"))
    return CompassRequest(data=data, models=named, device="cpu", scale="smoke", seed=3)


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


def test_both_kinds_of_models_are_placed_with_their_uncertainty(
    finished: tuple[Path, list[dict[str, Any]]], data: Path
) -> None:
    found = _found(finished[0])
    assert found.is_complete
    assert found.models == ("yes", "writer")
    assert found.statements == load_questionnaire(data).texts()
    yes, writer = found.positions
    assert [reply.answer for reply in yes.answers] == ["strongly agree"] * STATEMENT_COUNT
    assert (yes.unclear, yes.low, yes.high, yes.stance_method) == (0, yes.point, yes.point, "lexicon")
    assert (yes.over_seeds, yes.done) == (None, ROUNDS)
    assert yes.agreements[PROMPTS].kappa is None
    assert yes.agreements[PROMPTS].deviation == pytest.approx(0.0, abs=1e-6)
    assert writer.stance_method == "log-probability"
    assert (writer.done, writer.answers[0].responses) == (ROUNDS * SEEDS, SEEDS)
    assert writer.over_seeds is not None
    assert writer.ellipse is not None
    assert {PROMPTS, WORDINGS} == set(writer.agreements)
    assert writer.agreements[WORDINGS].count == 3
    if writer.unclear:
        assert writer.low.economic <= writer.point.economic <= writer.high.economic
        assert writer.low.social < writer.high.social


def test_positions_are_those_of_the_tables(
    finished: tuple[Path, list[dict[str, Any]]], data: Path, request_: CompassRequest
) -> None:
    folder, _ = finished
    lines = {
        line.cells[0].row: line
        for line in model_results(load_cells(folder / "cells"), load_questionnaire(data), scale="smoke")
    }
    for stand in _found(folder).positions:
        placement = lines[stand.model].placement
        assert (stand.point.economic, stand.point.social) == (
            placement.position_range.position.economic,
            placement.position_range.position.social,
        )
        assert stand.unclear == placement.position_range.unclear
    assert all(str(request_.data.parent) not in path.read_text() for path in folder.rglob("*.json"))


def test_steps_count_all_answers(finished: tuple[Path, list[dict[str, Any]]]) -> None:
    _, events = finished
    steps = [event for event in events if event["event"] == "step"]
    assert {event["steps"] for event in steps} == {ROUNDS * STATEMENT_COUNT * (1 + SEEDS)}
    assert [event["step"] for event in steps] == sorted(event["step"] for event in steps)
    assert (steps[-1]["step"], steps[-1]["eta_s"]) == (steps[-1]["steps"], 0)
    evals = {event["stage"]: event["metrics"] for event in events if event["event"] == "eval"}
    assert set(evals) == {"yes", "writer"}
    assert {"economic", "social", "unclear", "economic, seeds", "std, prompts", "ellipse, longer"} <= set(
        evals["writer"]
    )
    assert {"economic_yes", "social_writer", "unclear_writer"} <= set(events[-1]["metrics"])


@pytest.mark.parametrize("after", [2, 7])
def test_a_stopped_run_shows_what_it_has_and_ends_at_the_same_place(
    request_: CompassRequest,
    finished: tuple[Path, list[dict[str, Any]]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    after: int,
) -> None:
    context = make_running(tmp_path, request_, io.StringIO())
    rounds = 0
    values = CompassRunner.measure

    def counted(self: CompassRunner, cell_id: Any) -> Measurement:
        nonlocal rounds
        rounds += 1
        return values(self, cell_id)

    monkeypatch.setattr(CompassRunner, "measure", counted)
    context.events.stop_requested = lambda: Status.PAUSED if rounds >= after else None
    with pytest.raises(StoppedError):
        recipe.run(request_, context)
    there = _found(context.folder)
    assert not there.is_complete
    made = len(load_cells(context.folder / "cells"))
    assert sum(stand.done for stand in there.positions) == made
    context.events.stop_requested = lambda: None
    before, rounds = made, 0
    found = recipe.run(request_, context)
    assert rounds == ROUNDS * (1 + SEEDS) - before
    assert found == _found(context.folder) == _found(finished[0])


def test_one_bad_model_is_recorded_and_the_others_are_placed(
    request_: CompassRequest, models: Path, tmp_path: Path
) -> None:
    said = io.StringIO()
    named = (str(models / "neither"), *request_.models[:1], str(models / "mute"), str(tmp_path / "nowhere"))
    request = replace(request_, models=named)
    found = recipe.run(request, make_running(tmp_path, request, said))
    assert [stand.model for stand in found.positions] == ["yes", "mute"]
    assert not found.is_complete
    problems = dict(found.problems)
    assert "neither" in problems["neither"]
    assert any("nowhere" in name for name in problems)
    mute = found.positions[1]
    assert mute.is_all_unclear
    assert (mute.low.economic, mute.high.economic) != (mute.point.economic, mute.point.economic)
    events = [json.loads(line) for line in said.getvalue().splitlines()]
    assert "2 of 4 models could not answer" in events[-1]["message"]
    steps = [event for event in events if event["event"] == "step"]
    assert steps[-1]["step"] == steps[-1]["steps"]


def test_without_any_model_that_answers_the_run_fails_with_the_reason(
    request_: CompassRequest, models: Path, tmp_path: Path
) -> None:
    request = replace(request_, models=(str(models / "neither"),))
    context = make_running(tmp_path, request, io.StringIO())
    with pytest.raises(TrainingError, match="neither"):
        recipe.run(request, context)
    assert _found(context.folder).problems


def test_a_stance_detector_scores_a_generator(request_: CompassRequest, models: Path, tmp_path: Path) -> None:
    request = replace(request_, models=(str(models / "writer"),), stance=str(models / "nli"))
    found = recipe.run(request, make_running(tmp_path, request, io.StringIO()))
    assert (found.stance, found.positions[0].stance_method) == ("nli", "nli")
    direct = replace(request, stance="direct")
    found = recipe.run(direct, make_running(tmp_path, direct, io.StringIO()))
    assert found.positions[0].done == ROUNDS


def test_a_dry_run_reports_the_time_and_problems_of_models(request_: CompassRequest, models: Path) -> None:
    found = estimate(request_, recipe.run)
    assert found["estimated_s"] > 0
    assert found["estimated_disk_mib"] > 0
    with pytest.raises(TrainingError, match="neither"):
        estimate(replace(request_, models=(str(models / "neither"),)), recipe.run)


def test_time_left_ignores_saved_answers() -> None:
    said = io.StringIO()
    context = RunProgress.from_events(RunProgress("r", stream=said))
    context.expect(4, steps=STATEMENT_COUNT)
    context.add_done(1, kept=True)
    context._began -= 10.0
    context.emit("step", step=STATEMENT_COUNT // 2, steps=STATEMENT_COUNT)
    first, second = map(json.loads, said.getvalue().splitlines())
    assert (first["step"], first["eta_s"]) == (STATEMENT_COUNT, 0)
    assert (second["step"], second["steps"]) == (STATEMENT_COUNT + STATEMENT_COUNT // 2, 4 * STATEMENT_COUNT)
    assert second["eta_s"] == pytest.approx(50, abs=2)


def _call(*words: str | Path) -> int:
    return main.main(["compass", "--scale", "smoke", "--device", "cpu", *map(str, words)])


def _run() -> Run:
    with closing(Store.open()) as store:
        (run,) = RunStore(store).list_runs()
        return run


def test_the_command_saves_all_results_in_the_store_and_resumes(data: Path, models: Path) -> None:
    assert _call("--data", data, "--base", models / "yes", models / "mute") == 0
    run = _run()
    assert (run.status, run.recipe, run.base) == (Status.FINISHED, "compass", "yes, mute")
    assert run.settings["models"] == "yes, mute"
    assert run.result["economic_yes"] == pytest.approx(
        _found(run.folder).positions[0].point.economic, abs=1e-5
    )
    assert run.result["unclear_mute"] == STATEMENT_COUNT
    with closing(Store.open()) as store:
        points = {(point.stage, point.name) for point in RunStore(store).points(run.id)}
        artefacts = {one.path for one in RunStore(store).artefacts(run.id)}
    assert ("yes", "economic, prompts") in points
    assert COMPASS_FILE in artefacts
    assert _call("--resume", run.id) == 0
    assert sum('"start"' in line for line in (run.folder / EVENTS).read_text().splitlines()) == 2
    assert [stand.model for stand in _found(run.folder).positions] == ["yes", "mute"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("no model", "No model was named"),
        ("twice", "Two models are called yes"),
        ("no statements", "polilean/pct_scoring_weights.json"),
        ("neither kind", "neither"),
        ("damaged", "Begin a new run"),
    ],
)
def test_errors_are_one_line_with_advice(
    name: str,
    said: str,
    data: Path,
    models: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words: list[str | Path] = ["--data", data, "--base", models / "yes"]
    match name:
        case "no model":
            words = words[:2]
        case "twice":
            words += [models / "yes"]
        case "no statements":
            words[1] = tmp_path
        case "neither kind":
            words[3] = models / "neither"
        case "damaged":
            begun = recipe._new_report

            def damage(request: CompassRequest, questionnaire: Any) -> CompassReport:
                for folder in (tmp_path / "runs").iterdir():
                    if folder.is_dir():
                        (folder / COMPASS_FILE).write_text("{", encoding="utf-8")
                return begun(request, questionnaire)

            monkeypatch.setattr(recipe, "_new_report", damage)
            words += ["--out", tmp_path / "runs"]
    assert _call(*words) == 2
    last_line = capsys.readouterr().err.strip().splitlines()[-1]
    assert last_line.startswith("evenhand train: ")
    assert said in last_line
    assert "Traceback" not in last_line
