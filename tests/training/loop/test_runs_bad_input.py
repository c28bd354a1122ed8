"""What is wrong with corpora, base or disk is one clear line, the run is recorded as failed, the model in use stays."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import torch

from core.models.active import active_folder
from core.runs.run_store import RunStore
from core.runs.types import Status
from core.storage.store import Store
from training.cli import main
from training.loop import training_loop

Breaking = Callable[[Path], None]


def missing(data: Path) -> None:
    (data / "wnc" / "pairs.train.tsv").unlink()


def truncated(data: Path) -> None:
    path = data / "article_bias" / "articles.jsonl.xz"
    path.write_bytes(path.read_bytes()[:200])


def altered(data: Path) -> None:
    path = data / "babe" / "final_labels_SG2.csv"
    path.write_text(path.read_text("utf-8-sig").replace("label_bias", "label", 1), encoding="utf-8-sig")


def one_class(data: Path) -> None:
    path = data / "babe" / "final_labels_SG2.csv"
    path.write_text(path.read_text("utf-8-sig").replace("Non-biased", "Biased"), encoding="utf-8-sig")


@pytest.fixture
def before() -> Path:
    return active_folder("reader")


def fails(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run the reader at smoke scale, see it fail in one line and recorded so; returns the line."""
    assert (
        main.main(["run", "reader", "--device", "cpu", "--scale", "smoke", "--teacher", "none", *arguments])
        == 2
    )
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    assert "Traceback" not in said
    with closing(Store.open()) as store:
        (run,) = RunStore(store).list_runs()
    assert run.status is Status.FAILED
    assert run.message in said
    return said


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (missing, "pairs.train.tsv is not in"),
        (truncated, "articles.jsonl"),
        (altered, "label_bias"),
        (one_class, "has no row that is not biased"),
    ],
)
def test_a_corpus_that_is_not_whole(
    corpora: Path,
    tiny_base: Path,
    tmp_path: Path,
    before: Path,
    capsys: pytest.CaptureFixture[str],
    broken: Breaking,
    told: str,
) -> None:
    data = Path(shutil.copytree(corpora, tmp_path / "data"))
    broken(data)
    assert told in fails(capsys, "--data", str(data), "--base", str(tiny_base))
    assert active_folder("reader") == before


def test_an_encoder_without_a_tokenizer(
    corpora: Path, tiny_base: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base = Path(shutil.copytree(tiny_base, tmp_path / "bare"))
    for path in base.glob("*token*"):
        path.unlink()
    assert "no tokenizer in this folder" in fails(capsys, "--data", str(corpora), "--base", str(base))


def test_a_full_disk_at_the_end_of_a_stage(
    corpora: Path,
    tiny_base: Path,
    before: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(training_loop, "save_file", full)
    assert "Free some space" in fails(capsys, "--data", str(corpora), "--base", str(tiny_base))
    assert active_folder("reader") == before


def test_a_device_that_is_not_there(
    corpora: Path, tiny_base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    call = ["run", "reader", "--data", str(corpora), "--base", str(tiny_base), "--device", "cuda"]
    assert main.main(call) == 2
    assert "--device cpu" in capsys.readouterr().err
