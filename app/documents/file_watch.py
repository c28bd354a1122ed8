"""A file that another program changes, takes away or brings back while it is open here: told calmly, nothing lost."""

from __future__ import annotations

import hashlib

from PySide6.QtCore import QEvent, QFileSystemWatcher, QObject, QTimer
from PySide6.QtWidgets import QWidget

from app.comparison.diff_view import TwoVersions
from app.documents.document_controller import Drafts
from app.documents.overwritten_version import keep_file, keep_text
from app.documents.session import open_session, stamp_of
from app.editor.editor import TextPane
from app.widgets.message_bars import ChoiceBar
from core.i18n import tr
from core.storage.files import FileError, read_bytes

_REST_MS = 250


class FileWatch(QObject):
    """Watches the file of the present draft, and looks again when the window is come back to and before a save."""

    def __init__(self, window: QWidget, pane: TextPane, *, drafts: Drafts, bar: ChoiceBar) -> None:
        super().__init__(window)
        self._window = window
        self._pane = pane
        self._drafts = drafts
        self._bar = bar
        self._told = ""
        self.compared: TwoVersions | None = None
        self._watcher = QFileSystemWatcher(self)
        # Programs write in several steps: the last of them counts.
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self.look)
        self._watcher.fileChanged.connect(lambda _: self._rest.start())
        self._watcher.directoryChanged.connect(lambda _: self._rest.start())
        drafts.opened.connect(self._begin)
        drafts.saved.connect(self._begin)
        drafts.leaving.connect(self._end)
        bar.chosen.connect(self._chosen)
        window.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Look when the person comes back to the window."""
        if event.type() == QEvent.Type.WindowActivate:
            self._rest.start()
        return False

    def look(self) -> None:
        """See what has become of the file, and tell what is new."""
        session = self._drafts.session
        if session.path is None or not session.sha256:
            return
        self._watch()
        stamp = stamp_of(session.path)
        if stamp == session.stamp:
            self._show("")
        elif stamp is None:
            self._show("gone")
        else:
            try:
                found = hashlib.sha256(read_bytes(session.path)).hexdigest()
            except FileError:
                return
            self._show("" if found == session.sha256 else found)

    def close(self) -> None:
        """Watch nothing any more."""
        self._end()
        self._window.removeEventFilter(self)

    def _begin(self) -> None:
        self._end()
        self._watch()

    def _end(self) -> None:
        self._rest.stop()
        self._told = ""
        self._bar.hide()
        if self.compared is not None:
            self.compared.close()
        watched = [*self._watcher.files(), *self._watcher.directories()]
        if watched:
            self._watcher.removePaths(watched)

    def _watch(self) -> None:
        """A file that is written anew beside the old one is another one for the system: it is watched again."""
        path = self._drafts.session.path
        if path is None:
            return
        for wanted, watched in (
            (path, self._watcher.files()),
            (path.parent, self._watcher.directories()),
        ):
            if str(wanted) not in watched and wanted.exists():
                self._watcher.addPath(str(wanted))

    def _show(self, state: str) -> None:
        """``state`` is empty where all is well, "gone", or the hash of the other version."""
        if state == self._told:
            return
        self._told = state
        name = self._drafts.session.name
        if not state:
            self._bar.hide()
        elif state == "gone":
            self._drafts.stand_alone()
            self._pane.document().setModified(True)
            said = tr(
                "“{name}” was removed or renamed by another program. The text is safe here: saving writes it again."
            )
            self._bar.show_choices(
                said.format(name=name),
                {
                    "save": (tr("&Save again"), tr("Write the file again where it was")),
                    "save_as": (tr("Save &as…"), tr("Save the text in another place")),
                    "close": (tr("&Close"), tr("Close this message")),
                },
            )
        else:
            self._drafts.stand_alone()
            loading = tr("Take the other version; the text here is kept, and undo brings it back")
            self._bar.show_choices(
                tr("“{name}” was changed by another program.").format(name=name),
                {
                    "compare": (tr("&Compare…"), tr("See both versions side by side")),
                    "load": (tr("&Load it"), loading),
                    "keep": (
                        tr("&Keep mine"),
                        tr("Go on with the text here; the other version is kept aside"),
                    ),
                },
            )

    def _chosen(self, name: str) -> None:
        deeds = {
            "compare": self._compare,
            "load": self._load,
            "keep": self._keep,
            "save": self._drafts.save,
            "save_as": self._drafts.save_as,
            "close": self._bar.hide,
        }
        deeds[name]()
        self._pane.setFocus()

    def _compare(self) -> None:
        session = self._drafts.session
        try:
            other = open_session(session.path).text if session.path else ""
        except FileError as error:
            self._drafts.told.emit(str(error))
            return
        heads = (tr("Here"), tr("In the file, by another program"))
        if self.compared is None:
            self.compared = TwoVersions(self._window, title=tr("Changed by another program"), heads=heads)
        self.compared.show_texts(self._pane.text(), other)
        self.compared.show()
        self.compared.raise_()
        self.compared.activateWindow()

    def _load(self) -> None:
        drafts = self._drafts
        assert drafts.session.path is not None
        try:
            other = open_session(drafts.session.path)
            text = self._pane.text()
            where = keep_text(drafts.session, text, drafts.store) if text != other.text else ""
        except FileError as error:
            drafts.told.emit(str(error))
            return
        drafts.take_outside(other)
        drafts.told.emit("\n".join((*other.notes, where)).strip())

    def _keep(self) -> None:
        drafts = self._drafts
        assert drafts.session.path is not None
        try:
            stamp = stamp_of(drafts.session.path)
            where = keep_file(drafts.session, drafts.store)
            drafts.write_over(stamp, self._told)
        except FileError as error:
            drafts.told.emit(str(error))
            return
        self._told = ""
        self._bar.hide()
        drafts.told.emit(where)
