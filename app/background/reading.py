"""Disk reads outside the window's thread: a path that never answers (a dead network drive) must not stop the window."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QThread, Signal

CLOSE_WAIT_MS = 10_000
"""How long the end of the program waits for a thread that still works."""

_Result = TypeVar("_Result")
_left_behind: list[QThread] = []


def run_with_timeout(seconds: float, work: Callable[[], _Result]) -> _Result:
    """Run ``work`` in a thread of its own. Raises what it raises, and TimeoutError where it takes longer."""
    results: list[_Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="reading", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise TimeoutError
    return results[0]


class BackgroundRead(QObject):
    """Reads in a thread, and gives the result to the window's thread.

    Only the result of the latest read is delivered. While one read is under way, the latest waits for it.
    """

    _done = Signal(int, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._latest = 0
        self._running = 0
        self._waiting: Callable[[], Any] | None = None
        self._then: Callable[[Any], object] | None = None
        self._done.connect(self._arrived)

    def start(self, read: Callable[[], _Result], then: Callable[[_Result], object]) -> None:
        """Read; ``then`` receives the result. An error is dropped: ``read`` turns what can be said into a result."""
        self._latest += 1
        self._waiting, self._then = read, then
        if not self._running:
            self._run()

    def cancel(self) -> None:
        """Drop what is asked for; a read that does not answer is left to itself."""
        self._latest += 1
        self._running = 0
        self._waiting = self._then = None

    def _run(self) -> None:
        read, self._waiting = self._waiting, None
        assert read is not None
        number = self._running = self._latest

        def run() -> None:
            result = None
            with suppress(Exception):
                result = read()
            # The window may be gone meanwhile.
            with suppress(RuntimeError):
                self._done.emit(number, result)

        threading.Thread(target=run, name="reading", daemon=True).start()

    def _arrived(self, number: int, result: object) -> None:
        if number != self._running:
            return
        self._running = 0
        if self._waiting is not None:
            self._run()
        elif result is not None and self._then is not None:
            self._then(result)


def end_thread(thread: QThread) -> bool:
    """Wait for a thread that was told to end; returns whether it has. Otherwise it is left behind.

    ``end_program`` then has to end the program: a thread that still works cannot be destroyed.
    """
    if thread.wait(CLOSE_WAIT_MS):
        return True
    thread.setParent(None)
    _left_behind.append(thread)
    return False


def end_program(code: int) -> int:
    """Return the exit code, or end the program at once where a thread was left behind."""
    if any(thread.isRunning() for thread in _left_behind):
        os._exit(code)
    return code
