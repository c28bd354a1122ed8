"""Protects typing from Python's searches for garbage, and memory from their absence."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

import app.main_window.garbage_collection as tidying
from app.editor.editor import TextEditor


class Ring:
    """Refers to itself: only a search frees it."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def editor(qtbot: QtBot) -> TextEditor:
    made = TextEditor()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(tidying.time, "monotonic", lambda: now[0])
    return now


@pytest.fixture
def tidy(editor: TextEditor, clock: list[float]) -> Iterator[tidying.GarbageCollector]:
    made = tidying.GarbageCollector(editor)
    yield made
    made.close()


def ring() -> weakref.ref[Ring]:
    return weakref.ref(Ring())


def test_nothing_is_searched_while_a_person_types(
    tidy: tidying.GarbageCollector, editor: TextEditor, clock: list[float]
) -> None:
    assert not gc.isenabled()
    left = ring()
    for _ in range(10):
        clock[0] += 4
        editor.insertPlainText("x")
        tidy.collect_if_due()
    assert left() is not None


def test_garbage_is_freed_when_the_person_rests_once(
    tidy: tidying.GarbageCollector, editor: TextEditor, clock: list[float]
) -> None:
    left = ring()
    clock[0] += 6
    tidy.collect_if_due()
    assert left() is None
    again = ring()
    tidy.collect_if_due()
    assert again() is not None, "nobody has worked since"
    editor.insertPlainText("x")
    clock[0] += 6
    tidy.collect_if_due()
    assert again() is None


def test_very_many_young_objects_are_searched_at_once(
    tidy: tidying.GarbageCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "_MAX_YOUNG_OBJECTS", 100)
    left = ring()
    kept = [[] for _ in range(200)]
    tidy.collect_if_due()
    assert left() is None
    assert kept


def test_python_searches_again_once_it_is_closed(editor: TextEditor) -> None:
    tidying.GarbageCollector(editor).close()
    assert gc.isenabled()
