"""Protects the Help menu: the tour comes once, what no one caught is told and kept, and nothing stays behind."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from windows import Make

from app.help.dialogs import Page, ProblemsDialog, load_changelog, news_dialog
from app.widgets.dialogs import app_version


def test_the_tour_greets_once_and_can_be_taken_again(make: Make, qtbot: QtBot) -> None:
    window = make("A shameful word.")
    tour = window.components.help._tour
    window.components.help.greet()
    qtbot.waitUntil(lambda: tour.bubble is not None)
    titles = []
    while tour.bubble is not None:
        titles.append(tour.bubble.accessibleName())
        qtbot.keyClick(tour.bubble.next, Qt.Key.Key_Space)
    assert len(titles) == len(set(titles)) == 5
    assert window.settings.value("tour_seen")
    window.components.help.greet()
    qtbot.wait(20)
    assert tour.bubble is None
    window.ui.actions["tour"].trigger()
    assert tour.bubble is not None


def test_an_update_is_said_once_and_leads_to_the_list_of_changes(make: Make, qtbot: QtBot) -> None:
    window = make("A shameful word.")
    window.settings.set("tour_seen", True)
    window.settings.last_version = "0.0.1"
    window.components.help.greet()
    assert window.ui.message_bar.text == (
        f"Evenhand was updated to {app_version()}. Help ▸ What is new lists the changes."
    )
    window.ui.message_bar.clear()
    window.components.help.greet()
    assert window.ui.message_bar.text == ""
    window.ui.actions["news"].trigger()
    (page,) = window.findChildren(Page)
    assert "Unreleased" in page.toPlainText() or app_version() in page.toPlainText()


def test_who_came_from_a_version_that_said_none_hears_of_the_update(make: Make) -> None:
    window = make("A shameful word.")
    window.settings.set("tour_seen", True)
    window.components.help.greet(tour=False)
    assert "was updated" in window.ui.message_bar.text


def test_a_first_start_and_a_line_that_says_more_are_not_talked_over(make: Make, qtbot: QtBot) -> None:
    window = make("A shameful word.")
    window.components.help.greet(tour=False)
    assert window.ui.message_bar.text == ""
    assert window.settings.last_version == app_version()
    window.settings.set("tour_seen", True)
    window.settings.last_version = "0.0.1"
    window.ui.message_bar.show_message("something of the draft")
    window.components.help.greet()
    assert window.ui.message_bar.text == "something of the draft"


def test_a_copy_without_a_list_of_changes_says_so(make: Make, tmp_path: Path) -> None:
    dialog = news_dialog(make(), markdown=load_changelog(tmp_path / "CHANGELOG.md"))
    assert "This copy of Evenhand has no change log" in dialog.findChild(Page).toPlainText()


def test_about_has_the_cards_and_problems_the_report(make: Make, qtbot: QtBot) -> None:
    window = make("A shameful word.")
    window.ui.actions["about"].trigger()
    pages = [page.toPlainText() for page in window.findChildren(Page)]
    assert len(pages) == 3
    window.components.help.recorded.add("a made-up problem")
    window.ui.actions["problems"].trigger()
    report = window.findChild(ProblemsDialog).text.toPlainText()
    assert "a made-up problem" in report
    assert "shameful" not in report


def test_the_hooks_go_with_the_window(make: Make) -> None:
    before = (sys.excepthook, threading.excepthook)
    window = make()
    window.components.help.listen()
    assert (sys.excepthook, threading.excepthook) != before
    window.close()
    assert (sys.excepthook, threading.excepthook) == before
