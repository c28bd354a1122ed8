"""Labels show any text as typed and never overflow."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.widgets.labels import ElidedLabel, WrapLabel, add_break_points, to_single_line


@given(st.text())
def test_break_points_change_no_character(text: str) -> None:
    """Taken out again, the break points leave the text as it was."""
    bare = text.replace("\u200b", "")
    assert add_break_points(bare).replace("\u200b", "") == bare


@given(st.text(st.characters(), max_size=40))
def test_single_line_text_can_be_encoded(text: str) -> None:
    """Lone surrogates and NUL, which Qt drops or cuts at, are seen as U+FFFD; lines are joined."""
    shown = to_single_line(text)
    shown.encode("utf-8")
    assert not set("\n\r\t\0\u2028") & set(shown)


def test_no_break_spaces_stay() -> None:
    """A figure must not part from its name."""
    assert to_single_line("left\u00a00.16\n right") == "left\u00a00.16 right"


def test_long_word_wraps_instead_of_widening(qtbot: QtBot) -> None:
    """A path or an endless word would push a narrow dock wide, or be cut."""
    label = WrapLabel()
    qtbot.addWidget(label)
    label.setText("x" * 300)
    assert label.minimumSizeHint().width() == 0
    assert label.heightForWidth(150) > 5 * label.fontMetrics().height()
    assert label.accessibleName() == "x" * 300


def test_markup_is_shown_as_text(qtbot: QtBot) -> None:
    """A draft that holds HTML must not format the window, nor load an image."""
    label = WrapLabel()
    qtbot.addWidget(label)
    label.setText("<b>bold</b>")
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert label.text() == "<b>bold</b>"


def test_elided_label_asks_for_no_width_and_keeps_its_text(qtbot: QtBot) -> None:
    """A long state next to a title must not move the title; its tooltip has all of it."""
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.setText("The model could not be loaded because a file is missing")
    label.resize(60, 20)
    label.show()
    assert label.minimumSizeHint().width() == 0
    assert label.toolTip() == label.text() == "The model could not be loaded because a file is missing"
    assert not label.grab().isNull()
