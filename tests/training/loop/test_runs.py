"""A run is recorded whatever ends it, one trains at a time, and a killed one goes on to the same weights."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.runs.folder import runs_folder
from core.runs.recipes import (
    RECIPES,
    CompassRequest,
    GeneratorAuditRequest,
    IdeologyClassifierRequest,
    KnownBiasRequest,
    ReaderRequest,
    Request,
)
from core.runs.run_store import RunStore
from core.runs.types import EVENTS, STOP_REQUEST, TRAINING_LOCK, Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store
from training.cli import main
from training.cli import run as cli_run
from training.loop.dry_run import estimate
from training.loop.events import StoppedError
from training.loop.runs import COMMAND, StopRequests, describe_request, open_run
from training.loop.training_loop import TrainingError


@dataclass(frozen=True)
class Asked:
    """The least that a recipe's request has."""

    data: Path
    base: str = "tiny"
    device: str = "cpu"
    scale: str = "smoke"
    seed: int = 1


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


@pytest.fixture
def runs() -> Iterator[RunStore]:
    with closing(Store.open()) as store:
        yield RunStore(store)


def the_run(runs: RunStore) -> Run:
    (run,) = runs.list_runs()
    return run


def stopped_by(asked: Asked, act: Callable[[Path], None]) -> None:
    """Begin a run, act, and see it stop at its next step and not before."""
    with pytest.raises(StoppedError), open_run("reader", asked, runs_folder()) as context:  # noqa: PT012
        context.events.check_cancelled()
        act(context.folder)
        context.events.check_cancelled()


def test_a_finished_run_keeps_its_metrics_points_and_files(asked: Asked, runs: RunStore) -> None:
    with open_run("reader", asked, runs_folder()) as context:
        context.events.stage = "related"
        context.events.emit("step", step=1, steps=2, metrics={"loss_x": 0.5})
        (context.folder / "made.txt").write_text("made", encoding="utf-8")
        context.events.emit("end", "done", metrics={"dev": 0.75})
    run = the_run(runs)
    assert (run.status, run.result, run.scale) == (Status.FINISHED, {"dev": 0.75}, "smoke")
    assert run.ended_at is not None
    points = [(point.stage, point.name, point.value) for point in runs.points(run.id)]
    assert points == [("related", "loss_x", 0.5), ("related", "dev", 0.75)]
    assert [file.path for file in runs.artefacts(run.id)] == ["made.txt", "request.json"]
    told = [json.loads(line) for line in (run.folder / EVENTS).read_text(encoding="utf-8").splitlines()]
    assert [row["event"] for row in told] == ["start", "step", "end"]


def test_an_error_is_recorded_and_raised_again(asked: Asked, runs: RunStore) -> None:
    with (
        pytest.raises(TrainingError, match="by hand"),
        open_run("reader", asked, runs_folder()),
    ):
        raise TrainingError("stopped by hand")
    assert (the_run(runs).status, the_run(runs).message) == (Status.FAILED, "stopped by hand")


@pytest.mark.parametrize(("word", "status"), [("pause", Status.PAUSED), ("cancel", Status.CANCELLED)])
def test_an_order_stops_a_run(asked: Asked, runs: RunStore, word: str, status: Status) -> None:
    def go(folder: Path) -> None:
        (folder / STOP_REQUEST).write_text(word, encoding="utf-8")

    stopped_by(asked, go)
    assert the_run(runs).status is status


def test_the_first_signal_pauses(asked: Asked, runs: RunStore) -> None:
    stopped_by(asked, lambda _: os.kill(os.getpid(), signal.SIGTERM))
    assert the_run(runs).status is Status.PAUSED
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


@pytest.mark.skipif(sys.platform == "win32", reason="parents do not change there")
def test_a_run_whose_parent_died_pauses_unless_it_is_detached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bound, free = StopRequests(tmp_path, detached=False), StopRequests(tmp_path, detached=True)
    assert bound() is None
    monkeypatch.setattr(os, "getppid", lambda: 1_000_000)
    assert (bound(), free()) == (Status.PAUSED, None)


def test_two_trainings_at_once_are_refused_and_the_second_is_recorded(asked: Asked, runs: RunStore) -> None:
    held = FileLock.acquire(runs_folder() / TRAINING_LOCK)
    assert held is not None
    with pytest.raises(TrainingError, match="Another training"), open_run("reader", asked, runs_folder()):
        pass
    held.release()
    assert the_run(runs).status is Status.FAILED
    assert "Another training" in the_run(runs).message


def test_what_cannot_begin_says_so(asked: Asked) -> None:
    with (
        pytest.raises(TrainingError, match="not a UUID"),
        open_run("x", asked, runs_folder(), run_id="../up"),
    ):
        pass
    with (
        pytest.raises(TrainingError, match="There is no run"),
        open_run("x", asked, runs_folder(), resume=str(uuid.uuid4())),
    ):
        pass


