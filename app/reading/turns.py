"""Long work of the window in small steps, between which keys and paints have their turn."""

from __future__ import annotations

import time
from collections.abc import Iterator

from PySide6.QtCore import QObject, QTimer

_BUDGET_S = 0.004
_REST_MS = 5


class Turns(QObject):
    """Goes through one iterator, a few milliseconds at a time; another one takes its place."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._steps: Iterator[None] = iter(())
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_REST_MS)
        self._timer.timeout.connect(self._go_on)

    def start(self, steps: Iterator[None]) -> None:
        """Begin with ``steps`` when the loop has its turn; what was not done of others is dropped."""
        self._steps = steps
        self._timer.start()

    def stop(self) -> None:
        """Drop what is not done."""
        self._timer.stop()
        self._steps = iter(())

    def _go_on(self) -> None:
        steps, end = self._steps, time.perf_counter() + _BUDGET_S
        for _ in steps:
            if steps is not self._steps:
                return
            if time.perf_counter() >= end:
                self._timer.start()
                return
