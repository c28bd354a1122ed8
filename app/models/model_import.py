"""Adding models to the registry in the background, and the result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.background.fetch_dialog import FetchThread
from app.background.jobs import describe_error
from core.bundles.manifest import BundleError
from core.i18n import tr
from core.models.types import InstalledModel, ModelError
from core.network.download import HTTPS
from core.network.https import FetchCancelled

if TYPE_CHECKING:
    from core.models.registry import ModelRegistry
    from core.storage.store import Store


@dataclass(frozen=True, slots=True)
class ImportResult:
    """Models that were added, and those of them that are active now because none of their role worked."""

    added: tuple[InstalledModel, ...]
    activated: tuple[InstalledModel, ...]

    @property
    def message(self) -> str:
        """The result in one sentence per model."""
        active_text = tr("{title} is in use now.")
        added_text = tr("{title} was added. To use it, choose it in the settings under Models and training.")
        activated = {model.id for model in self.activated}
        return "\n".join(
            (active_text if model.id in activated else added_text).format(title=model.title)
            for model in self.added
        )


def import_path(
    store: Store, path: Path, *, sha256: str = "", cancelled: Callable[[], bool] = lambda: False
) -> ImportResult:
    """Add the models of a folder or an archive. Raises ModelError, BundleError and StoreError."""
    from core.models.model_import import import_models
    from core.models.registry import ModelRegistry

    registry = ModelRegistry(store)
    return _activate_where_missing(
        registry, import_models(registry, path, sha256=sha256, cancelled=cancelled)
    )


def _activate_where_missing(registry: ModelRegistry, added: Sequence[InstalledModel]) -> ImportResult:
    from core.models.model_import import promote_where_missing

    return ImportResult(tuple(added), tuple(promote_where_missing(registry, added)))


def error_message(error: Exception) -> str:
    """The message for an error of the registry or of the store."""
    return str(error) if isinstance(error, ModelError | BundleError) else describe_error(error)


class DownloadThread(FetchThread):
    """Adds models from an address or an archive; the result is an ``ImportResult``.

    ``progressed`` carries the number of the fetch, the bytes downloaded and the total.
    """

    progressed = Signal(int, object, object)

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
        """Add the models and report the outcome, unless it was cancelled."""
        try:
            result = self._import()
        except FetchCancelled:
            return
        except Exception as error:
            if not self.call.cancelled:
                self.failed.emit(self._number, error_message(error))
            return
        self.succeeded.emit(self._number, result)

    def _import(self) -> ImportResult:
        from core.models.model_import import download_models
        from core.models.registry import ModelRegistry

        if isinstance(self._source, Path):
            call = self.call
            return import_path(
                self._store, self._source, sha256=self._sha256, cancelled=lambda: call.cancelled
            )
        registry = ModelRegistry(self._store)
        added = download_models(
            registry,
            self._source,
            sha256=self._sha256,
            on_progress=lambda done, total: self.progressed.emit(self._number, done, total),
            call=self.call,
            schemes=self._schemes,
        )
        return _activate_where_missing(registry, added)
