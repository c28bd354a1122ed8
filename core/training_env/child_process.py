"""A child process whose output is followed line by line, and which is ended with all of its own children."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

NO_CONSOLE: dict[str, Any] = {}
"""Arguments for `subprocess` that keep a console window from opening on Windows."""
_GROUP: dict[str, Any] = {"start_new_session": True}
if sys.platform == "win32":
    NO_CONSOLE = {"creationflags": subprocess.CREATE_NO_WINDOW}
    _GROUP = {"creationflags": subprocess.CREATE_NO_WINDOW | subprocess.CREATE_NEW_PROCESS_GROUP}
_GRACE_S = 3.0


class InstallerProcess:
    """A process in a group of its own. Use it in a ``with`` block, at whose end the whole group is ended.

    ``code`` is its exit code once `lines` has ended. Raises OSError where it cannot be started.
    """

    def __init__(self, command: Sequence[str], *, variables: Mapping[str, str], folder: Path) -> None:
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=dict(variables),
            cwd=folder,
            **_GROUP,
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._listener = threading.Thread(target=self._listen, name="installer", daemon=True)
        self._listener.start()
        self.code: int | None = None

    def __enter__(self) -> InstallerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def lines(self, interval_s: float) -> Iterator[str]:
        """The lines of its output until it ends; an empty one after every ``interval_s`` seconds without output."""
        while True:
            try:
                line = self._lines.get(timeout=interval_s)
            except queue.Empty:
                yield ""
                continue
            if line is None:
                self.code = self._process.wait()
                return
            yield line

    def end(self) -> None:
        """Terminate, then kill, the process and its children. Does nothing where it has ended by itself."""
        if self.code is None:
            if self._process.poll() is None:
                self._signal(forced=False)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self._process.wait(_GRACE_S)
            # Its own children may outlive it, and hold the pipe open.
            self._signal(forced=True)
            self._process.wait()
        self._listener.join()

    def _signal(self, *, forced: bool) -> None:
        if sys.platform == "win32":
            if self._process.poll() is None:
                tree = ["taskkill", "/T", "/F", "/PID", str(self._process.pid)]
                subprocess.run(tree, capture_output=True, check=False, **NO_CONSOLE)
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL if forced else signal.SIGTERM)

    def _listen(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream, contextlib.suppress(ValueError, OSError):
            for line in stream:
                # Installers end the lines of a progress bar with a bare carriage return.
                if text := line.rstrip().rpartition("\r")[2]:
                    self._lines.put(text)
        self._lines.put(None)


def capture_output(command: Sequence[str], *, variables: Mapping[str, str], timeout_s: float) -> str | None:
    """The output of a short command; None where it cannot be run, fails, or does not end in time."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            errors="replace",
            env=dict(variables),
            timeout=timeout_s,
            check=False,
            **NO_CONSOLE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
