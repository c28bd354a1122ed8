"""Comments that a person added to a draft, or undid, since its file was saved, and their form in the journal."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class DraftComment:
    """A comment on ``[start, end)`` of a text, in code points, with its ``text``, who wrote it, and when.

    ``is_undone``: it was undone, but the file was saved with it.
    """

    start: int
    end: int
    text: str
    author: str
    time: datetime
    is_undone: bool = False

    @property
    def identity(self) -> tuple[str, str, datetime]:
        """What tells the comment from others, wherever its words stand: its text, author and time."""
        return self.text, self.author, self.time


def comments_to_json(comments: Iterable[DraftComment]) -> bytes:
    """The comments as JSON."""
    return json.dumps(
        [[one.start, one.end, one.text, one.author, one.time.isoformat(), one.is_undone] for one in comments]
    ).encode()


def comments_from_json(data: bytes, *, length: int) -> list[DraftComment]:
    """The comments of `comments_to_json` on a text of this length.

    Raises ValueError, TypeError, LookupError, OverflowError or RecursionError if the data are damaged.
    """
    found = []
    for start, end, text, author, time, is_undone in json.loads(data):
        if not 0 <= int(start) <= int(end) <= length:
            raise ValueError(f"a comment on {start}-{end} of {length} characters")
        found.append(
            DraftComment(
                int(start), int(end), str(text), str(author), datetime.fromisoformat(time), bool(is_undone)
            )
        )
    return found
