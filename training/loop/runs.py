"""One run of a recipe: its request, folder, locks, store record and program version, and how it ends."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol

import torch

from core.runs.folder import RunError
from core.runs.recipes import Request, model_name
from core.runs.run_store import RunStore
from core.runs.types import (
    ALIVE_LOCK,
    EVENTS,
    LOG,
    STOP_REQUEST,
    TRAINING_LOCK,
    Artefact,
    MetricPoint,
    Run,
    Status,
)
from core.storage.disk import make_private_folder
from core.storage.file_lock import FileLock
from core.storage.files import FileError
from core.storage.store import Store
from core.storage.types import StoreError
from training.corpora import ALL, OPTIONAL
from training.loop.events import Events, StoppedError
from training.loop.training_loop import TrainingError, choose_device
from training.types import checksum, locate_file, published_files

_ROOT = Path(__file__).parents[2]
_PRIVATE = ("data",)
"""Fields that are not recorded: paths on one machine say nothing of the model."""

COMMAND = "command.json"
"""The arguments with which a run was started, in its folder: it is resumed with them."""
_FLUSH_S = 5.0
_LOCK_S = 0.75
"""A process that only looks whether a lock is held takes it for a moment."""
_NO_ARTEFACTS = {ALIVE_LOCK, STOP_REQUEST, EVENTS, LOG, COMMAND}
_CHECKPOINTS = (".pt", ".new")


def describe_request(request: Request) -> dict[str, str]:
    """The fields of a request as text: a base in a folder by the folder's name and the hash of its weights."""
    settings = {
        field.name: _field_text(getattr(request, field.name))
        for field in fields(request)
        if field.name not in _PRIVATE
    }
    weights = Path(request.base) / "model.safetensors"
    if weights.is_file():
        settings["base"] = Path(request.base).name
        settings["base_sha256"] = checksum(weights)
    if "teacher" in settings:
        settings["teacher"] = model_name(settings["teacher"])
    return settings


def _field_text(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(_field_text, value))
    if isinstance(value, str) and value and Path(value).is_dir():
        return Path(value).absolute().name
    return value.name if isinstance(value, Path) else str(value)


@lru_cache(maxsize=1)
def code_version() -> str:
    """The program's version and a digest of the source of ``core`` and ``training``: equal digests are equal code."""
    try:
        number = version("evenhand")
    except PackageNotFoundError:
        number = "0"
    digest = hashlib.sha256()
    for path in sorted(path for package in ("core", "training") for path in (_ROOT / package).rglob("*.py")):
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return f"{number}+{digest.hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class RunContext:
    """A run in progress: its id, folder, device and events, and the ``settings`` that are recorded."""

    id: str
    folder: Path
    device: torch.device
    events: Events
    settings: dict[str, str] = field(default_factory=dict)

    def write_json(self, name: str, values: object) -> None:
        """Write a small file into the run's folder."""
        (self.folder / name).write_text(json.dumps(values, indent=1) + "\n", encoding="utf-8")

    @contextmanager
    def explain_write_errors(self) -> Iterator[None]:
        """Raises TrainingError, which says how to resume, where a file cannot be written inside."""
        try:
            yield
        except (FileError, OSError) as error:
            raise TrainingError(f"{error} What is there stays; resume with --resume {self.id}.") from error


class RunModule(Protocol):
    """What a recipe's module offers."""

    def check(self, request: Any) -> None:
        """Raises TrainingError for a request that cannot be run, before a run is recorded."""

    def run(self, request: Any, context: RunContext) -> object:
        """Run the recipe."""


