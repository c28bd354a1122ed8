"""Tracked changes, and answers to comments, as data: who made them, when, why, and where they are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from core.documents.types import Span


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who makes the changes, and when. Word shows the time as it is written, so it is that of the person's clock."""

    author: str
    time: datetime


@dataclass(frozen=True, slots=True)
class Note:
    """A comment on ``text[start:end]`` of a document as it was opened.

    On a changed text: all edits that touch the range are one change, with this comment; an empty one is left out.
    ``stamp``: who wrote it and when, if that is not who makes the changes now.
    """

    start: int
    end: int
    comment: str
    stamp: Stamp | None = None


class RevisionKind(Enum):
    """What was done to the words of a revision."""

    INSERTED = "inserted"
    DELETED = "deleted"
    MOVED = "moved"
    FORMATTED = "formatted"


class Story(Enum):
    """Which text of a file a revision is in."""

    BODY = "body"
    HEADER = "header"
    FOOTER = "footer"
    FOOTNOTES = "footnotes"
    ENDNOTES = "endnotes"


@dataclass(frozen=True, slots=True)
class Revision:
    """A tracked change of a file: what one person did at one time, without a gap.

    ``text`` are its words; a paragraph ends in them with ``\\n``, an object is U+FFFC. ``time`` is as written in the
    file, without a zone. ``place`` is its range in the text of the document, empty if words were deleted, None
    in a part that is not shown. ``marks`` say where it is in ``part``: they hold for these bytes of the file only.
    """

    kind: RevisionKind
    text: str
    author: str
    time: datetime | None
    story: Story
    place: Span | None
    part: str
    marks: frozenset[int | str]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one person wrote about a finding, or did to its words: ``revision`` is then the kind of the tracked change.

    Without an author, ``text`` are the words that are there now, changed without being tracked.
    """

    author: str
    time: datetime | None
    text: str
    revision: RevisionKind | None = None


@dataclass(frozen=True, slots=True)
class AnsweredComment:
    """The comment on a finding, by the fingerprint of the finding, with its answers.

    ``words`` are those of the finding, empty if the comment no longer quotes them; ``place`` is its range in the text
    of the file. ``is_resolved``: it was marked as resolved.
    """

    fingerprint: str
    words: str
    place: Span | None
    answers: tuple[Answer, ...]
    is_resolved: bool

    @property
    def by_colleague(self) -> bool:
        """Whether somebody answered it; False if only its words have changed."""
        return self.is_resolved or any(answer.author for answer in self.answers)
