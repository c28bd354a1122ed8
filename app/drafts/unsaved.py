"""A draft that was not saved, as it is offered again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from app.drafts.session import Session
from core.journal_orphans import Orphan


class FileState(Enum):
    """What has become of a draft's file since the draft was read or written last."""

    UNTITLED = "untitled"
    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Unsaved:
    """A draft to offer. ``saved`` is the text that its file has now, empty where there is none."""

    orphan: Orphan
    state: FileState
    session: Session
    saved: str
