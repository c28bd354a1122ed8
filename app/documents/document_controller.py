"""New, open and save: the document of a window and its file. Unsaved text is never dropped without a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.documents import file_locks
from app.documents.draft_comments import DraftComments, move_comments
from app.documents.file_locks import OpenChoice, OpenFileClaim
from app.documents.overwritten_version import preserve_file
from app.documents.session import (
    ChangedOnDiskError,
    Session,
    Tracking,
    can_encode,
    conversion_target,
    held_by_file,
    open_session,
    read_for_conversion,
    rewrite_session,
    save_converted,
    save_session,
    untitled_copy,
)
from app.editor.editor import TextEditor
from app.editor.positions import describe_first_loss, edits_between
from app.settings.settings import Settings
from app.widgets.dialogs import WaitCancelledError, run_in_thread_and_wait
from app.widgets.plain_text import plain_text
from core.conversion.convert import can_convert
from core.conversion.losses import describe_losses
from core.documents.format_specs import FORMATS, detect_format, extracts_text, suffix_groups
from core.documents.types import Format
from core.i18n import ntr, tr
from core.revisions.rewords import Reword, add_reword
from core.storage.draft_comments import DraftComment
from core.storage.files import FileError

if TYPE_CHECKING:
    from core.revisions.types import Stamp
    from core.storage.store import Store

_Button = QMessageBox.StandardButton
_Result = TypeVar("_Result")


def file_filters() -> str:
    """The filters of a file dialog: all drafts, each group of formats, all files."""
    groups = list(suffix_groups())
    every = tuple(suffix for _, suffixes in groups for suffix in suffixes)
    named = [(tr("Drafts"), every), *groups]
    filters = [f"{name} ({' '.join(f'*{suffix}' for suffix in suffixes)})" for name, suffixes in named]
    return ";;".join([*filters, tr("All files") + " (*)"])


def saving_filters(format: Format) -> str:
    """The filters of a dialog that saves a draft in ``format``: each format that it can have, then all files."""
    possible = [one for one in FORMATS if one is format or not extracts_text(one) or can_convert(format, one)]
    return ";;".join([*map(_filter_of, possible), tr("All files") + " (*)"])


def _filter_of(format: Format) -> str:
    spec = FORMATS[format]
    return f"{spec.name} ({' '.join(f'*{suffix}' for suffix in spec.suffixes)})"


def path_for(name: str, chosen: str, *, suggested: str, format: Format) -> Path:
    """The file that a person asked for with a name and a filter of `saving_filters`.

    The ending of the name decides. Where it is missing, or is still that of the ``suggested`` name, the filter does;
    without a filter for one format it is the draft's ``format``.
    """
    path = Path(name).absolute()
    by_filter = next((one for one in FORMATS if _filter_of(one) == chosen), None)
    if by_filter is not None and path.suffix.lower() in FORMATS[by_filter].suffixes:
        return path
    if not path.suffix:
        return path.with_suffix(FORMATS[by_filter or format].suffixes[0])
    if by_filter not in (None, format) and path.suffix == Path(suggested).suffix:
        return path.with_suffix(FORMATS[by_filter].suffixes[0])
    return path


def opening_message(name: str) -> str:
    """The message while reading a file takes long."""
    return tr("Opening “{name}” …").format(name=name)


def _not_answering(path: Path) -> str:
    said = tr(
        "“{name}” did not respond, so the text may not have been saved. It is still here: save it elsewhere."
    )
    return said.format(name=path.name)


def _holds_comments(session: Session, path: Path) -> bool:
    """Whether the file of that name keeps the comments that were added to the draft, as a text file does not."""
    return session.container is None or extracts_text(detect_format(str(path), session.text))


def describe_lost(count: int) -> str:
    """That so many comments could not be kept, as their words are gone; empty if there are none."""
    said = ntr(
        "A comment that was added here was left out: its words are no longer in the text.",
        "{n} comments that were added here were left out: their words are no longer in the text.",
        count,
    )
    return said.format(n=f"{count:,}") if count else ""


class DocumentController(QObject):
    """Holds the ``Session`` and keeps ``editor`` in step with it.

    ``about_to_close``: another document is going to be opened. ``opened``: it is in the editor. ``saved``: editor and
    file are equal again. ``detached``: the file no longer contains the text. ``format_chosen``: the text is to be read
    in another format. ``recent_changed``: the list of recent files has changed. ``message``: a text for the message
    bar. ``store``: where overwritten versions are kept, once it is open. ``saving``: a file is being written.
    ``tracks_changes``: the edits of a docx or odt are saved as tracked changes. ``comments``: those added to the draft.
    """

    about_to_close = Signal()
    opened = Signal()
    saved = Signal()
    format_chosen = Signal()
    detached = Signal()
    message = Signal(str)
    recent_changed = Signal()

    def __init__(self, window: QWidget, editor: TextEditor, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._editor = editor
        self._settings = settings
        self._file_claim = OpenFileClaim()
        self.store: Store | None = None
        self.session = Session()
        self.opened_text = ""
        self.saving = False
        self.tracks_changes = False
        self._rewords: tuple[Reword, ...] = ()
        self.comments = DraftComments(editor)

    @property
    def modified(self) -> bool:
        """Whether the draft differs from its file."""
        return self._editor.document().isModified()

    def new(self) -> None:
        """Open an empty draft, unless the person keeps the present one."""
        self.show_session(Session(name=tr("Untitled")))

    def forget_recent(self) -> None:
        """Clear the list of recent files."""
        self._settings.clear_recent()
        self.recent_changed.emit()

    def open_dialog(self) -> None:
        """Ask for a file and open it."""
        folder = str(self.session.path.parent) if self.session.path else ""
        name, _ = QFileDialog.getOpenFileName(self._window, tr("Open a draft"), folder, file_filters())
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open a file; returns whether that worked. If not, the present draft stays and a message says why."""
        if not self.confirm_close():
            return False
        path = path.absolute()
        try:
            session = self.read(path)
        except WaitCancelledError:
            return False
        except FileError as error:
            self.message.emit(str(error))
            gone = isinstance(error.__cause__, FileNotFoundError | NotADirectoryError)
            if gone and path in self._settings.recent:
                self._settings.remove_recent(path)
                self.recent_changed.emit()
            return False
        if self._file_claim.is_open_elsewhere(path):
            choice = file_locks.ask(self._window, path.name)
            if choice is OpenChoice.CANCEL:
                return False
            if choice is OpenChoice.READ_ONLY:
                note = tr("This file is open in another window, so it is read-only here.")
                session = replace(session, editable=False, notes=(*session.notes, note))
        self._load_session(session)
        self._settings.add_recent(path)
        self.recent_changed.emit()
        return True

    def open_copy(self, path: Path) -> None:
        """Open the text of a file as an untitled draft."""
        if not self.confirm_close():
            return
        try:
            session = self.in_thread(partial(untitled_copy, path), opening_message(path.name))
        except WaitCancelledError:
            return
        except FileError as error:
            self.message.emit(str(error))
            return
        self._load_session(session)

    def show_session(self, session: Session) -> None:
        """Open this session, unless the person keeps the present draft."""
        if self.confirm_close():
            self._load_session(session)

    def restore(self, session: Session, text: str, comments: Sequence[DraftComment] = ()) -> None:
        """Open a recovered draft with the unsaved ``text`` and ``comments`` on it; its undo history is empty."""
        self._load_session(session)
        self._editor.replace(edits_between(session.text, text), checked=False)
        self._editor.forget_history()
        self._editor.document().setModified(True)
        self.comments.restore(comments)

    def save(self) -> bool:
        """Save to the file of the draft, or ask where if it has none. Returns whether it was saved."""
        return self._write(self.session.path) if self.session.path is not None else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and save to it. Returns whether the draft was saved."""
        session = self.session
        start = session.path or Path(f"{session.name}{FORMATS[session.format].suffixes[0]}")
        name, chosen = QFileDialog.getSaveFileName(
            self._window,
            tr("Save the draft as"),
            str(start),
            saving_filters(session.format),
            _filter_of(session.format),
        )
        if not name:
            return False
        path = path_for(name, chosen, suggested=start.name, format=session.format)
        if path.name != Path(name).name and path.exists() and not self._ask_replace(path):
            return False
        target = conversion_target(session, path)
        if target is not None:
            return self._convert(path, target)
        return (_holds_comments(session, path) or self._ask_without_comments()) and self._write(path)

    def confirm_close(self) -> bool:
        """Whether the present draft may be closed: unchanged, empty, saved now, or discarded by the person."""
        if not self.modified or (self.session.path is None and not self._editor.text().strip()):
            return True
        answer = QMessageBox.question(
            self._window,
            tr("Unsaved changes"),
            plain_text(tr("Save the changes to “{name}”?").format(name=self.session.name)),
            _Button.Save | _Button.Discard | _Button.Cancel,
            _Button.Save,
        )
        return self.save() if answer == _Button.Save else answer == _Button.Discard

    def set_format(self, chosen: Format) -> None:
        """Read the draft in another format; docx, odt and html files keep theirs."""
        if self.session.container is None and not extracts_text(chosen):
            self.session = replace(self.session, format=chosen)
            self.format_chosen.emit()

    def track_changes(self, on: bool) -> None:
        """Whether the edits of this draft are saved as tracked changes from now on."""
        self.tracks_changes = on

    def add_reword(self, reword: Reword) -> None:
        """A sentence of the draft was reworded: where edits are tracked, it is one change, with the reason."""
        self._rewords = add_reword(self._rewords, reword)

    def tracking(self) -> Tracking | None:
        """How the edits of the draft are saved as tracked changes; None where they are not."""
        return Tracking(self.stamp(), self._rewords) if self.tracks_changes else None

    def stamp(self) -> Stamp:
        """The author of changes and comments, and the present time."""
        from core.revisions.author import stamp_now

        return stamp_now(self._settings.value("author"))

    def set_uid(self, uid: str) -> None:
        """Use the uid under which the store knows this draft."""
        self.session = replace(self.session, uid=uid)

    def load_external_changes(self, session: Session) -> str:
        """Load what another program wrote into the file, as one step of the undo history.

        The comments that the file was not saved with are kept where their words still stand; returns a sentence if some
        are lost, else an empty text.
        """
        session = replace(session, uid=self.session.uid)
        if session.container is None and session.editable:
            self._editor.replace(edits_between(self._editor.text(), session.text), checked=False)
            if self._editor.text() == session.text:
                self.session = session
                self._mark_saved()
                return ""
        text = self._editor.text()
        unsaved = [one for one in self.comments.unsaved(text) if not one.is_undone]
        there = {one.identity for one in held_by_file(session, unsaved, text)}
        comments = [one for one in unsaved if one.identity not in there]
        self._load_session(session)
        if not comments:
            return ""
        kept = []
        if session.container is not None and self.session.editable:
            for one in comments:
                moved = move_comments([one], text, session.text)
                if moved and session.text[moved[0].start : moved[0].end] == text[one.start : one.end]:
                    kept += moved
        self.comments.restore(kept)
        if kept:
            self._editor.document().setModified(True)
        return describe_lost(len(comments) - len(kept))

    def rewrite_file(self, make_bytes: Callable[[], bytes]) -> bool:
        """Write other bytes of the docx or odt to its file and show their text; returns whether that worked.

        The draft must have no unsaved edits: ``make_bytes``, called in a thread, knows nothing of them.
        """
        before = self.session
        if self.modified or before.path is None or not before.editable:
            return False
        self.saving = True
        try:
            session = self.in_thread(
                lambda: rewrite_session(before, make_bytes()),
                tr("Saving “{name}” …").format(name=before.name),
            )
        except WaitCancelledError:
            said = tr("“{name}” did not respond, so the text may not have been saved.")
            self.message.emit(said.format(name=before.name))
            return False
        except ChangedOnDiskError:
            said = tr("“{name}” was changed by another program. Load that version first.")
            self.message.emit(said.format(name=before.name))
            return False
        except FileError as error:
            self.message.emit(str(error))
            return False
        finally:
            self.saving = False
        self.session = session
        self._rewords = ()
        if session.text != before.text:
            self._editor.replace(edits_between(before.text, session.text), checked=False)
        if session.text != before.text or self.comments:
            # Undoing that would make plain edits of words that were a revision, or add comments of the file again.
            self._editor.forget_history()
        self.comments.clear()
        self._mark_saved()
        return True

    def allow_overwrite(self, sha256: str) -> None:
        """Allow the next save to overwrite the file with this hash."""
        self.session = replace(self.session, sha256=sha256)
        self.comments.mark_unsaved()
        self.detach()
        self._editor.document().setModified(True)

    def detach(self) -> None:
        """The file no longer contains the text: another program has changed or removed it."""
        self.detached.emit()

    def close(self) -> None:
        """Release the file."""
        self._file_claim.release()

    def read(self, path: Path) -> Session:
        """Read a file for this window, which stays usable. Raises FileError and WaitCancelledError."""
        return self.in_thread(partial(open_session, path), opening_message(path.name))

    def in_thread(self, work: Callable[[], _Result], message: str) -> _Result:
        """Read or write a file in a thread; ``message`` is shown if it takes long. Raises WaitCancelledError."""
        return run_in_thread_and_wait(work, self._window, message=message, cancel_text=tr("Cancel"))

    def _load_session(self, session: Session) -> None:
        self.about_to_close.emit()
        self.comments.clear()
        self._editor.load(session.text)
        lost = describe_first_loss(session.text, self._editor.text())
        if lost:
            text = tr(
                "This file contains a character that the editor cannot keep ({character}), so it is read-only."
            )
            session = replace(session, editable=False, notes=(*session.notes, text.format(character=lost)))
        self._file_claim.take(session.path if session.editable else None)
        self.session = session
        self.opened_text = session.text
        self.tracks_changes = session.is_tracking
        self._rewords = ()
        self._editor.setReadOnly(not session.editable)
        self.opened.emit()
        self.message.emit("\n".join(session.notes))

    def _write(self, path: Path, *, overwrite: bool = False) -> bool:
        if not self.session.editable:
            self.message.emit(tr("This draft is read-only: saving it would lose part of it."))
            return False
        text = self._editor.text()
        tracking = self.tracking()
        comments = self.comments.placed(text)
        work = partial(
            save_session,
            self.session,
            text,
            path,
            overwrite=overwrite,
            tracking=tracking,
            comments=comments,
        )
        self.saving = True
        try:
            session = self.in_thread(work, tr("Saving “{name}” …").format(name=path.name))
        except WaitCancelledError:
            self.message.emit(_not_answering(path))
            return False
        except ChangedOnDiskError:
            return (
                self._ask_overwrite(path)
                and self._preserve_other_version()
                and self._write(path, overwrite=True)
            )
        except FileError as error:
            if can_encode(text, self.session.encoding) or not can_encode(text, "utf-8"):
                self._warn_unsaved(error)
                return False
            return self._ask_utf8(str(error)) and self._write_as_utf8(path, overwrite=overwrite)
        finally:
            self.saving = False
        self._file_claim.take(path)
        self.session = session
        if session.text != text:
            self._editor.replace(edits_between(text, session.text), checked=False)
        self._settings.add_recent(path.absolute())
        self.recent_changed.emit()
        if session.container is None:
            self.comments.clear()
        elif lost := describe_lost(self.comments.mark_saved()):
            self.message.emit(lost)
        self._mark_saved()
        return True

    def _convert(self, path: Path, target: Format) -> bool:
        """Convert the draft into a file in another format, once the person has agreed to what is lost, and open it."""
        session, text = self.session, self._editor.text()
        try:
            content = self.in_thread(
                partial(read_for_conversion, session, text, self.comments.placed(text)),
                opening_message(session.name),
            )
            lost = describe_losses(content, target)
            if lost and not self._ask_convert(lost):
                return False
            self.saving = True
            work = partial(save_converted, session, content, path, target)
            converted = self.in_thread(work, tr("Saving “{name}” …").format(name=path.name))
        except WaitCancelledError:
            self.message.emit(_not_answering(path))
            return False
        except FileError as error:
            self._warn_unsaved(error)
            return False
        finally:
            self.saving = False
        self._load_session(converted)
        self._settings.add_recent(path)
        self.recent_changed.emit()
        return True

    def _ask_without_comments(self) -> bool:
        """Whether the person agrees to lose the comments that were added to the draft."""
        count = len(self.comments.placed(self._editor.text()))
        said = ntr(
            "A text file has no place for the comment that was added to this draft. It will be left out.",
            "A text file has no place for the {n} comments that were added to this draft. They will be left out.",
            count,
        )
        return not count or self._ask(tr("Some content will be left out"), said.format(n=count))

    def _ask_convert(self, lost: str) -> bool:
        stays = tr("The file “{name}” stays as it is.").format(name=self.session.name)
        said = lost if self.session.path is None else f"{lost} {stays}"
        return self._ask(tr("Some content will be left out"), said)

    def _warn_unsaved(self, error: FileError) -> None:
        message = tr("{error}\n\nThe text is still here, unsaved.").format(error=error)
        QMessageBox.warning(self._window, tr("Not saved"), plain_text(message))

    def _mark_saved(self) -> None:
        self._editor.document().setModified(False)
        self.saved.emit()

    def _write_as_utf8(self, path: Path, *, overwrite: bool) -> bool:
        self.session = replace(self.session, encoding="utf-8")
        return self._write(path, overwrite=overwrite)

    def _ask_utf8(self, problem: str) -> bool:
        return self._ask(
            tr("Not saved yet"),
            tr("{problem}\n\nSave the file as UTF-8, which can encode every character?").format(
                problem=problem
            ),
            usual=_Button.Save,
        )

    def _ask_overwrite(self, path: Path) -> bool:
        return self._ask(
            tr("Changed by another program"),
            tr(
                "“{name}” has been changed by another program since it was opened here. "
                "Overwrite it with this text? “Cancel” keeps both: the file as it is, and the "
                "text here, unsaved."
            ).format(name=path.name),
        )

    def _preserve_other_version(self) -> bool:
        """Keep the contents of the file before they are overwritten."""
        try:
            self.message.emit(self.preserve_file())
        except WaitCancelledError:
            return False
        except FileError as error:
            QMessageBox.warning(self._window, tr("Not saved"), plain_text(str(error)))
            return False
        return True

    def preserve_file(self) -> str:
        """Keep what another program wrote into the file; returns a sentence that says where.

        Raises FileError and WaitCancelledError.
        """
        work = partial(preserve_file, self.session, self.store)
        return self.in_thread(work, opening_message(self.session.name))

    def _ask_replace(self, path: Path) -> bool:
        text = tr("“{name}” already exists. Replace it with this text?").format(name=path.name)
        return self._ask(tr("Replace the file?"), text)

    def _ask(self, title: str, text: str, usual: QMessageBox.StandardButton = _Button.Cancel) -> bool:
        answer = QMessageBox.question(
            self._window, title, plain_text(text), _Button.Save | _Button.Cancel, usual
        )
        return answer == _Button.Save
