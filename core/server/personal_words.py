"""What the person ignores and allows, in the store that the window uses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from threading import Lock

from core.documents.suppression import AllowedPhrases
from core.paths import NoHomeError, data_folder
from core.storage.store import Store
from core.storage.types import FILE, Ignore, StoreError
from core.types import Finding, free_fingerprint


class PersonalWords:
    """Reads and changes the person's lists. Any thread may call it.

    The store is opened when it is first needed, and is not created before something is written. Where it cannot be
    opened, nothing is ignored or allowed, and ``on_message`` says why, once.
    """

    def __init__(self, on_message: Callable[[str], object]) -> None:
        self._on_message = on_message
        self._store: Store | None = None
        self._opening = Lock()
        self._failed = False
        self._known: tuple[list[str], AllowedPhrases] = ([], AllowedPhrases())

    def phrases(self) -> list[str]:
        """The words that are always allowed, in alphabetical order."""
        store = self._reading()
        try:
            return store.allowed() if store is not None else []
        except StoreError as error:
            self._fail(error)
            return []

    def allowed(self) -> AllowedPhrases:
        """The same, to look for in a text."""
        words = self.phrases()
        if words != self._known[0]:
            self._known = (words, AllowedPhrases(words))
        return self._known[1]

    def allow(self, words: str) -> None:
        """Never mark these words. Raises StoreError."""
        self._writing().allow(words)

    def disallow(self, words: str) -> None:
        """Mark these words again. Raises StoreError."""
        self._writing().disallow(words)

    def ignored(self, path: Path) -> list[Ignore]:
        """What is ignored in the draft that is kept at ``path``."""
        store = self._reading()
        try:
            draft = store.draft_at(path) if store is not None else None
            return store.ignores(draft.uid) if store is not None and draft is not None else []
        except StoreError as error:
            self._fail(error)
            return []

    def ignore(self, path: Path, finding: Finding, *, skipped: int = 0) -> None:
        """Ignore this finding in the draft that is kept at ``path``. Raises StoreError.

        ``skipped``: how many equal findings before it are not ignored.
        """
        store = self._writing()
        draft = store.open_draft(None, name=path.name, path=path)
        store.ignore(draft.uid, ignore_once(finding, store.ignores(draft.uid), skipped=skipped))

    def _reading(self) -> Store | None:
        """The store; None where there is none yet or it cannot be opened."""
        try:
            if self._store is None and (self._failed or not (data_folder() / FILE).is_file()):
                return None
            return self._writing()
        except (StoreError, NoHomeError) as error:
            self._fail(error)
            return None

    def _writing(self) -> Store:
        with self._opening:
            if self._store is None:
                self._store = Store.open()
            return self._store

    def _fail(self, error: Exception) -> None:
        if not self._failed:
            self._on_message(f"{error} Until then your ignored and allowed words are marked, too.")
        self._failed = True


def ignore_once(finding: Finding, known: Iterable[Ignore], *, skipped: int = 0) -> Ignore:
    """The entry that ignores one finding, besides the entries that are ``known``.

    ``skipped``: how many equal findings before it are not ignored.
    """
    taken = (entry.fingerprint for entry in known)
    known_as = free_fingerprint(finding.fingerprint, taken, skipped=skipped)
    return Ignore("once", finding.kind, finding.shown, known_as)
