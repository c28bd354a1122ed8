"""Checks the spelling of the draft in the background and marks what is misspelled in the editor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from app.analysis.analysis_worker import Snapshot
from app.background.jobs import JobQueue, describe_error
from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.documents.session import stored_uid, uid_to_read
from app.editor.editor import TextEditor
from app.editor.misspellings import Misspellings, Range
from app.settings.settings import Settings
from app.spelling.spelling_worker import SpellingResult, SpellingTask, SpellingWorker
from core.i18n import tr
from core.paths import NoHomeError
from core.spelling.checker import SpellingChoices, WordSet
from core.spelling.dictionaries import what_to_install
from core.spelling.dictionary import DictionaryError
from core.spelling.own_words import OwnWords
from core.spelling.words import clean_word
from core.storage.files import FileError
from core.storage.types import StoreError
from core.text.diff import TextEdit

if TYPE_CHECKING:
    from core.storage.store import Store

PAUSE_MS = 400
"""How long a pause in typing lasts before the text is checked."""
CORRECTIONS_WAIT_S = 0.25
"""How long a menu waits for corrections before it opens without them."""

_SETTINGS = ("spelling", "dictionary", "spell_quotations", "spell_capitals")


class SpellingController(QObject):
    """Checks the whole text after each pause in typing, in a thread of its own, once ``start`` was called.

    ``ignored``: the words that are ignored in this draft; without a store, as long as it is open. ``changed``: these
    words or the own words have changed. ``status_message``: a text for the status bar; ``message``: for the message
    bar.
    """

    changed = Signal()
    status_message = Signal(str)
    message = Signal(str)

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        settings: Settings,
        *,
        snapshot: Callable[[int], Snapshot],
        store_access: StoreAccess,
        background: JobQueue,
    ) -> None:
        super().__init__(editor)
        self._editor, self._documents, self._settings = editor, documents, settings
        self._snapshot = snapshot
        self._store_access, self._background = store_access, background
        self._jobs = JobQueue(self)
        self._jobs.failed.connect(self.message)
        self._worker = SpellingWorker()
        self._own = OwnWords()
        self.ignored: list[str] = []
        self._draft = self._edits = self._revision = 0
        self._started = self._checking = self._again = self._broken = self._switched_on = False
        self._missing = False
        self._note = ""
        self._cancel = Event()
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._check)
        editor.edited.connect(self._text_edited)
        settings.changed.connect(self._setting_changed)
        application = QGuiApplication.instance()
        if isinstance(application, QGuiApplication):
            application.applicationStateChanged.connect(self._application_state_changed)

    def start(self) -> None:
        """Check the text from now on, if the setting is on."""
        self._started = True
        self.check_now()

    @property
    def is_on(self) -> bool:
        """Whether spelling is checked."""
        return bool(self._settings.value("spelling"))

    def check_now(self) -> None:
        """Check the text again without waiting for a pause."""
        self._revision += 1
        self._cancel.set()
        if self._started:
            self._timer.start(0)

    # Misspelled words

    def word_at(self, position: int) -> tuple[Range, str] | None:
        """The place and the text of the misspelled word at a position in UTF-16 units."""
        place = self._editor.misspelled.at(position)
        return (place, self._editor.text_between(*place)) if place is not None else None

    def corrections(self, word: str, later: Callable[[tuple[str, ...]], object]) -> tuple[str, ...] | None:
        """Corrections for a misspelled word; None if that takes long: ``later`` receives them then, () on an error."""
        self._cancel.set()  # The search would wait for a running check; that is done again afterwards.
        self._again = self._again or self._checking
        done, waits = Event(), True
        found: list[tuple[str, ...]] = []

        def find() -> tuple[str, ...]:
            try:
                found.append(self._worker.corrections(word))
            finally:
                done.set()
            return found[0]

        def deliver(corrections: tuple[str, ...]) -> None:
            if not waits:
                later(corrections)

        def fail(error: Exception) -> None:
            later(())
            self.message.emit(describe_error(error))

        self._jobs.submit(find, deliver, fail)
        done.wait(CORRECTIONS_WAIT_S)
        if found:
            return found[0]
        waits = False
        return None

    def correct(self, place: Range, word: str, correction: str) -> None:
        """Replace a misspelled word by a correction, in one step. Does nothing if an edit has changed the word."""
        if place in self._editor.misspelled.between(*place) and self._editor.text_between(*place) == word:
            self._editor.replace([TextEdit(*place, correction)])

    def next_word(self) -> None:
        """Select the next misspelled word; after the last one, the first."""
        if not self.is_on:
            self.status_message.emit(tr("Switch “Check spelling” on first."))
            return
        if self._missing:
            self.message.emit(what_to_install())
            return
        words, start = self._editor.misspelled, self._editor.textCursor().selectionStart()
        if not len(words):
            self.status_message.emit(tr("No misspelled word was found."))
            return
        here = words.at(start)
        visited = here is not None and here[0] == start and self._editor.textCursor().hasSelection()
        place = words.after(start if visited else start - 1) or words[0]
        self._editor.setFocus()
        self._editor.go_to(*place)
        text = tr("“{word}” is not in the dictionary. The menu key shows suggestions.")
        self.status_message.emit(text.format(word=self._editor.text_between(*place)))

    # Own words

    def own_words(self) -> list[str]:
        """The person's own words in alphabetical order. Raises FileError and NoHomeError."""
        return self._own.words()

    def add_own_word(self, word: str) -> None:
        """Add an own word, for all drafts and windows. Raises ValueError, FileError, NoHomeError and StoreError."""
        self._own.add(word)
        self._words_changed()

    def remove_own_word(self, word: str) -> None:
        """Remove an own word. Raises FileError, NoHomeError and StoreError."""
        self._own.remove(word)
        self._words_changed()

    def add_to_dictionary(self, word: str) -> None:
        """Add an own word and show a message: that it was added, or why it was not."""
        try:
            self.add_own_word(word)
        except (ValueError, FileError, NoHomeError, StoreError) as error:
            self.message.emit(str(error))
        else:
            text = tr(
                "“{word}” is now in your personal dictionary. To remove it, choose Review ▸ Show ignored."
            )
            self.status_message.emit(text.format(word=word))

    # Words that are ignored in the draft

    def open_draft(self) -> None:
        """Read from the store which words are ignored in the draft that was opened, and check it."""
        self.forget_draft()
        self._read_store()

    def forget_draft(self) -> None:
        """Forget which words are ignored in the draft; the store is not changed."""
        self._draft += 1
        self._editor.set_misspelled(Misspellings())
        self._set_ignored([])

    def store_opened(self) -> None:
        """Write to the store what was ignored before it was opened, and read what it holds."""
        for word in self.ignored:
            self._submit(_ignoring(word))
        self._read_store()

    def ignore(self, word: str) -> None:
        """Ignore the spelling of a word in this draft."""
        self._edits += 1
        self._set_ignored([*(one for one in self.ignored if one != word), word])
        self._submit(_ignoring(word))
        text = tr(
            "The spelling of “{word}” is ignored in this draft. To have it marked again, choose Review ▸ Show ignored."
        )
        self.status_message.emit(text.format(word=word))

    def restore(self, word: str) -> None:
        """Check the spelling of a word in this draft again."""
        self._edits += 1
        self._set_ignored([one for one in self.ignored if one != word])
        self._submit(_unignoring(word))

    def close(self) -> None:
        """End the check and join the thread."""
        self._started = False
        self._timer.stop()
        self._cancel.set()
        self._jobs.close()

    def _read_store(self) -> None:
        store, session = self._store_access.store, self._documents.session
        draft, edits = self._draft, self._edits
        if store is None:
            return

        def read() -> list[str]:
            return store.ignored_spellings(uid_to_read(store, session))

        def show(found: list[str]) -> None:
            if (self._draft, self._edits) == (draft, edits) and found != self.ignored:
                self._set_ignored(found)

        self._background.submit(read, show)

    def _submit(self, change: Callable[[Store, str], None]) -> None:
        store, session = self._store_access.store, self._documents.session
        if store is not None:
            self._background.submit(lambda: change(store, stored_uid(store, session)))

    def _set_ignored(self, words: Sequence[str]) -> None:
        self.ignored = list(words)
        self._words_changed()

    def _words_changed(self) -> None:
        self.changed.emit()
        self.check_now()

    # The check

    def _text_edited(self) -> None:
        self._revision += 1
        self._cancel.set()
        if self._started:
            self._timer.start(PAUSE_MS)

    def _setting_changed(self, name: str) -> None:
        if name in _SETTINGS:
            self._broken = False
            self._switched_on = self._switched_on or name in ("spelling", "dictionary")
            self.check_now()

    def _application_state_changed(self, state: Qt.ApplicationState) -> None:
        """Check again when the window becomes active: another one may have changed the own words."""
        if state == Qt.ApplicationState.ApplicationActive and self._started and self.is_on:
            self.check_now()

    def _check(self) -> None:
        if not self.is_on:
            self._editor.set_misspelled(Misspellings())
            return
        if self._checking:
            self._again = True
            return
        if self._broken:
            return
        self._checking, self._again = True, False
        self._cancel = cancel = Event()
        task = SpellingTask(
            self._snapshot(self._revision),
            self._settings.value("dictionary"),
            QLocale.system().name(),
            SpellingChoices(self._settings.value("spell_capitals"), self._settings.value("spell_quotations")),
            WordSet(self.ignored),
        )
        self._jobs.submit(lambda: self._worker.check(task, cancel.is_set), self._checked, self._failed)

    def _checked(self, result: SpellingResult | None) -> None:
        self._checking = False
        if result is not None and result.revision == self._revision and self.is_on:
            self._editor.set_misspelled(Misspellings(result.ranges))
            self._missing = not result.dictionary
            if self._switched_on and self._missing:
                self.message.emit(what_to_install())
            self._switched_on = False
            if result.note != self._note:
                self._note = result.note
                if result.note:
                    self.message.emit(result.note)
        if self._again:
            self._check()

    def _failed(self, error: Exception) -> None:
        """Show what is wrong once; check again only after a setting has changed."""
        self._checking = False
        chosen_since, self._switched_on = self._again and self._switched_on, False
        self._broken = not chosen_since
        self._editor.set_misspelled(Misspellings())
        self.message.emit(str(error) if isinstance(error, DictionaryError) else describe_error(error))
        if chosen_since:
            self._check()


