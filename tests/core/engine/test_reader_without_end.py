"""Protects who reads with a model that has no end or fails on a text: it can be ended, and errors are sentences."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from core.engine import reader as reader_module
from core.engine.onnx_session import ReaderError
from core.engine.reader import Cancelled, Reader
from tests import hostile_models

ROOT = Path(__file__).resolve().parents[3]


class PanicException(BaseException):
    """As the bindings of Rust raise it: no Exception, and a class that nobody can import."""


@pytest.fixture
def endless(tiny_bundle: Path, tmp_path: Path) -> Path:
    """The folder of a reader that never answers."""
    return hostile_models.without_an_end(hostile_models.copied(tiny_bundle, tmp_path / "endless"))


@pytest.mark.parametrize("texts", [["A law."], [f"A law of {number} people." for number in range(20)]])
def test_a_run_without_an_end_can_be_cancelled(endless: Path, texts: list[str]) -> None:
    asked = itertools.count()
    with pytest.raises(Cancelled):
        Reader.load(endless, threads=2).read(texts, cancelled=lambda: next(asked) > 3)


def test_a_run_without_an_end_is_ended(endless: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_module, "MAX_BATCH_S", 0.2)
    with pytest.raises(ReaderError, match="takes too long to read a text"):
        Reader.load(endless).read(["A law."])


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_ends_a_run_without_an_end(endless: Path) -> None:
    code = (
        "import sys; from core.engine.reader import Reader; reader = Reader.load(sys.argv[1]); "
        "run = reader._session.run; "
        "reader._session.run = lambda *given: (print('reading', flush=True), run(*given))[1]; "
        "reader.read(['A law.'])"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code, str(endless)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as reading:
        assert reading.stdout is not None
        assert reading.stdout.readline() == b"reading\n"
        reading.send_signal(signal.SIGINT)
        _, errors = reading.communicate(timeout=60)
    assert reading.returncode == -signal.SIGINT
    assert errors.splitlines()[-1] == b"KeyboardInterrupt"


def fails(error: BaseException) -> Callable[..., object]:
    def fail(*_given: object, **_named: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize("error", [PanicException("index"), MemoryError(), IndexError("text of a draft")])
@pytest.mark.parametrize("part", ["encode_batch", "run", "windows"])
def test_whatever_fails_while_reading_is_a_sentence(
    tiny_bundle: Path, part: str, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader.load(tiny_bundle)
    if part == "encode_batch":
        broken = type("Tokenizer", (), {"encode_batch": fails(error)})()
        monkeypatch.setattr(reader._session, "tokenizer", broken)
    elif part == "run":
        monkeypatch.setattr(reader._session, "run", fails(error))
    else:
        monkeypatch.setattr(reader_module, "windows", fails(error))
    with pytest.raises(
        ReaderError, match=r"^The (model|tokenizer) in .* cannot read this text\. Reinstall"
    ) as caught:
        reader.read(["A law."])
    assert "draft" not in str(caught.value)


def test_ctrl_c_stays_ctrl_c(tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader.load(tiny_bundle)
    monkeypatch.setattr(reader._session, "run", fails(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        reader.read(["A law."])
