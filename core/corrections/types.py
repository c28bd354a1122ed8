"""The data classes of corrections."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from core.types import Kind

MAX_SENTENCE_LENGTH = 2000
"""Characters of the longest sentence that is stored; a longer one is a page without full stops."""


class Verdict(StrEnum):
    """What the person did with a finding: used a suggestion, or ignored it."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Correction:
    """``sentence[start:end]``, in code points, was marked as ``kind``.

    ``rewritten`` is the sentence with the suggestion that was used; empty where the finding was rejected.
    """

    verdict: Verdict
    kind: Kind
    sentence: str
    start: int
    end: int
    rewritten: str = ""

    @property
    def words(self) -> str:
        """The words that were marked."""
        return self.sentence[self.start : self.end]

    @property
    def is_valid(self) -> bool:
        """Whether its parts are consistent and something can be learnt from it."""
        if not 0 <= self.start < self.end <= len(self.sentence) or not self.words.strip():
            return False
        if self.verdict is Verdict.REJECTED:
            return not self.rewritten
        return bool(self.rewritten.strip()) and self.rewritten != self.sentence


@dataclass(frozen=True, slots=True)
class StoredCorrection:
    """A correction in the store: its id, the name of its draft, and when it was made (UTC)."""

    id: int
    draft: str
    made_at: datetime
    correction: Correction
