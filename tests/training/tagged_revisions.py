"""Revisions as tagged sentences, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.cues import Lexicon
from training.text.edits import KindFinder
from training.text.revision_spans import diff_revision
from training.text.tagged_pairs import tag_sides
from training.types import TaggedSentence


def tag_revision(
    before: Sequence[str], after: Sequence[str], *, group: str = ""
) -> tuple[TaggedSentence, TaggedSentence]:
    """Both sides of a revision as a corpus has them."""
    kinds = KindFinder(Lexicon.load())
    return tag_sides(before, after, diff_revision(before, after), group=group, kinds=kinds)
