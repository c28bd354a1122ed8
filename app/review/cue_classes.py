"""What the classes of cues are called: their table alone, without the long lists of words."""

from __future__ import annotations

from functools import cache

from core.guides import CueClass, LexiconError, read_classes
from resources import ROOT


@cache
def cue_classes() -> dict[str, CueClass]:
    """The classes by key, none where the table is damaged: the lists of words take a hundred times as long to read."""
    try:
        return read_classes(ROOT / "lexicons" / "classes.tsv")
    except LexiconError:
        return {}


def class_label(key: str) -> str:
    """The name of a class for a person; its key in words where the table does not have it."""
    known = cue_classes().get(key)
    return known.label if known else key.replace("_", " ")
