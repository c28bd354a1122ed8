"""Access to the store: opened in the background once the window is shown, and queried there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.background.jobs import JobQueue, describe_error
from core.i18n import tr
from core.storage.data_version import NewerDataError

if TYPE_CHECKING:
    from core.storage.store import Store


class StoreAccess(QObject):
    """Opens the store and runs queries on it, one after another.

    ``opened``: ``store`` is set, once; or ``unavailable``: it cannot be opened. ``message``: a text for the message
    bar, on why it cannot be opened or what was repaired.
    """

    opened = Signal()
    unavailable = Signal()
    message = Signal(str)

    def __init__(self, background: JobQueue, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.store: Store | None = None
        self._background = background
        self._waiting: list[Callable[[Store], object]] = []
        self.failed = False
        self._closed = False

    def open(self, *, days: int, settings: str = "") -> None:
        """Open the store in the background, and prune its versions, which are kept for ``days``.

        ``settings`` are backed up with the data if the store was written by an older Evenhand.
        """

        def open_store() -> Store:
            from core.storage.store import Store

            store = Store.open(settings=settings)
            store.prune(days)
            return store

        self._background.submit(open_store, self._opened, self._not_opened)

    def ask(
        self,
        query: Callable[[Store], Any],
        then: Callable[[Any], object] | None = None,
        failed: Callable[[Exception], object] | None = None,
    ) -> None:
        """Run a query in the background, once the store is open; drop it if the store cannot be opened."""
        store = self.store
        if store is not None:
            self._background.submit(lambda: query(store), then, failed)
        elif not self.failed:
            self._waiting.append(lambda store: self._background.submit(lambda: query(store), then, failed))

    def prune(self, days: int) -> None:
        """Prune the versions, which are kept for ``days`` from now on."""
        self.ask(lambda store: store.prune(days))

    def close(self) -> None:
        """Close the store after all queries. Close the job queue next: it waits for that."""
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
            self.message.emit("\n".join(store.notes))
        self.opened.emit()
        for submit in self._waiting:
            submit(store)
        self._waiting.clear()

    def _not_opened(self, error: Exception) -> None:
        self.failed = True
        self._waiting.clear()
        self.unavailable.emit()
        if isinstance(error, NewerDataError):
            consequence = tr(
                "Until then no versions of your drafts are kept, and the models that came with Evenhand are used. "
                "Everything else works."
            )
        else:
            consequence = tr("Until then no versions of your drafts are kept. Everything else works.")
        self.message.emit(f"{describe_error(error)} {consequence}")
