"""What brings models to the shelf away from the window's thread, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.fetch_dialog import Fetch
from app.background.jobs import said
from core.bundles.manifest import BundleError
from core.i18n import tr
from core.models.types import Installed, ShelfError
from core.network.download import HTTPS
from core.network.https import Stopped

if TYPE_CHECKING:
    from core.models.registry import Shelf
    from core.storage.store import Store


@dataclass(frozen=True, slots=True)
class Brought:
    """Models that came to the shelf, and which of them are in use now because none worked before."""

    added: tuple[Installed, ...]
    used: tuple[Installed, ...]

    @property
    def told(self) -> str:
        """What a person is told of it, one sentence a line."""
        in_use = tr("{title} is in use now.")
        waits = tr(
            "{title} is here now. To have it used, choose it in the settings under Models and training."
        )
        used = {one.id for one in self.used}
        return "\n".join((in_use if one.id in used else waits).format(title=one.title) for one in self.added)


def bring_path(
    store: Store, path: Path, *, sha256: str = "", cancelled: Callable[[], bool] = lambda: False
) -> Brought:
    """Put what lies in a folder or an archive on the shelf. Raises ShelfError, BundleError and StoreError."""
    from core.models.model_import import bring
    from core.models.registry import Shelf

    shelf = Shelf(store)
    return _used(shelf, bring(shelf, path, sha256=sha256, cancelled=cancelled))


def _used(shelf: Shelf, added: Sequence[Installed]) -> Brought:
    from core.models.model_import import use_where_lacking

    return Brought(tuple(added), tuple(use_where_lacking(shelf, added)))


def sentence(error: Exception) -> str:
    """What is told of an error of the shelf or of the store."""
    return str(error) if isinstance(error, ShelfError | BundleError) else said(error)


class Getting(Fetch):
    """Gets models, a ``Brought``, from an address or an archive.

    ``came_on``: the number of the fetch, the bytes that are here and those of the whole.
    """

    came_on = Signal(int, object, object)

    def __init__(
        self,
        number: int,
        store: Store,
        *,
        source: str | Path,
        sha256: str,
        parent: QObject,
        schemes: frozenset[str] = HTTPS,
    ) -> None:
        super().__init__(number, parent=parent)
        self.setObjectName("models")
        self._store = store
        self._source = source
        self._sha256 = sha256
        self._schemes = schemes

    def run(self) -> None:
        """Get them, and say how it went unless it was cancelled."""
        try:
            brought = self._brought()
        except Stopped:
            return
        except Exception as error:
            if not self.call.ended:
                self.failed.emit(self._number, sentence(error))
            return
        self.came.emit(self._number, brought)

    def _brought(self) -> Brought:
        from core.models.model_import import get
        from core.models.registry import Shelf

        if isinstance(self._source, Path):
            ended = self.call
            return bring_path(self._store, self._source, sha256=self._sha256, cancelled=lambda: ended.ended)
        shelf = Shelf(self._store)
        added = get(
            shelf,
            self._source,
            sha256=self._sha256,
            told=lambda done, total: self.came_on.emit(self._number, done, total),
            call=self.call,
            schemes=self._schemes,
        )
        return _used(shelf, added)
