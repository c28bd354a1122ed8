"""Protects ``evenhand train runs``: what it prints, one line and 2 where it cannot, and that it needs no torch."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from zipfile import ZipFile

import pytest

from core.runs.run_store import RunStore
from core.runs.types import ALIVE_LOCK, METRICS_FILE, STOP_REQUEST, Artefact, Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store
from tests.core.runs.made_runs import a_run
from training.cli import runs as cli_runs


@pytest.fixture
def runs() -> Iterator[RunStore]:
    store = Store.open()
    yield RunStore(store)
    store.close()


def call(*words: str) -> int:
    parser = argparse.ArgumentParser()
    cli_runs.add(parser.add_subparsers())
    options = parser.parse_args(["runs", *words])
    return int(options.act(options))


def ended(runs: RunStore, at: int = 0, result: dict[str, float] | None = None, **changes: object) -> Run:
    run = a_run(at, **changes)
    runs.begin(run)
    runs.finish(run.id, Status.FINISHED, result=result)
    return run


Said = pytest.CaptureFixture[str]


def test_without_runs_it_says_how_to_begin_one(capsys: Said) -> None:
    assert call() == 0
    assert "Start one with: evenhand train RECIPE" in capsys.readouterr().out


def test_the_list_is_a_table_with_the_newest_first(runs: RunStore, capsys: Said) -> None:
    ended(runs, 0, {"babe_macro_f1": 0.8123}, id="aaaa")
    died = a_run(1, id="bbbbbbbbbbbb", recipe="rewriter", device="cuda:0")
    runs.begin(died)
    assert call() == call("list") == 0
    once, again = capsys.readouterr().out.split("id ")[1:]
    assert once == again
    head, newest, oldest = once.splitlines()
    assert head.split()[:3] == ["status", "recipe", "scale"]
    assert head.split()[-1] == "babe_macro_f1"
    assert newest.split()[:4] == ["bbbbbbbb", "died", "rewriter", "smoke"]
    assert "cuda:0" in newest
    assert oldest.split()[0] == "aaaa"
    assert oldest.split()[-1] == "0.8123"


def test_json_can_be_read_back(runs: RunStore, capsys: Said) -> None:
    run = ended(runs, result={"f1": 0.5})
    runs.finish(run.id, Status.FINISHED, artefacts=[Artefact("bundle/x", 2, "ff")])
    assert call("--json") == call("list", "--json") == 0
    text = capsys.readouterr().out
    assert json.loads(text[: len(text) // 2])[0]["result"] == {"f1": 0.5}
    assert call("show", run.id[:6], "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["id"], shown["artefacts"][0]["path"]) == (run.id, "bundle/x")


def test_show_tells_all_of_a_run(runs: RunStore, capsys: Said) -> None:
    run = ended(runs, result={"f1": 0.5}, data={"babe/sg2.csv": "ab" * 32}, base="a\x1b[31mb")
    published = {"name": "BERT", "metric": "F1", "ours": 0.7, "published": 0.789, "source": "BABE, Table 5"}
    confusion = {"name": "bias", "labels": ["no", "yes"], "counts": [[8, 22], [1, 9]]}
    text = json.dumps({"confusion": [confusion], "published": [published]})
    (run.folder / METRICS_FILE).write_text(text)
    assert call("show", run.id[:4]) == 0
    said = capsys.readouterr().out
    for part in (
        run.id,
        "rate  5e-05",
        "babe/sg2.csv",
        "ab" * 32,
        "f1  0.5000",
        "0.7890",
        "BABE, Table 5",
        "22",
    ):
        assert part in said
    assert "\x1b" not in said


def test_compare_shows_what_differs(runs: RunStore, capsys: Said) -> None:
    one, two = ended(runs, result={"f1": 0.5}, seed=1), ended(runs, result={"f1": 0.75}, seed=2)
    assert call("compare", one.id, two.id) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["seed", "1", "2"] in lines
    assert ["f1", "0.5000", "0.7500", "(+0.2500)"] in lines
    assert not any(line[0] == "rate" for line in lines)


def test_export_delete_pause_and_cancel(runs: RunStore, tmp_path: Path, capsys: Said) -> None:
    run = ended(runs)
    assert call("export", run.id, str(tmp_path / "run.zip")) == 0
    with ZipFile(tmp_path / "run.zip") as archive:
        assert "run.json" in archive.namelist()
    assert call("delete", run.id) == 0
    assert runs.get(run.id) is None
    live = a_run()
    lock = FileLock.acquire(live.folder / ALIVE_LOCK)
    assert lock is not None
    runs.begin(live)
    for what in ("pause", "cancel"):
        assert call(what, live.id) == 0
        assert (live.folder / STOP_REQUEST).read_text() == what
    lock.release()
    runs.finish(live.id, Status.PAUSED)
    assert call("cancel", live.id) == 0
    now = runs.get(live.id)
    assert now is not None
    assert now.status is Status.CANCELLED
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("show", "zz"), "No run begins with 'zz'"),
        (("show", ""), "No run begins with ''"),
        (("show", "a"), "2 runs begin with 'a' (a-1, a-2). Give more"),
        (("pause", "a-1"), "is not running"),
        (("cancel", "a-1"), "is not running"),
        (("delete", "b"), "No run begins"),
        (("compare", "a-1", "b"), "No run begins"),
        (("export", "a-1", "/nowhere/at/all.zip"), "was not written"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_2(
    runs: RunStore, capsys: Said, words: tuple[str, ...], said: str
) -> None:
    for run_id in ("a-1", "a-2"):
        ended(runs, id=run_id)
    assert call(*words) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("evenhand train: ")
    assert said in error
    assert error.count("\n") == 1


def test_a_damaged_figure_and_a_damaged_store_are_one_line(runs: RunStore, capsys: Said) -> None:
    run = ended(runs)
    (run.folder / METRICS_FILE).write_text("{")
    assert call("show", run.id) == 2
    assert "damaged" in capsys.readouterr().err


def test_it_needs_no_torch() -> None:
    code = "import sys, training.cli.runs; print(sorted({'torch', 'transformers'} & set(sys.modules)))"
    root = Path(__file__).resolve().parents[3]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
