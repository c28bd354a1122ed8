"""Protects the way to the network: nothing is sent unasked, cancelling always works, and problems are one sentence."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.documents.wikipedia_dialog import WikipediaDialog, provenance
from app.settings.settings import Settings
from app.widgets.labels import WrapLabel
from core.network.wikipedia import Article, ArticleRef
from tests.wikipedia_server import PAGE, Server, page


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    server = Server()
    yield server
    server.close()


@pytest.fixture
def dialog(qtbot: QtBot, server: Server) -> Iterator[WikipediaDialog]:
    dialog = WikipediaDialog(Settings(), base=server.base)
    qtbot.addWidget(dialog)
    dialog.reopen()
    yield dialog
    dialog.wait_for_threads()


def ask(qtbot: QtBot, dialog: WikipediaDialog, title: str) -> None:
    dialog.field.clear()
    qtbot.keyClicks(dialog.field, title)
    qtbot.keyClick(dialog.field, Qt.Key.Key_Return)


def test_nothing_is_sent_before_it_is_allowed(qtbot: QtBot, dialog: WikipediaDialog, server: Server) -> None:
    assert dialog.permission_box.isVisible()
    assert not dialog.permission_box.isChecked()
    ask(qtbot, dialog, "Bodmin")
    assert not dialog.open_button.isEnabled()
    assert not dialog.fetching
    assert server.heard == []


def test_an_article_that_is_allowed_and_asked_for_comes(
    qtbot: QtBot, dialog: WikipediaDialog, server: Server
) -> None:
    server.answers[page()] = (200, {}, json.dumps(PAGE).encode())
    dialog.permission_box.setChecked(True)
    with qtbot.waitSignal(dialog.fetched) as came:
        ask(qtbot, dialog, "Bodmin")
    assert came.args[0].wikitext == PAGE["source"]
    assert not dialog.isVisible()
    dialog.reopen()
    assert not dialog.permission_box.isVisible()
    assert dialog.open_button.isEnabled()


def test_what_goes_wrong_is_told_and_can_be_tried_again(
    qtbot: QtBot, dialog: WikipediaDialog, server: Server
) -> None:
    dialog.permission_box.setChecked(True)
    ask(qtbot, dialog, "Nowhere")
    qtbot.waitUntil(lambda: bool(dialog.problem))
    assert dialog.problem.startswith("There is no article")
    assert dialog.isVisible()
    assert dialog.open_button.isEnabled()
    server.answers[page()] = (200, {}, json.dumps(PAGE).encode())
    with qtbot.waitSignal(dialog.fetched):
        ask(qtbot, dialog, "Bodmin")


def test_a_fetch_without_an_answer_can_always_be_cancelled(
    qtbot: QtBot, dialog: WikipediaDialog, server: Server
) -> None:
    """A2.23: a download that is stuck and cannot be closed."""
    go_on = threading.Event()
    server.answers[page()] = (200, {}, b"")
    server.wait_for = go_on
    came: list[object] = []
    dialog.fetched.connect(came.append)
    dialog.permission_box.setChecked(True)
    ask(qtbot, dialog, "Bodmin")
    qtbot.waitUntil(lambda: bool(server.heard))
    assert dialog.fetching
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert not dialog.fetching
    go_on.set()
    dialog.wait_for_threads()
    assert came == []


def test_asking_again_leaves_a_fetch_that_is_under_way_alone(
    qtbot: QtBot, dialog: WikipediaDialog, server: Server
) -> None:
    server.answers[page()] = (200, {}, json.dumps(PAGE).encode())
    server.wait_for = threading.Event()
    dialog.permission_box.setChecked(True)
    ask(qtbot, dialog, "Bodmin")
    qtbot.waitUntil(lambda: bool(server.heard))
    dialog.reopen()
    assert dialog.fetching
    with qtbot.waitSignal(dialog.fetched):
        server.wait_for.set()


def test_nothing_that_is_said_is_cut_off(qtbot: QtBot, dialog: WikipediaDialog, server: Server) -> None:
    server.wait_for = threading.Event()
    dialog.permission_box.setChecked(True)
    ask(qtbot, dialog, f"Nowhere {'and never ' * 12}")
    assert dialog.fetching
    assert all_in_sight(dialog)
    server.wait_for.set()
    qtbot.waitUntil(lambda: bool(dialog.problem))
    assert all_in_sight(dialog)


def all_in_sight(dialog: WikipediaDialog) -> bool:
    labels = [label for label in dialog.findChildren(WrapLabel) if label.isVisible()]
    return bool(labels) and all(label.height() >= label.heightForWidth(label.width()) for label in labels)


def test_an_address_of_another_site_is_refused(qtbot: QtBot, dialog: WikipediaDialog, server: Server) -> None:
    dialog.permission_box.setChecked(True)
    ask(qtbot, dialog, "https://example.org/wiki/Bodmin")
    assert "address" in dialog.problem
    assert server.heard == []


def test_where_a_text_comes_from_is_told() -> None:
    told = provenance(Article(ArticleRef("de", "Köln"), "x", 12, "2026-01-02T03:04:05Z", "CC BY-SA 4.0"))
    assert told.startswith("“Köln” from de.wikipedia.org, revision 12 of 2026-01-02.")
    assert "CC BY-SA 4.0" in told
