"""What to write where no suggestion can mend the words: Wikipedia's inline tags, which ask others for a source,
comments that do, and attributions with a name to fill in.

In wikitext the tags are the templates of the English Wikipedia, in Markdown comments in the text. Files whose markup is
not shown take comments beside their text; plain text has no place for either. Attributions are for all formats but
wikitext: its template asks the same.
"""

from __future__ import annotations

import re
from datetime import date

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.i18n import tr
from core.text.diff import TextEdit
from core.types import Finding

WHO = "[who?]"
"""Stands in an attribution for the name to fill in; in English like the draft."""

_BY_CLASS = {
    "weasel": ("who", "according to whom"),
    "puffery": ("peacock inline",),
    "certainty": ("citation needed", "according to whom"),
    "judgement": ("according to whom", "citation needed"),
}
_COMMENTS = {
    "weasel": tr("Who says this? Name the source."),
    "puffery": tr(
        "This is praise. Give the fact that shows the merit, or say who praises it, with a source."
    ),
    "certainty": tr("How is this known? Give the evidence, with a source."),
    "judgement": tr("Whose view is this? Name who holds it, with a source."),
}
"""For the classes of `_BY_CLASS`."""
_CLASS_OF_CUE = {"unsupported_attribution": "weasel", "puffery": "puffery"}
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August", "September", "October"),
    *("November", "December"),
)
"""In English whatever the language of the system: the templates know no other."""
_AFTER = {
    Format.WIKITEXT: re.compile(r"(?:[^\[\]{}|\n]{0,200}\]{1,2})?'{0,5}"),
    Format.MARKDOWN: re.compile(r"(?:[*_~]+|\](?:\([^()\n]{0,400}\)|\[[^\[\]\n]{0,200}\]))*"),
}
"""The rest of a link, and the ends of emphasis, which are not parted from the words."""

_SPACE = r"(?:[^\S\n]+\n?|\n)"
_VAGUE_SOURCE = re.compile(
    rf"\b(?:"
    rf"it{_SPACE}(?:(?P<now>is)|was|has{_SPACE}been|had{_SPACE}been){_SPACE}(?:(?:widely|generally|commonly|often|"
    rf"sometimes|broadly|popularly){_SPACE})?(?:said|believed|thought|claimed|argued|alleged|asserted|assumed|felt|"
    rf"maintained|reported|rumou?red|suggested|speculated)(?={_SPACE}that\b)"
    rf"|(?:(?:some|many|several|most|other|certain|various|numerous){_SPACE})?(?:some|many|others|people|critics|"
    rf"experts|observers|analysts|commentators|scholars|historians|researchers|scientists|sources|supporters|"
    rf"opponents|insiders|detractors|proponents|fans|reviewers){_SPACE}(?:(?P<says>say)|said|"
    rf"(?:(?P<claims>claim|believe|argue|think|suggest|contend|maintain|allege)|claimed|believed|argued|thought|"
    rf"suggested|contended|maintained|alleged)(?={_SPACE}that\b))\b)",
    re.IGNORECASE,
)
"""*It is believed* before *that*, *critics say*: a whole attribution without a name."""

_NEAR = 80


def fitting_tags(finding: Finding, form: Format) -> tuple[str, ...]:
    """The names of the tags that answer a finding in a draft of this format, the most fitting first."""
    if not FORMATS[form].has_comments or FORMATS[form].extracts_text:
        return ()
    return _BY_CLASS.get(_class_of(finding), ())


def fitting_comment(finding: Finding, form: Format) -> str:
    """What a comment on a finding says is missing, in a file with comments beside its text; empty if none fits."""
    return _COMMENTS.get(_class_of(finding), "") if FORMATS[form].extracts_text else ""


def tag_text(name: str, form: Format, *, today: date | None = None) -> str:
    """A tag as it is written in a draft of this format: with ``today``'s month in wikitext, if it is given."""
    if form is not Format.WIKITEXT:
        return f"<!-- {name} -->"
    month = f"|date={_MONTHS[today.month - 1]} {today.year}" if today else ""
    return f"{{{{{name}{month}}}}}"


def tag_place(source: str, end: int, form: Format) -> int:
    """Where to write a tag after words that end at ``end``: behind the link and the emphasis around them."""
    after = _AFTER[form].match(source, end)
    return after.end() if after else end


def lacks_source(finding: Finding, form: Format) -> bool:
    """Whether an attribution may be written for a finding in a draft of this format: its words name no source."""
    return form is not Format.WIKITEXT and not finding.quoted and _class_of(finding) == "weasel"


def attribution(source: str, start: int, end: int, form: Format) -> TextEdit:
    """The edit that attributes a claim whose source ``source[start:end]`` leaves open to `WHO`, to be filled in.

    A whole attribution (*critics say*, *it is believed* before *that*) becomes ``[who?] says``. After other words the
    name is asked for.
    """
    for match in _VAGUE_SOURCE.finditer(source, max(0, start - _NEAR), end + _NEAR):
        if match.start() < end and start < match.end():
            present = match["now"] or match["says"] or match["claims"]
            return TextEdit(match.start(), match.end(), f"{WHO} says" if present else f"{WHO} said")
    after = tag_place(source, end, form) if form in _AFTER else end
    return TextEdit(after, after, f" {WHO}")


def _class_of(finding: Finding) -> str:
    """The guide's class of a finding, or what its first cue says of it."""
    by_cue = (_CLASS_OF_CUE.get(cue.category, "") for cue in finding.why[:1])
    return finding.guide_class or next(by_cue, "")
