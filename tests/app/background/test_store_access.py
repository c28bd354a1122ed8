"""Protects the store behind the window: opened without anyone waiting for it, asked in order, never left open."""

from __future__ import annotations

import sqlite3

import pytest
from pytestqt.qtbot import QtBot

from app.background.jobs import JobQueue
from app.background.store import StoreAccess
from core.paths import data_folder
from core.storage.store import Store


@pytest.fixture
def background(qtbot: QtBot) -> JobQueue:
    return JobQueue()


def test_what_is_asked_before_the_store_is_open_is_answered_in_order(
    background: JobQueue, qtbot: QtBot
) -> None:
    store_access, answers = StoreAccess(background), list[object]()
    store_access.ask(lambda store: store.allow("Niger"))
    store_access.ask(lambda store: store.allowed(), answers.append)
    assert not background.busy
    store_access.open(days=0)
    store_access.ask(lambda store: store.open_draft("u", name="x", path=None).uid, answers.append)
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [["Niger"], "u"]
    assert store_access.store is not None
    store_access.close()
    background.close()


def test_a_store_that_opens_when_the_window_is_gone_is_closed(
    background: JobQueue, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Store] = []
    close = Store.close
    monkeypatch.setattr(Store, "close", lambda store: (closed.append(store), close(store)))
    store_access = StoreAccess(background)
    store_access.open(days=0)
    store_access.close()
    background.close()
    assert len(closed) == 1
    assert store_access.store is None


def test_what_was_found_at_opening_is_told_once(background: JobQueue, qtbot: QtBot) -> None:
    data_folder().mkdir(parents=True)
    (data_folder() / "evenhand.sqlite3").write_bytes(b"no database " * 900)
    store_access, message = StoreAccess(background), list[str]()
    store_access.message.connect(message.append)
    with qtbot.waitSignal(store_access.opened):
        store_access.open(days=0)
    assert len(message) == 1
    assert "kept as" in message[0]
    store_access.close()
    background.close()


def test_a_store_that_cannot_be_opened_is_told_once_and_never_asked(
    background: JobQueue, qtbot: QtBot
) -> None:
    Store.open().close()
    raw = sqlite3.connect(data_folder() / "evenhand.sqlite3")
    raw.execute("PRAGMA user_version = 999")
    raw.close()
    store_access, message, answers = StoreAccess(background), list[str](), list[object]()
    store_access.message.connect(message.append)
    store_access.ask(lambda store: store.allowed(), answers.append)
    store_access.open(days=0)
    qtbot.waitUntil(lambda: len(message) == 1)
    store_access.ask(lambda store: store.allowed(), answers.append)
    assert not background.busy
    assert answers == []
    assert "newer version of Evenhand" in message[0]
    assert "Everything else works" in message[0]
    store_access.close()
    background.close()


def test_a_shorter_history_takes_effect_at_once(background: JobQueue, qtbot: QtBot) -> None:
    asked: list[int] = []
    store_access = StoreAccess(background)
    with qtbot.waitSignal(store_access.opened):
        store_access.open(days=0)
    assert store_access.store is not None
    store_access.store.prune = asked.append  # type: ignore[method-assign,assignment]
    store_access.prune(7)
    qtbot.waitUntil(lambda: asked == [7])
    store_access.close()
    background.close()
