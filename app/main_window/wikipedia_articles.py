"""Opening Wikipedia articles as drafts, and copying the whole draft to paste it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.documents.document_controller import DocumentController
from app.documents.session import Session
from app.editor.editor import TextEditor
from app.settings.settings import Settings
from core.documents.types import Format
from core.i18n import tr

if TYPE_CHECKING:
    from app.documents.wikipedia_dialog import WikipediaDialog
    from core.network.wikipedia import Article


class WikipediaArticles(QObject):
    """Opens articles in one window. ``status_message``: a text for the status bar."""

    status_message = Signal(str)

    def __init__(
        self, window: QWidget, editor: TextEditor, settings: Settings, *, documents: DocumentController
    ) -> None:
        super().__init__(window)
        self._window, self._editor, self._settings = window, editor, settings
        self._documents = documents
        self._dialog: WikipediaDialog | None = None

    def open(self) -> None:
        """Ask which article to open; nothing is sent before that is confirmed in the dialog."""
        from app.documents.wikipedia_dialog import WikipediaDialog

        if self._dialog is None:
            self._dialog = WikipediaDialog(self._settings, self._window)
            self._dialog.fetched.connect(self.open_article)
        self._dialog.reopen()

    def open_article(self, article: Article) -> None:
        """Open an article as a new draft, unless the person keeps the present one."""
        from app.documents.wikipedia_dialog import provenance

        self._documents.show_session(
            Session(
                name=article.place.title,
                source=article.wikitext,
                format=Format.WIKITEXT,
                notes=(provenance(article),),
            )
        )

    def copy_whole(self) -> None:
        """Copy the whole draft as it would be saved."""
        QGuiApplication.clipboard().setText(self._editor.text())
        self.status_message.emit(tr("The whole draft was copied."))

    def close(self) -> None:
        """Close the dialog and stop what it fetches."""
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.wait_for_threads()
