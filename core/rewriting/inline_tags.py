"""What to write after words that a rewording cannot mend: Wikipedia's inline tags, which ask others for a source.

In wikitext they are the templates of the English Wikipedia, in Markdown comments. Plain text, and files whose markup is
not shown, have no place for them.
"""

from __future__ import annotations

import re
from datetime import date

from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.types import Finding

_BY_CLASS = {
    "weasel": ("who", "according to whom"),
    "puffery": ("peacock inline",),
    "certainty": ("citation needed", "according to whom"),
    "judgement": ("according to whom", "citation needed"),
}
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


def fitting_tags(finding: Finding, form: Format) -> tuple[str, ...]:
    """The names of the tags that answer a finding in a draft of this format, the most fitting first."""
    if not FORMATS[form].has_comments or FORMATS[form].extracts_text:
        return ()
    by_cue = (_CLASS_OF_CUE.get(cue.category, "") for cue in finding.why[:1])
    return _BY_CLASS.get(finding.guide_class or next(by_cue, ""), ())


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
