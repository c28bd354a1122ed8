"""Protects the program from models of others: they are first driven where a crash ends nothing but a child."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from made_bundles import Bundled

from core import i18n
from core.bundles.manifest import BundleError
from core.models import model_load_check
from core.models.load_check_texts import reading_texts, rewriting_texts
from core.models.model_load_check import check_model_loads
from core.models.registry import ModelRegistry
from core.models.types import ModelError
from tests import hostile_models

ROOT = Path(__file__).resolve().parents[3]
CHILDREN = {
    "crashes": "import faulthandler; faulthandler.disable(); import os; os.abort()",
    "ends at once": "pass",
    "works and then crashes": 'print("trial {\\"refusal\\": \\"\\"}", flush=True); import os; os.abort()',
    "has another outcome": 'print("trial {}"); raise SystemExit(3)',
}


def is_refused(role: str, folder: Path) -> str:
    with pytest.raises(BundleError) as caught:
        check_model_loads(role, folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_sound_models_work(tiny_bundle: Path, tiny_rewriter: Path) -> None:
    assert check_model_loads("reader", tiny_bundle).title == "reader tiny 0.1"
    assert check_model_loads("rewriter", tiny_rewriter).title == "rewriter tiny 0.1"


@pytest.mark.parametrize("child", CHILDREN)
def test_a_child_that_is_lost_is_a_refusal(
    child: str, tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = [sys.executable, "-c", CHILDREN[child]]
    monkeypatch.setattr(model_load_check, "_command", lambda *_: command)
    assert "it crashed the program that tested it" in is_refused("reader", tiny_bundle)


def test_a_model_without_an_end_is_refused(
    tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_load_check, "MAX_SILENT_S", 3.0)
    folder = hostile_models.without_an_end(hostile_models.copied(tiny_bundle, tmp_path / "odd"))
    assert "it takes too long" in is_refused("reader", folder)


@pytest.mark.parametrize(
    ("role", "spoil", "said"),
    [
        ("reader", hostile_models.without_measure, "cannot be run"),
        ("reader", hostile_models.without_unknown_words, "not a WordPiece tokenizer"),
        ("rewriter", hostile_models.without_heads, "attention heads"),
        ("rewriter", hostile_models.with_short_weights, "wrong size"),
    ],
)
def test_hostile_models_are_refused_in_a_sentence(
    role: str,
    spoil: Callable[[Path], Path],
    said: str,
    tiny_bundle: Path,
    tiny_rewriter: Path,
    tmp_path: Path,
) -> None:
    sound = tiny_bundle if role == "reader" else tiny_rewriter
    assert said in is_refused(role, spoil(hostile_models.copied(sound, tmp_path / "odd")))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not limit the memory of a process")
def test_a_model_has_little_memory(tiny_bundle: Path) -> None:
    code = (
        "import sys, numpy, resource; from pathlib import Path; from core.models.load_check_process import _limit; "
        "_limit(Path(sys.argv[1])); numpy.ones(2**33)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tiny_bundle)], env=environment, capture_output=True, check=False
    )
    assert b"MemoryError" in done.stderr


def test_a_refusal_is_told_in_the_present_language(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = hostile_models.without_measure(hostile_models.copied(tiny_bundle, tmp_path / "odd"))
    i18n.set_language("de")
    try:
        assert "kann nicht" in is_refused("reader", folder)
    finally:
        i18n.set_language("en")


def test_a_trial_can_be_stopped(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = hostile_models.without_an_end(hostile_models.copied(tiny_bundle, tmp_path / "odd"))
    ended = threading.Event()
    timer = threading.Timer(0.3, ended.set)
    timer.start()
    with pytest.raises(ModelError, match="have not changed"):
        check_model_loads("reader", folder, cancelled=ended.is_set)
    timer.join()


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_ctrl_c_ends_a_trial_and_its_child(tiny_bundle: Path, tmp_path: Path) -> None:
    folder = hostile_models.without_an_end(hostile_models.copied(tiny_bundle, tmp_path / "odd"))
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "app.entry", "models", "import", str(folder)]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as importing:
        while not (children := _children(importing.pid)):
            assert importing.poll() is None
        importing.send_signal(signal.SIGINT)
        _, errors = importing.communicate(timeout=60)
    assert (importing.returncode, errors) == (130, b"")
    while any(map(_lives, children)):
        time.sleep(0.1)


def _children(pid: int) -> list[int]:
    """The trials that a process has begun."""
    found = Path(f"/proc/{pid}/task/{pid}/children")
    pids = found.read_text().split() if found.exists() else []
    return [
        int(child) for child in pids if b"load_check_process" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def _lives(pid: int) -> bool:
    """Whether a process is there, and not only waiting to be asked how it ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_was_not_tried_out_is_not_added(
    registry: ModelRegistry, bundle: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = bundle("0.2")
    monkeypatch.setattr(model_load_check, "_command", lambda *_: [sys.executable, "-c", CHILDREN["crashes"]])
    with pytest.raises(BundleError, match="crashed the program"):
        registry.add_folder(source)
    assert len(registry.installed("reader")) == 1


def test_a_model_is_tried_out_again_before_it_is_used(
    registry: ModelRegistry, bundle: Bundled, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = registry.add_folder(bundle("0.2"))
    with monkeypatch.context() as patch:
        patch.setattr(model_load_check, "_command", lambda *_: [sys.executable, "-c", CHILDREN["crashes"]])
        with pytest.raises(BundleError, match="crashed the program"):
            registry.promote(added.id, "reader")
    assert registry.active("reader").id is None
    assert registry.promote(added.id, "reader").active


def test_texts_are_of_every_kind() -> None:
    texts = reading_texts()
    assert "" in texts
    assert max(map(len, texts)) >= 10_000
    joined = "".join(texts)
    for example in "aяаαאبकกકதఅಕഅ中あア가ሰក𐌰𝐀\U00020000":
        row = range(ord(example) & ~255, (ord(example) | 255) + 1)
        assert any(ord(character) in row for character in joined), example
    assert all(text.strip() and len(text) <= 400 for text in rewriting_texts())


def test_the_packaged_program_tries_models_out_by_itself(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    program, *arguments = model_load_check._command("reader", tiny_bundle)
    assert program == sys.executable
    done = subprocess.run(
        [program, "-m", "app.entry", *arguments], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == f'{model_load_check.STEP}{{"refusal": ""}}'
