"""Protects offsets at the edge between core and Qt: one unit off, other words are marked, and later replaced."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QTextCursor, QTextDocument
from pytestqt.qtbot import QtBot

from app.editor.positions import OffsetMap, describe_first_loss, editor_text, from_raw_text, has_right_to_left

PARTS = st.sampled_from(
    [
        "a",
        "word",
        " ",
        "\n",
        "\u00a0",
        "\u2028",
        "é",
        "e\u0301",
        "👍🏽",
        "👩‍👩‍👧",
        "🇬🇧",
        "𝒜",
        "שלום",
        "مرحبا",
        "你好",
        "\0",
        "\t",
    ]
)
HELD = st.lists(PARTS, max_size=12).map("".join)
ANY = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs"]),
        st.characters(min_codepoint=0x1F300, max_codepoint=0x1FAFF),
    ),
    max_size=20,
)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@given(ANY)
def test_both_ways_agree_with_the_encoding(text: str) -> None:
    positions = OffsetMap(text)
    for point in range(len(text) + 1):
        unit = positions.to_utf16(point)
        assert unit == units(text[:point])
        assert positions.to_code_point(unit) == point


@given(ANY)
def test_the_middle_of_a_pair_belongs_to_its_character(text: str) -> None:
    positions = OffsetMap(text)
    for point, character in enumerate(text):
        if character > "\uffff":
            assert positions.to_code_point(positions.to_utf16(point) + 1) == point


@given(HELD)
def test_qt_keeps_the_text_and_counts_as_the_map_says(text: str) -> None:
    document = QTextDocument()
    document.setPlainText(text)
    assert from_raw_text(document.toRawText()) == text
    positions = OffsetMap(text)
    cursor = QTextCursor(document)
    for start in range(len(text)):
        cursor.setPosition(positions.to_utf16(start))
        cursor.setPosition(positions.to_utf16(start + 1), QTextCursor.MoveMode.KeepAnchor)
        if text[start] != "\0" and cursor.position() == positions.to_utf16(start + 1):
            assert from_raw_text(cursor.selectedText()) in (text[start], "\n")


def test_a_span_behind_an_emoji_is_its_words(qtbot: QtBot) -> None:
    text = "👍🏽 The shameful 👩‍👩‍👧 record"
    document = QTextDocument(text)
    positions = OffsetMap(text)
    cursor = QTextCursor(document)
    start = text.index("record")
    cursor.setPosition(positions.to_utf16(start))
    cursor.setPosition(positions.to_utf16(start + 6), QTextCursor.MoveMode.KeepAnchor)
    assert cursor.selectedText() == "record"


@given(st.text(st.sampled_from("a\r\n \u2028")))
def test_line_ends_become_one(text: str) -> None:
    edited = editor_text(text)
    assert "\r" not in edited
    assert edited.split("\n") == text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def test_a_lost_character_is_named_with_its_line() -> None:
    assert describe_first_loss("same", "same") == ""
    assert describe_first_loss("one\ntwo \ud800 three", "one\ntwo  three") == "U+D800 in line 2"
    assert describe_first_loss("one\ntwo", "one") == "U+000A in line 1"
    assert describe_first_loss("one", "one and more") == "the end of line 1"


def test_writing_from_right_to_left_is_noticed() -> None:
    assert has_right_to_left("he said שלום")
    assert has_right_to_left("مرحبا")
    assert not has_right_to_left("naïve 你好 👍🏽")
