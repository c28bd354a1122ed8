"""New, open, save: the one draft of a window on its way from and to the disk. Nothing is lost without being asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.editor import TextPane
from app.positions import first_loss
from app.session import ChangedOnDiskError, Session, fits, open_session, save_session, untitled_copy
from app.settings import Settings
from core.documents.model import Format
from core.files import FileError

FILTERS = "Drafts (*.md *.markdown *.txt *.text *.wiki *.wikitext *.mediawiki);;All files (*)"
_ENDINGS = {Format.PLAIN: ".txt", Format.MARKDOWN: ".md", Format.WIKITEXT: ".wikitext"}
_Button = QMessageBox.StandardButton


class Drafts(QObject):
    """Holds the ``Session`` and keeps ``pane`` in step with it.

    ``opened``: another draft is in the pane. ``saved``: it was written. ``told``: a message for the bar above the
    text. ``recent_changed``: the list of recent files is another one.
    """

    opened = Signal()
    saved = Signal()
    told = Signal(str)
    recent_changed = Signal()

    def __init__(self, window: QWidget, pane: TextPane, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._pane = pane
        self._settings = settings
        self.session = Session()
        self.opened_text = ""

    @property
    def modified(self) -> bool:
        """Whether the draft differs from what lies on disk."""
        return self._pane.document().isModified()

    def new(self) -> None:
        """An empty draft, if the present one may go."""
        if self.may_leave():
            self._take(Session())

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        folder = str(self.session.path.parent) if self.session.path else ""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open a draft", folder, FILTERS)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a file. Where that cannot be done the present draft stays and the reason is told."""
        if not self.may_leave():
            return False
        path = path.absolute()
        try:
            session = open_session(path)
        except FileError as error:
            self.told.emit(str(error))
            gone = isinstance(error.__cause__, FileNotFoundError | NotADirectoryError)
            if gone and path in self._settings.recent:
                self._settings.forget(path)
                self.recent_changed.emit()
            return False
        self._take(session)
        self._settings.remember(path)
        self.recent_changed.emit()
        return True

    def open_copy(self, path: Path) -> None:
        """Open the text of a file as an untitled draft."""
        if not self.may_leave():
            return
        try:
            self._take(untitled_copy(path))
        except FileError as error:
            self.told.emit(str(error))

    def save(self) -> bool:
        """Write the draft where it lies, or ask where if it lies nowhere. Returns whether it was written."""
        return self._write(self.session.path) if self.session.path is not None else self.save_as()

    def save_as(self) -> bool:
        """Ask for a place and write the draft there."""
        session = self.session
        start = session.path or Path(f"{session.name}{_ENDINGS[session.format]}")
        name, _ = QFileDialog.getSaveFileName(self._window, "Save the draft as", str(start), FILTERS)
        if not name:
            return False
        path = Path(name)
        return self._write(path if path.suffix else path.with_suffix(_ENDINGS[session.format]))

    def may_leave(self) -> bool:
        """Whether the present draft may go: unchanged, saved now, or given up by its writer."""
        if not self.modified:
            return True
        answer = QMessageBox.question(
            self._window,
            "Unsaved changes",
            f"Save the changes to “{self.session.name}”?",
            _Button.Save | _Button.Discard | _Button.Cancel,
            _Button.Save,
        )
        return self.save() if answer == _Button.Save else answer == _Button.Discard

    def set_format(self, chosen: Format) -> None:
        """Read the draft as another format."""
        self.session = replace(self.session, format=chosen)

    def _take(self, session: Session) -> None:
        self._pane.load(session.text)
        lost = first_loss(session.text, self._pane.text())
        if lost:
            note = f"This file holds a character that the editor cannot keep ({lost}), so it is open for reading only."
            session = replace(session, editable=False, notes=(*session.notes, note))
        self.session = session
        self.opened_text = session.text
        self._pane.setReadOnly(not session.editable)
        self.opened.emit()
        self.told.emit("\n".join(session.notes))

    def _write(self, path: Path, *, overwrite: bool = False) -> bool:
        if not self.session.editable:
            self.told.emit(
                "This draft is open for reading only and cannot be saved without losing some of it."
            )
            return False
        text = self._pane.text()
        try:
            session = save_session(self.session, text, path, overwrite=overwrite)
        except ChangedOnDiskError:
            return self._ask_overwrite(path) and self._write(path, overwrite=True)
        except FileError as error:
            if fits(text, self.session.encoding) or not fits(text, "utf-8"):
                QMessageBox.warning(self._window, "Not saved", f"{error}\n\nThe text is still here, unsaved.")
                return False
            return self._ask_utf8(str(error)) and self._write_as_utf8(path, overwrite=overwrite)
        self.session = session
        self._pane.document().setModified(False)
        self._settings.remember(path.absolute())
        self.recent_changed.emit()
        self.saved.emit()
        return True

    def _write_as_utf8(self, path: Path, *, overwrite: bool) -> bool:
        self.session = replace(self.session, encoding="utf-8")
        return self._write(path, overwrite=overwrite)

    def _ask_utf8(self, problem: str) -> bool:
        answer = QMessageBox.question(
            self._window,
            "Not saved yet",
            f"{problem}\n\nSave the file as UTF-8, which can hold every character?",
            _Button.Save | _Button.Cancel,
            _Button.Save,
        )
        return answer == _Button.Save

    def _ask_overwrite(self, path: Path) -> bool:
        answer = QMessageBox.question(
            self._window,
            "Changed by another program",
            f"“{path.name}” was changed by another program since it was opened here. "
            "Overwrite it with this text? Cancel keeps both: the file as it is, and the text here, unsaved.",
            _Button.Save | _Button.Cancel,
            _Button.Cancel,
        )
        return answer == _Button.Save
