"""What a comment in a document says of a finding: its kind, why, the guide's address, and other wordings."""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.cues import Lexicon
from core.i18n import tr
from core.reports.finding_notes import describe_finding
from core.reports.terminal import printable
from core.types import Finding


def comment_on(finding: Finding, lexicon: Lexicon, wordings: Sequence[str] = ()) -> str:
    """The comment on a finding, in lines; ``wordings`` are sentences that could stand instead of its own."""
    note = describe_finding(finding, lexicon)
    kind = lexicon.kinds[finding.kind].label
    first = tr("“{words}” reads as {kind}.").format(words=note.words, kind=kind)
    lines = [" ".join((first, *note.reasons)), note.url]
    if wordings:
        lines.append(tr("Other wordings:"))
        lines += [f"– {printable(wording)}" for wording in wordings]
    return "\n".join(filter(None, lines))
