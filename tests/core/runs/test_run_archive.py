"""Protects the zip file of a run: all that is known of it, no weights unasked, whole or not at all."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from made_runs import a_run, some_points

from core.runs.folder import RunError
from core.runs.generator_audit import AUDIT_FILE
from core.runs.political_compass import COMPASS_FILE
from core.runs.run_store import RunStore
from core.runs.types import EVENTS, LOG, METRICS_FILE, Artefact, Run, Status


def finished(runs: RunStore) -> Run:
    run = a_run(data={"babe/sg2.csv": "ab" * 32})
    runs.begin(run)
    runs.add_points(run.id, some_points(2))
    (run.folder / "bundle").mkdir()
    files = {
        EVENTS: "{}\n",
        METRICS_FILE: '{"x": 1}',
        AUDIT_FILE: '{"y": 2}',
        COMPASS_FILE: '{"z": 3}',
        LOG: "at home",
        "bundle/README.md": "# Card",
        "bundle/bundle.json": "{}",
        "bundle/reader.onnx": "weights",
    }
    for name, text in files.items():
        (run.folder / name).write_text(text)
    made = [Artefact("bundle/reader.onnx", 7, "c" * 64)]
    runs.finish(run.id, Status.FINISHED, result={"f1": 0.8}, artefacts=made)
    return run


def test_all_that_is_known_is_in_it(runs: RunStore, tmp_path: Path) -> None:
    run = finished(runs)
    target = tmp_path / "run.zip"
    runs.export(run.id, target)
    with ZipFile(target) as archive:
        assert archive.testzip() is None
        names = set(archive.namelist())
        told = json.loads(archive.read("run.json"))
        points = archive.read("points.csv").decode().splitlines()
        assert archive.read("bundle/README.md") == b"# Card"
    assert names == {
        "run.json",
        "points.csv",
        EVENTS,
        METRICS_FILE,
        AUDIT_FILE,
        COMPASS_FILE,
        "bundle/README.md",
    }
    assert (told["id"], told["status"], told["result"]) == (run.id, "finished", {"f1": 0.8})
    assert told["artefacts"] == [{"path": "bundle/reader.onnx", "size": 7, "sha256": "c" * 64}]
    assert told["data"] == {"babe/sg2.csv": "ab" * 32}
    assert str(tmp_path) not in json.dumps(told)
    assert points == ["stage,step,event,name,value", "reader,1,step,loss,0.5", f"reader,2,step,loss,{1 / 3}"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_weights_go_in_only_if_asked(runs: RunStore, tmp_path: Path) -> None:
    run = finished(runs)
    runs.export(run.id, tmp_path / "run.zip", with_bundle=True)
    with ZipFile(tmp_path / "run.zip") as archive:
        assert archive.read("bundle/reader.onnx") == b"weights"


def test_a_run_that_has_only_begun_can_be_exported_but_has_no_model(runs: RunStore, tmp_path: Path) -> None:
    run = a_run()
    runs.begin(run)
    runs.export(run.id, tmp_path / "run.zip")
    with ZipFile(tmp_path / "run.zip") as archive:
        assert archive.namelist() == ["run.json", "points.csv"]
    with pytest.raises(RunError, match="no model"):
        runs.export(run.id, tmp_path / "run.zip", with_bundle=True)


def test_what_was_there_stays_where_it_fails(
    runs: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = finished(runs)
    target = tmp_path / "run.zip"
    target.write_text("before")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(RunError, match=r"run\.zip was not written: the disk is full"):
            runs.export(run.id, target)
    assert target.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir() if path.name.endswith("-save")] == []


def test_a_bad_folder_and_a_missing_one_are_reported(runs: RunStore, tmp_path: Path) -> None:
    run = finished(runs)
    for target in (tmp_path, tmp_path / "no" / "run.zip"):
        with pytest.raises(RunError, match="was not written"):
            runs.export(run.id, target)
    run.folder.rename(tmp_path / "elsewhere")
    with pytest.raises(RunError, match="no longer exists"):
        runs.export(run.id, tmp_path / "run.zip")
