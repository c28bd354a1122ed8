"""The about dialog shows all model cards in full and loads nothing from elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QUrl
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.help.dialogs import Card, Page, about_dialog, load_cards


def test_each_model_has_its_card(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    found = load_cards()
    assert [card.title for card in found] == ["Reader", "Rewriter"]
    dialog = about_dialog(parent, version="9.9", reader="reader small 1.0", cards=found)
    pages = dialog.findChild(QTabWidget)
    shown = [pages.widget(at).toPlainText() for at in range(pages.count())]
    assert "9.9" in shown[0]
    assert "reader small 1.0" in shown[0]
    for card, text in zip(found, shown[1:], strict=True):
        first = next(line for line in card.markdown.splitlines() if line.startswith("# "))
        assert first.removeprefix("# ") in text
        assert "BABE" in text or "WNC" in text


def test_a_model_card_loads_no_resources(qtbot: QtBot) -> None:
    page = Page("card", "![x](https://example.org/x.png) ![y](file:///etc/hostname)")
    qtbot.addWidget(page)
    kind = QTextDocument.ResourceType.ImageResource.value
    for address in ("https://example.org/x.png", "file:///etc/hostname"):
        # Without an answer Qt would open the file itself.
        assert page.document().resource(kind, QUrl(address)) == QByteArray()


def test_a_missing_model_card_leaves_the_rest(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = about_dialog(parent, version="9.9", reader="", cards=[Card("Reader", "# A card")])
    pages = dialog.findChild(QTabWidget)
    assert pages.count() == 2
    assert "not loaded" in pages.widget(0).toPlainText()
