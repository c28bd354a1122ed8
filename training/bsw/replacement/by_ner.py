"""Replacing with named-entity tags (section 4.3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from training.bsw.replacement.base import Finds, Replacing, Row
from training.bsw.tagging import Tagger


class ByNer(Replacing):
    """An occurrence that is a named entity, or in one, becomes the tag of its type, as ``<norp>``; all others stay."""

    def __init__(self, tagger: Tagger) -> None:
        super().__init__()
        self._tagger = tagger

    def _news(self, rows: Sequence[Row], found: Sequence[Finds]) -> list[list[str | None]]:
        tagged = self._tagger(rows)
        return [
            [f"<{kind.lower()}>" if (kind := tags[one.end - 1].entity) else None for one in finds]
            for tags, finds in zip(tagged, found, strict=True)
        ]
