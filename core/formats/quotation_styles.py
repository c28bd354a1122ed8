"""Styles of word processors: what they say of the text that has them, those of quotations and those of headings."""

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
_HEADING = re.compile(r"^(?:heading ?\d{0,2}|title|subtitle)$", re.IGNORECASE)
_ESCAPED = re.compile(r"_([0-9a-fA-F]{2})_")
_INNER_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class TextProperties:
    """Properties of text; what is None is as in the style around it."""

    language: str | None = None
    italic: bool | None = None
    struck: bool | None = None
    raised: bool | None = None


PLAIN = TextProperties()


@dataclass(frozen=True, slots=True)
class Style:
    """The name of a style as people see it, the style that it is based on (both may be empty), and its properties.

    ``outlined``: its paragraphs have a level in the outline of the document; None is as in the style it is based on.
    """

    name: str = ""
    base: str = ""
    properties: TextProperties = PLAIN
    outlined: bool | None = None


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


def is_heading(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for headings or titles: by its level, or its name or that of a style that it is based on."""
    for _ in range(_DEEPEST):
        known = styles.get(style, Style())
        if known.outlined is not None:
            return known.outlined
        if any(_HEADING.match(_unescaped(name)) for name in (style, known.name)):
            return True
        style = known.base
        if not style:
            break
    return False


def _unescaped(name: str) -> str:
    """A name of a style in OpenDocument, in which ``_20_`` is a space."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), name).replace("_", " ")
