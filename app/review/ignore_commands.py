"""Ignoring findings: once, these words in this document, or always; and the list of words that are always allowed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from PySide6.QtCore import QObject, Signal

from app.documents.session import Session
from app.editor.editor import TextPane
from app.review.card_controller import CardHost
from app.review.review_controller import Review
from core.documents.suppression import LONGEST, evened, phrase_of
from core.i18n import tr
from core.storage.types import Draft, Ignore
from core.types import Finding

# Passing over: once, these words in this draft, or always; told back exactly, kept, and taken back at once.


Way = Literal["once", "words", "always"]
NO_FINDING = tr("No marked words here: put the caret on some first.")
_ONCE = tr("This “{words}” is ignored. Show ignored… takes it back.")
_WORDS = tr("“{words}” is ignored in this draft. Show ignored… takes it back.")
_ALWAYS = tr("“{words}” is always allowed. Show ignored… takes it back.")
_TOO_LONG = tr("These are too many words to be always allowed. Ignore them in this draft instead.")
_LONGEST = 60


class Keeps(Protocol):
    """What is needed of ``core.storage.store.Store``."""

    def draft(self, uid: str | None, *, name: str, path: Path | None) -> Draft: ...
    def ignore(self, uid: str, what: Ignore) -> Ignore: ...
    def ignores(self, uid: str) -> list[Ignore]: ...
    def unignore(self, ignore_id: int) -> None: ...
    def allowed(self) -> list[str]: ...
    def allow(self, words: str) -> None: ...
    def disallow(self, words: str) -> None: ...


class Ignoring(QObject):
    """Passes findings over and marks them again. Without a store all of it lasts as long as draft and window.

    ``session`` and ``store`` give what is open now; ``submit`` has a job done
    beside the window (``app.background.jobs``).

    ``passed``: the ``Finding`` that was meant, and where each finding that went began in UTF-16 units, it first.
    ``again``: something is to be marked that was passed over: read the draft again. ``restored``: the ``Ignore`` that
    is passed over no more; ``disallowed``: the phrase. ``changed``: another list. ``told``: a passing message.
    """

    passed = Signal(object, list)
    again = Signal()
    restored = Signal(object)
    disallowed = Signal(str)
    changed = Signal()
    told = Signal(str)

    def __init__(
        self,
        pane: TextPane,
        *,
        cards: CardHost,
        review: Review,
        session: Callable[[], Session],
        store: Callable[[], Keeps | None],
        submit: Callable[..., object],
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._cards = cards
        self._review = review
        self._ignored = review.ignored
        self._session = session
        self._store = store
        self._later = submit
        self._opened = 0
        self._edits: list[tuple[str, bool]] = []
        self.phrases: list[str] = []
        cards.ignored.connect(self.pass_over)
        review.renamed.connect(self._renamed)

    # Drafts

    def open_draft(self) -> None:
        """Another draft is open: what was passed over in it comes from the store."""
        self.forget_draft()
        self._read_store()

    def forget_draft(self) -> None:
        """Nothing is passed over in the draft any more; the store knows that, or is yet to be asked."""
        self._opened += 1
        self._ignored.clear()
        self.changed.emit()

    def store_opened(self) -> None:
        """The store is there: it gets what was passed over meanwhile, and tells what was before."""
        for entry in self.entries:
            self._keep(entry)
        for phrase in self.phrases:
            self._submit(lambda store, phrase=phrase: store.allow(phrase))
        self._read_store()

    def _read_store(self) -> None:
        store, session, opened, edits = self._store(), self._session(), self._opened, len(self._edits)
        if store is None:
            return

        def kept() -> tuple[list[Ignore], list[str]]:
            # One that lies nowhere need not be made a draft of the store only to see that nothing is kept of it.
            uid = session.uid if session.path is None else _uid(store, session)
            return store.ignores(uid), store.allowed()

        def arrived(found: tuple[list[Ignore], list[str]]) -> None:
            entries, phrases = found
            if self._opened == opened:
                self._ignored.add_kept(entries)
            for phrase, wanted in self._edits[edits:]:
                phrases = _with(phrases, phrase) if wanted else _without(phrases, phrase)
            self._know(phrases)
            if entries or phrases:
                self.again.emit()

        self._later(kept, arrived)

    # Passing over

    def here(self, way: Way) -> None:
        """Pass over the finding that a person is at."""
        finding = self._cards.shown or self._review.here()
        if finding is None:
            self.told.emit(NO_FINDING)
        else:
            self.pass_over(finding, way)

    def pass_over(self, finding: Finding, way: Way) -> None:
        """Pass over a finding, or its words. Nothing happens where an edit has changed them."""
        mark, source = self._pane.marks.find(finding), self._review.source
        if mark is None:
            return
        gone = {finding}
        match way:
            case "once":
                self._keep(self._ignored.add(mark))
                said = _ONCE
            case "words":
                self._keep(self._ignored.add_words(finding))
                said = _WORDS
            case "always":
                if not phrase_of(finding.text):
                    self.told.emit(_TOO_LONG if len(finding.text) > LONGEST else NO_FINDING)
                    return
                self._allow(finding.text)
                said = _ALWAYS
        if way != "once":
            gone |= {other for other in self._review.findings if self._ignored.lets_pass(other, source)}
        places = [mark.start]
        places += [other.start for other in self._pane.marks if other.finding in gone and other != mark]
        self._review.leave_out(gone)
        self.changed.emit()
        self.told.emit(said.format(words=short(finding.text)))
        self.passed.emit(finding, places)

    # Marking again

    @property
    def entries(self) -> list[Ignore]:
        """What is passed over in this draft."""
        return self._ignored.entries

    def place_of(self, entry: Ignore) -> int | None:
        """Where the words of an entry that was ignored once stand in the text now, in UTF-16 units, or None."""
        return self._ignored.place_of(entry)

    def restore(self, entries: Sequence[Ignore]) -> None:
        """Mark these again."""
        for entry in entries:
            self._ignored.remove(entry)
            self._forget(entry)
            self.restored.emit(entry)
        self.changed.emit()
        self.again.emit()

    def allow(self, words: str) -> bool:
        """Allow a phrase that a person wrote. Returns whether there is a word in it, and not too many."""
        if not phrase_of(words):
            return False
        self._allow(words)
        self.changed.emit()
        self.again.emit()
        return True

    def disallow(self, phrases: Sequence[str]) -> None:
        """Mark these phrases again, in every draft."""
        for phrase in phrases:
            self._edits.append((phrase, False))
            self._know(_without(self.phrases, phrase))
            self._submit(lambda store, phrase=phrase: store.disallow(phrase))
            self.disallowed.emit(phrase)
        self.again.emit()

    # The store

    def _allow(self, words: str) -> None:
        phrase = phrase_of(words)
        self._edits.append((phrase, True))
        self._know(_with(self.phrases, phrase))
        self._submit(lambda store: store.allow(phrase))

    def _know(self, phrases: list[str]) -> None:
        self.phrases = phrases
        self._ignored.allow(phrases)
        self.changed.emit()

    def _keep(self, entry: Ignore) -> None:
        self._with_draft(lambda store, uid: store.ignore(uid, entry))

    def _forget(self, entry: Ignore) -> None:
        def forget(store: Keeps, uid: str) -> None:
            for kept in store.ignores(uid):
                if _same(kept, entry):
                    store.unignore(kept.id)

        self._with_draft(forget)

    def _renamed(self, changes: list[tuple[Ignore, Ignore]]) -> None:
        for was, now in changes:
            self._forget(was)
            self._keep(now)

    def _with_draft(self, then: Callable[[Keeps, str], object]) -> None:
        session = self._session()
        self._submit(lambda store: then(store, _uid(store, session)))

    def _submit(self, job: Callable[[Keeps], object]) -> None:
        if (store := self._store()) is not None:
            self._later(lambda: job(store))


def short(words: str) -> str:
    """``words`` on one line, cut where they are long."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 2].rstrip()} …"