@contextmanager
def open_run(
    recipe: str,
    request: Request,
    runs_folder: Path,
    *,
    run_id: str = "",
    resume: str = "",
    detached: bool = False,
    command: Sequence[str] = (),
) -> Iterator[RunContext]:
    """A run of ``recipe``, recorded from start to end.

    ``resume`` is the id of a run that was paused or died. ``command`` are the arguments that started it. Raises
    TrainingError where the run cannot start; whatever ends it inside is recorded and raised again.
    """
    with ExitStack() as stack:
        folder = _run_folder(runs_folder, run_id=run_id, resume=resume)
        alive = FileLock.acquire_within(folder / ALIVE_LOCK, _LOCK_S)
        if alive is None:
            raise TrainingError(f"The run {folder.name} is already in progress.")
        stack.callback(alive.release)
        store = Store.open()
        stack.callback(store.close)
        settings = describe_request(request)
        run = _new_record(recipe, request, settings, folder)
        recorder = RunRecorder(RunStore(store), run)
        training_lock = FileLock.acquire_within(runs_folder / TRAINING_LOCK, _LOCK_S)
        if training_lock is None:
            raise recorder.refuse(is_known=bool(resume))
        stack.callback(training_lock.release)
        (folder / STOP_REQUEST).unlink(missing_ok=True)
        recorder.runs.begin(run)
        stream = stack.enter_context((folder / EVENTS).open("a", encoding="utf-8", buffering=1))
        events = Events(
            folder.name,
            sinks=[lambda row: _copy(stream, row), recorder],
            stop_requested=StopRequests(folder, detached),
        )
        stack.enter_context(_handle_signals(events))
        with recorder.record_end(events):
            context = RunContext(folder.name, folder, choose_device(request.device), events, settings)
            context.write_json("request.json", settings)
            if command:
                context.write_json(COMMAND, list(command))
            events.emit(
                "start", f"{recipe}, scale {request.scale}, base {settings['base']}, {context.device}"
            )
            recorder.runs.add_data(run.id, _corpus_checksums(request.data, events))
            yield context


class StopRequests:
    """Whether the run is to stop: by a file in its folder, a signal, or the end of its parent process."""

    def __init__(self, folder: Path, detached: bool) -> None:
        self._file = folder / STOP_REQUEST
        self._parent = None if detached or sys.platform == "win32" else os.getppid()
        self.signalled = False

    def __call__(self) -> Status | None:
        """PAUSED, CANCELLED or None."""
        with suppress(OSError):
            word = self._file.read_text(encoding="utf-8").strip()
            return Status.CANCELLED if word == "cancel" else Status.PAUSED
        if self.signalled or (self._parent is not None and os.getppid() != self._parent):
            return Status.PAUSED
        return None


class RunRecorder:
    """Writes the events of a run to the store. A store that cannot be written is reported once; training continues."""

    def __init__(self, runs: RunStore, run: Run) -> None:
        self.runs = runs
        self._run = run
        self._points: list[MetricPoint] = []
        self._flushed = time.monotonic()
        self._failed = False
        self._result: dict[str, float] = {}

    def __call__(self, row: dict[str, Any]) -> None:
        """Take a row of the events."""
        event, metrics = str(row["event"]), row["metrics"]
        self._points += [
            MetricPoint(str(row["stage"]), int(row["step"]), event, name, value)
            for name, value in metrics.items()
        ]
        if event == "end":
            self._result = dict(metrics)
        if event != "step" or time.monotonic() - self._flushed > _FLUSH_S:
            self._flush(row)

    def _flush(self, row: dict[str, Any]) -> None:
        self._flushed = time.monotonic()
        try:
            self.runs.add_points(self._run.id, self._points)
            self._points.clear()
            last = {name: row[name] for name in ("stage", "step", "steps", "eta_s", "message")}
            self.runs.progress(self._run.id, **last)
        except (StoreError, RunError) as error:
            if not self._failed:
                self._failed = True
                print(f"evenhand train: {error} Training continues.", file=sys.stderr, flush=True)

    def refuse(self, *, is_known: bool) -> TrainingError:
        """The error where another training is in progress; a new run is recorded as failed."""
        message = (
            "Another training run is in progress. Wait until it ends or pause it, then start this run again."
        )
        if not is_known:
            self.runs.begin(self._run)
            self.runs.finish(self._run.id, Status.FAILED, message=message)
        return TrainingError(message)

    @contextmanager
    def record_end(self, events: Events) -> Iterator[None]:
        """Record how the run ends; the error that ended it is raised again."""
        try:
            yield
        except StoppedError as stopped:
            events.emit("end", str(stopped))
            self._finish(stopped.status, str(stopped))
            raise
        except KeyboardInterrupt:
            self._finish(Status.PAUSED, "stopped from the keyboard; resume with --resume")
            raise
        except BaseException as error:
            message = " ".join(str(error).split()) or type(error).__name__
            events.emit("error", message)
            self._finish(Status.FAILED, message)
            raise
        self._finish(Status.FINISHED, "", artefacts=_artefacts(self._run.folder))

    def _finish(self, status: Status, message: str, *, artefacts: Sequence[Artefact] = ()) -> None:
        result = self._result if status is Status.FINISHED else None
        try:
            self.runs.finish(self._run.id, status, message=message, result=result, artefacts=artefacts)
        except (StoreError, RunError) as error:
            print(f"evenhand train: {error}", file=sys.stderr, flush=True)


