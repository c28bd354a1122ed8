"""Protects the look of notes, headers and footers: small, with their names beside their first paragraphs."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFont, QFontMetricsF, QPalette, QTextDocument

from app.editor.file_styles import FileStyles
from core.text.appearance import Appearance, ParagraphStyle, TextStyle


@pytest.mark.usefixtures("qtbot")
def test_a_note_is_small_and_has_its_name_beside_its_first_paragraph() -> None:
    text = "The text\nA bold note\nIts second paragraph"
    look = Appearance(
        ((11, 15, TextStyle(bold=True)),),
        (
            (9, 20, ParagraphStyle(label="Footnote 12", aside=True)),
            (21, 41, ParagraphStyle(aside=True)),
        ),
    )
    document = QTextDocument(text)
    font = QFont("sans", 10)
    styles = FileStyles(document, look, text)
    styles.set_theme(QPalette(), font)
    main, first, second = (document.findBlockByNumber(number) for number in range(3))
    formats = [styles.formats(block) for block in (main, first, second)]
    assert formats[0] == []
    assert all(one.format.fontPointSize() == pytest.approx(8.8) for one in [*formats[1], *formats[2]])
    assert [(one.start, one.length, one.format.fontWeight() == QFont.Weight.Bold) for one in formats[1]] == [
        (0, 11, False),
        (2, 4, True),
    ]
    assert [styles.label(block) for block in (main, first, second)] == ["", "Footnote 12", ""]
    room = styles.space(first).left
    assert styles.space(main).left == 0
    assert room == styles.space(second).left
    assert room > QFontMetricsF(font).horizontalAdvance("Footnote 12")
    assert styles.space(first).above > styles.space(second).above == 0
