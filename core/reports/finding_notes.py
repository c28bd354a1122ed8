"""What a report for programs says of a finding: the id of its rule, a message with the reason, the guide's address."""

from __future__ import annotations

from dataclasses import dataclass

from core.engine.cue_classes import explain_style, explain_without_cue, guide_url
from core.engine.cues import Lexicon
from core.engine.guide_classes import GuideClass
from core.reports.terminal import printable
from core.types import Finding, Kind


@dataclass(frozen=True, slots=True)
class FindingNote:
    """``rule``: a class of the guide (``framing/puffery``), a cue class, or the kind; ``title`` names it.

    ``reasons`` are sentences for a person; ``url`` is the page of the guide, empty where there is none.
    """

    rule: str
    title: str
    words: str
    kind: str
    reasons: tuple[str, ...]
    url: str

    @property
    def message(self) -> str:
        """All of it in one line."""
        if self.kind == Kind.STYLE:
            return " ".join(self.reasons)
        return f"“{self.words}” reads as {self.kind}. {' '.join(self.reasons)}"


def describe_finding(finding: Finding, lexicon: Lexicon) -> FindingNote:
    """What is said of a finding: by the guide's class, else by its strongest cue, else by its kind."""
    if finding.kind is Kind.STYLE and finding.style is not None:
        return FindingNote(
            style_rule_id(finding.style.rule),
            finding.style.pack,
            printable(finding.shown),
            finding.kind.value,
            tuple(lexicon.reasons(finding)),
            finding.style.address,
        )
    cues = [cue for cue in finding.why if cue.category in lexicon.classes][:1]
    explained = [lexicon.explain(cue) for cue in cues]
    named = lexicon.guide_class(finding)
    if named:
        rule, title = guide_rule_id(named), named.heading
        reasons, guides = [named.text, *explained], named.guides
    elif cues:
        cue_class = lexicon.classes[cues[0].category]
        rule, title = cue_class.key, cue_class.label[:1].upper() + cue_class.label[1:]
        reasons, guides = explained, (cues[0].source, cue_class.guide)
    else:
        note = lexicon.kinds[finding.kind]
        rule, title = finding.kind.value, note.label
        reasons = [explain_without_cue(finding.kind), lexicon.explain_kind(finding.kind)]
        guides = (note.guide,)
    if finding.style is not None:
        reasons.append(explain_style(finding.style))
    url = next((address for guide in guides if (address := guide_url(guide))), "")
    words = printable(finding.shown)
    return FindingNote(rule, title, words, finding.kind.value, tuple(reasons), url)


def guide_rule_id(one: GuideClass) -> str:
    """The id of the rule of a guide's class. It begins with the kind: a cue class may have the same name."""
    return f"{one.kind.value}/{one.key}"


def style_rule_id(key: str) -> str:
    """The id of a rule of a style pack, from its key."""
    return f"{Kind.STYLE.value}/{key}"
