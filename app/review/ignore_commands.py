"""Commands that ignore findings: once, these words in this document, or always; and the list of allowed words.

Each is a step of the undo history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from app.background.jobs import JobQueue
from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.documents.session import stored_uid, uid_to_read
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.marks import Mark
from app.review.card_controller import CardController
from app.review.review_controller import ReviewController
from core.documents.suppression import MAX_PHRASE_LENGTH, clean_phrase, normalize_phrase
from core.i18n import tr
from core.storage.types import Ignore
from core.types import Finding

if TYPE_CHECKING:
    from core.storage.store import Store

IgnoreScope = Literal["once", "words", "always"]
NO_FINDING = tr("There is no finding here: put the caret on one first.")
WHOLE_SENTENCE = tr("This is a whole sentence. To ignore single findings in it, go through them one by one.")
_ONCE = tr("This occurrence of “{words}” is ignored. To have it marked again, choose Review ▸ Show ignored.")
_WORDS = tr("“{words}” is ignored in this draft. To have it marked again, choose Review ▸ Show ignored.")
_ALWAYS = tr("“{words}” is always allowed. To have it marked again, choose Review ▸ Show ignored.")
_BACK = tr("“{words}” is marked again.")
_TOO_LONG = tr("This is too long to be always allowed. Ignore it in this draft instead.")
_MAX_SHOWN = 60


class IgnoreCommands(QObject):
    """Ignores findings and restores them. Without a store, that lasts as long as the window.

    ``ignored``: the ``Finding``, and the starts in UTF-16 units of all findings that disappeared, its own first.
    ``ignored_again``: the ``Finding`` whose ignoring was undone and is redone.
    ``restored``: the ``Ignore`` entry that is no longer ignored; ``disallowed``: the phrase. ``changed``: the lists
    have changed. ``analysis_needed``: findings may come back. ``status_message``: a text for the status bar.
    """

    ignored = Signal(object, list)
    ignored_again = Signal(object)
    analysis_needed = Signal()
    restored = Signal(object)
    disallowed = Signal(str)
    changed = Signal()
    status_message = Signal(str)

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        *,
        card: CardController,
        review: ReviewController,
        store_access: StoreAccess,
        background: JobQueue,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents
        self._card = card
        self._review = review
        self._ignored = review.ignored
        self._store_access = store_access
        self._background = background
        self._draft = 0
        self._phrase_edits: list[tuple[str, bool]] = []
        self.phrases: list[str] = []
        card.ignored.connect(self.ignore_finding)
        review.ignored_updated.connect(self._update_entries)

    # Drafts

    def open_draft(self) -> None:
        """Another draft is open: read from the store what is ignored in it."""
        self.forget_draft()
        self._read_store()

    def forget_draft(self) -> None:
        """Ignore nothing in the draft any more; the store is not changed."""
        self._draft += 1
        self._ignored.clear()
        self.changed.emit()

    def store_opened(self) -> None:
        """Write to the store what was ignored before it was open, and read what it has."""
        for entry in self.entries:
            self._add_to_store(entry)
        for phrase in self.phrases:
            self._submit(_allowing(phrase))
        self._read_store()

    def _read_store(self) -> None:
        store, session = self._store_access.store, self._documents.session
        draft, edits = self._draft, len(self._phrase_edits)
        if store is None:
            return

        def read() -> tuple[list[Ignore], list[str]]:
            return store.ignores(uid_to_read(store, session)), store.allowed()

        def show(found: tuple[list[Ignore], list[str]]) -> None:
            entries, phrases = found
            if self._draft == draft:
                self._ignored.add_stored(entries)
            for phrase, allowed in self._phrase_edits[edits:]:
                phrases = _with(phrases, phrase) if allowed else _without(phrases, phrase)
            self._set_phrases(phrases)
            if entries or phrases:
                self.analysis_needed.emit()

        self._background.submit(read, show)

    # Ignoring

    def ignore_at_caret(self, scope: IgnoreScope) -> None:
        """Ignore the current finding."""
        finding = self._card.shown_finding or self._review.current_finding()
        if finding is None:
            self.status_message.emit(NO_FINDING)
        elif self._card.shows_sentence:
            self.status_message.emit(WHOLE_SENTENCE)
        else:
            self.ignore_finding(finding, scope)

    def ignore_finding(self, finding: Finding, scope: IgnoreScope) -> None:
        """Ignore a finding, or its words. Does nothing if an edit has changed them. A sentence is ignored once."""
        mark = self._editor.marks.find(finding)
        if mark is None:
            return
        if isinstance(finding, BiasedSentence):
            scope = "once"
        if scope == "always" and not clean_phrase(finding.shown):
            too_long = len(finding.shown) > MAX_PHRASE_LENGTH
            self.status_message.emit(_TOO_LONG if too_long else NO_FINDING)
            return
        take_back = self._ignore(mark, scope)
        draft = self._draft

        def undo() -> None:
            if self._draft != draft:  # The draft was forgotten, and what was ignored in it.
                return
            take_back()
            self.analysis_needed.emit()
            self.status_message.emit(_BACK.format(words=shorten(finding.shown)))

        def redo() -> None:
            nonlocal take_back
            if self._draft != draft:
                return
            now = self._editor.marks.at(mark.start)
            same = now is not None and (now.start, now.end) == (mark.start, mark.end)
            found = now if now is not None and same else mark
            take_back = self._ignore(found, scope)
            self._hide(found.finding, mark, scope)
            self.ignored_again.emit(found.finding)

        self._editor.history.add_action(undo, redo)
        starts = self._hide(finding, mark, scope)
        self.ignored.emit(finding, starts)

    def _ignore(self, mark: Mark, scope: IgnoreScope) -> Callable[[], None]:
        """Ignore the finding of ``mark``; returns what takes it back, unless that was done elsewhere."""
        match scope:
            case "once":
                number = self._ignored.add(mark)
                entry = self._ignored.entry(number)
            case "words":
                number, entry = 0, self._ignored.add_words(mark.finding)
            case "always":
                self._allow(mark.finding.shown)
                phrase = clean_phrase(mark.finding.shown)
                return lambda: self._disallow(phrase)
        if entry is not None:
            self._add_to_store(entry)

        def take_back() -> None:
            ignored = self._ignored.entry(number) if number else entry
            if ignored is not None:
                self._restore(ignored)
                self.changed.emit()

        return take_back

    def _hide(self, finding: Finding, mark: Mark, scope: IgnoreScope) -> list[int]:
        """Remove what is ignored now from all views and say so; returns the starts of all that disappeared."""
        removed = {finding}
        if scope != "once":
            source = self._review.source
            others = (*self._review.findings, *self._review.counted)
            removed |= {other for other in others if self._ignored.is_ignored(other, source)}
        starts = [mark.start]
        starts += [
            other.start
            for other in self._editor.marks
            if other.finding in removed and other.start != mark.start
        ]
        self._review.remove_findings(removed)
        self.changed.emit()
        message = {"once": _ONCE, "words": _WORDS, "always": _ALWAYS}[scope]
        self.status_message.emit(message.format(words=shorten(finding.shown)))
        return starts

    # Restoring

    @property
    def entries(self) -> list[Ignore]:
        """What is ignored in this draft."""
        return self._ignored.entries

    def position_of(self, entry: Ignore) -> int | None:
        """The present position of an entry that was ignored once, in UTF-16 units; None if it is not in the text."""
        return self._ignored.position_of(entry)

    def restore(self, entries: Sequence[Ignore]) -> None:
        """Stop ignoring these entries."""
        for entry in entries:
            self._restore(entry)
        self.changed.emit()
        self.analysis_needed.emit()

    def allow(self, words: str) -> bool:
        """Always allow a phrase. Returns whether it is valid: at least one word, and not too long."""
        if not clean_phrase(words):
            return False
        self._allow(words)
        self.changed.emit()
        self.analysis_needed.emit()
        return True

    def disallow(self, phrases: Sequence[str]) -> None:
        """Stop allowing these phrases, in every draft."""
        for phrase in phrases:
            self._disallow(phrase)
        self.analysis_needed.emit()

    def _restore(self, entry: Ignore) -> None:
        self._ignored.remove(entry)
        self._remove_from_store(entry)
        self.restored.emit(entry)

    def _disallow(self, phrase: str) -> None:
        self._phrase_edits.append((phrase, False))
        self._set_phrases(_without(self.phrases, phrase))
        self._submit(_disallowing(phrase))
        self.disallowed.emit(phrase)

    # The store

    def _allow(self, words: str) -> None:
        phrase = clean_phrase(words)
        self._phrase_edits.append((phrase, True))
        self._set_phrases(_with(self.phrases, phrase))
        self._submit(_allowing(phrase))

    def _set_phrases(self, phrases: list[str]) -> None:
        self.phrases = phrases
        self._ignored.allow(phrases)
        self.changed.emit()

    def _add_to_store(self, entry: Ignore) -> None:
        self._with_draft(lambda store, uid: store.ignore(uid, entry))

    def _remove_from_store(self, entry: Ignore) -> None:
        def remove(store: Store, uid: str) -> None:
            for stored in store.ignores(uid):
                if _is_same(stored, entry):
                    store.unignore(stored.id)

        self._with_draft(remove)

    def _update_entries(self, changes: list[tuple[Ignore, Ignore]]) -> None:
        # An entry may get the fingerprint that another one had.
        for before, _ in changes:
            self._remove_from_store(before)
        for _, after in changes:
            self._add_to_store(after)

    def _with_draft(self, operation: Callable[[Store, str], object]) -> None:
        session = self._documents.session
        self._submit(lambda store: operation(store, stored_uid(store, session)))

    def _submit(self, job: Callable[[Store], object]) -> None:
        if (store := self._store_access.store) is not None:
            self._background.submit(lambda: job(store))


class AllowedWords:
    """The words that are always allowed, as a ``WordList`` for the settings; changes take effect at once."""

    def __init__(self, ignore: IgnoreCommands) -> None:
        self._ignore = ignore

    def words(self) -> list[str]:
        """All phrases, in alphabetical order."""
        return list(self._ignore.phrases)

    def add(self, word: str) -> None:
        """Allow a phrase. Raises ValueError, with a sentence for the person, if it is not valid."""
        if not self._ignore.allow(word):
            text = tr("Write one or more words, at most {most} characters.")
            raise ValueError(text.format(most=MAX_PHRASE_LENGTH))

    def remove(self, word: str) -> None:
        """Stop allowing a phrase."""
        self._ignore.disallow([word])


def shorten(words: str) -> str:
    """``words`` on one line, cut if they are long."""
    line = " ".join(words.split())
    return line if len(line) <= _MAX_SHOWN else f"{line[: _MAX_SHOWN - 2].rstrip()} …"


def _allowing(phrase: str) -> Callable[[Store], object]:
    return lambda store: store.allow(phrase)


def _disallowing(phrase: str) -> Callable[[Store], object]:
    return lambda store: store.disallow(phrase)


def _with(phrases: Sequence[str], phrase: str) -> list[str]:
    known = {normalize_phrase(other): other for other in phrases}
    return sorted({normalize_phrase(phrase): phrase, **known}.values(), key=str.casefold)


def _without(phrases: Sequence[str], phrase: str) -> list[str]:
    return [other for other in phrases if normalize_phrase(other) != normalize_phrase(phrase)]


def _is_same(stored: Ignore, entry: Ignore) -> bool:
    if stored.scope != entry.scope:
        return False
    if entry.scope == "words":
        return normalize_phrase(stored.words) == normalize_phrase(entry.words)
    return (stored.kind, stored.words, stored.fingerprint) == (entry.kind, entry.words, entry.fingerprint)
