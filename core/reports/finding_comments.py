"""What a comment in a document says of a finding: its kind, why, the guide's address, and suggestions."""

from __future__ import annotations

from collections.abc import Sequence

from core.engine.cues import Lexicon
from core.i18n import tr
from core.reports.finding_notes import describe_finding
from core.reports.terminal import printable
from core.types import Finding


def comment_on(finding: Finding, lexicon: Lexicon, suggestions: Sequence[str] = ()) -> str:
    """The comment on a finding, in lines; ``suggestions`` say what each suggestion changes."""
    note = describe_finding(finding, lexicon)
    kind = lexicon.kinds[finding.kind].label
    first = tr("“{words}” reads as {kind}.").format(words=note.words, kind=kind)
    lines = [" ".join((first, *note.reasons)), note.url]
    if suggestions:
        lines.append(tr("Suggestions:"))
        lines += [f"– {printable(suggestion)}" for suggestion in suggestions]
    return "\n".join(filter(None, lines))
