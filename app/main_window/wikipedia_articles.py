"""Wikipedia articles in the window: opened as a new draft, and taken back as text with a summary of the edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication

from app.documents.session import Session
from core.documents.types import Format
from core.i18n import tr

if TYPE_CHECKING:
    from app.documents.document_controller import Drafts
    from app.documents.wikipedia_dialog import WikipediaDialog
    from app.main_window.layout import Shell
    from core.network.wikipedia import Article


class Articles(QObject):
    """Belongs to one window. ``told``: a passing message."""

    told = Signal(str)

    def __init__(self, window: Shell, drafts: Drafts) -> None:
        super().__init__(window)
        self._window = window
        self._drafts = drafts
        self._dialog: WikipediaDialog | None = None

    def open(self) -> None:
        """Ask which article; nothing is sent before a person says so in the dialog."""
        from app.documents.wikipedia_dialog import WikipediaDialog

        if self._dialog is None:
            self._dialog = WikipediaDialog(self._window.settings, self._window)
            self._dialog.fetched.connect(self.take)
        self._dialog.ask_again()

    def take(self, article: Article) -> None:
        """Put an article in as a new draft, if the present one may go."""
        from app.documents.wikipedia_dialog import provenance

        self._drafts.begin(
            Session(
                name=article.place.title,
                source=article.wikitext,
                format=Format.WIKITEXT,
                notes=(provenance(article),),
            )
        )

    def copy_whole(self) -> None:
        """Copy the whole draft as it would be saved."""
        QGuiApplication.clipboard().setText(self._window.pane.text())
        self.told.emit(tr("The whole draft is on the clipboard."))

    def close(self) -> None:
        """Close the dialog and join what it fetches."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.join()
