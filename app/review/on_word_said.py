"""What is said of a finding that leans on its word: with a more general one in its place it would not be there."""

from __future__ import annotations

from app.parts.labels import showable
from core.findings import Finding
from core.language import tr

TITLE = tr("This flag leans on the word itself")


def why(finding: Finding) -> str:
    """Why a finding leans on its word."""
    said = tr(
        "With a more general word in its place the reader would not flag it: it reacts to “{words}”, not to what is "
        "said with it."
    )
    return said.format(words=showable(finding.text))
