"""When a version of the draft is kept, and what a person can do with those that are there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance
from PySide6.QtWidgets import QMessageBox

from app.background.store import Storing
from app.documents.document_controller import Drafts
from app.editor.editor import TextPane
from app.editor.positions import edits_between
from app.history.comparison_controller import Comparing, Side
from app.history.version_scores import VersionScores
from app.history.version_strings import version_name
from core.documents.types import Format
from core.i18n import tr
from core.storage.types import Scores, Version

if TYPE_CHECKING:
    from core.storage.store import Store

KEEP_EVERY_MS = 600_000
_Button = QMessageBox.StandardButton
UNAVAILABLE = tr("No versions can be kept: the history could not be opened.")
ASK_TITLE = tr("Forget this draft?")
_ASK = tr(
    "Evenhand removes what it remembers of “{name}”: {versions}, and what you ignored in it. This cannot be undone. "
    "The text here stays, and so does the file. What you keep from now on begins a new history."
)


class VersionsView(Protocol):
    """What is needed of ``app.history.versions_panel.VersionsPanel``."""

    compare_wanted: SignalInstance
    restore_wanted: SignalInstance
    keep_wanted: SignalInstance
    forget_wanted: SignalInstance

    def show_versions(self, versions: Sequence[Version]) -> None: ...
    def set_editable(self, editable: bool) -> None: ...
    def set_unavailable(self) -> None: ...


@dataclass(frozen=True, slots=True)
class _Kept:
    """What the store answers: the draft's own uid, the version if it is a new one, and all versions."""

    uid: str
    version: Version | None
    versions: list[Version]


