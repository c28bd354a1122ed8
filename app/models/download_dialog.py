"""Getting models: asked for by address or archive, fetched beside the window, checked and put on the shelf."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background.fetch_dialog import FetchDialog
from app.models.model_import import Brought, Getting
from app.settings.settings import Settings
from app.widgets.labels import WrapLabel
from core.i18n import tr
from core.network.download import HTTPS

if TYPE_CHECKING:
    from core.storage.store import Store

_MEGABYTE = 1_000_000
_STEPS = 1000


class GetDialog(FetchDialog):
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
        super().__init__(settings, "get_models", parent)
        self.setWindowTitle(tr("Get the models"))
        self._store = store
        self._schemes = schemes
        self.field.setPlaceholderText("https://…/models.zip")
        self.field.setAccessibleName(tr("Address or archive of the models"))
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 64)
        self.choose = QPushButton(tr("&File…"))
        self.choose.setAutoDefault(False)
        self.choose.setToolTip(tr("Choose a zip archive on this computer"))
        self.checksum = QLineEdit()
        self.checksum.setPlaceholderText(tr("64 digits; may be left empty"))
        self.checksum.setAccessibleName(tr("SHA-256 checksum"))
        self.leave.setText(tr("&Allow Evenhand to fetch models from an address that I give"))
        self._bar.setAccessibleName(tr("Getting the models"))
        self._progress = WrapLabel(muted=True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.get_button = self._buttons.addButton(tr("&Get"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.get_button.setDefault(True)
        self._lay_out()
        self._connect()
        self._begin()

    @property
    def progress(self) -> str:
        """How much has come, in words."""
        return self._progress.accessibleName()

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
        for widget in (
            digits,
            self.checksum,
            self._sent,
            self.leave,
            self._bar,
            self._progress,
            self._problem,
        ):
            column.addWidget(widget)
        column.addStretch(1)
        column.addWidget(self._buttons)

    def _connect(self) -> None:
        self._buttons.accepted.connect(self._ask)
        self._buttons.rejected.connect(self.reject)
        self.choose.clicked.connect(self._choose)

    # What is asked

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
        self.leave.setEnabled(not self.fetching and not isinstance(source, Path))
        allowed = isinstance(source, Path) or self.leave.isChecked()
        self.get_button.setEnabled(bool(self.field.text().strip()) and allowed and not self.fetching)

    def _ask(self) -> None:
        store = self._store()
        if not self.get_button.isEnabled():
            return
        if store is None:
            self._say(tr("The store cannot be opened, so the models stay as they are."))
            return
        source = self._source()
        if not isinstance(source, Path):
            self._settings.set(self._permission, True)
        digits = self.checksum.text()
        self._fetch(lambda number: self._getting(number, store, source, digits))

    def _getting(self, number: int, store: Store, source: str | Path, digits: str) -> Getting:
        thread = Getting(number, store, source=source, sha256=digits, parent=self, schemes=self._schemes)
        thread.came_on.connect(self._came_on)
        return thread

    # What comes

    def _came(self, number: int, brought: Brought) -> None:
        """What came is told, also where nobody waits any more: it lies on the shelf."""
        self._closed_by(number)
        self.brought.emit(brought)

    def _came_on(self, number: int, done: int, total: int) -> None:
        if not self._awaited(number):
            return
        whole = bool(total) and done >= total
        self._bar.setRange(0, _STEPS if total and not whole else 0)
        self._bar.setValue(done * _STEPS // total if total else 0)
        of = tr("{done} of {total} MB") if total else tr("{done} MB")
        said = of.format(done=_megabytes(done), total=_megabytes(total))
        self._progress.setText(tr("Checking the models …") if whole else said)
        self._grow()

    def _waiting(self, waiting: bool) -> None:
        self._progress.setText("")
        self._progress.setVisible(waiting)
        self.checksum.setReadOnly(waiting)
        self.choose.setEnabled(not waiting)
        super()._waiting(waiting)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f}"
