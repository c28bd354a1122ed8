"""The words that are always allowed, as the settings show them."""

from __future__ import annotations

from app.review.ignoring import Ignoring
from core.allowed import LONGEST
from core.language import tr


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
