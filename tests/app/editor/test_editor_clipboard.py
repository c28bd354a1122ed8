"""Protects pasting in the window: Word's and browsers' text comes as plain text, a draft's own as it was."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from app.editor.editor import TextEditor, release_clipboard, text_from_mime


def data(*, text: str = "", html: str = "") -> QMimeData:
    made = QMimeData()
    if text:
        made.setText(text)
    if html:
        made.setHtml(html)
    return made


@pytest.mark.usefixtures("qapp")
def test_text_from_word_is_lines_and_words() -> None:
    word = data(text="·\tfirst\r\n·\tsec\u00adond\vthird\ufffc", html="<p style='color:red'>first</p>")
    assert text_from_mime(word) == "- first\n- second\nthird"


@pytest.mark.usefixtures("qapp")
def test_html_alone_is_taken_as_its_text() -> None:
    page = data(html="<style>p{}</style><script>x()</script><p>A <b>bold</b> word</p><p>and more</p>")
    assert text_from_mime(page) == "A bold word\nand more"
    assert text_from_mime(QMimeData()) == ""


def test_what_was_cut_here_is_put_back_unchanged(qtbot: QtBot) -> None:
    editor = TextEditor()
    qtbot.addWidget(editor)
    editor.load("so\u00adft\u00a0and \u200bodd  \n")
    before = editor.text()
    editor.selectAll()
    editor.cut()
    assert editor.text() == ""
    editor.paste()
    assert editor.text() == before
    release_clipboard()
    assert QGuiApplication.clipboard().text() == before
