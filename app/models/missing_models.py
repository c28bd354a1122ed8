"""The notice above the text that a model is missing, with ways to get one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.models.model_import import ImportResult, error_message, import_path
from core.i18n import tr

if TYPE_CHECKING:
    from app.background.store import StoreAccess
    from app.models.download_dialog import DownloadDialog
    from app.settings.settings import Settings
    from app.widgets.message_bars import ChoiceBar

_MESSAGES = {
    frozenset({"reader"}): tr(
        "The reader, which finds biased wording, is missing or damaged, so nothing is marked."
    ),
    frozenset({"rewriter"}): tr(
        "The rewriter, which makes suggestions, is missing or damaged. Findings are not affected."
    ),
    frozenset({"reader", "rewriter"}): tr(
        "The models are missing or damaged, so nothing is marked, and there are no suggestions."
    ),
}
_CHOICES = {
    "folder": (tr("Import a &folder…"), tr("Add a model from a folder on this computer")),
    "get": (tr("&Download models…"), tr("Download models from an address, or import them from an archive")),
    "later": (tr("Not now"), tr("Hide this message until the next start")),
}


class MissingModels(QObject):
    """Belongs to one window. ``reload_models`` analyses everything again with the active models.

    ``message`` carries the outcome; ``models_added``: models were added to the registry.
    """

    message = Signal(str)
    models_added = Signal()

    def __init__(
        self,
        window: QWidget,
        bar: ChoiceBar,
        *,
        settings: Settings,
        store_access: StoreAccess,
        reload_models: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bar = bar
        self._settings, self._store_access, self._reload_models = settings, store_access, reload_models
        self._dialog: DownloadDialog | None = None
        self._missing: set[str] = set()
        bar.chosen.connect(self._choice_made)

    def report_missing(self, role: str) -> None:
        """Show, once per role, that no working model of this role is there, and what can be done."""
        if role in self._missing:
            return
        self._missing.add(role)
        if role == "reader" and not _has_rewriter():
            self._missing.add("rewriter")
        self._bar.show_choices(_MESSAGES[frozenset(self._missing)], _CHOICES)

    def clear(self) -> None:
        """Other models may be active: forget the reports."""
        self._missing.clear()
        self._bar.hide()

    def reader_loaded(self) -> None:
        """The reader works."""
        if "reader" in self._missing:
            self.clear()

    def open_download_dialog(self) -> None:
        """Show the download dialog; nothing is sent before the person confirms."""
        from app.models.download_dialog import DownloadDialog

        if self._dialog is None:
            self._dialog = DownloadDialog(self._settings, lambda: self._store_access.store, self._window)
            self._dialog.models_added.connect(self._models_imported)
        self._dialog.reopen()

    def close(self) -> None:
        """Close the dialog and wait for its threads."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.wait_for_threads()

    def _choice_made(self, choice: str) -> None:
        match choice:
            case "folder":
                self._import_folder()
            case "get":
                self.open_download_dialog()
            case "later":
                self._bar.hide()

    def _import_folder(self) -> None:
        folder_name = QFileDialog.getExistingDirectory(self._window, tr("Folder of a model"))
        if not folder_name:
            return
        if self._store_access.failed:
            self.message.emit(tr("Evenhand’s database cannot be opened, so the models cannot be changed."))
            return
        folder = Path(folder_name)
        self._store_access.ask(
            lambda store: import_path(store, folder),
            self._models_imported,
            lambda error: self.message.emit(error_message(error)),
        )

    def _models_imported(self, result: ImportResult) -> None:
        if result.activated:
            self._reload_models()
        self.models_added.emit()
        self.message.emit(result.message)


def _has_rewriter() -> bool:
    from core.bundles.manifest import MANIFEST
    from core.models.active import active_folder

    return (active_folder("rewriter") / MANIFEST).is_file()
