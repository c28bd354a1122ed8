"""Comments by which an author asks that a stretch of a document be not checked."""

from __future__ import annotations


def is_off(comment: str) -> bool:
    """Whether a comment asks that its range be not checked."""
    return " ".join(comment.split()).casefold() == "evenhand off"
