"""New, open, save: the one draft of a window on its way from and to the disk. Nothing is lost without being asked."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.documents import file_locks
from app.documents.file_locks import Choice, Claim
from app.documents.overwritten_version import keep_file
from app.documents.session import (
    ChangedOnDiskError,
    Session,
    fits,
    open_session,
    save_session,
    untitled_copy,
)
from app.editor.editor import TextPane
from app.editor.positions import edits_between, first_loss
from app.settings.settings import Settings
from app.widgets.dialogs import GivenUpError, waited_for
from core.documents.types import Format
from core.formats.loader import CONTAINERS
from core.i18n import tr
from core.storage.files import FileError

if TYPE_CHECKING:
    from core.storage.store import Store

FILTERS = ";;".join(
    (
        tr("Drafts")
        + " (*.md *.markdown *.txt *.text *.wiki *.wikitext *.mediawiki *.docx *.odt *.html *.htm *.xhtml)",
        tr("Word processor") + " (*.docx *.odt)",
        tr("Web pages") + " (*.html *.htm *.xhtml)",
        tr("Text") + " (*.md *.markdown *.txt *.text *.wiki *.wikitext *.mediawiki)",
        tr("All files") + " (*)",
    )
)
_ENDINGS = {
    Format.PLAIN: ".txt",
    Format.MARKDOWN: ".md",
    Format.WIKITEXT: ".wikitext",
    Format.HTML: ".html",
    Format.DOCX: ".docx",
    Format.ODT: ".odt",
}
_Button = QMessageBox.StandardButton


class Drafts(QObject):
    """Holds the ``Session`` and keeps ``pane`` in step with it.

    ``leaving``: the present draft may go, and another one comes. ``opened``: it is in the pane. ``saved``: pane and
    file are in step again; ``standing_alone``: the file holds the text no more. ``told``: a message for the bar above
    the text. ``recent_changed``: the list of recent files is another one. ``store`` keeps what else would be lost.
    """

    leaving = Signal()
    opened = Signal()
    saved = Signal()
    format_chosen = Signal()
    standing_alone = Signal()
    told = Signal(str)
    recent_changed = Signal()

    def __init__(self, window: QWidget, pane: TextPane, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._pane = pane
        self._settings = settings
        self._claim = Claim()
        self.store: Store | None = None
        self.session = Session()
        self.opened_text = ""

    @property
    def modified(self) -> bool:
        """Whether the draft differs from what lies on disk."""
        return self._pane.document().isModified()

    def new(self) -> None:
        """An empty draft, if the present one may go."""
        self.begin(Session(name=tr("Untitled")))

    def forget_recent(self) -> None:
        """Empty the list of recent files."""
        self._settings.clear_recent()
        self.recent_changed.emit()

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        folder = str(self.session.path.parent) if self.session.path else ""
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Open a draft"), folder, FILTERS)
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a file. Where that cannot be done the present draft stays and the reason is told."""
        if not self.may_leave():
            return False
        path = path.absolute()
        try:
            session = self._read(path)
        except GivenUpError:
            return False
        except FileError as error:
            self.told.emit(str(error))
            gone = isinstance(error.__cause__, FileNotFoundError | NotADirectoryError)
            if gone and path in self._settings.recent:
                self._settings.forget(path)
                self.recent_changed.emit()
            return False
        if self._claim.taken_elsewhere(path):
            choice = file_locks.ask(self._window, path.name)
            if choice is Choice.CANCEL:
                return False
            if choice is Choice.READ_ONLY:
                note = tr("This file is open in another window, so it is open for reading only here.")
                session = replace(session, editable=False, notes=(*session.notes, note))
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

    def begin(self, session: Session) -> None:
        """Put this draft in, if the present one may go."""
        if self.may_leave():
            self._take(session)

    def restore(self, session: Session, text: str) -> None:
        """Put a draft in that was not saved: ``text`` differs from the session's, and there is nothing to undo."""
        self._take(session)
        self._pane.replace(edits_between(session.text, text), asked=False)
        self._pane.document().clearUndoRedoStacks()
        self._pane.document().setModified(True)

    def save(self) -> bool:
        """Write the draft where it lies, or ask where if it lies nowhere. Returns whether it was written."""
        return self._write(self.session.path) if self.session.path is not None else self.save_as()

    def save_as(self) -> bool:
        """Ask for a place and write the draft there."""
        session = self.session
        start = session.path or Path(f"{session.name}{_ENDINGS[session.format]}")
        name, _ = QFileDialog.getSaveFileName(self._window, tr("Save the draft as"), str(start), FILTERS)
        if not name:
            return False
        path = Path(name).absolute()
        if not path.suffix:
            path = path.with_suffix(_ENDINGS[session.format])
            if path.exists() and not self._ask_replace(path):
                return False
        return self._write(path)

    def may_leave(self) -> bool:
        """Whether the present draft may go: unchanged, saved now, or given up by its writer."""
        if not self.modified:
            return True
        answer = QMessageBox.question(
            self._window,
            tr("Unsaved changes"),
            tr("Save the changes to “{name}”?").format(name=self.session.name),
            _Button.Save | _Button.Discard | _Button.Cancel,
            _Button.Save,
        )
        return self.save() if answer == _Button.Save else answer == _Button.Discard

    def set_format(self, chosen: Format) -> None:
        """Read the draft as another format; a docx, odt or html file stays what it is."""
        if self.session.container is None and chosen not in CONTAINERS:
            self.session = replace(self.session, format=chosen)
            self.format_chosen.emit()

    def known_as(self, uid: str) -> None:
        """The store knows this draft by another name than the one that it was given when it was opened."""
        self.session = replace(self.session, uid=uid)

    def take_outside(self, session: Session) -> None:
        """Go on from the file as another program has left it: the pane shows its text, as one step of the history."""
        session = replace(session, uid=self.session.uid)
        if session.container is None and session.editable:
            self._pane.replace(edits_between(self._pane.text(), session.text), asked=False)
            if self._pane.text() == session.text:
                self.session = session
                self._in_step()
                return
        self._take(session)

    def write_over(self, stamp: tuple[int, int] | None, sha256: str) -> None:
        """The file as it is now, of this stamp and hash, may be written over at the next save."""
        self.session = replace(self.session, stamp=stamp, sha256=sha256)
        self.stand_alone()
        self._pane.document().setModified(True)

    def stand_alone(self) -> None:
        """The text of the pane lies in no file any more: another program has changed or removed it."""
        self.standing_alone.emit()

    def close(self) -> None:
        """Let go of the file."""
        self._claim.release()

    def _read(self, path: Path) -> Session:
        saying = tr("Opening “{name}” …").format(name=path.name)
        return waited_for(partial(open_session, path), self._window, saying=saying, way_out=tr("Cancel"))

    def _take(self, session: Session) -> None:
        self.leaving.emit()
        self._pane.load(session.text)
        lost = first_loss(session.text, self._pane.text())
        if lost:
            said = tr(
                "This file holds a character that the editor cannot keep ({character}), "
                "so it is open for reading only."
            )
            session = replace(session, editable=False, notes=(*session.notes, said.format(character=lost)))
        self._claim.take(session.path if session.editable else None)
        self.session = session
        self.opened_text = session.text
        self._pane.setReadOnly(not session.editable)
        self.opened.emit()
        self.told.emit("\n".join(session.notes))

    def _write(self, path: Path, *, overwrite: bool = False) -> bool:
        if not self.session.editable:
            self.told.emit(
                tr("This draft is open for reading only and cannot be saved without losing some of it.")
            )
            return False
        text = self._pane.text()
        try:
            session = save_session(self.session, text, path, overwrite=overwrite)
        except ChangedOnDiskError:
            return self._ask_overwrite(path) and self._keep_other() and self._write(path, overwrite=True)
        except FileError as error:
            if fits(text, self.session.encoding) or not fits(text, "utf-8"):
                message = tr("{error}\n\nThe text is still here, unsaved.").format(error=error)
                QMessageBox.warning(self._window, tr("Not saved"), message)
                return False
            return self._ask_utf8(str(error)) and self._write_as_utf8(path, overwrite=overwrite)
        self._claim.take(path)
        self.session = session
        if session.text != text:
            self._pane.replace(edits_between(text, session.text), asked=False)
        self._settings.remember(path.absolute())
        self.recent_changed.emit()
        self._in_step()
        return True

    def _in_step(self) -> None:
        self._pane.document().setModified(False)
        self.saved.emit()

    def _write_as_utf8(self, path: Path, *, overwrite: bool) -> bool:
        self.session = replace(self.session, encoding="utf-8")
        return self._write(path, overwrite=overwrite)

    def _ask_utf8(self, problem: str) -> bool:
        return self._ask(
            tr("Not saved yet"),
            tr("{problem}\n\nSave the file as UTF-8, which can hold every character?").format(
                problem=problem
            ),
            usual=_Button.Save,
        )

    def _ask_overwrite(self, path: Path) -> bool:
        return self._ask(
            tr("Changed by another program"),
            tr(
                "“{name}” was changed by another program since it was opened here. "
                "Overwrite it with this text? Cancel keeps both: the file as it is, and the text here, unsaved."
            ).format(name=path.name),
        )

    def _keep_other(self) -> bool:
        """Keep what lies in the file before it is written over."""
        try:
            self.told.emit(keep_file(self.session, self.store))
        except FileError as error:
            QMessageBox.warning(self._window, tr("Not saved"), str(error))
            return False
        return True

    def _ask_replace(self, path: Path) -> bool:
        said = tr("“{name}” is there already. Replace it with this text?").format(name=path.name)
        return self._ask(tr("Replace the file?"), said)

    def _ask(self, title: str, text: str, usual: QMessageBox.StandardButton = _Button.Cancel) -> bool:
        answer = QMessageBox.question(self._window, title, text, _Button.Save | _Button.Cancel, usual)
        return answer == _Button.Save
