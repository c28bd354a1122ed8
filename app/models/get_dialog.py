"""Getting models: asked for by address or archive, fetched beside the window, checked and put on the shelf."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.models.getting import Brought, Getting
from app.parts.labels import WrapLabel
from app.settings.settings import Settings
from core.download import HTTPS
from core.language import tr

if TYPE_CHECKING:
    from core.store.store import Store

_MEGABYTE = 1_000_000
_STEPS = 1000


class GetDialog(QDialog):
    """Asks where the models are, and for leave to fetch them. Nothing is sent before *Get*.

    ``brought``: a ``Brought``.
    """

    brought = Signal(object)

    def __init__(
        self,
        settings: Settings,
        store: Callable[[], Store | None],
        parent: QWidget | None = None,
        *,
        schemes: frozenset[str] = HTTPS,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Get the models"))
        self._settings = settings
        self._store = store
        self._schemes = schemes
        self._threads: list[Getting] = []
        self._number = 0
        self.field = QLineEdit()
        self.field.setPlaceholderText("https://…/models.zip")
        self.field.setAccessibleName(tr("Address or archive of the models"))
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 64)
        self.choose = QPushButton(tr("&File…"))
        self.choose.setAutoDefault(False)
        self.choose.setToolTip(tr("Choose a zip archive on this computer"))
        self.checksum = QLineEdit()
        self.checksum.setPlaceholderText(tr("64 digits; may be left empty"))
        self.checksum.setAccessibleName(tr("SHA-256 checksum"))
        self.leave = QCheckBox(tr("&Allow Evenhand to fetch models from an address that I give"))
        self.leave.setToolTip(tr("Can be taken back in the settings, under Network."))
        self._sent = WrapLabel(muted=True)
        self._problem = WrapLabel()
        self._bar = QProgressBar()
        self._bar.setAccessibleName(tr("Getting the models"))
        self._bar.setTextVisible(False)
        self._came = WrapLabel(muted=True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.get_button = self._buttons.addButton(tr("&Get"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.get_button.setDefault(True)
        self._lay_out()
        self._connect()
        self._begin()

    @property
    def problem(self) -> str:
        """What went wrong last, in a sentence, or empty."""
        return self._problem.accessibleName() if not self._problem.isHidden() else ""

    @property
    def getting(self) -> bool:
        """Whether models are coming."""
        return not self._bar.isHidden()

    @property
    def progress(self) -> str:
        """How much has come, in words."""
        return self._came.accessibleName()

    def ask_again(self) -> None:
        """Show the dialog, ready for an address."""
        if not self.getting:
            self._begin()
        self.show()
        self._grow()
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
        """Hang up and wait for the threads."""
        self._stop()
        for thread in self._threads:
            thread.wait()
        self._threads = []

    # Building

    def _lay_out(self) -> None:
        where, what = WrapLabel(), QLabel(tr("&Address, or an archive on this computer"))
        where.setText(
            tr(
                "The address and its checksum stand where you got Evenhand, with the release. An archive that you have "
                "already can be chosen as a file."
            )
        )
        what.setBuddy(self.field)
        digits = QLabel(tr("&Checksum (SHA-256)"))
        digits.setBuddy(self.checksum)
        line = QHBoxLayout()
        line.addWidget(self.field, 1)
        line.addWidget(self.choose)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(where)
        column.addWidget(what)
        column.addLayout(line)
        for widget in (digits, self.checksum, self._sent, self.leave, self._bar, self._came, self._problem):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(self._buttons)

    def _connect(self) -> None:
        self._buttons.accepted.connect(self._ask)
        self._buttons.rejected.connect(self.reject)
        self.choose.clicked.connect(self._choose)
        self.field.textChanged.connect(self._show_state)
        self.leave.toggled.connect(self._show_state)

    # What is asked

    def _begin(self) -> None:
        allowed = bool(self._settings.value("get_models"))
        self.leave.setChecked(allowed)
        self.leave.setVisible(not allowed)
        self._waiting(False)
        self._say("")

    def _choose(self) -> None:
        asked = tr("An archive of models")
        chosen, _ = QFileDialog.getOpenFileName(self, asked, "", tr("Zip archives (*.zip)"))
        if chosen:
            self.field.setText(chosen)

    def _source(self) -> str | Path:
        """What stands in the field: the path of a file that is there, or an address."""
        text = self.field.text().strip()
        path = Path(text)
        return path if path.is_absolute() or (text and path.is_file()) else text

    def _show_state(self) -> None:
        source = self._source()
        if isinstance(source, Path):
            said = tr("Nothing is sent: the archive lies on this computer.")
        else:
            told = tr(
                "Sent when you get them: a request for this file, to {host}. Never a word of your drafts."
            )
            said = told.format(host=_host(source) or tr("the address that you give"))
        self._sent.setText(said)
        self.leave.setEnabled(not self.getting and not isinstance(source, Path))
        allowed = isinstance(source, Path) or self.leave.isChecked()
        self.get_button.setEnabled(bool(self.field.text().strip()) and allowed and not self.getting)

    def _ask(self) -> None:
        store = self._store()
        if not self.get_button.isEnabled():
            return
        if store is None:
            self._say(tr("The store cannot be opened, so the models stay as they are."))
            return
        source = self._source()
        if not isinstance(source, Path):
            self._settings.set("get_models", True)
        self._say("")
        self._waiting(True)
        self._threads = [thread for thread in self._threads if thread.isRunning()]
        self._number += 1
        digits = self.checksum.text()
        thread = Getting(
            self._number, store, source=source, sha256=digits, parent=self, schemes=self._schemes
        )
        self._threads.append(thread)
        thread.came.connect(self._arrived)
        thread.failed.connect(self._failed)
        thread.came_on.connect(self._came_on)
        thread.start()

    # What comes

    def _arrived(self, number: int, brought: Brought) -> None:
        """What came is told, also where nobody waits any more: it lies on the shelf."""
        if number == self._number and self.getting:
            self._waiting(False)
            self.accept()
        self.brought.emit(brought)

    def _failed(self, number: int, message: str) -> None:
        if number == self._number and self.getting:
            self._waiting(False)
            self._say(message)
            self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _came_on(self, number: int, done: int, total: int) -> None:
        if number != self._number or not self.getting:
            return
        whole = bool(total) and done >= total
        self._bar.setRange(0, _STEPS if total and not whole else 0)
        self._bar.setValue(done * _STEPS // total if total else 0)
        of = tr("{done} of {total} MB") if total else tr("{done} MB")
        said = of.format(done=_megabytes(done), total=_megabytes(total))
        self._came.setText(tr("Checking the models …") if whole else said)
        self._grow()

    def _waiting(self, waiting: bool) -> None:
        self._bar.setRange(0, 0)
        self._bar.setVisible(waiting)
        self._came.setText("")
        self._came.setVisible(waiting)
        for field in (self.field, self.checksum):
            field.setReadOnly(waiting)
        self.choose.setEnabled(not waiting)
        self._show_state()
        self._grow()

    def _say(self, message: str) -> None:
        self._problem.setText(message)
        self._problem.setVisible(bool(message))
        self._grow()

    def _grow(self) -> None:
        """Be high enough for all that is said now; it never shrinks under the hands."""
        column = self.layout()
        assert column is not None
        column.activate()
        self.resize(self.width(), max(self.height(), column.totalHeightForWidth(self.width())))

    def _stop(self) -> None:
        for thread in self._threads:
            thread.call.end()
        self._waiting(False)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f}"
