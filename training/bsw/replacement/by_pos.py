"""Replacing with part-of-speech tags (section 4.3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from training.bsw.replacement.base import Finds, Replacing, Row
from training.bsw.tagging import Tagger


class ByPos(Replacing):
    """Each occurrence becomes the tag of its part of speech there, as ``<noun>``.

    A term of several words becomes the tag of its last word.
    """

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        tagged = self._tagger(rows)
        return [
            [f"<{tags[one.end - 1].pos.lower()}>" for one in finds]
            for tags, finds in zip(tagged, found, strict=True)
        ]