def _run_folder(runs: Path, *, run_id: str, resume: str) -> Path:
    if resume:
        if not (runs / resume).is_dir():
            raise TrainingError(f"There is no run {resume} in {runs}. `evenhand train runs` lists them.")
        return runs / resume
    try:
        name = str(uuid.UUID(run_id)) if run_id else str(uuid.uuid4())
    except ValueError as error:
        raise TrainingError(f"{run_id} is not a UUID. Leave out --run-id to get a random one.") from error
    folder = runs / name
    if (folder / COMMAND).exists():
        raise TrainingError(f"There is already a run {name}. Resume it with --resume {name}.")
    make_private_folder(folder)
    return folder


def _new_record(recipe: str, request: Request, settings: dict[str, str], folder: Path) -> Run:
    return Run(
        id=folder.name,
        recipe=recipe,
        status=Status.RUNNING,
        folder=folder,
        scale=request.scale,
        base=settings["base"],
        device=_device_name(request.device),
        seed=request.seed,
        code=code_version(),
        made_at=datetime.now(UTC),
        settings=settings,
    )


def _device_name(requested: str) -> str:
    """The device that ``auto`` means here; a device that is not there keeps its name."""
    with suppress(TrainingError):
        return str(choose_device(requested))
    return requested


def _copy(stream: Any, row: dict[str, Any]) -> None:
    # A full disk must not end hours of training for want of a line of its log.
    with suppress(OSError):
        stream.write(json.dumps(row, ensure_ascii=False) + "\n")


def _corpus_checksums(folder: Path, events: Events) -> dict[str, str]:
    """SHA-256 of every corpus file that is here; emits a warning for one that differs from its published form."""
    known = published_files()
    found = {}
    for facts in (*ALL, *OPTIONAL):
        for name in facts.files:
            path = locate_file(folder, name)
            if path.is_file():
                place = path.relative_to(folder).as_posix()
                found[place] = checksum(path)
                if place in known and known[place].sha256 != found[place]:
                    events.emit(
                        "warning",
                        f"{place} differs from its published form, so results may differ from published ones.",
                    )
    return found


def _artefacts(folder: Path) -> list[Artefact]:
    made = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in _NO_ARTEFACTS and path.suffix not in _CHECKPOINTS:
            place = path.relative_to(folder).as_posix()
            made.append(Artefact(place, path.stat().st_size, checksum(path)))
    return made


@contextmanager
def _handle_signals(events: Events) -> Iterator[None]:
    """A first Ctrl-C or SIGTERM pauses at the next step; a second one interrupts."""
    requests = events.stop_requested
    if threading.current_thread() is not threading.main_thread() or not isinstance(requests, StopRequests):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        if requests.signalled:
            raise KeyboardInterrupt
        requests.signalled = True

    before: list[tuple[signal.Signals, Any]] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        before.append((number, signal.signal(number, stop)))
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
