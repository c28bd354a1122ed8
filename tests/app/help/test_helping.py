"""Protects the Help menu: the tour comes once, what no one caught is told and kept, and nothing stays behind."""

from __future__ import annotations

import sys
import threading

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from windows import Make

from app.help.about import Page
from app.help.problems_dialog import ProblemsDialog


def test_the_tour_greets_once_and_can_be_taken_again(make: Make, qtbot: QtBot) -> None:
    window = make("A shameful word.")
    tour = window.helping._tour
    window.helping.greet()
    qtbot.waitUntil(lambda: tour.bubble is not None)
    titles = []
    while tour.bubble is not None:
        titles.append(tour.bubble.accessibleName())
        qtbot.keyClick(tour.bubble.next, Qt.Key.Key_Space)
    assert len(titles) == len(set(titles)) == 5
    assert window.settings.value("tour_seen")
    window.helping.greet()
    qtbot.wait(20)
    assert tour.bubble is None
    window.commands["tour"].trigger()
    assert tour.bubble is not None


def test_about_has_the_cards_and_problems_the_report(make: Make, qtbot: QtBot) -> None:
    window = make("A shameful word.")
    window.commands["about"].trigger()
    pages = [page.toPlainText() for page in window.findChildren(Page)]
    assert len(pages) == 3
    window.helping.kept.add("a made-up problem")
    window.commands["problems"].trigger()
    report = window.findChild(ProblemsDialog).text.toPlainText()
    assert "a made-up problem" in report
    assert "shameful" not in report


def test_the_hooks_go_with_the_window(make: Make) -> None:
    before = (sys.excepthook, threading.excepthook)
    window = make()
    window.helping.listen()
    assert (sys.excepthook, threading.excepthook) != before
    window.close()
    assert (sys.excepthook, threading.excepthook) == before
