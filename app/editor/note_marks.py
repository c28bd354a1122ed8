"""The places in the editor's text that refer to notes, in UTF-16 units: how edits move them, and how they are drawn.

The sign of a note, such as ``3``, is no part of the text. It is drawn small and raised, in room behind the character
before it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QPointF, QTextBoundaryFinder
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat

from app.editor.marks import EditStep

_SIZE = 0.68
_ABOVE = 0.04
_ROOM = 1.5
"""The space before a sign, in pixels."""
_LONGEST_CHARACTER = 32


@dataclass(frozen=True, slots=True)
class NoteMark:
    """A reference at a ``place``, and its note from ``start`` to ``end``. ``sign`` is drawn, ``label`` is the name."""

    place: int
    start: int
    end: int
    sign: str
    label: str


class NoteMarks:
    """Marks sorted by their places, of which several can be at the same one."""

    def __init__(self, marks: Iterable[NoteMark] = ()) -> None:
        self._marks = sorted(marks, key=_place)

    def __len__(self) -> int:
        return len(self._marks)

    def __iter__(self) -> Iterator[NoteMark]:
        return iter(self._marks)

    def between(self, start: int, end: int) -> list[NoteMark]:
        """The marks from ``start`` to ``end``, both included."""
        first = bisect_left(self._marks, start, key=_place)
        return self._marks[first : bisect_right(self._marks, end, key=_place)]

    def signs(self, start: int, end: int) -> list[tuple[int, str]]:
        """The places from ``start`` to ``end`` at which something is drawn, and what it is."""
        found = [
            (place, ",".join(mark.sign for mark in here if mark.sign))
            for place, here in groupby(self.between(start, end), _place)
        ]
        return [(place, sign) for place, sign in found if sign]

    def of_note(self, position: int) -> NoteMark | None:
        """The mark of the note at a position."""
        return next((mark for mark in self._marks if mark.start <= position <= mark.end), None)

    def edit(self, step: EditStep, *, at_line_start: bool) -> None:
        """Apply one edit. What is typed at a mark comes before it, except where the mark begins a line."""
        if self._marks:
            self._marks = [
                NoteMark(
                    _moved(mark.place, step, stays=at_line_start or step.removed > 0),
                    _moved(mark.start, step, stays=True),
                    _moved(mark.end, step, stays=step.removed > 0),
                    mark.sign,
                    mark.label,
                )
                for mark in self._marks
            ]


def sign_font(font: QFont) -> QFont:
    """The font of signs in text with this font."""
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _SIZE)
    return small


def sign_width(sign: str, font: QFont) -> float:
    """The room that a sign needs in text with this font, in pixels."""
    return QFontMetricsF(sign_font(font)).horizontalAdvance(sign) + _ROOM


def room_format(width: float) -> QTextCharFormat:
    """The format of a character with room behind it, in pixels."""
    made = QTextCharFormat()
    made.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    made.setFontLetterSpacing(width)
    return made


def character_before(text: str, position: int) -> tuple[int, int]:
    """The range of what a person sees as one character before a position, not the first, in UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")
    first = max(0, position - _LONGEST_CHARACTER)
    near = units[2 * first : 2 * position].decode("utf-16-le", "replace")
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, near)
    finder.toEnd()
    return first + max(finder.toPreviousBoundary(), 0), position


def draw_sign(painter: QPainter, sign: str, right: float, *, top: float, font: QFont, colour: QColor) -> None:
    """Draw a sign that ends at ``right``, at the ``top`` of a line of text with this font or a larger one."""
    painter.setFont(sign_font(font))
    painter.setPen(colour)
    left = right - sign_width(sign, font) + _ROOM
    painter.drawText(QPointF(left, top + (_SIZE - _ABOVE) * QFontMetricsF(font).ascent()), sign)


def _place(mark: NoteMark) -> int:
    return mark.place


def _moved(position: int, step: EditStep, *, stays: bool) -> int:
    """Where a position is after an edit; one at the start of the edit may stay there."""
    if position < step.position or (position == step.position and stays):
        return position
    return max(position + step.added - step.removed, step.position + step.added)
