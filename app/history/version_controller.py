"""Keeps versions of the document, and compares, restores, names and forgets them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QDialog, QMessageBox

from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.editor.positions import edits_between
from app.history.comparison_controller import ComparedVersion, ComparisonController
from app.history.version_scores import VersionScores
from app.history.version_strings import version_name
from app.widgets.dialogs import OpenDialogs
from app.widgets.plain_text import plain_text
from core.documents.types import Format
from core.i18n import tr
from core.storage.types import Scores, Version

if TYPE_CHECKING:
    from app.history.versions_panel import VersionsPanel
    from core.storage.store import Store

KEEP_EVERY_MS = 600_000
_Button = QMessageBox.StandardButton
UNAVAILABLE = tr("No versions can be kept: the history could not be opened.")
ASK_TITLE = tr("Forget this draft?")
_ASK = tr(
    "Evenhand removes everything that it has stored about “{name}”: {versions}, and what you "
    "ignored in it. This cannot be undone. The text here and the file are not changed. A new "
    "history starts now."
)


@dataclass(frozen=True, slots=True)
class _StoredVersions:
    """The result of keeping a version: the uid of the draft, the version if it is new, and all versions."""

    uid: str
    version: Version | None
    versions: list[Version]


class VersionController(QObject):
    """Keeps a version when the document is opened, saved, restored or edited for ten minutes, or on request.

    ``status_message``: a text for the status bar. ``message``: a text for the message bar. ``forgotten``: the store has
    forgotten the document.
    """

    status_message = Signal(str)
    message = Signal(str)
    forgotten = Signal()

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        *,
        store_access: StoreAccess,
        comparison: ComparisonController,
        scorer: VersionScores,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents
        self._store_access = store_access
        self._comparison = comparison
        self._scorer = scorer
        self._panel: VersionsPanel | None = None
        self._dialogs = OpenDialogs()
        self._draft = 0
        self._first: tuple[str, Format] | None = None
        self.versions: list[Version] = []
        self._timer = QTimer(self, singleShot=True, interval=KEEP_EVERY_MS)
        self._timer.timeout.connect(lambda: self._keep("typing"))
        editor.edited.connect(self._edited)
        scorer.scored.connect(self._scored)
        store_access.unavailable.connect(self._show)

    def set_panel(self, panel: VersionsPanel) -> None:
        """Connect the panel."""
        self._panel = panel
        panel.compare_requested.connect(self.compare)
        panel.restore_requested.connect(self.restore)
        panel.rename_requested.connect(self.ask_name)
        panel.keep_requested.connect(self.ask_keep)
        panel.forget_requested.connect(self.forget)
        self._show()

    # Keeping

    def document_opened(self) -> None:
        """Another document is open. A file is kept at once, a new document once it is edited."""
        session = self._documents.session
        self._draft += 1
        self._timer.stop()
        self._scorer.clear()
        self.versions = []
        self._show()
        self._first = (session.text, session.format) if session.text.strip() else None
        if session.path is not None and self._first is not None:
            self._keep("opened")
        else:
            uid, draft = session.uid, self._draft
            self._store_access.ask(lambda store: store.versions(uid), lambda found: self._list(draft, found))

    def document_saved(self) -> None:
        """The document was saved."""
        self._keep("saved")

    def ask_keep(self) -> None:
        """Ask for a name, which may stay empty, and keep the present text."""
        if self._can_keep():
            self._ask("keep", tr("Keep this version"), "", self.keep)

    def keep(self, name: str = "") -> None:
        """Keep the present text on request; a text that is kept already gets the name, if there is one."""
        if self._can_keep():
            self._keep("kept", notify=True, name=name)

    # Commands

    def compare(self, chosen: Sequence[Version]) -> None:
        """Compare one version with the present text, or two with each other, the older one first."""
        if not chosen:
            return
        ordered = sorted(chosen, key=lambda version: version.id)[:2]

        def arrived(texts: list[str]) -> None:
            sides = [
                ComparedVersion(version_name(version), text, version.format)
                for version, text in zip(ordered, texts, strict=True)
            ]
            self._comparison.compare_texts(*sides)

        self._store_access.ask(lambda store: [store.text_of(version.id) for version in ordered], arrived)

    def restore(self, version: Version) -> None:
        """Replace the text by a version, as one step of the undo history; the text is kept first."""
        if self._editor.isReadOnly():
            self.status_message.emit(tr("This draft is read-only."))
            return
        number = version.id
        self._keep("replaced", then=lambda: self._fetch(number, version_name(version)))

    def ask_name(self, version: Version) -> None:
        """Ask for another name of a version."""
        self._ask("rename", tr("Rename this version"), version.name, lambda name: self.rename(version, name))

    def rename(self, version: Version, name: str) -> None:
        """Give a version another name, or none, as a step of the undo history."""
        number, before = version.id, version.name
        if name != before:
            self._editor.history.add_action(
                lambda: self._set_name(number, before), lambda: self._set_name(number, name)
            )
            self._set_name(number, name)

    def close(self) -> None:
        """Close the dialogs."""
        self._dialogs.close()

    def forget(self) -> None:
        """Ask, then remove everything that is stored about this draft."""
        if self._store_access.failed:
            self.status_message.emit(UNAVAILABLE)
            return
        name = self._documents.session.name
        versions = tr("its versions ({number})").format(number=f"{len(self.versions):,}")
        answer = QMessageBox.question(
            self._editor.window(),
            ASK_TITLE,
            plain_text(_ASK.format(name=name, versions=versions)),
            _Button.Yes | _Button.Cancel,
            _Button.Cancel,
        )
        if answer != _Button.Yes:
            return
        session, draft = self._documents.session, self._draft
        uid, name, path = session.uid, session.name, session.path

        def forget(store: Store) -> tuple[Path, ...]:
            return store.forget(store.open_draft(uid, name=name, path=path).uid)

        def done(left: tuple[Path, ...]) -> None:
            if draft != self._draft:
                return
            self._first = None
            self._timer.stop()
            self._scorer.clear()
            self._list(draft, [])
            self.forgotten.emit()
            if left:
                text = tr(
                    "The draft is forgotten. Parts of it may still be in {files}: delete those yourself."
                )
                self.message.emit(text.format(files=", ".join(map(str, left))))
            else:
                self.status_message.emit(tr("The draft is forgotten."))

        self._store_access.ask(forget, done)

    # The store

    def _edited(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _can_keep(self) -> bool:
        """Whether the present text can be kept; says why not."""
        if self._store_access.failed:
            self.status_message.emit(UNAVAILABLE)
            return False
        if not self._editor.text().strip():
            self.status_message.emit(tr("There is nothing to keep yet."))
            return False
        return True

    def _ask(self, key: str, title: str, name: str, then: Callable[[str], object]) -> None:
        """Ask for a name; it goes to ``then`` unless another document was opened meanwhile."""
        draft = self._draft

        def create() -> QDialog:
            from app.history.version_name_dialog import VersionNameDialog

            dialog = VersionNameDialog(title, name=name, parent=self._editor.window())
            dialog.named.connect(lambda given: then(given) if draft == self._draft else None)
            return dialog

        self._dialogs.show(key, create)

    def _set_name(self, number: int, name: str) -> None:
        uid, draft = self._documents.session.uid, self._draft

        def set_name(store: Store) -> list[Version]:
            store.name_version(number, name)
            return store.versions(uid)

        self._store_access.ask(set_name, lambda found: self._list(draft, found))
        if name:
            self.status_message.emit(tr("The version is now called “{name}”.").format(name=name))
        else:
            self.status_message.emit(tr("The version has no name now."))

    def _keep(
        self,
        why: str,
        *,
        notify: bool = False,
        name: str = "",
        then: Callable[[], object] | None = None,
    ) -> None:
        """Keep the present text, then call ``then`` if it is in the history."""
        session, draft, text = self._documents.session, self._draft, self._editor.text()
        uid, title, path, format = session.uid, session.name, session.path, session.format
        first, self._first = self._first, None
        scores = self._scorer.get(text)
        if why != "opened":
            self._timer.stop()

        def store_version(store: Store) -> _StoredVersions:
            own = store.open_draft(uid, name=title, path=path).uid
            if first is not None and not store.versions(own):
                store.save_version(own, first[0], format=first[1], why="opened")
            version = store.save_version(own, text, format=format, why=why, scores=scores, name=name)
            if version is None and name:
                store.name_version(store.versions(own)[-1].id, name)
            return _StoredVersions(own, version, store.versions(own))

        def show(answer: _StoredVersions) -> None:
            if draft != self._draft:
                return
            if answer.uid != self._documents.session.uid:
                self._documents.set_uid(answer.uid)
            self._list(draft, answer.versions)
            newest = answer.version or answer.versions[-1]
            if newest.scores is None:
                self._scorer.request(newest.id, text, format)
            if notify:
                self.status_message.emit(_kept_message(name, is_new=answer.version is not None))
            if then is not None:
                then()

        self._store_access.ask(store_version, show)

    def _fetch(self, number: int, name: str) -> None:
        draft = self._draft

        def arrived(text: str) -> None:
            if draft != self._draft or self._editor.isReadOnly():
                return
            present = self._editor.text()
            if text == present:
                self.status_message.emit(tr("The text is already the same as this version."))
                return
            self._editor.replace(edits_between(present, text))
            self._keep("restored")
            text = tr("Restored: {name}. Undo restores the previous text, which is also kept as a version.")
            self.status_message.emit(text.format(name=name))

        self._store_access.ask(lambda store: store.text_of(number), arrived)

    def _scored(self, version: int, scores: Scores) -> None:
        uid, draft = self._documents.session.uid, self._draft

        def add_scores(store: Store) -> list[Version]:
            store.score(version, scores)
            return store.versions(uid)

        self._store_access.ask(add_scores, lambda found: self._list(draft, found))

    def _list(self, draft: int, versions: list[Version]) -> None:
        if draft == self._draft:
            self.versions = versions
            self._show()

    def _show(self) -> None:
        if self._panel is not None:
            if self._store_access.failed:
                self._panel.set_unavailable()
            self._panel.set_editable(not self._editor.isReadOnly())
            self._panel.show_versions(self.versions)


def _kept_message(name: str, *, is_new: bool) -> str:
    if is_new:
        text = tr("This version is kept as “{name}”.") if name else tr("This version is kept.")
    elif name:
        text = tr("This text is already kept. Its version is now called “{name}”.")
    else:
        text = tr("This text is already kept.")
    return text.format(name=name)