def _uid(store: Keeps, session: Session) -> str:
    """The name of the draft in the store, which may know its file by an older one."""
    return store.draft(session.uid, name=session.name, path=session.path).uid


def _with(phrases: Sequence[str], phrase: str) -> list[str]:
    known = {evened(other): other for other in phrases}
    return sorted({evened(phrase): phrase, **known}.values(), key=str.casefold)


def _without(phrases: Sequence[str], phrase: str) -> list[str]:
    return [other for other in phrases if evened(other) != evened(phrase)]


def _same(kept: Ignore, entry: Ignore) -> bool:
    if kept.scope != entry.scope:
        return False
    if entry.scope == "words":
        return evened(kept.words) == evened(entry.words)
    return (kept.kind, kept.words, kept.fingerprint) == (entry.kind, entry.words, entry.fingerprint)


# The words that are always allowed, as the settings show them.


class Dictionary:
    """One person's list over ``Ignoring``, which keeps it; what is added or removed counts at once."""

    def __init__(self, ignoring: Ignoring) -> None:
        self._ignoring = ignoring

    def words(self) -> list[str]:
        """All phrases, in the order of the alphabet."""
        return list(self._ignoring.phrases)

    def add(self, word: str) -> None:
        """Allow a phrase. Raises ValueError, with a sentence for a person, where there is no word in it."""
        if not self._ignoring.allow(word):
            said = tr("Write one or more words, {most} characters at most.")
            raise ValueError(said.format(most=LONGEST))

    def remove(self, word: str) -> None:
        """Mark a phrase again."""
        self._ignoring.disallow([word])
