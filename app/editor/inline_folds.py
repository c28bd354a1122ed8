"""References and templates that are hidden inside lines, in UTF-16 units: how edits move them, and how they are drawn.

The characters of a hidden part take no room, but for the first, which has the room of a label. That is done with
formats of the layout: the document, its undo history and its offsets know nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPalette,
    QTextBlock,
    QTextCharFormat,
    QTextFormat,
    QTextLayout,
)

from app.editor.block_styles import format_range
from app.editor.underlines import caret_x
from app.widgets.theme import markup_colour
from core.highlighting.types import FoldKind

_SIZE = 0.85
_PADDING = 5.0
"""The space on both sides of a label, in pixels."""
_NO_ROOM = -0.5
"""The letter spacing of hidden characters, as a percentage of their width. Qt takes 0 for none, and rounds what is
little above it to a sixty-fourth of a pixel for each character."""
_BELOW_LABEL = 3.0
"""How far from the end of the label hidden characters are, in pixels: a selection draws them, as dots."""


@dataclass(frozen=True, slots=True)
class HiddenPart:
    """The text from ``start`` to ``end``, in whose place ``label`` is drawn.

    The first two characters are in one line and ASCII, and so is the last one.
    """

    start: int
    end: int
    kind: FoldKind
    label: str


class HiddenParts:
    """Hidden parts of a text: sorted, disjoint. Their positions are arrays, since every key moves them."""

    def __init__(self) -> None:
        self._starts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._ends: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._labels: list[tuple[FoldKind, str]] = []

    def __len__(self) -> int:
        return len(self._labels)

    def __iter__(self) -> Iterator[HiddenPart]:
        return iter(self._parts(0, len(self)))

    def clear(self) -> None:
        """Nothing is hidden any more."""
        self._set([])

    def add(self, parts: Iterable[HiddenPart]) -> None:
        """Hide more parts, disjoint ones, in place of those that they overlap."""
        new = list(parts)
        gone = {old for part in new for old in self.between(part.start, part.end)}
        self._set([*(part for part in self if part not in gone), *new])

    def remove(self, parts: Iterable[HiddenPart]) -> None:
        """These parts are no longer hidden."""
        gone = frozenset(parts)
        if gone:
            self._set([part for part in self if part not in gone])

    def between(self, start: int, end: int) -> list[HiddenPart]:
        """The parts that have characters from ``start`` to ``end``, or ``start`` inside them if that is ``end``."""
        first = int(np.searchsorted(self._ends, start, side="right"))
        return self._parts(first, int(np.searchsorted(self._starts, end)))

    def around(self, position: int) -> HiddenPart | None:
        """The part inside which a position is."""
        return next(iter(self.between(position, position)), None)

    def touching(self, position: int) -> HiddenPart | None:
        """The part inside which or beside which a position is."""
        return next(iter(self.between(max(position - 1, 0), position + 1)), None)

    def move(self, position: int, removed: int, added: int) -> list[tuple[int, int]]:
        """Follow an edit: ``removed`` UTF-16 units at ``position`` became ``added``.

        Returns where the parts are now that it changed; they are no longer hidden.
        """
        end, shift = position + removed, added - removed
        later = self._starts >= end
        changed = (self._ends > position) & ~later
        opened = []
        if changed.any():
            parts = np.flatnonzero(changed)
            opened = [
                (min(part.start, position), max(part.end, end) + shift)
                for part in self._parts(int(parts[0]), int(parts[-1]) + 1)
            ]
            self._set([part for part, is_changed in zip(self, changed, strict=True) if not is_changed])
            later = self._starts >= end
        self._starts = np.where(later, self._starts + shift, self._starts)
        self._ends = np.where(later, self._ends + shift, self._ends)
        return opened

    def _set(self, parts: list[HiddenPart]) -> None:
        parts.sort(key=lambda part: part.start)
        self._starts = np.array([part.start for part in parts], dtype=np.int64)
        self._ends = np.array([part.end for part in parts], dtype=np.int64)
        self._labels = [(part.kind, part.label) for part in parts]

    def _parts(self, first: int, last: int) -> list[HiddenPart]:
        """The parts of these numbers, but for the last."""
        return [
            HiddenPart(int(self._starts[at]), int(self._ends[at]), *self._labels[at])
            for at in range(first, last)
        ]


def hiding_formats(
    block: QTextBlock, part: HiddenPart, *, room: float, font: QFont
) -> list[QTextLayout.FormatRange]:
    """The formats that hide the characters of a part in a block.

    Its first character is as wide as ``room``, in pixels. The caret behind the part is as high as its last character,
    which therefore keeps its size, while the one before takes its width away.
    """
    begin, length = block.position(), block.length() - 1
    start, end = max(part.start - begin, 0), min(part.end - begin, length)
    metrics, document = QFontMetricsF(font), block.document()
    found = []
    if part.start >= begin:
        found.append(_spaced(start, room - metrics.horizontalAdvance(document.characterAt(part.start))))
        found.append(_spaced(start + 1, -_BELOW_LABEL, tiny=True))
        start += 2
    if part.end <= begin + length and end - start >= 2:
        width = metrics.horizontalAdvance(document.characterAt(part.end - 1))
        below = _BELOW_LABEL if part.start >= begin else 0.0
        found.append(_spaced(end - 2, below - width, tiny=True))
        found.append(_spaced(end - 1, 0.0))
        end -= 2
    if start < end:
        middle = _tiny()
        middle.setFontLetterSpacingType(QFont.SpacingType.PercentageSpacing)
        middle.setFontLetterSpacing(_NO_ROOM)
        found.append(format_range(start, end, middle))
    return found


def label_width(label: str, font: QFont) -> float:
    """The room that a label needs in text with this font, in pixels."""
    return QFontMetricsF(_label_font(font)).horizontalAdvance(label) + 2 * _PADDING + 2


def label_box(block: QTextBlock, top: float, start: int, *, left: float) -> QRectF:
    """Where the label is drawn for a part that begins at ``start`` in a block whose top left is at ``left, top``."""
    line = block.layout().lineForTextPosition(start)
    ends = sorted((caret_x(line, start), caret_x(line, start + 1)))
    return QRectF(left + ends[0] + 1, top + line.y(), ends[1] - ends[0] - 2, line.height())


def draw_label(
    painter: QPainter, part: HiddenPart, box: QRectF, palette: QPalette, *, font: QFont, selected: bool
) -> None:
    """Draw the label of a part in its box, over the place of its first character."""
    role = QPalette.ColorRole
    ground = palette.color(role.Highlight if selected else role.AlternateBase)
    colour = markup_colour("reference" if part.kind is FoldKind.REFERENCE else "template", palette)
    text = palette.color(role.HighlightedText) if selected else QColor(colour)
    painter.setPen(palette.color(role.PlaceholderText))
    painter.setBrush(ground)
    painter.drawRoundedRect(box, 4, 4)
    painter.setFont(_label_font(font))
    painter.setPen(text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, part.label)


def _label_font(font: QFont) -> QFont:
    small = QFont(font)
    small.setPointSizeF(font.pointSizeF() * _SIZE)
    return small


def _hidden() -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(Qt.GlobalColor.transparent))
    return made


def _tiny() -> QTextCharFormat:
    made = _hidden()
    made.setProperty(QTextFormat.Property.FontPixelSize, 1)
    return made


def _spaced(place: int, space: float, *, tiny: bool = False) -> QTextLayout.FormatRange:
    """The format of a hidden character of a block, with space behind it in pixels."""
    made = _tiny() if tiny else _hidden()
    made.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
    made.setFontLetterSpacing(space)
    return format_range(place, place + 1, made)
