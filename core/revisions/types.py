"""What a tracked change says of itself: who made it, when, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who makes the changes, and when. Word shows the time as it is written, so it is that of the person's clock."""

    author: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Note:
    """A comment on ``text[start:end]`` of a document as it was opened.

    On a changed text: all edits that touch the range are one change, with this comment; an empty one is left out.
    """

    start: int
    end: int
    comment: str
