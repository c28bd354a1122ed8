"""The dialog that fetches a Wikipedia article by title or address."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from app.background.fetch_dialog import FetchDialog, FetchThread
from app.settings.settings import Settings
from app.widgets.layouts import make_column
from app.widgets.plain_text import PlainLabel
from core.i18n import tr
from core.network.https import FetchCancelled
from core.network.wikipedia import Article, ArticleRef, WikipediaError, fetch_article, parse_article_ref

_KILOBYTE = 1024


class ArticleFetch(FetchThread):
    """Fetches one ``Article``. ``progress``: the number of the fetch and the bytes read so far."""

    progress = Signal(int, int)

    def __init__(self, number: int, place: ArticleRef, *, parent: QObject, base: str = "") -> None:
        super().__init__(number, parent=parent)
        self.setObjectName("wikipedia")
        self._place = place
        self._base = base

    def run(self) -> None:
        """Fetch, and emit the result unless it was cancelled."""
        try:
            article = fetch_article(
                self._place, call=self.call, on_progress=self._report_progress, base=self._base
            )
        except FetchCancelled:
            return
        except WikipediaError as error:
            if not self.call.cancelled:
                self.failed.emit(self._number, str(error))
            return
        if not self.call.cancelled:
            self.succeeded.emit(self._number, article)

    def _report_progress(self, size: int) -> None:
        self.progress.emit(self._number, size)


class WikipediaDialog(FetchDialog):
    """Asks for the article and for permission. ``fetched``: an ``Article``. Nothing is sent before *Open*."""

    fetched = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None, *, base: str = "") -> None:
        super().__init__(settings, "wikipedia", parent)
        self.setWindowTitle(tr("Open a Wikipedia article"))
        self._base = base
        self.field.setPlaceholderText(tr("Toronto Star, de:Köln, or the article’s address"))
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 56)
        label = PlainLabel(tr("&Title or address"))
        label.setBuddy(self.field)
        self.field.setAccessibleName(tr("Title or address of the article"))
        self.permission_box.setText(tr("&Allow Evenhand to fetch articles from Wikipedia"))
        self._bar.setAccessibleName(tr("Fetching the article"))
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self._buttons.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setDefault(True)
        self._buttons.accepted.connect(self._ask)
        self._buttons.rejected.connect(self.reject)
        make_column(
            label,
            self.field,
            self._sent,
            self.permission_box,
            self._bar,
            self._problem,
            None,
            self._buttons,
            parent=self,
            spacing=10,
            margins=None,
        )
        self._begin()

    def _show_state(self) -> None:
        host = ""
        if self.field.text().strip():
            try:
                host = parse_article_ref(self.field.text()).host
            except WikipediaError:
                host = ""
        self._sent.setText(
            tr("Sent to {host} when you open it: the title. Your drafts are never sent.").format(
                host=host or "en.wikipedia.org"
            )
        )
        self.permission_box.setEnabled(not self.fetching)
        ready = bool(self.field.text().strip()) and self.permission_box.isChecked() and not self.fetching
        self.open_button.setEnabled(ready)

    def _ask(self) -> None:
        if not self.open_button.isEnabled():
            return
        try:
            place = parse_article_ref(self.field.text())
        except WikipediaError as error:
            self._show_problem(str(error))
            return
        self._settings.set(self._permission, True)
        self._fetch(lambda number: self._create_fetch(number, place))

    def _create_fetch(self, number: int, place: ArticleRef) -> ArticleFetch:
        thread = ArticleFetch(number, place, parent=self, base=self._base)
        thread.progress.connect(self._show_progress)
        return thread

    def _on_fetched(self, number: int, fetched: object) -> None:
        if self._accept_if_current(number):
            self.fetched.emit(fetched)

    def _show_progress(self, number: int, size: int) -> None:
        if self._is_current(number):
            self._bar.setAccessibleDescription(tr("{size} KB").format(size=f"{size // _KILOBYTE:,}"))


def provenance(article: Article) -> str:
    """A note about an opened article: source, revision and licence."""
    source = tr("“{title}” from {host}, revision {revision} of {day}.").format(
        title=article.place.title,
        host=article.place.host,
        revision=article.revision,
        day=article.timestamp[:10],
    )
    licence = tr("Its text is under {licence}.").format(licence=article.licence) if article.licence else ""
    hint = tr("When you are done: Edit ▸ Copy whole text, and Compare for the edit summary.")
    return " ".join(part for part in (source, licence, hint) if part)
