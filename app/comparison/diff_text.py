"""Text layout of differences: old words struck through, new words bold, so that colour is never the only cue."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QPalette, QTextCharFormat, QTextLayout, QTextOption

from app.analysis.suggestions import DiffChunk, DiffPart, describe_change
from app.editor.positions import OffsetMap

# Red and teal on the backgrounds of both themes, at least 4.5:1 (test_suggestions_display.py).
_COLOURS = {DiffPart.DELETED: ("#a8322a", "#f4a097"), DiffPart.INSERTED: ("#0b6b66", "#6fd0c8")}
_BACKGROUNDS = {DiffPart.DELETED: ("#f8e3e0", "#43292a"), DiffPart.INSERTED: ("#dcf0ee", "#1f3b3a")}


def diff_colours(part: DiffPart, *, dark: bool) -> tuple[QColor, QColor]:
    """Text and background colour of old or new words."""
    return QColor(_COLOURS[part][dark]), QColor(_BACKGROUNDS[part][dark])


def diff_layout(
    chunks: Sequence[DiffChunk], font: QFont, palette: QPalette, width: float, *, dark: bool
) -> QTextLayout:
    """The chunks in lines of at most ``width`` pixels, ready to draw."""
    text = "".join(chunk.text for chunk in chunks)
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    layout.setFormats(_formats(chunks, OffsetMap(text), palette, dark=dark))
    layout.beginLayout()
    top = 0.0
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(line.x(), top))
        top += line.height()
    layout.endLayout()
    return layout


def describe_diff(chunks: Sequence[DiffChunk]) -> str:
    """The changes as text for a screen reader."""
    changes: list[str] = []
    old = ""
    for chunk in chunks:
        if chunk.part is DiffPart.DELETED:
            old = chunk.text
        elif chunk.part is DiffPart.INSERTED:
            changes.append(describe_change(old, chunk.text))
            old = ""
        elif old and chunk.text.strip():
            changes.append(describe_change(old, ""))
            old = ""
    return "; ".join([*changes, describe_change(old, "")] if old else changes)


def _formats(
    chunks: Sequence[DiffChunk], positions: OffsetMap, palette: QPalette, *, dark: bool
) -> list[QTextLayout.FormatRange]:
    ranges = []
    at = 0
    for chunk in chunks:
        format_range = QTextLayout.FormatRange()
        format_range.start = positions.to_utf16(at)
        at += len(chunk.text)
        format_range.length = positions.to_utf16(at) - format_range.start
        look = QTextCharFormat()
        if chunk.part is DiffPart.EQUAL:
            look.setForeground(palette.color(QPalette.ColorRole.WindowText))
        else:
            ink, ground = diff_colours(chunk.part, dark=dark)
            look.setForeground(ink)
            look.setBackground(ground)
            look.setFontStrikeOut(chunk.part is DiffPart.DELETED)
            look.setFontWeight(QFont.Weight.Bold if chunk.part is DiffPart.INSERTED else QFont.Weight.Normal)
        format_range.format = look
        ranges.append(format_range)
    return ranges
