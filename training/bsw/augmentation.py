"""The baseline of Dixon et al.: further neutral rows that hold the terms, added to the training part (section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence

from training.bsw.model import Labelled, Split


def augmented(split: Split, additions: Sequence[Labelled]) -> Split:
    """The split with ``additions`` (`training.corpora.madlibs.additions`) at the end of its training part."""
    return Split((*split.train, *additions), split.dev, split.test)
