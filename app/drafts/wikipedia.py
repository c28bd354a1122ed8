"""Opening a Wikipedia article: asked for by title or address, fetched beside the window, put in as a new draft."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QThread, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from app.parts.labels import WrapLabel
from app.settings.settings import Settings
from core.https import Call, Stopped
from core.language import tr
from core.wikipedia import Article, Place, WikipediaError, fetch, place_of

_KILOBYTE = 1024


class Fetching(QThread):
    """Fetches one article. Each signal begins with the number of the fetch.

    After it come an ``Article``, a sentence on what went wrong, or the bytes read so far.
    """

    came = Signal(int, object)
    failed = Signal(int, str)
    read = Signal(int, int)

    def __init__(self, number: int, place: Place, *, parent: QObject, base: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("wikipedia")
        self._number = number
        self._place = place
        self._base = base
        self.call = Call()

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


class WikipediaDialog(QDialog):
    """Asks for the article, and for leave to fetch it. ``fetched``: an ``Article``. Nothing is sent before *Open*."""

    fetched = Signal(object)

    def __init__(self, settings: Settings, parent: QWidget | None = None, *, base: str = "") -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Open a Wikipedia article"))
        self._settings = settings
        self._base = base
        self._threads: list[Fetching] = []
        self._number = 0
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Toronto Star, de:Köln, or the article’s address"))
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 56)
        label = QLabel(tr("&Title or address"))
        label.setBuddy(self.field)
        self.field.setAccessibleName(tr("Title or address of the article"))
        self._sent = WrapLabel(muted=True)
        self.leave = QCheckBox(tr("&Allow Evenhand to ask Wikipedia for articles"))
        self.leave.setToolTip(tr("Can be taken back in the settings, under Network."))
        self._problem = WrapLabel()
        self._progress = QProgressBar()
        self._progress.setRange(0, 0)
        self._progress.setAccessibleName(tr("Fetching the article"))
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.open_button = self._buttons.button(QDialogButtonBox.StandardButton.Open)
        self.open_button.setDefault(True)
        self._buttons.accepted.connect(self._ask)
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        for widget in (label, self.field, self._sent, self.leave, self._progress, self._problem):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(self._buttons)
        self.field.textChanged.connect(self._show_state)
        self.leave.toggled.connect(self._show_state)
        self._begin()

    @property
    def problem(self) -> str:
        """What went wrong last, in a sentence, or empty."""
        return self._problem.accessibleName() if not self._problem.isHidden() else ""

    @property
    def fetching(self) -> bool:
        """Whether an answer is waited for."""
        return not self._progress.isHidden()

    def ask_again(self) -> None:
        """Show the dialog, ready for another title."""
        self._begin()
        self.show()
        self.raise_()
        self.activateWindow()
        self.field.selectAll()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def reject(self) -> None:
        """Stop what is under way; the dialog goes."""
        self._stop()
        super().reject()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing it is cancelling."""
        self._stop()
        super().closeEvent(event)

    def join(self) -> None:
        """Hang up and wait for the threads: the longest wait is for a host that takes no connection at all."""
        self._stop()
        for thread in self._threads:
            thread.wait()
        self._threads = []

    def _begin(self) -> None:
        allowed = bool(self._settings.value("wikipedia"))
        self.leave.setChecked(allowed)
        self.leave.setVisible(not allowed)
        self._waiting(False)
        self._say("")
        self._show_state()

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
        self._settings.set("wikipedia", True)
        self._say("")
        self._waiting(True)
        self._threads = [thread for thread in self._threads if thread.isRunning()]
        self._number += 1
        thread = Fetching(self._number, place, parent=self, base=self._base)
        self._threads.append(thread)
        thread.came.connect(self._came)
        thread.failed.connect(self._failed)
        thread.read.connect(self._read)
        thread.start()

    def _came(self, number: int, article: Article) -> None:
        if number == self._number and self.fetching:
            self._waiting(False)
            self.accept()
            self.fetched.emit(article)

    def _failed(self, number: int, message: str) -> None:
        if number == self._number and self.fetching:
            self._waiting(False)
            self._say(message)
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _read(self, number: int, size: int) -> None:
        if number == self._number:
            self._progress.setAccessibleDescription(tr("{size} KB").format(size=f"{size // _KILOBYTE:,}"))

    def _waiting(self, waiting: bool) -> None:
        self._progress.setVisible(waiting)
        self.field.setReadOnly(waiting)
        self.leave.setEnabled(not waiting)
        self._show_state()

    def _say(self, message: str) -> None:
        self._problem.setText(message)
        self._problem.setVisible(bool(message))

    def _stop(self) -> None:
        for thread in self._threads:
            thread.call.end()
        self._waiting(False)


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
