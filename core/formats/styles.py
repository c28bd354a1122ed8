"""Styles of word processors: the properties of text that they set, and which are for quotations, headings or lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
_CAPTION = re.compile(r"(?:.*\W|figure|image|table|picture)?caption|illustration", re.IGNORECASE)
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

    ``outline`` is the level of a heading, from 1 on, and 0 for other text. ``list_id`` is the list that paragraphs of
    the style are items of, and ``list_level`` their level in it, from 0 on. ``bold_header``: tables of the style have a
    bold first row. What is None is as in the style it is based on.
    """

    name: str = ""
    base: str = ""
    properties: TextProperties = PLAIN
    outline: int | None = None
    list_id: str | None = None
    list_level: int | None = None
    bold_header: bool | None = None


def _with_bases(style: str, styles: Mapping[str, Style]) -> Iterator[tuple[str, Style]]:
    """The id of a style and the style, and then those that it is based on."""
    for _ in range(_DEEPEST):
        known = styles.get(style, Style())
        yield style, known
        style = known.base
        if not style:
            break


def heading_level(style: str, styles: Mapping[str, Style]) -> int:
    """The level of the headings that have a style, from 1 on; 0 if it is for other text."""
    for one, known in _with_bases(style, styles):
        if known.outline is not None:
            return known.outline
        for name in (known.name, one):
            if named := _HEADING.fullmatch(_unescaped(name)):
                return int(named[1] or 1)
    return 0


def list_level(style: str, styles: Mapping[str, Style]) -> tuple[int, bool]:
    """The level of the list items that have a style, 0 if it is for other text, and whether they have numbers."""
    named = _LIST.fullmatch(styles.get(style, Style()).name)
    return (int(named[2] or 1), named[1].lower() == "number") if named else (0, False)


def list_of_style(style: str, styles: Mapping[str, Style]) -> tuple[str, int]:
    """The list that paragraphs of a style are items of, empty if they are none, and their level, from 0 on."""
    list_id: str | None = None
    level: int | None = None
    for _, known in _with_bases(style, styles):
        list_id = known.list_id if list_id is None else list_id
        level = known.list_level if level is None else level
    return list_id or "", level or 0


def has_bold_header(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether tables of a style have a bold first row."""
    said = (known.bold_header for _, known in _with_bases(style, styles))
    return next((one for one in said if one is not None), False)


def is_quoting(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for quotations: by its id, its name, or those of a style that it is based on."""
    return any(
        _QUOTING.search(_INNER_CAPITAL.sub(" ", _unescaped(name)))
        for one, known in _with_bases(style, styles)
        for name in (one, known.name)
    )


def is_caption(style: str, styles: Mapping[str, Style]) -> bool:
    """Whether a style is for captions of figures and tables: by its id, its name, or those of one it is based on."""
    return any(
        _CAPTION.fullmatch(_unescaped(name))
        for one, known in _with_bases(style, styles)
        for name in (one, known.name)
    )


def _unescaped(name: str) -> str:
    """A name of a style in OpenDocument, in which ``_20_`` is a space."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), name).replace("_", " ")