class Versioning(QObject):
    """Keeps versions of the window's draft: when it is opened, saved, restored, written in for ten minutes, or asked.

    ``told``: a passing message. ``warned``: a message for the bar. ``forgotten``: the store knows nothing of the draft.
    """

    told = Signal(str)
    warned = Signal(str)
    forgotten = Signal()

    def __init__(
        self,
        pane: TextPane,
        drafts: Drafts,
        *,
        storing: Storing,
        comparing: Comparing,
        scoring: VersionScores,
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._drafts = drafts
        self._storing = storing
        self._comparing = comparing
        self._scoring = scoring
        self._view: VersionsView | None = None
        self._draft = 0
        self._first: tuple[str, Format] | None = None
        self.versions: list[Version] = []
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(KEEP_EVERY_MS)
        self._timer.timeout.connect(lambda: self._keep("typing"))
        pane.edited.connect(self._edited)
        scoring.scored.connect(self._scored)
        storing.unavailable.connect(self._show)

    def set_view(self, view: VersionsView) -> None:
        """The panel, once it is made."""
        self._view = view
        view.compare_wanted.connect(self.compare)
        view.restore_wanted.connect(self.restore)
        view.keep_wanted.connect(self.keep)
        view.forget_wanted.connect(self.forget)
        self._show()

    # When

    def opened(self) -> None:
        """Another draft is in the pane. A file is kept as it was found; a new draft only once it was written in."""
        session = self._drafts.session
        self._draft += 1
        self._timer.stop()
        self._scoring.clear()
        self.versions = []
        self._show()
        self._first = (session.text, session.format) if session.text.strip() else None
        if session.path is not None and self._first is not None:
            self._keep("opened")
        else:
            uid, draft = session.uid, self._draft
            self._storing.ask(lambda store: store.versions(uid), lambda found: self._list(draft, found))

    def saved(self) -> None:
        """The draft was written to its file."""
        self._keep("saved")

    def keep(self) -> None:
        """Keep the text as it is now, because a person wants it."""
        if self._storing.failed:
            self.told.emit(UNAVAILABLE)
            return
        if not self._pane.text().strip():
            self.told.emit(tr("There is nothing to keep yet."))
            return
        self._keep("kept", told=True)

    # What with them

    def compare(self, chosen: Sequence[Version]) -> None:
        """Compare a version with the present text, or two with each other, the older one first."""
        if not chosen:
            return
        ordered = sorted(chosen, key=lambda version: version.id)[:2]

        def arrived(texts: list[str]) -> None:
            sides = [
                Side(version_name(version), text, version.format)
                for version, text in zip(ordered, texts, strict=True)
            ]
            self._comparing.compare(*sides)

        self._storing.ask(lambda store: [store.text_of(version.id) for version in ordered], arrived)

    def restore(self, version: Version) -> None:
        """Put a version in place of the text, which is kept first; one step of the undo history."""
        if self._pane.isReadOnly():
            self.told.emit(tr("This draft is open for reading only."))
            return
        number = version.id
        self._keep("replaced", then=lambda: self._fetch(number, version_name(version)))

    def forget(self) -> None:
        """Ask, then remove all that the store knows of this draft."""
        if self._storing.failed:
            self.told.emit(UNAVAILABLE)
            return
        name = self._drafts.session.name
        versions = tr("its versions ({number})").format(number=f"{len(self.versions):,}")
        answer = QMessageBox.question(
            self._pane.window(),
            ASK_TITLE,
            _ASK.format(name=name, versions=versions),
            _Button.Yes | _Button.Cancel,
            _Button.Cancel,
        )
        if answer != _Button.Yes:
            return
        session, draft = self._drafts.session, self._draft
        uid, name, path = session.uid, session.name, session.path

        def forgetting(store: Store) -> tuple[Path, ...]:
            return store.forget(store.draft(uid, name=name, path=path).uid)

        def done(left: tuple[Path, ...]) -> None:
            if draft != self._draft:
                return
            self._first = None
            self._timer.stop()
            self._scoring.clear()
            self._list(draft, [])
            self.forgotten.emit()
            if left:
                said = tr(
                    "The draft is forgotten. Something of it may still stand in {files}: remove that by hand."
                )
                self.warned.emit(said.format(files=", ".join(map(str, left))))
            else:
                self.told.emit(tr("The draft is forgotten."))

        self._storing.ask(forgetting, done)

    # The store

    def _edited(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _keep(self, why: str, *, told: bool = False, then: Callable[[], object] | None = None) -> None:
        """Keep the present text; ``then`` is called where it is in the history after that."""
        session, draft, text = self._drafts.session, self._draft, self._pane.text()
        uid, name, path, format = session.uid, session.name, session.path, session.format
        first, self._first = self._first, None
        scores = self._scoring.of(text)
        if why != "opened":
            self._timer.stop()

        def keeping(store: Store) -> _Kept:
            own = store.draft(uid, name=name, path=path).uid
            if first is not None and not store.versions(own):
                store.keep_version(own, first[0], format=first[1], why="opened")
            version = store.keep_version(own, text, format=format, why=why, scores=scores)
            return _Kept(own, version, store.versions(own))

        def kept(answer: _Kept) -> None:
            if draft != self._draft:
                return
            if answer.uid != self._drafts.session.uid:
                self._drafts.known_as(answer.uid)
            self._list(draft, answer.versions)
            newest = answer.version or answer.versions[-1]
            if newest.scores is None:
                self._scoring.want(newest.id, text, format)
            if told and answer.version is not None:
                self.told.emit(tr("This version is kept."))
            elif told:
                self.told.emit(tr("This text is kept already."))
            if then is not None:
                then()

        self._storing.ask(keeping, kept)

    def _fetch(self, number: int, name: str) -> None:
        draft = self._draft

        def arrived(text: str) -> None:
            if draft != self._draft or self._pane.isReadOnly():
                return
            present = self._pane.text()
            if text == present:
                self.told.emit(tr("The text is that of this version already."))
                return
            self._pane.replace(edits_between(present, text))
            self._keep("restored")
            said = tr(
                "Restored: {name}. Undo brings back the text that was here; it is kept as a version too."
            )
            self.told.emit(said.format(name=name))

        self._storing.ask(lambda store: store.text_of(number), arrived)

    def _scored(self, version: int, scores: Scores) -> None:
        uid, draft = self._drafts.session.uid, self._draft

        def scoring(store: Store) -> list[Version]:
            store.score(version, scores)
            return store.versions(uid)

        self._storing.ask(scoring, lambda found: self._list(draft, found))

    def _list(self, draft: int, versions: list[Version]) -> None:
        if draft == self._draft:
            self.versions = versions
            self._show()

    def _show(self) -> None:
        if self._view is not None:
            if self._storing.failed:
                self._view.set_unavailable()
            self._view.set_editable(not self._pane.isReadOnly())
            self._view.show_versions(self.versions)