class OwnWordList:
    """The person's own words, as a ``WordList`` for the settings."""

    def __init__(self, spelling: SpellingController) -> None:
        self._spelling = spelling

    def words(self) -> list[str]:
        """All words, in alphabetical order."""
        return self._spelling.own_words()

    def add(self, word: str) -> None:
        """Add a word."""
        self._spelling.add_own_word(word)

    def remove(self, word: str) -> None:
        """Remove a word."""
        self._spelling.remove_own_word(word)


class IgnoredSpellingList:
    """The words whose spelling is ignored in the draft, as a ``WordList``."""

    def __init__(self, spelling: SpellingController) -> None:
        self._spelling = spelling

    def words(self) -> list[str]:
        """All words, in alphabetical order."""
        return sorted(self._spelling.ignored, key=str.casefold)

    def add(self, word: str) -> None:
        """Ignore a word. Raises ValueError, with a sentence for the person, if it is none."""
        self._spelling.ignore(clean_word(word))

    def remove(self, word: str) -> None:
        """Check a word again."""
        self._spelling.restore(word)


def _ignoring(word: str) -> Callable[[Store, str], None]:
    return lambda store, uid: store.ignore_spelling(uid, word)


def _unignoring(word: str) -> Callable[[Store, str], None]:
    return lambda store, uid: store.unignore_spelling(uid, word)
