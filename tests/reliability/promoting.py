"""Adds, promotes, goes back and removes in children that are killed at random points, and looks at what is in use then.

``python -m tests.reliability.promoting 200 [seed]`` prints how many kills there were and after how many of them there
was not exactly one working model; its exit code is 1 if there was any. The process itself opens no model, so that its
children start warm by a fork; what is left is looked at in a child, too.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import onnxruntime  # noqa: F401
import tokenizers  # noqa: F401

from core.engine import engine
from core.models.active import load_engine
from core.models.registry import ModelRegistry
from core.models.types import InstalledModel, ModelError
from core.paths import data_folder
from core.storage.store import Store
from tests.tiny import describe, make_bundle

_LONGEST_S = 0.3
_VERSIONS = ("0.2", "0.3", "0.4")
BUNDLED = "0.1"


def child(home: Path, seed: int, pipe: int) -> None:
    """Change models until the end comes; tell through the pipe what is to be in use, and what is."""

    def report(sign: str, version: str) -> None:
        os.write(pipe, f"{sign} {version}\n".encode())

    chance = random.Random(seed)
    store = Store.open()
    registry = ModelRegistry(store)
    report("=", registry.active("reader").version)
    while True:
        with contextlib.suppress(ModelError):
            _one_step(registry, home, chance, report)
        report("=", registry.active("reader").version)


def _one_step(
    registry: ModelRegistry, home: Path, chance: random.Random, report: Callable[[str, str], None]
) -> None:
    deed = chance.random()
    if deed < 0.6:
        version = chance.choice(_VERSIONS)
        report("?", version)
        registry.promote(registry.add_folder(home / version).id, "reader")
    elif deed < 0.65:
        report("?", BUNDLED)
        registry.promote(None, "reader")
    elif deed < 0.85:
        before = registry.previous("reader")
        report("?", before.version if before else BUNDLED)
        registry.roll_back("reader")
    else:
        others = [one for one in registry.installed("reader") if one.id and not one.active]
        if others:
            registry.remove(str(chance.choice(others).id))


def look(told: list[str]) -> str:
    """What is wrong with the models after a kill; empty where exactly one is in use, loads, and was to be in use."""
    notes: list[str] = []
    loaded = load_engine(notes.append).bundle.version
    if notes:
        return f"the model in use did not load: {notes[0]}"
    allowed = set() if told else {BUNDLED, *_VERSIONS}
    for line in told:
        sign, version = line.split()
        allowed = {version} if sign == "=" else allowed | {version}
    store = Store.open()
    try:
        models: list[InstalledModel] = ModelRegistry(store).installed("reader")
    finally:
        store.close()
    active = [one.version for one in models if one.active]
    if active != [loaded]:
        return f"{loaded} loads, and in use are {active}"
    return "" if loaded in allowed else f"{loaded} is in use, and it was to be one of {sorted(allowed)}"


def kill_one(home: Path, seed: int, chance: random.Random) -> str:
    """One kill; returns what was wrong after it, or nothing."""
    reading, writing = os.pipe()
    pid = _forked(lambda: child(home, seed, writing), close=reading)
    os.close(writing)
    time.sleep(chance.uniform(0.0, _LONGEST_S))
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read().decode().split("\n")[:-1]
    if not os.WIFSIGNALED(status):
        return "the child ended by itself"
    return _in_child(lambda: look(told))


def _in_child(question: Callable[[], str]) -> str:
    reading, writing = os.pipe()
    pid = _forked(lambda: os.write(writing, question().encode()), close=reading)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    return answer if status == 0 else answer or "the look at what was left failed"


def _forked(work: Callable[[], object], *, close: int) -> int:
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        os.close(close)
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _tidy() -> str:
    """The next use sweeps what was left unfinished."""
    store = Store.open()
    try:
        registry = ModelRegistry(store)
        with contextlib.suppress(ModelError):
            registry.roll_back("reader")
            registry.promote(None, "reader")
        known = {str(one.id) for one in registry.installed("reader") if one.id}
        there = {path.name for path in registry.folder.iterdir()}
    finally:
        store.close()
    hidden = sorted(name for name in there if name.startswith("."))
    return f"left behind: {', '.join(hidden)}" if hidden or not known <= there else ""


def main(kills: int, seed: int) -> int:
    """Kill ``kills`` children; prints one line, and one for each fault."""
    chance = random.Random(seed)
    home = Path(tempfile.mkdtemp(prefix="promotions-"))
    os.environ["EVENHAND_HOME"] = str(home / "data")
    faults = []
    try:
        bundled = make_bundle(home / BUNDLED)
        engine.bundled_reader = lambda: bundled
        for version in _VERSIONS:
            describe(Path(shutil.copytree(bundled, home / version)), version=version)
        data_folder().mkdir(parents=True)
        for number in range(kills):
            if said := kill_one(home, seed * 100_000 + number, chance):
                faults.append(f"kill {number}: {said}")
        if said := _in_child(_tidy):
            faults.append(said)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print("\n".join((f"kills {kills} faults {len(faults)}", *faults)))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
