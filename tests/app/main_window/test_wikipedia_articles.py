"""Protects Wikipedia articles in the window: a new wikitext draft that says whence it came, and a way back."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from windows import Make

from core.documents.types import Format
from core.network.wikipedia import Article, ArticleRef

WIKITEXT = "'''Bodmin''' is a [[Cornwall|shameful]] town.\n\n== History ==\n\u00a0x 𝔘\n"
ARTICLE = Article(ArticleRef("en", "Bodmin"), WIKITEXT, 12, "2026-01-02T03:04:05Z", "CC BY-SA 4.0")


def test_an_article_is_a_new_draft_that_is_read_as_wikitext(make: Make, qtbot: QtBot) -> None:
    window = make("")
    window.components.wikipedia.open_article(ARTICLE)
    session = window.components.documents.session
    assert (session.name, session.format, session.path) == ("Bodmin", Format.WIKITEXT, None)
    assert "revision 12" in window.ui.message_bar.text
    qtbot.waitUntil(lambda: [mark.finding.text for mark in window.ui.editor.marks] == ["shameful"])


def test_the_whole_text_goes_back_as_it_came(make: Make) -> None:
    window = make("")
    window.components.wikipedia.open_article(ARTICLE)
    window.ui.actions["copy_whole"].trigger()
    assert QGuiApplication.clipboard().text() == WIKITEXT


def test_the_dialog_asks_first_and_goes_with_the_window(make: Make) -> None:
    window = make("")
    window.ui.actions["open_article"].trigger()
    dialog = window.components.wikipedia._dialog
    assert dialog is not None
    assert dialog.isVisible()
    assert not dialog.permission_box.isChecked()
    window.close()
    assert not dialog.isVisible()
