"""Opening a Wikipedia article: asked for by title or address, fetched beside the window, put in as a new draft."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from app.background.fetch_dialog import Fetch, FetchDialog
from app.settings.settings import Settings
from core.i18n import tr
from core.network.https import Stopped
from core.network.wikipedia import Article, Place, WikipediaError, fetch, place_of

_KILOBYTE = 1024


class Fetching(Fetch):
    """Fetches one ``Article``. ``read``: the number of the fetch, and the bytes read so far."""

    read = Signal(int, int)

    def __init__(self, number: int, place: Place, *, parent: QObject, base: str = "") -> None:
        super().__init__(number, parent=parent)
        self.setObjectName("wikipedia")
        self._place = place
        self._base = base

    def run(self) -> None:
        """Fetch, and say how it went unless it was cancelled."""
        try:
            article = fetch(self._place, call=self.call, told=self._told, base=self._base)
        except Stopped:
            return
        except WikipediaError as error:
            if not self.call.ended:
                self.failed.emit(self._number, str(error))
            return
        if not self.call.ended:
            self.came.emit(self._number, article)

    def _told(self, size: int) -> None:
        self.read.emit(self._number, size)


class WikipediaDialog(FetchDialog):
    """Asks for the article, and for leave to fetch it. ``fetched``: an ``Article``. Nothing is sent before *Open*."""

    fetched = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None, *, base: str = "") -> None:
        super().__init__(settings, "wikipedia", parent)
        self.setWindowTitle(tr("Open a Wikipedia article"))
        self._base = base
        self.field.setPlaceholderText(tr("Toronto Star, de:Köln, or the article’s address"))
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 56)
        label = QLabel(tr("&Title or address"))
        label.setBuddy(self.field)
        self.field.setAccessibleName(tr("Title or address of the article"))
        self.leave.setText(tr("&Allow Evenhand to ask Wikipedia for articles"))
        self._bar.setAccessibleName(tr("Fetching the article"))
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self._buttons.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setDefault(True)
        self._buttons.accepted.connect(self._ask)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        for widget in (label, self.field, self._sent, self.leave, self._bar, self._problem):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(self._buttons)
        self._begin()

    def _show_state(self) -> None:
        host = ""
        if self.field.text().strip():
            try:
                host = place_of(self.field.text()).host
            except WikipediaError:
                host = ""
        self._sent.setText(
            tr("Sent when you open: the title, to {host}. Never a word of your drafts.").format(
                host=host or "en.wikipedia.org"
            )
        )
        self.leave.setEnabled(not self.fetching)
        ready = bool(self.field.text().strip()) and self.leave.isChecked() and not self.fetching
        self.open_button.setEnabled(ready)

    def _ask(self) -> None:
        if not self.open_button.isEnabled():
            return
        try:
            place = place_of(self.field.text())
        except WikipediaError as error:
            self._say(str(error))
            return
        self._settings.set(self._permission, True)
        self._fetch(lambda number: self._fetching(number, place))

    def _fetching(self, number: int, place: Place) -> Fetching:
        thread = Fetching(number, place, parent=self, base=self._base)
        thread.read.connect(self._read)
        return thread

    def _came(self, number: int, article: Article) -> None:
        if self._closed_by(number):
            self.fetched.emit(article)

    def _read(self, number: int, size: int) -> None:
        if self._awaited(number):
            self._bar.setAccessibleDescription(tr("{size} KB").format(size=f"{size // _KILOBYTE:,}"))


def provenance(article: Article) -> str:
    """What a person should know of an article that was opened: where from, which revision, whose text."""
    told = tr("“{title}” from {host}, revision {revision} of {day}.").format(
        title=article.place.title,
        host=article.place.host,
        revision=article.revision,
        day=article.made[:10],
    )
    licence = tr("Its text is under {licence}.").format(licence=article.licence) if article.licence else ""
    back = tr("When done: Edit ▸ Copy whole text, and Compare for the edit summary.")
    return " ".join(part for part in (told, licence, back) if part)
