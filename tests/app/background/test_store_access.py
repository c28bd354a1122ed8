"""Protects the store behind the window: opened without anyone waiting for it, asked in order, never left open."""

from __future__ import annotations

import sqlite3

import pytest
from pytestqt.qtbot import QtBot

from app.background.jobs import Background
from app.background.store import Storing
from core.paths import data_folder
from core.storage.store import Store


@pytest.fixture
def background(qtbot: QtBot) -> Background:
    return Background()


def test_what_is_asked_before_the_store_is_open_is_answered_in_order(
    background: Background, qtbot: QtBot
) -> None:
    storing, answers = Storing(background), list[object]()
    storing.ask(lambda store: store.allow("Niger"))
    storing.ask(lambda store: store.allowed(), answers.append)
    assert not background.busy
    storing.open(days=0)
    storing.ask(lambda store: store.draft("u", name="x", path=None).uid, answers.append)
    qtbot.waitUntil(lambda: len(answers) == 2)
    assert answers == [["Niger"], "u"]
    assert storing.store is not None
    storing.close()
    background.close()


def test_a_store_that_opens_when_the_window_is_gone_is_closed(
    background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[Store] = []
    close = Store.close
    monkeypatch.setattr(Store, "close", lambda store: (closed.append(store), close(store)))
    storing = Storing(background)
    storing.open(days=0)
    storing.close()
    background.close()
    assert len(closed) == 1
    assert storing.store is None


def test_what_was_found_at_opening_is_told_once(background: Background, qtbot: QtBot) -> None:
    data_folder().mkdir(parents=True)
    (data_folder() / "evenhand.sqlite3").write_bytes(b"no database " * 900)
    storing, told = Storing(background), list[str]()
    storing.told.connect(told.append)
    with qtbot.waitSignal(storing.opened):
        storing.open(days=0)
    assert len(told) == 1
    assert "kept as" in told[0]
    storing.close()
    background.close()


def test_a_store_that_cannot_be_opened_is_told_once_and_never_asked(
    background: Background, qtbot: QtBot
) -> None:
    Store.open().close()
    raw = sqlite3.connect(data_folder() / "evenhand.sqlite3")
    raw.execute("PRAGMA user_version = 999")
    raw.close()
    storing, told, answers = Storing(background), list[str](), list[object]()
    storing.told.connect(told.append)
    storing.ask(lambda store: store.allowed(), answers.append)
    storing.open(days=0)
    qtbot.waitUntil(lambda: len(told) == 1)
    storing.ask(lambda store: store.allowed(), answers.append)
    assert not background.busy
    assert answers == []
    assert "newer Evenhand" in told[0]
    assert "All else works" in told[0]
    storing.close()
    background.close()


def test_a_shorter_history_takes_effect_at_once(background: Background, qtbot: QtBot) -> None:
    asked: list[int] = []
    storing = Storing(background)
    with qtbot.waitSignal(storing.opened):
        storing.open(days=0)
    assert storing.store is not None
    storing.store.prune = asked.append  # type: ignore[method-assign,assignment]
    storing.prune(7)
    qtbot.waitUntil(lambda: asked == [7])
    storing.close()
    background.close()
