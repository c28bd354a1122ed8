"""What the sections of the training room share: the store, the background, the window, and news for each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

if TYPE_CHECKING:
    from app.window import MainWindow
    from core.store.store import Store


class Desk(QObject):
    """The way of a section to the rest of the app. It lives as long as the room on the screen.

    ``runs_changed``: runs were begun, ended or removed. ``models_changed``: another model is active, or one came to the
    shelf or left it. ``told``: a sentence for the person, shown above the sections.
    """

    runs_changed = Signal()
    models_changed = Signal()
    told = Signal(str)

    def __init__(self, window: MainWindow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.window = window

    @property
    def store(self) -> Store | None:
        """The store; None until it is open, and where it cannot be opened."""
        return self.window.store

    def submit(
        self,
        job: Callable[[], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Have ``job`` done in the background; ``then`` gets its result, ``failed`` its error, both in this thread.

        ``job`` must not touch a widget. An error that nobody waits for is told in the window. An answer that comes when
        the room is gone is dropped; the job itself is done.
        """
        self.window.background.submit(job, self._while_here(then), self._while_here(failed))

    def ask(
        self,
        question: Callable[[Store], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Have a question to the store answered in the background, once it is open; never where it cannot be opened."""
        self.window.storing.ask(question, self._while_here(then), self._while_here(failed))

    def _while_here(self, call: Callable[[Any], object] | None) -> Callable[[Any], object] | None:
        if call is None:
            return None
        return lambda value: call(value) if isValid(self) else None
