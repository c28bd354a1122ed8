"""The tour works by keyboard, stays inside the window and can be left at any time."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMainWindow
from pytestqt.qtbot import QtBot

from app.help.tour import Tour, TourStep


@pytest.fixture
def window(qtbot: QtBot) -> QMainWindow:
    window = QMainWindow()
    window.resize(700, 500)
    qtbot.addWidget(window)
    window.show()
    return window


def add_label(window: QMainWindow, x: int, y: int, width: int, height: int) -> QLabel:
    label = QLabel("part", window)
    label.setGeometry(x, y, width, height)
    label.show()
    return label


def tour_of(window: QMainWindow) -> Tour:
    parts = [
        add_label(window, 0, 0, 400, 500),
        add_label(window, 400, 0, 300, 500),
        add_label(window, 0, 480, 700, 20),
        add_label(window, 0, 0, 700, 500),
    ]
    stops = [
        TourStep(f"Stop {n}", "Some words. " * 12, lambda part=part: part) for n, part in enumerate(parts, 1)
    ]
    return Tour(window, lambda: stops)


def test_enter_advances_and_the_last_step_ends_the_tour(qtbot: QtBot, window: QMainWindow) -> None:
    tour = tour_of(window)
    tour.start()
    for number in range(1, 5):
        assert tour.bubble is not None
        assert tour.bubble.accessibleName() == f"Stop {number}"
        assert tour.bubble.text.startswith("Some words.")
        bubble = tour.bubble
        if number == 4:
            with qtbot.waitSignal(tour.ended):
                qtbot.keyClick(bubble.next, Qt.Key.Key_Space)
        else:
            qtbot.keyClick(bubble.next, Qt.Key.Key_Space)
    assert tour.bubble is None


@pytest.mark.parametrize("size", [(700, 500), (1400, 900), (420, 380)])
def test_a_bubble_is_inside_the_window(window: QMainWindow, size: tuple[int, int]) -> None:
    tour = tour_of(window)
    tour.start()
    window.resize(*size)
    for _ in range(4):
        assert tour.bubble is not None
        assert window.rect().contains(tour.bubble.geometry())
        tour.next()


def test_escape_ends_the_tour_and_back_goes_back(qtbot: QtBot, window: QMainWindow) -> None:
    tour = tour_of(window)
    tour.start()
    tour.next()
    assert tour.bubble is not None
    tour.bubble.back.click()
    assert tour.bubble.accessibleName() == "Stop 1"
    with qtbot.waitSignal(tour.ended):
        qtbot.keyClick(tour.bubble, Qt.Key.Key_Escape)
    assert tour.bubble is None


def test_hidden_targets_are_skipped(window: QMainWindow) -> None:
    hidden, shown = add_label(window, 0, 0, 50, 50), add_label(window, 60, 0, 50, 50)
    hidden.hide()
    tour = Tour(window, lambda: [TourStep("a", "a", lambda: hidden), TourStep("b", "b", lambda: shown)])
    tour.start()
    assert tour.bubble is not None
    assert tour.bubble.accessibleName() == "b"
    tour.next()
    assert tour.bubble is None
