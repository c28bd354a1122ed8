"""What runs in the spelling thread: the dictionary in use, the parser, and the check of one snapshot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.analysis.analysis_worker import Snapshot
from app.editor.misspellings import Range
from app.editor.positions import OffsetMap
from core.paths import NoHomeError
from core.spelling.checker import SpellingChecker, SpellingChoices, WordSet
from core.spelling.dictionaries import choose_dictionary, find_dictionaries
from core.spelling.own_words import OwnWords
from core.storage.files import FileError

if TYPE_CHECKING:
    from pathlib import Path

    from core.documents.incremental import IncrementalParser


@dataclass(frozen=True, slots=True)
class SpellingTask:
    """A check of ``snapshot``. ``dictionary``: the chosen code, empty for an English one; ``locale``: the system's."""

    snapshot: Snapshot
    dictionary: str
    locale: str
    choices: SpellingChoices
    ignored: WordSet


@dataclass(frozen=True, slots=True)
class SpellingResult:
    """The misspelled words of a revision, as ranges in UTF-16 units.

    ``dictionary``: the code of the dictionary; empty if there is none. ``note`` says why the own words are not used.
    """

    revision: int
    dictionary: str
    ranges: tuple[Range, ...] = ()
    note: str = ""


class SpellingWorker:
    """Lives in the spelling thread. The dictionary is read when it is first needed."""

    def __init__(self) -> None:
        self._own = OwnWords()
        self._parser: IncrementalParser | None = None
        self._path: Path | None = None
        self._checker: SpellingChecker | None = None

    def check(self, task: SpellingTask, cancelled: Callable[[], bool]) -> SpellingResult | None:
        """The misspelled words of a snapshot; None if the check was cancelled. Raises DictionaryError."""
        found = find_dictionaries()
        code = choose_dictionary(found, task.dictionary, task.locale)
        revision = task.snapshot.revision
        if not code:
            return SpellingResult(revision, "")
        checker = self._checker_for(found[code])
        if cancelled():
            return None
        own, note = self._own_words()
        document = task.snapshot.document(self._get_parser().parse)
        words = checker.check(
            document, choices=task.choices, accepted=(own, task.ignored), cancelled=cancelled
        )
        if cancelled():
            return None
        units = OffsetMap(task.snapshot.text).to_utf16
        ranges = tuple((units(word.start), units(word.end)) for word in words)
        return SpellingResult(revision, code, ranges, note)

    def corrections(self, word: str) -> tuple[str, ...]:
        """Up to five corrections of a word that the last check found."""
        own, _ = self._own_words()
        return self._checker.corrections(word, own) if self._checker is not None else ()

    def _own_words(self) -> tuple[WordSet, str]:
        try:
            return WordSet(self._own.words()), ""
        except (FileError, NoHomeError) as error:
            return WordSet(), str(error)

    def _checker_for(self, path: Path) -> SpellingChecker:
        if self._checker is None or self._path != path:
            from core.spelling.dictionary import SpellingDictionary

            self._checker = None
            self._checker, self._path = SpellingChecker(SpellingDictionary(path)), path
        return self._checker

    def _get_parser(self) -> IncrementalParser:
        if self._parser is None:
            from core.documents.incremental import IncrementalParser

            self._parser = IncrementalParser()
        return self._parser
