"""Where a model is lacking: a line above the text that says so, and the ways to one, which the settings offer too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from app.models.model_import import Brought, bring_path, sentence
from core.i18n import tr

if TYPE_CHECKING:
    from app.background.store import Storing
    from app.models.download_dialog import GetDialog
    from app.settings.settings import Settings
    from app.widgets.message_bars import ChoiceBar

_SAID = {
    frozenset({"reader"}): tr(
        "The reader, which finds wording that is not neutral, is missing or damaged, so nothing is marked."
    ),
    frozenset({"rewriter"}): tr(
        "The rewriter, which offers other wordings, is missing or damaged. Findings go on working."
    ),
    frozenset({"reader", "rewriter"}): tr(
        "The models are missing or damaged, so nothing is marked and no other wording is offered."
    ),
}
_CHOICES = {
    "folder": (tr("Import a &folder…"), tr("Add a model that lies in a folder on this computer")),
    "get": (tr("&Get the models…"), tr("Fetch the models from an address, or take them from an archive")),
    "later": (tr("Not now"), tr("Write without it; the line comes back at the next start")),
}


class Incoming(QObject):
    """Belongs to one window. ``use`` has other models read from now on.

    ``told``: what came of it; ``brought``: models came to the shelf.
    """

    told = Signal(str)
    brought = Signal()

    def __init__(
        self,
        window: QWidget,
        bar: ChoiceBar,
        *,
        settings: Settings,
        storing: Storing,
        use: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._bar = bar
        self._settings, self._storing, self._use = settings, storing, use
        self._dialog: GetDialog | None = None
        self._lacking: set[str] = set()
        bar.chosen.connect(self._chosen)

    def lacking(self, role: str) -> None:
        """Say, once, that there is no model of this role that works, and what can be done."""
        if role in self._lacking:
            return
        self._lacking.add(role)
        if role == "reader" and not _has_rewriter():
            self._lacking.add("rewriter")
        self._bar.show_choices(_SAID[frozenset(self._lacking)], _CHOICES)

    def look_again(self) -> None:
        """Other models may be there now: what still lacks is said anew."""
        self._lacking.clear()
        self._bar.hide()

    def works(self) -> None:
        """The reader works."""
        if "reader" in self._lacking:
            self.look_again()

    def get(self) -> None:
        """Ask where the models are; nothing is sent before a person says so in the dialog."""
        from app.models.download_dialog import GetDialog

        if self._dialog is None:
            self._dialog = GetDialog(self._settings, lambda: self._storing.store, self._window)
            self._dialog.brought.connect(self._brought)
        self._dialog.ask_again()

    def close(self) -> None:
        """Close the dialog and join what it fetches."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.join()

    def _chosen(self, choice: str) -> None:
        match choice:
            case "folder":
                self._import()
            case "get":
                self.get()
            case "later":
                self._bar.hide()

    def _import(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self._window, tr("The folder of a model"))
        if not chosen:
            return
        if self._storing.failed:
            self.told.emit(tr("The store cannot be opened, so the models stay as they are."))
            return
        folder = Path(chosen)
        self._storing.ask(
            lambda store: bring_path(store, folder),
            self._brought,
            lambda error: self.told.emit(sentence(error)),
        )

    def _brought(self, brought: Brought) -> None:
        if brought.used:
            self._use()
        self.brought.emit()
        self.told.emit(brought.told)


def _has_rewriter() -> bool:
    from core.bundles.manifest import DESCRIPTION
    from core.models.active import active_folder

    return (active_folder("rewriter") / DESCRIPTION).is_file()
