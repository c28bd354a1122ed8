"""When Python looks for garbage: while nobody types, and never in the thread that reads.

A full search in a window with a long draft takes a tenth of a second and more, and Python begins one in whatever thread
makes an object at the wrong moment. What refers to itself in a circle can wait until the person rests.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

from app.editor.editor import TextPane

_LOOK_MS = 2_000
_REST_S = 5.0
_YOUNG = 200_000


class Tidying(QObject):
    """Takes Python's own searches over until it is closed. ``pane`` tells when the person works.

    After ``_REST_S`` of rest everything is searched, once until there is work again. Where very many objects were made
    since the last search, the young ones are searched at once.
    """

    def __init__(self, pane: TextPane) -> None:
        super().__init__(pane)
        self._worked_at = time.monotonic()
        self._tidy = False
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        for sign in (pane.edited, pane.cursorPositionChanged, pane.view_moved):
            sign.connect(self._work)
        gc.disable()

    def close(self) -> None:
        """Leave the searches to Python again."""
        self._timer.stop()
        gc.enable()

    def look(self) -> None:
        """Search if it is time to."""
        if not self._tidy and time.monotonic() - self._worked_at >= _REST_S:
            gc.collect()
            self._tidy = True
        elif gc.get_count()[0] >= _YOUNG:
            gc.collect(1)

    def _work(self) -> None:
        self._worked_at = time.monotonic()
        self._tidy = False
