"""The download dialog: asks for an address or an archive, and adds checked models to the registry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFileDialog,
    QLineEdit,
    QWidget,
)

from app.background.fetch_dialog import FetchDialog
from app.models.model_import import DownloadThread
from app.settings.settings import Settings
from app.widgets.form_fields import make_button
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel
from core.i18n import tr
from core.network.download import HTTPS

if TYPE_CHECKING:
    from core.storage.store import Store

_MEGABYTE = 1_000_000
_STEPS = 1000


class DownloadDialog(FetchDialog):
    """Asks for an address or an archive, and for permission. Nothing is sent before *Get* is pressed.

    ``models_added`` carries an ``ImportResult``.
    """

    models_added = Signal(object)

    def __init__(
        self,
        settings: Settings,
        store: Callable[[], Store | None],
        parent: QWidget | None = None,
        *,
        schemes: frozenset[str] = HTTPS,
    ) -> None:
        super().__init__(settings, "get_models", parent)
        self.setWindowTitle(tr("Download models"))
        self._store = store
        self._schemes = schemes
        self.field.setPlaceholderText("https://…/models.zip")
        self.field.setAccessibleName(tr("Address or archive of the models"))
        self.field.setMinimumWidth(self.fontMetrics().averageCharWidth() * 64)
        self.choose = make_button(tr("&File…"), self._choose, tip=tr("Choose a zip archive on this computer"))
        self.checksum = QLineEdit()
        self.checksum.setPlaceholderText(tr("64 hexadecimal digits; optional"))
        self.checksum.setAccessibleName(tr("SHA-256 checksum"))
        self.permission_box.setText(tr("&Allow Evenhand to download models from an address that I enter"))
        self._bar.setAccessibleName(tr("Downloading the models"))
        self._progress_label = WrapLabel(muted=True)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.get_button = self._buttons.addButton(tr("&Download"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.get_button.setDefault(True)
        self._lay_out()
        self._connect()
        self._begin()

    @property
    def progress(self) -> str:
        """The progress as text."""
        return self._progress_label.accessibleName()

    # Building

    def _lay_out(self) -> None:
        address_label = PlainLabel(tr("&Address, or an archive on this computer"))
        intro = WrapLabel(
            tr(
                "The address and the checksum are on the release page of Evenhand. You can also "
                "choose an archive that you have already downloaded."
            )
        )
        address_label.setBuddy(self.field)
        checksum_label = PlainLabel(tr("&Checksum (SHA-256)"))
        checksum_label.setBuddy(self.checksum)
        source_row = make_row((self.field, 1), self.choose)
        make_column(
            intro,
            address_label,
            source_row,
            checksum_label,
            self.checksum,
            self._sent,
            self.permission_box,
            self._bar,
            self._progress_label,
            self._problem,
            None,
            self._buttons,
            parent=self,
            spacing=10,
            margins=None,
        )

    def _connect(self) -> None:
        self._buttons.accepted.connect(self._ask)
        self._buttons.rejected.connect(self.reject)

    # Input

    def _choose(self) -> None:
        title = tr("Archive of models")
        chosen, _ = QFileDialog.getOpenFileName(self, title, "", tr("Zip archives (*.zip)"))
        if chosen:
            self.field.setText(chosen)

    def _source(self) -> str | Path:
        """The path of an existing file, or the address."""
        text = self.field.text().strip()
        path = Path(text)
        return path if path.is_absolute() or (text and path.is_file()) else text

    def _show_state(self) -> None:
        source = self._source()
        if isinstance(source, Path):
            text = tr("Nothing is sent: the archive is on this computer.")
        else:
            template = tr("Only a request for this file is sent, to {host}. Your drafts are never sent.")
            text = template.format(host=_host(source) or tr("the address that you enter"))
        self._sent.setText(text)
        self.permission_box.setEnabled(not self.fetching and not isinstance(source, Path))
        allowed = isinstance(source, Path) or self.permission_box.isChecked()
        self.get_button.setEnabled(bool(self.field.text().strip()) and allowed and not self.fetching)

    def _ask(self) -> None:
        store = self._store()
        if not self.get_button.isEnabled():
            return
        if store is None:
            self._show_problem(tr("Evenhand’s database cannot be opened, so the models cannot be changed."))
            return
        source = self._source()
        if not isinstance(source, Path):
            self._settings.set(self._permission, True)
        checksum_label = self.checksum.text()
        self._fetch(lambda number: self._make_thread(number, store, source, checksum_label))

    def _make_thread(
        self, number: int, store: Store, source: str | Path, checksum_label: str
    ) -> DownloadThread:
        thread = DownloadThread(
            number, store, source=source, sha256=checksum_label, parent=self, schemes=self._schemes
        )
        thread.progressed.connect(self._show_progress)
        return thread

    # Download

    def _on_fetched(self, number: int, fetched: object) -> None:
        """The models are in the registry: report them even if the dialog was closed meanwhile."""
        self._accept_if_current(number)
        self.models_added.emit(fetched)

    def _show_progress(self, number: int, done: int, total: int) -> None:
        if not self._is_current(number):
            return
        complete = bool(total) and done >= total
        self._bar.setRange(0, _STEPS if total and not complete else 0)
        self._bar.setValue(done * _STEPS // total if total else 0)
        template = tr("{done} of {total} MB") if total else tr("{done} MB")
        text = template.format(done=_megabytes(done), total=_megabytes(total))
        self._progress_label.setText(tr("Checking the models …") if complete else text)
        self._fit_height()

    def _set_busy(self, waiting: bool) -> None:
        self._progress_label.setText("")
        self._progress_label.setVisible(waiting)
        self.checksum.setReadOnly(waiting)
        self.choose.setEnabled(not waiting)
        super()._set_busy(waiting)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _megabytes(size: int) -> str:
    return f"{size / _MEGABYTE:,.1f}"
