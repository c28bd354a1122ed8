"""Watches the open file for changes by other programs, and offers to compare, load or keep."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.background.reading import BackgroundRead
from app.comparison.diff_view import TwoVersionsDialog
from app.documents.document_controller import DocumentController, opening_message
from app.documents.overwritten_version import preserve_text
from app.documents.session import hash_of
from app.editor.editor import TextEditor
from app.widgets.dialogs import WaitCancelledError
from app.widgets.message_bars import ChoiceBar
from core.i18n import tr
from core.storage.files import FileError

_REST_MS = 250


@dataclass(frozen=True, slots=True)
class _FileState:
    """The state of a file: its hash, None if it is gone. ``watchable``: which of file and folder exist."""

    watchable: tuple[str, ...]
    readable: bool
    sha256: str | None


def _read_state(path: Path) -> _FileState:
    """The state of a file. Called in a thread, because a drive may be slow to answer."""
    watchable = tuple(str(place) for place in (path, path.parent) if place.exists())
    try:
        return _FileState(watchable, True, hash_of(path))
    except FileError:
        return _FileState(watchable, False, None)


class FileWatcher(QObject):
    """Watches the file of the document, and checks it again when the window is activated."""

    def __init__(
        self, window: QWidget, editor: TextEditor, *, documents: DocumentController, bar: ChoiceBar
    ) -> None:
        super().__init__(window)
        self._window = window
        self._editor = editor
        self._documents = documents
        self._bar = bar
        self._shown_state = ""
        self.comparison_dialog: TwoVersionsDialog | None = None
        self._watcher = QFileSystemWatcher(self)
        self._read = BackgroundRead(self)
        # Programs write in several steps: the last one counts.
        self._check_timer = QTimer(self, singleShot=True, interval=_REST_MS)
        self._check_timer.timeout.connect(self.check_file)
        self._watcher.fileChanged.connect(lambda _: self._check_timer.start())
        self._watcher.directoryChanged.connect(lambda _: self._check_timer.start())
        documents.opened.connect(self._start_watching)
        documents.saved.connect(self._start_watching)
        documents.about_to_close.connect(self._stop_watching)
        bar.chosen.connect(self._chosen)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Check the file when the window is activated."""
        if event.type() == QEvent.Type.WindowActivate:
            self._check_timer.start()
        return False

    def check_file(self) -> None:
        """Compare the file with its last known state, in a thread, and show a change."""
        path = self._documents.session.path
        if path is not None and not self._documents.saving:
            self._read.start(partial(_read_state, path), self._compare_states)

    def close(self) -> None:
        """Stop watching."""
        self._stop_watching()
        self._window.removeEventFilter(self)

    def _start_watching(self) -> None:
        self._stop_watching()
        self.check_file()

    def _stop_watching(self) -> None:
        self._check_timer.stop()
        self._read.cancel()
        self._shown_state = ""
        self._bar.hide()
        if self.comparison_dialog is not None:
            self.comparison_dialog.close()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _compare_states(self, found: _FileState) -> None:
        """Watch what is there; a file that was replaced must be added again. Show a change."""
        watched = {*self._watcher.files(), *self._watcher.directories()}
        missing = [place for place in found.watchable if place not in watched]
        if missing:
            self._watcher.addPaths(missing)
            # It may have changed before it was watched.
            self._check_timer.start()
        known = self._documents.session.sha256
        if known and found.readable:
            self._show("gone" if found.sha256 is None else "" if found.sha256 == known else found.sha256)

    def _show(self, state: str) -> None:
        """``state`` is empty if nothing has changed, "gone", or the hash of the other version."""
        if state == self._shown_state:
            return
        self._shown_state = state
        name = self._documents.session.name
        if not state:
            self._bar.hide()
        elif state == "gone":
            self._documents.detach()
            self._editor.document().setModified(True)
            text = tr(
                "“{name}” was removed or renamed by another program. The text is safe here; saving creates the file "
                "again."
            )
            self._bar.show_choices(
                text.format(name=name),
                {
                    "save": (tr("&Save again"), tr("Create the file again in its folder")),
                    "save_as": (tr("Save &as…"), tr("Save the text in another file")),
                    "close": (tr("&Close"), tr("Close this message")),
                },
            )
        else:
            self._documents.detach()
            loading = tr("Load the other version; the text here is kept, and undo restores it")
            self._bar.show_choices(
                tr("“{name}” was changed by another program.").format(name=name),
                {
                    "compare": (tr("&Compare…"), tr("See both versions side by side")),
                    "load": (tr("&Load it"), loading),
                    "keep": (
                        tr("&Keep mine"),
                        tr("Continue with the text here; the other version is kept"),
                    ),
                },
            )

    def _chosen(self, name: str) -> None:
        handlers = {
            "compare": self._compare,
            "load": self._load,
            "keep": self._keep,
            "save": self._documents.save,
            "save_as": self._documents.save_as,
            "close": self._bar.hide,
        }
        handlers[name]()
        self._editor.setFocus()

    def _compare(self) -> None:
        path = self._documents.session.path
        try:
            other = self._documents.read(path).text if path else ""
        except WaitCancelledError:
            return
        except FileError as error:
            self._documents.message.emit(str(error))
            return
        heads = (tr("Here"), tr("In the file, by another program"))
        if self.comparison_dialog is None:
            self.comparison_dialog = TwoVersionsDialog(
                self._window, title=tr("Changed by another program"), heads=heads
            )
        self.comparison_dialog.show_texts(self._editor.text(), other)
        self.comparison_dialog.show()
        self.comparison_dialog.raise_()
        self.comparison_dialog.activateWindow()

    def _load(self) -> None:
        documents = self._documents
        assert documents.session.path is not None
        text = self._editor.text()
        try:
            other = documents.read(documents.session.path)
            keep = partial(preserve_text, documents.session, text, documents.store)
            message = opening_message(documents.session.name)
            where = documents.in_thread(keep, message) if text != other.text else ""
        except WaitCancelledError:
            return
        except FileError as error:
            documents.message.emit(str(error))
            return
        lost = documents.load_external_changes(other)
        documents.message.emit("\n".join(filter(None, (*other.notes, where, lost))))

    def _keep(self) -> None:
        documents = self._documents
        assert documents.session.path is not None
        try:
            where = documents.preserve_file()
            documents.allow_overwrite(self._shown_state)
        except WaitCancelledError:
            return
        except FileError as error:
            documents.message.emit(str(error))
            return
        self._shown_state = ""
        self._bar.hide()
        documents.message.emit(where)
