"""Part of a document, unit by unit as the editor holds it."""

from __future__ import annotations

from PySide6.QtGui import QTextCursor, QTextDocument

from app.text.positions import from_raw, utf16_length


def exact_part(document: QTextDocument, start: int, end: int) -> str:
    """The text between two places in UTF-16 units, with every half of a pair that stands alone.

    PySide leaves those out, and there are some while a keyboard types an emoji half by half.
    """
    cursor = QTextCursor(document)
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text = from_raw(cursor.selectedText())
    if utf16_length(text) == end - start:
        return text
    return from_raw("".join(document.characterAt(place) for place in range(start, end)))
