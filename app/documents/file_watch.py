"""Watches the open file for changes by other programs, and offers to compare, load or keep."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.comparison.diff_view import TwoVersionsDialog
from app.documents.document_controller import DocumentController
from app.documents.overwritten_version import preserve_file, preserve_text
from app.documents.session import hash_of, open_session
from app.editor.editor import TextEditor
from app.widgets.message_bars import ChoiceBar
from core.i18n import tr
from core.storage.files import FileError

_REST_MS = 250


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
        """Compare the file with its last known state, and show a change."""
        session = self._documents.session
        if session.path is None or not session.sha256:
            return
        self._watch()
        try:
            found = hash_of(session.path)
        except FileError:
            return
        if found is None:
            self._show("gone")
        else:
            self._show("" if found == session.sha256 else found)

    def close(self) -> None:
        """Stop watching."""
        self._stop_watching()
        self._window.removeEventFilter(self)

    def _start_watching(self) -> None:
        self._stop_watching()
        self._watch()

    def _stop_watching(self) -> None:
        self._check_timer.stop()
        self._shown_state = ""
        self._bar.hide()
        if self.comparison_dialog is not None:
            self.comparison_dialog.close()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _watch(self) -> None:
        """Watch the file and its folder; a file that was replaced must be added again."""
        path = self._documents.session.path
        if path is None:
            return
        for wanted, watched in (
            (path, self._watcher.files()),
            (path.parent, self._watcher.directories()),
        ):
            if str(wanted) not in watched and wanted.exists():
                self._watcher.addPath(str(wanted))

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
        session = self._documents.session
        try:
            other = open_session(session.path).text if session.path else ""
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
        try:
            other = open_session(documents.session.path)
            text = self._editor.text()
            where = preserve_text(documents.session, text, documents.store) if text != other.text else ""
        except FileError as error:
            documents.message.emit(str(error))
            return
        documents.load_external_changes(other)
        documents.message.emit("\n".join((*other.notes, where)).strip())

    def _keep(self) -> None:
        documents = self._documents
        assert documents.session.path is not None
        try:
            where = preserve_file(documents.session, documents.store)
            documents.allow_overwrite(self._shown_state)
        except FileError as error:
            documents.message.emit(str(error))
            return
        self._shown_state = ""
        self._bar.hide()
        documents.message.emit(where)
