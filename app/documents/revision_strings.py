"""What is said of a tracked change: its words on one line, its author, its time, and all of them in a sentence."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale

from app.widgets.labels import to_single_line
from core.i18n import tr
from core.revisions.types import Revision, RevisionKind

_MOST_SHOWN = 300
_MOST_IN_SENTENCE = 80
_MOST_OF_NAME = 30
_OBJECT = "\ufffc"
_DONE = {
    RevisionKind.INSERTED: tr("Inserted by {author}"),
    RevisionKind.DELETED: tr("Deleted by {author}"),
    RevisionKind.MOVED: tr("Moved by {author}"),
    RevisionKind.FORMATTED: tr("Formatted by {author}"),
}


def shown_words(text: str, most: int = _MOST_SHOWN) -> str:
    """The words of a revision on one line: the end of a paragraph as ¶; very long ones are cut."""
    shown = _cut(text, most).replace(_OBJECT, tr("[object]")).replace("\n", "¶")
    return to_single_line(shown) or "—"


def shown_author(author: str) -> str:
    """The name of an author on one line, empty where the file has none; a very long one is cut."""
    return _cut(to_single_line(author), _MOST_OF_NAME)


def shown_time(time: datetime | None) -> str:
    """The time of a change as short as the language of the system has it; empty where the file has none."""
    if time is None:
        return ""
    written = QDateTime.fromSecsSinceEpoch(int(time.timestamp()))
    return QLocale().toString(written, QLocale.FormatType.ShortFormat)


def describe_revision(revision: Revision) -> str:
    """What was done, by whom and when, to which words."""
    done = _DONE[revision.kind].format(author=shown_author(revision.author) or tr("an unknown author"))
    change = ", ".join(filter(None, (done, shown_time(revision.time))))
    words = shown_words(revision.text, _MOST_IN_SENTENCE)
    return tr("{change}: “{words}”").format(change=change, words=words)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
