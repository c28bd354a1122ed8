"""The explanation of a finding: sentences from the cue lists, links to the guides, term dependence."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from app.editor.biased_sentences import BiasedSentence
from app.widgets.labels import to_single_line
from core.engine.cue_classes import CueClass, LexiconError, read_classes
from core.engine.cues import Lexicon
from core.engine.guide_classes import GuideClass, read_guide_classes
from core.i18n import tr
from core.types import Finding
from resources import ROOT


@cache
def cue_classes() -> dict[str, CueClass]:
    """The cue classes by key, without the slow word lists; empty if their table is damaged."""
    try:
        return read_classes(ROOT / "lexicons" / "classes.tsv")
    except LexiconError:
        return {}


def class_label(key: str) -> str:
    """The name of a class; its key as words if the table lacks it."""
    known = cue_classes().get(key)
    return known.label if known else key.replace("_", " ")


@cache
def guide_classes() -> dict[str, GuideClass]:
    """What a style guide says about each class, without the slow word lists; empty if the table is damaged."""
    try:
        return read_guide_classes(ROOT / "lexicons" / "guide_classes.tsv")
    except LexiconError:
        return {}


_SENTENCE = tr(
    "The sentence as a whole reads as biased, but no wording in it stands out. Look at what it claims in your own "
    "voice, whose view it gives, and what it leaves out: a source or the other side may be missing."
)


@dataclass(frozen=True, slots=True)
class Explanation:
    """``reasons``: full sentences; ``kind``: what the kind means; ``links``: (name, address) of the guides.

    ``advice``: what the guide says to do, as it stands in the reasons; empty where the reader does not tell the class.
    """

    reasons: list[str]
    kind: str
    links: list[tuple[str, str]]
    advice: str = ""


@cache
def lexicon() -> Lexicon:
    """The bundled cue lists, read once. Raises ``core.engine.cue_classes.LexiconError``."""
    return Lexicon.load()


def explain(finding: Finding, words: Lexicon) -> Explanation:
    """Explain a finding: the rule of a style pack, the guide's class, then the cues. Every guide is linked once.

    For a sentence without marked words there is one general reason.
    """
    if isinstance(finding, BiasedSentence):
        return Explanation([_SENTENCE], "", [])
    named = words.guide_class(finding)
    return Explanation(
        words.reasons(finding),
        words.explain_kind(finding.kind),
        words.guides(finding),
        named.advice if named else "",
    )


TERM_DEPENDENT = tr("This finding depends on the word itself")


def explain_term_dependence(finding: Finding) -> str:
    """Explain why a finding is term-dependent."""
    text = tr(
        "With a more general word in its place there would be no finding: the reader reacts to “{words}”, not to what "
        "is said with it."
    )
    return text.format(words=to_single_line(finding.shown))