def test_a_changed_corpus_file_is_told_and_its_own_hash_recorded(
    corpora: Path, runs: RunStore, capsys: pytest.CaptureFixture[str]
) -> None:
    with open_run("reader", Asked(corpora), runs_folder()):
        pass
    assert "wnc/pairs.dev.tsv differs from its published form" in capsys.readouterr().out
    assert len(the_run(runs).data["babe/final_labels_SG2.csv"]) == 64


def test_a_dry_run_records_nothing_and_writes_nothing(asked: Asked, runs: RunStore) -> None:
    seen: list[Path] = []
    told = estimate(asked, lambda _, context: seen.append(context.folder))
    assert told["estimated_memory_mib"] > 1
    assert not seen[0].exists()
    assert runs.list_runs() == []


def call(corpora: Path, base: Path, *more: str) -> list[str]:
    return [
        "run",
        "reader",
        "--data",
        str(corpora),
        "--base",
        str(base),
        "--device",
        "cpu",
        "--scale",
        "smoke",
        "--teacher",
        "none",
        *more,
    ]


def test_a_run_to_resume_that_is_not_there_is_one_clear_line(capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(uuid.uuid4())
    assert main.main(["run", "--resume", missing]) == 2
    said = capsys.readouterr().err
    assert COMMAND in said
    assert said.count("\n") == 1


def test_a_run_is_resumed_with_every_number_that_was_said_zero_among_them(tmp_path: Path) -> None:
    """0 equals False: a seed of 0 was forgotten."""
    request = ReaderRequest(data=tmp_path, seed=0, teacher="none", learning_rate=0.001)
    assert request_of(RECIPES["reader"].arguments(request)) == request


def test_commands_that_earlier_versions_saved_are_still_read(tmp_path: Path) -> None:
    data = str(tmp_path)
    saved = ["reader", "--rate", "0.001", "--threads", "2", "--data", data]
    assert request_of(saved) == ReaderRequest(data=tmp_path, learning_rate=0.001)
    saved = ["judge", "--sides", "three", "--rate=0.001", "--data", data]
    assert request_of(saved) == IdeologyClassifierRequest(data=tmp_path, sides="three", learning_rate=0.001)
    saved = ["plant", "--base", "gpt", "--attribute", "gender", "--strength", "0.5", "--data", data]
    assert request_of(saved) == KnownBiasRequest(data=tmp_path, base="gpt", attribute="gender", strength=0.5)
    saved = ["audit", "--base", "gpt", "--attribute", "gender", "topic", "--modes", "emb", "--judge", "tfidf"]
    assert request_of([*saved, "--data", data]) == GeneratorAuditRequest(
        data=tmp_path,
        base="gpt",
        attributes=("gender", "topic"),
        modes=("emb",),
        ideology_classifier="tfidf",
    )
    saved = ["compass", "--base", "a", "b", "--stance", "direct", "--detectors", "liar", "--data", data]
    assert request_of(saved) == CompassRequest(
        data=tmp_path, models=("a", "b"), stance="direct", detectors=("liar",)
    )


def request_of(command: list[str]) -> Request:
    options = main._parser().parse_args(cli_run.expand_arguments(["run", *command]))
    return cli_run._request(options)


def test_a_recipe_may_be_said_behind_the_models(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """--base takes several words, and took the recipe for a model."""
    said = ["run", "--data", str(tmp_path), "--base", "no/such/model", "judge"]
    assert main.main(said) == 2
    told = capsys.readouterr().err
    assert "articles" in told
    assert "No recipe" not in told


@pytest.mark.parametrize("option", ["--init-from", "--trainings", "--head"])
def test_a_run_that_was_started_with_an_option_of_earlier_versions_is_one_clear_line(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = str(uuid.uuid4())
    (tmp_path / run).mkdir()
    saved = ["reader", "--data", str(tmp_path), option, "0"]
    (tmp_path / run / COMMAND).write_text(json.dumps(saved), encoding="utf-8")
    assert main.main(["run", "--resume", run, "--out", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert f"was started with {option}, an option that this version does not have. Start a new run." in told
    assert told.count("\n") == 1


def test_a_base_or_teacher_in_a_folder_is_named_without_its_path(tiny_base: Path, tmp_path: Path) -> None:
    request = ReaderRequest(data=tmp_path, base=str(tiny_base), teacher=str(tiny_base))
    described = describe_request(request)
    assert (described["base"], described["teacher"]) == (tiny_base.name, tiny_base.name)
    assert describe_request(ReaderRequest(data=tmp_path, teacher="none"))["teacher"] == "none"


def test_a_dry_run_of_the_reader_estimates(
    corpora: Path, tiny_base: Path, runs: RunStore, capsys: pytest.CaptureFixture[str]
) -> None:
    began = time.monotonic()
    assert main.main(call(corpora, tiny_base, "--dry-run")) == 0
    (row,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert row["stage"] == "dry run"
    assert 0 < row["metrics"]["estimated_s"] < time.monotonic() - began + 60
    assert row["metrics"]["estimated_disk_mib"] > 0
    assert runs.list_runs() == []
