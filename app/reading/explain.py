"""What a card says about a finding: sentences from the cue lists, and addresses of the guides."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from core.cues import Lexicon
from core.findings import Finding
from core.guides import explain_without_cue, guide_url


@dataclass(frozen=True, slots=True)
class Explanation:
    """``why``: plain sentences; ``kind``: what the kind is; ``links``: (name, address) of the guides."""

    why: list[str]
    kind: str
    links: list[tuple[str, str]]


@cache
def lexicon() -> Lexicon:
    """The bundled cue lists, read once. Raises ``core.guides.LexiconError``."""
    return Lexicon.load()


def explain(finding: Finding, words: Lexicon) -> Explanation:
    """What to say about a finding; every guide is linked once."""
    why = [words.explain(cue) for cue in finding.why] or [explain_without_cue(finding.kind)]
    addresses = {cue.source: guide_url(cue.source) for cue in finding.why}
    links = [(source, address) for source, address in addresses.items() if address]
    return Explanation(why, words.explain_kind(finding.kind), links)
