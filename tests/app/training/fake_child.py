"""A fake ``evenhand train``: it answers queries, records its run and writes events as the real one does.

``FAKE_CHILD`` selects how a run goes: ``finish``, ``wait`` (for an order, or for a file ``go`` in its folder),
``half`` (the same, in the middle of a line), ``fail``, ``refuse`` (before it has recorded itself), ``die``, ``many``
(points).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from core.runs.folder import runs_folder
from core.runs.run_store import RunStore
from core.runs.types import ALIVE_LOCK, EVENTS, STOP_REQUEST, Run, Status
from core.storage.file_lock import FileLock
from core.storage.store import Store

STEPS = 40
HELD_AT = 10
MANY = 5000
WAIT_S = 30.0


class Child:
    """One run of the fake."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.folder = runs_folder() / (options.resume or options.run_id)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.alive = FileLock.acquire(self.folder / ALIVE_LOCK)
        self.store = Store.open()
        self.runs = RunStore(self.store)
        (self.folder / STOP_REQUEST).unlink(missing_ok=True)
        (self.folder / "pid").write_text(str(os.getpid()))
        run = Run(
            self.folder.name,
            options.recipe,
            Status.RUNNING,
            self.folder,
            options.scale,
            options.base,
            options.device,
            options.seed,
            "fake",
            datetime.now(UTC),
        )
        self.runs.begin(run)
        self.stream = (self.folder / EVENTS).open("a", encoding="utf-8", buffering=1)

    def line(self, event: str, **fields: object) -> str:
        row = {"event": event, "run": self.folder.name, "stage": "", "step": 0, "steps": 0, "metrics": {}}
        return json.dumps(row | {"eta_s": 0.0, "message": ""} | fields) + "\n"

    def write_event(self, event: str, **fields: object) -> None:
        self.stream.write(self.line(event, **fields))

    def end(self, status: Status, message: str = "", result: dict[str, float] | None = None) -> int:
        self.runs.finish(self.folder.name, status, message=message, result=result)
        self.store.close()
        self.stream.close()
        if self.alive is not None:
            self.alive.release()
        return 2 if status is Status.FAILED else 0

    def ordered(self) -> str:
        path = self.folder / STOP_REQUEST
        return path.read_text() if path.exists() else ""

    def hold(self) -> str:
        """Wait for an order or for the file ``go``; the order, if it was one."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until and not (self.folder / "go").exists():
            if self.ordered():
                return self.ordered()
            time.sleep(0.02)
        return ""


def run(options: argparse.Namespace) -> int:
    how = os.environ.get("FAKE_CHILD", "finish")
    if how == "refuse":
        print("a line before", "evenhand train: There is no encoder of that name.", sep="\n", file=sys.stderr)
        return 2
    child = Child(options)
    kept = child.folder / "at"
    first = int(kept.read_text()) if kept.exists() else 0
    child.write_event("start", message=f"{options.recipe}, on {options.device}")
    child.write_event("stage", stage="related", steps=STEPS, message="related tasks")
    print("a warning of some library", file=sys.stderr, flush=True)
    steps = MANY if how == "many" else STEPS
    for step in range(first + 1, steps + 1):
        losses = {"loss_a": 2.0 / step, "loss_b": 4.0 / step}
        child.write_event(
            "step", stage="related", step=step, steps=steps, metrics=losses, eta_s=(steps - step) * 30.0
        )
        if step % 10 == 0:
            child.write_event("eval", stage="related", step=step, steps=steps, metrics={"dev": 1 - 1 / step})
        if step == HELD_AT and how in ("wait", "half") and not (child.folder / "go").exists():
            whole = child.line("warning", stage="related", message="half of it came later")
            cut = len(whole) // 2 if how == "half" else 0
            child.stream.write(whole[:cut])
            child.stream.flush()
            order = child.hold()
            child.stream.write(whole[cut:] if cut else "")
            if order == "pause":
                kept.write_text(str(step))
                child.write_event("checkpoint", stage="related", step=step, steps=steps)
                child.write_event("end", stage="related", message="paused")
                return child.end(Status.PAUSED, "paused")
            if order == "cancel":
                child.write_event("end", stage="related", message="cancelled")
                return child.end(Status.CANCELLED, "cancelled")
        if step == HELD_AT and how == "die":
            kept.write_text(str(step))
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
        if step == HELD_AT and how == "fail":
            child.write_event("error", stage="related", message="The loss is not a number at step 10.")
            print("evenhand train: The loss is not a number at step 10.", file=sys.stderr)
            return child.end(Status.FAILED, "The loss is not a number at step 10.")
    bundle = child.folder / "bundle"
    bundle.mkdir(exist_ok=True)
    (bundle / "bundle.json").write_text("{}")
    result = {"babe_macro_f1": 0.8194, "wnc_overlap_f1": 0.4967}
    child.write_event("end", stage="related", message="finished", metrics=result)
    return child.end(Status.FINISHED, result=result)


def answered(arguments: list[str]) -> int:
    """The short questions."""
    if arguments[:1] == ["devices"]:
        devices = [
            {"name": "cpu", "title": "CPU, 8 cores", "memory_mib": 16384},
            {"name": "cuda:0", "title": "A card", "memory_mib": 24576},
        ]
        print(json.dumps({"devices": devices, "torch": "2.9.1"}))
        return 0
    folder = Path(arguments[arguments.index("--data") + 1])
    states = {"one.csv": "as published", "two.csv": "differs"}
    for name, state in states.items():
        print(f"{state if (folder / name).exists() else 'missing':14}{name}")
    print(f"{'not here':14}Headlines (optional)")
    return 2


def main() -> int:
    arguments = sys.argv[2:]
    if arguments[0] in ("devices", "data"):
        return answered(arguments)
    parser = argparse.ArgumentParser()
    parser.add_argument("recipe")
    for name in (
        "--data",
        "--base",
        "--device",
        "--scale",
        "--pairs",
        "--corrections",
        "--run-id",
        "--resume",
    ):
        parser.add_argument(name, default="")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--detached", action="store_true")
    parser.add_argument("--dry-run", action="store_true")
    parser.set_defaults(base="thenlper/gte-small", device="auto", scale="cpu")
    options = parser.parse_args(arguments)
    if options.dry_run:
        if options.base == "none":
            print("evenhand train: There is no encoder called none.", file=sys.stderr)
            return 2
        metrics = {"estimated_s": 7500, "estimated_memory_mib": 3174, "estimated_disk_mib": 912}
        print(json.dumps({"event": "end", "stage": "dry run", "metrics": metrics}))
        return 0
    return run(options)


if __name__ == "__main__":
    sys.exit(main())
