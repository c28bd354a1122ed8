"""Models from outside that have crashed the program: recorded while it crashes, and known to the next start.

While such a model is in use, ``faulthandler`` has a file open to which it writes the Python stacks when the process
crashes. The next start finds the file of a process that is gone. A model is to blame where the thread that crashed was
in its reading; a process that was killed from outside wrote nothing, and blames nobody.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import re
import secrets
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.paths import data_folder
from core.storage.file_lock import FileLock

FOLDER = "crashes"
"""The folder in the user's data folder: a log for each process, and an empty file for each model that has crashed."""

_LOG, _LOCK, _CRASHED = ".log", ".lock", ".crashed"
_FATAL = re.compile(r"^(?:Fatal Python error|Windows fatal exception): ", re.MULTILINE)
_THREAD = re.compile(r"^(Current thread|Thread) .*:$", re.MULTILINE)
_FILE = re.compile(r'^ +File "([^"]*)"', re.MULTILINE)
_PLACES = {
    "reader": ("core/engine/reader.py", "core/engine/onnx_session.py"),
    "rewriter": ("core/rewriting/rewriter.py",),
}
"""The modules that load and run a model of a role."""


class _Recorder:
    """The log of this process."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._path: Path | None = None
        self._log: IO[str] | None = None
        self._lock: FileLock | None = None

    def add(self, role: str, bundle_id: str) -> None:
        with self._mutex:
            folder = data_folder() / FOLDER
            if self._path is None or self._path.parent != folder:
                self._close()
                self._open(folder)
            if self._log is not None:
                self._log.write(f"{role} {bundle_id}\n")
                self._log.flush()

    def close(self) -> None:
        with self._mutex:
            self._close()

    def _open(self, folder: Path) -> None:
        name = f"{os.getpid()}-{secrets.token_hex(4)}"
        self._lock = FileLock.acquire(folder / f"{name}{_LOCK}")
        path = folder / f"{name}{_LOG}"
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        self._log, self._path = os.fdopen(descriptor, "a", encoding="utf-8"), path
        faulthandler.enable(self._log, all_threads=True)

    def _close(self) -> None:
        if self._log is not None:
            faulthandler.disable()
            self._log.close()
        if self._path is not None:
            with suppress(OSError):
                self._path.unlink()
        if self._lock is not None:
            self._lock.release()
        self._log = self._lock = self._path = None


_recorder = _Recorder()
atexit.register(_recorder.close)


def record_crashes(role: str, bundle_id: str) -> None:
    """Have a crash of this process recorded for this model, which it is about to load."""
    with suppress(OSError):
        _recorder.add(role, bundle_id)


def stop_recording() -> None:
    """No model from outside is in use any more."""
    _recorder.close()


def has_crashed(bundle_id: str) -> bool:
    """Whether this model has crashed the program since it was last promoted."""
    folder = data_folder() / FOLDER
    with suppress(OSError):
        _collect(folder)
    return _mark(folder, bundle_id).is_file()


def forget_crashes(bundle_id: str) -> None:
    """The model was tried out again, or is gone."""
    with suppress(OSError):
        _mark(data_folder() / FOLDER, bundle_id).unlink()


def _mark(folder: Path, bundle_id: str) -> Path:
    return folder / f"{Path(bundle_id).name}{_CRASHED}"


def _collect(folder: Path) -> None:
    """Turn the logs of processes that are gone into marks of the models that they blame."""
    for log in [*folder.glob(f"*{_LOG}")]:
        lock = FileLock.acquire(log.with_suffix(_LOCK))
        if lock is None:
            continue
        try:
            for bundle_id in _blamed(log.read_text(encoding="utf-8", errors="replace")):
                _mark(folder, bundle_id).touch(0o600)
            log.unlink()
        finally:
            lock.release()


def _blamed(log: str) -> list[str]:
    """The models that the process had loaded and that crashed it."""
    fatal = _FATAL.search(log)
    if fatal is None:
        return []
    models = dict(line.split(" ", 1) for line in log[: fatal.start()].splitlines() if " " in line)
    _, *parts = _THREAD.split(log[fatal.start() :])
    threads = [*zip(parts[::2], parts[1::2], strict=True)]
    crashed = [stack for kind, stack in threads if kind == "Current thread"] or [
        stack for _, stack in threads
    ]
    files = [path.replace("\\", "/") for stack in crashed for path in _FILE.findall(stack)]
    return [
        bundle_id
        for role, bundle_id in models.items()
        if any(path.endswith(_PLACES.get(role, ())) for path in files)
    ]
