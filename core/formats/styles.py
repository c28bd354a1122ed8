"""Styles of word processors: the properties of text that they set, and which are for quotations, headings or lists."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_QUOTING = re.compile(
    r"""
    (?<![^\W\d_]) (?:block|pull|intense|long|direct)?
        (?: quot(?:e|es|ed|ation|ations) | zitate? | cytat | citaat | citat | citaten | cita | citazione | citação )
        (?: \s? (?:char|zchn) )? (?![^\W\d_])
  | ^block\ ?text$ | ^citation(?:\ intense|\ car)?$ | ^zitat | zitat$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_ESCAPED = re.compile(r"_([0-9a-fA-F]{2})_")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_HEADING = re.compile(r"(?:heading ?(\d{0,2})|title|subtitle)", re.IGNORECASE)
_LIST = re.compile(r"list (bullet|number)(?: (\d))?", re.IGNORECASE)
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class TextProperties:
    """Properties of text; what is None is as in the style around it."""

    language: str | None = None
    italic: bool | None = None
    struck: bool | None = None
    raised: bool | None = None
    bold: bool | None = None
    underlined: bool | None = None


PLAIN = TextProperties()


@dataclass(frozen=True, slots=True)
class Style:
    """The name of a style as people see it, the style that it is based on (both may be empty), and its properties.

    ``outline`` is the level of a heading, from 1 on, and 0 for other text; None is as in the style it is based on.
    """

    name: str = ""
    base: str = ""
    properties: TextProperties = PLAIN
    outline: int | None = None


def heading_level(style: str, styles: Mapping[str, Style]) -> int:
    """The level of the headings that have a style, from 1 on; 0 if it is for other text."""
    for _ in range(_DEEPEST):
        known = styles.get(style, Style())
        if known.outline is not None:
            return known.outline
        for name in (known.name, style):
            if named := _HEADING.fullmatch(_unescaped(name)):
                return int(named[1] or 1)
        style = known.base
        if not style:
            break
    return 0


def list_level(style: str, styles: Mapping[str, Style]) -> tuple[int, bool]:
    """The level of the list items that have a style, 0 if it is for other text, and whether they have numbers."""
    named = _LIST.fullmatch(styles.get(style, Style()).name)
    return (int(named[2] or 1), named[1].lower() == "number") if named else (0, False)


def is_quoting(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for quotations: by its id, its name, or those of a style that it is based on."""
    for _ in range(_DEEPEST):
        known = styles.get(style, Style())
        if any(_QUOTING.search(_INNER_CAPITAL.sub(" ", _unescaped(name))) for name in (style, known.name)):
            return True
        style = known.base
        if not style:
            break
    return False


def _unescaped(name: str) -> str:
    """A name of a style in OpenDocument, in which ``_20_`` is a space."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), name).replace("_", " ")
