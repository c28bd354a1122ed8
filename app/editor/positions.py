"""Offsets in code points (core) and UTF-16 units (Qt), exact text of a range, and edits between two texts.

The engine counts Unicode code points, Qt counts UTF-16 units; they are converted only here.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from PySide6.QtGui import QTextCursor, QTextDocument

from core.i18n import tr
from core.text.diff import TextEdit, common_ends, find_edits

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_LINE_ENDS = re.compile("\r\n?")
_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


class OffsetMap:
    """Converts offsets of one text between code points and UTF-16 units; O(log n) in its characters beyond U+FFFF."""

    __slots__ = ("_points", "_units")

    def __init__(self, text: str) -> None:
        self._points = [] if text.isascii() else [match.start() for match in _ASTRAL.finditer(text)]
        self._units = [point + before for before, point in enumerate(self._points)]

    def to_utf16(self, point: int) -> int:
        """The UTF-16 offset of a code point."""
        return point + bisect_left(self._points, point)

    def to_code_point(self, unit: int) -> int:
        """The code point that contains a UTF-16 unit; the middle of a surrogate pair belongs to its character."""
        return unit - bisect_left(self._units, unit)


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16 units."""
    return len(text) if text.isascii() else len(text) + len(_ASTRAL.findall(text))


def editor_text(source: str) -> str:
    """``source`` with ``\\n`` for every line end, as the editor and the engine use it."""
    return _LINE_ENDS.sub("\n", source) if "\r" in source else source


def from_raw_text(raw: str) -> str:
    """Text of ``QTextDocument.toRawText()`` with ``\\n`` for Qt's paragraph separators; all else as it is."""
    return raw.replace("\u2029", "\n")


def describe_first_loss(wanted: str, kept: str) -> str:
    """The first character that the editor lost, such as ``U+D800 in line 3``; empty if there is none."""
    if wanted == kept:
        return ""
    low, _ = common_ends(wanted, kept)
    line = wanted.count("\n", 0, low) + 1
    if low == len(wanted):
        return tr("the end of line {number}").format(number=f"{line:,}")
    return tr("U+{code} in line {number}").format(code=f"{ord(wanted[low]):04X}", number=f"{line:,}")


def has_right_to_left(text: str) -> bool:
    """Whether a character of ``text`` is written from right to left or changes the direction."""
    return not text.isascii() and _RIGHT_TO_LEFT.search(text) is not None


def is_word_character(character: str) -> bool:
    """Whether it is a letter, digit or underscore; next to a finding it makes another word of it."""
    return character.isalnum() or character == "_"


def exact_text(document: QTextDocument, start: int, end: int) -> str:
    """The text between two positions in UTF-16 units, including lone surrogates.

    PySide drops those, and they occur while a keyboard types an emoji in two halves.
    """
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text = from_raw_text(cursor.selectedText())
    if utf16_length(text) == end - start:
        return text
    return from_raw_text("".join(document.characterAt(place) for place in range(start, end)))


def edits_between(old: str, new: str) -> list[TextEdit]:
    """The edits of ``core.text.diff.find_edits`` in UTF-16 units of ``old``."""
    units = OffsetMap(old)
    return [
        TextEdit(units.to_utf16(edit.start), units.to_utf16(edit.end), edit.text)
        for edit in find_edits(old, new)
    ]
