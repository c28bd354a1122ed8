"""Runs Python's garbage collection while nobody types, and never in a worker thread.

A full collection with a long draft open takes a tenth of a second or more, and Python starts one in whatever thread
allocates at the wrong moment. Reference cycles can wait until typing pauses.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

from app.editor.editor import TextEditor

_CHECK_MS = 2_000
_IDLE_S = 5.0
_MAX_YOUNG_OBJECTS = 200_000


class GarbageCollector(QObject):
    """Replaces Python's automatic collection until it is closed. ``editor`` tells when the person works.

    After ``_IDLE_S`` without work there is one full collection. If very many objects were allocated since the last
    collection, the young generations are collected at once.
    """

    def __init__(self, editor: TextEditor) -> None:
        super().__init__(editor)
        self._last_activity = time.monotonic()
        self._collected = False
        self._timer = QTimer(self, interval=_CHECK_MS)
        self._timer.timeout.connect(self.collect_if_due)
        self._timer.start()
        for signal in (editor.edited, editor.cursorPositionChanged, editor.visible_range_changed):
            signal.connect(self._note_activity)
        gc.disable()

    def close(self) -> None:
        """Turn Python's automatic collection on again."""
        self._timer.stop()
        gc.enable()

    def collect_if_due(self) -> None:
        """Collect if the person has paused, or if there are very many young objects."""
        if not self._collected and time.monotonic() - self._last_activity >= _IDLE_S:
            gc.collect()
            self._collected = True
        elif gc.get_count()[0] >= _MAX_YOUNG_OBJECTS:
            gc.collect(1)

    def _note_activity(self) -> None:
        self._last_activity = time.monotonic()
        self._collected = False
