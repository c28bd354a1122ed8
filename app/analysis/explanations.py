"""The explanation of a finding: cue classes, sentences from the cue lists, links to the guides, term dependence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from app.widgets.labels import showable
from core.engine.cue_classes import CueClass, LexiconError, explain_without_cue, guide_url, read_classes
from core.engine.cues import Lexicon
from core.i18n import tr
from core.types import Finding
from resources import ROOT

# What the classes of cues are called: their table alone, without the long lists of words.


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


# What a card says about a finding: sentences from the cue lists, and addresses of the guides.


@dataclass(frozen=True, slots=True)
class Explanation:
    """``why``: plain sentences; ``kind``: what the kind is; ``links``: (name, address) of the guides."""

    why: list[str]
    kind: str
    links: list[tuple[str, str]]


@cache
def lexicon() -> Lexicon:
    """The bundled cue lists, read once. Raises ``core.engine.cue_classes.LexiconError``."""
    return Lexicon.load()


def explain(finding: Finding, words: Lexicon) -> Explanation:
    """What to say about a finding; every guide is linked once."""
    why = [words.explain(cue) for cue in finding.why] or [explain_without_cue(finding.kind)]
    addresses = {cue.source: guide_url(cue.source) for cue in finding.why}
    links = [(source, address) for source, address in addresses.items() if address]
    return Explanation(why, words.explain_kind(finding.kind), links)


# What is said of a finding that leans on its word: with a more general one in its place it would not be there.


TITLE = tr("This flag leans on the word itself")


def why(finding: Finding) -> str:
    """Why a finding leans on its word."""
    said = tr(
        "With a more general word in its place the reader would not flag it: it reacts to “{words}”, not to what is "
        "said with it."
    )
    return said.format(words=showable(finding.text))
