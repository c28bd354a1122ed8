"""Protects the slider of sensitivity: it says what to expect, marks more or less at once, and moves nothing else."""

from __future__ import annotations

import pytest
from fake_reader import CURVE, FakeReader
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.main_window.window import MainWindow
from app.review.filter_bar import SensitivitySlider, point_details, point_summary, step_name
from core.bundles.reader import OperatingPoint

TEXT = "The shameful plan perhaps was a plot.\n" + "More.\n" * 60
USUAL, ALL, SURER, SUREST = (
    ["shameful", "plot"],
    ["shameful", "perhaps", "plot"],
    ["shameful"],
    ["shameful"],
)


def ready(make: Make, qtbot: QtBot, reader: FakeReader) -> MainWindow:
    window = make(TEXT, load=lambda: reader)
    read(window, qtbot, USUAL)
    return window


def test_a_stop_says_in_words_what_it_is_worth() -> None:
    told = point_details(OperatingPoint(0.325, 0.6255, 0.4154, 24.15))
    assert (
        "About 6 of 10 findings are words that editors removed; about 4 of 10 such words are found." in told
    )
    assert "24 findings per 1,000 words" in told
    assert "33%" in told or "32%" in told
    assert "Wikipedia" in told
    assert point_summary(CURVE.points[0]) == "≈ 8 of 10 right"
    names = [step_name(CURVE, step) for step in range(CURVE.lowest, CURVE.highest + 1)]
    assert names == [
        "only the most certain findings",
        "fewer, more certain findings",
        "default",
        "all possible findings",
    ]


def test_moving_it_marks_more_or_less_and_the_rest_stays(make: Make, qtbot: QtBot) -> None:
    reader = FakeReader()
    window = ready(make, qtbot, reader)
    window.ui.editor.go_to(12)
    window.ui.editor.verticalScrollBar().setValue(4)
    slider = window.ui.sensitivity.slider
    for step, words in ((1, ALL), (-1, SURER), (-2, SUREST), (0, USUAL)):
        slider.setValue(step)
        read(window, qtbot, words)
        assert window.settings.value("sensitivity") == step
        assert window.ui.sensitivity.text == point_summary(CURVE.at(step))
        assert window.ui.editor.textCursor().position() == 12
        assert window.ui.editor.verticalScrollBar().value() == 4
    assert set(reader.seen) == {TEXT}


def test_it_goes_by_keys_and_speaks(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, FakeReader())
    slider = window.ui.sensitivity.slider
    QTest.keyClick(slider, Qt.Key.Key_Right)
    read(window, qtbot, ALL)
    assert slider.accessibleName() == "Sensitivity"
    assert slider.accessibleDescription().startswith("All possible findings")
    assert "About 4 of 10 findings" in slider.accessibleDescription()


def test_it_is_remembered_and_follows_the_settings(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, FakeReader())
    window.settings.set("sensitivity", -1)
    read(window, qtbot, SURER)
    assert window.ui.sensitivity.slider.value() == -1
    window.settings.set("sensitivity", 3)
    read(window, qtbot, ALL)
    assert window.ui.sensitivity.slider.value() == CURVE.highest, "the last stop of a reader with fewer"


def test_a_reader_that_was_not_measured_hides_it(make: Make, qtbot: QtBot) -> None:
    window = ready(make, qtbot, FakeReader(sensitivity=None))
    window.settings.set("sensitivity", -2)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)
    assert not window.ui.sensitivity.isVisible()
    read(window, qtbot, USUAL)
    qtbot.waitUntil(lambda: window.components.prefetch._is_current)


def test_nothing_beside_it_moves_when_the_figure_changes(qtbot: QtBot) -> None:
    slider = SensitivitySlider()
    qtbot.addWidget(slider)
    slider.set_curve(CURVE)
    slider.show()
    wide = set()
    for step in range(CURVE.lowest, CURVE.highest + 1):
        slider.set_step(step)
        wide.add(slider.sizeHint().width())
    assert len(wide) == 1


@pytest.mark.parametrize("step", [-9, 9])
def test_a_stop_beyond_the_last_is_the_last(step: int) -> None:
    assert CURVE.at(step) in (CURVE.points[0], CURVE.points[-1])
