"""The store behind the window: opened in the background once the window is seen, and asked there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import Background, said
from core.i18n import tr
from core.storage.data_version import NewerDataError

if TYPE_CHECKING:
    from core.storage.store import Store


class Storing(QObject):
    """Opens the store and passes questions to it, one after the other.

    ``opened``: ``store`` is there, once; or ``unavailable``: it never will be. ``told``: a message for the bar, why it
    is not or what was found in it.
    """

    opened = Signal()
    unavailable = Signal()
    told = Signal(str)

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: Store | None = None
        self._background = background
        self._waiting: list[Callable[[Store], object]] = []
        self.failed = False
        self._closed = False

    def open(self, *, days: int, settings: str = "") -> None:
        """Open the store, and remove what is older than ``days`` from it. Nothing waits for it.

        ``settings`` are kept as they are where the store was made by an older Evenhand.
        """

        def opening() -> Store:
            from core.storage.store import Store

            store = Store.open(settings=settings)
            store.prune(days)
            return store

        self._background.submit(opening, self._opened, self._not_opened)

    def ask(
        self,
        question: Callable[[Store], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Have ``question`` answered in the background, once the store is open; never where it cannot be opened."""
        store = self.store
        if store is not None:
            self._background.submit(lambda: question(store), then, failed)
        elif not self.failed:
            self._waiting.append(lambda store: self._background.submit(lambda: question(store), then, failed))

    def prune(self, days: int) -> None:
        """Remove the versions that are older than ``days`` now."""
        self.ask(lambda store: store.prune(days))

    def close(self) -> None:
        """Close the store after all that was asked. The background is to be closed next, which waits for it."""
        self._closed = True
        self._waiting.clear()
        if self.store is not None:
            self._background.submit(self.store.close)

    def _opened(self, store: Store) -> None:
        if self._closed:
            store.close()
            return
        self.store = store
        if store.notes:
            self.told.emit("\n".join(store.notes))
        self.opened.emit()
        for asked in self._waiting:
            asked(store)
        self._waiting.clear()

    def _not_opened(self, error: Exception) -> None:
        self.failed = True
        self._waiting.clear()
        self.unavailable.emit()
        if isinstance(error, NewerDataError):
            then = tr(
                "Until then no versions of your drafts are kept, and the models that came with Evenhand are used. All "
                "else works."
            )
        else:
            then = tr("Until then no versions of your drafts are kept. All else works.")
        self.told.emit(f"{said(error)} {then}")
