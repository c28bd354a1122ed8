"""Lists of words that a setting shows but that are kept elsewhere."""

from __future__ import annotations

from typing import Protocol


class WordList(Protocol):
    """Where such a list is kept. A method that fails raises an exception whose text is one sentence for a person."""

    def words(self) -> list[str]:
        """All words, in the order to show them in."""

    def add(self, word: str) -> None:
        """Put a word on the list."""

    def remove(self, word: str) -> None:
        """Take a word off the list."""
