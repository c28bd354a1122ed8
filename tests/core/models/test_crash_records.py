"""Protects the next start: a model that has crashed the program is not loaded again until somebody asks for it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from made_bundles import Bundled

from core.models import crash_records
from core.models.active import active_folder, bundled_folder, load_engine, load_suggester
from core.models.crash_records import FOLDER, forget_crashes, has_crashed, record_crashes, stop_recording
from core.models.registry import ModelRegistry
from core.models.types import InstalledModel
from core.paths import data_folder
from tests import hostile_models
from tests.tiny_rewriter import describe_rewriter

ROOT = Path(__file__).resolve().parents[3]
CRASHES_WHILE_READING = """
import ctypes, sys
from core.models.active import load_engine
engine = load_engine(lambda message: print(message))
engine.reader._session.run = lambda *_: ctypes.string_at(0)
print("reading", flush=True)
engine.reader.read(["A law."])
"""
CRASHES_WHILE_LOADING = """
import ctypes
from core.engine import onnx_session
onnx_session.rebuild_graph = lambda data: ctypes.string_at(0)
from core.models.active import load_engine
load_engine(print)
"""
CRASHES_WHILE_REWRITING = """
import ctypes
from core.models.active import load_engine, load_suggester
from core.rewriting.rewriter import RewriteRequest
suggester = load_suggester(load_engine(print), print)
class Broken:
    def translate_batch(self, *_, **__):
        ctypes.string_at(0)
suggester.rewriter._translator = Broken()
suggester.rewriter.propose([RewriteRequest("A new law.", 2, 5)], 2)
"""
CRASHES_ELSEWHERE = """
import ctypes
from core.models.active import load_engine
load_engine(print)
ctypes.string_at(0)
"""
ENDS_WELL = """
from core.models.active import load_engine
load_engine(print).reader.read(["A law."])
"""


@pytest.fixture(autouse=True)
def _stopped() -> object:
    """What this process has begun to record ends with the test."""
    yield
    stop_recording()


def start(code: str) -> int:
    """Run this in a process of its own; how it ended."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    return done.returncode


@pytest.fixture
def promoted(registry: ModelRegistry, bundle: Bundled) -> InstalledModel:
    """A reader from outside that is in use."""
    return registry.promote(registry.add_folder(bundle("0.2")).id, "reader")


def messages() -> list[str]:
    """What the next start says of the reader."""
    told: list[str] = []
    load_engine(told.append)
    return told


@pytest.mark.parametrize("code", [CRASHES_WHILE_READING, CRASHES_WHILE_LOADING], ids=["reading", "loading"])
def test_after_a_crash_the_bundled_reader_is_used_and_that_is_told(
    code: str, registry: ModelRegistry, promoted: InstalledModel
) -> None:
    assert start(code) != 0
    (told,) = messages()
    assert str(promoted.id) in told
    assert "crashed Evenhand, so the model that came with Evenhand is used" in told
    assert active_folder("reader") == bundled_folder("reader")
    assert registry.active("reader").id is None
    assert start(ENDS_WELL) == 0


def test_a_crashed_model_can_be_used_again_and_the_way_back_is_the_same(
    registry: ModelRegistry, promoted: InstalledModel
) -> None:
    start(CRASHES_WHILE_READING)
    assert registry.promote(promoted.id, "reader").id == promoted.id
    assert messages() == []
    assert registry.roll_back("reader").id is None
    assert registry.previous("reader") is None


def test_a_crashed_model_can_be_left_for_good(registry: ModelRegistry, promoted: InstalledModel) -> None:
    start(CRASHES_WHILE_READING)
    assert registry.promote(None, "reader").id is None
    assert messages() == []
    registry.remove(str(promoted.id))
    assert not has_crashed(str(promoted.id))


def test_a_rewriter_that_crashes_is_the_one_to_blame(
    registry: ModelRegistry, promoted: InstalledModel, tiny_rewriter: Path, tmp_path: Path
) -> None:
    source = hostile_models.copied(tiny_rewriter, tmp_path / "rewriter")
    describe_rewriter(source, version="0.2")
    rewriter = registry.promote(registry.add_folder(source).id, "rewriter")
    start(CRASHES_WHILE_REWRITING)
    told: list[str] = []
    load_suggester(load_engine(told.append), told.append)
    assert len(told) == 1
    assert str(rewriter.id) in told[0]
    assert registry.active("reader").id == promoted.id


@pytest.mark.parametrize("code", [CRASHES_ELSEWHERE, ENDS_WELL], ids=["elsewhere", "well"])
def test_another_end_blames_no_model(code: str, promoted: InstalledModel) -> None:
    start(code)
    assert messages() == []
    stop_recording()
    assert [*(data_folder() / FOLDER).iterdir()] == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_kill_blames_no_model(promoted: InstalledModel) -> None:
    code = CRASHES_WHILE_READING.replace("ctypes.string_at(0)", "sys.stdin.read()")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as reading:
        assert reading.stdout is not None
        assert reading.stdout.readline() == b"reading\n"
        assert messages() == [], "the log of a process that lives is left alone"
        reading.send_signal(signal.SIGKILL)
    assert messages() == []


READER, QT = "/opt/evenhand/core/engine/reader.py", "/opt/evenhand/app/start.py"


def dump(*threads: tuple[str, str]) -> str:
    stacks = (
        f'{kind} 0x1 (most recent call first):\n  File "{file}", line 1 in f\n' for kind, file in threads
    )
    return "reader one\nrewriter two\nFatal Python error: Segmentation fault\n\n" + "\n".join(stacks)


@pytest.mark.parametrize(
    ("log", "blamed"),
    [
        (dump(("Current thread", READER)), ["one"]),
        (dump(("Current thread", QT), ("Thread", READER)), []),
        (dump(("Thread", QT), ("Thread", READER)), ["one"]),
        (dump(("Current thread", "core\\rewriting\\rewriter.py")), ["two"]),
        (dump(), []),
        ("reader one\n", []),
        ("", []),
        ("\ufffd\nFatal Python error: Aborted\n", []),
    ],
)
def test_whom_a_log_blames(log: str, blamed: list[str]) -> None:
    assert crash_records._blamed(log) == blamed


def test_where_nothing_can_be_written_the_model_is_used_all_the_same(
    promoted: InstalledModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_what: object) -> None:
        raise PermissionError

    monkeypatch.setattr(crash_records.os, "open", refused)
    record_crashes("reader", str(promoted.id))
    assert not has_crashed(str(promoted.id))
    forget_crashes(str(promoted.id))
