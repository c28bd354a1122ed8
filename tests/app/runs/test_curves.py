"""Curves keep their peaks when downsampled, are distinguishable without colour and have accessible texts."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.runs.curves import CurvePlot, Series, describe_series, downsample, format_value, line_pen
from app.widgets.theme import apply_theme

VALUES = st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=400)


@given(VALUES, st.integers(4, 60))
def test_thinning_keeps_ends_peaks_and_order(ys: list[float], most: int) -> None:
    xs = [float(place) for place in range(len(ys))]
    kept_xs, kept_ys = downsample(xs, ys, most)
    assert len(kept_xs) == len(kept_ys) <= max(most + 2, 1)
    assert (min(kept_ys), max(kept_ys), kept_xs[-1]) == (min(ys), max(ys), xs[-1])
    assert all(before < after for before, after in pairwise(kept_xs))
    assert all(ys[int(x)] == y for x, y in zip(kept_xs, kept_ys, strict=True))


def test_many_lines_are_all_distinguishable() -> None:
    for dark in (False, True):
        looks = [line_pen(place, dark=dark) for place in range(12)]
        assert len({(pen.color().name(), tuple(pen.dashPattern())) for pen in looks}) == 12
        assert len({tuple(pen.dashPattern()) for pen in looks[:6]}) == 6
        assert len({pen.color().name() for pen in looks[:6]}) == 6


def test_curves_are_drawn_replaced_and_described(qtbot: QtBot, qapp: QApplication) -> None:
    curves = CurvePlot(title="Loss")
    qtbot.addWidget(curves)
    curves.show()
    assert "Nothing has been measured" in curves.accessibleDescription()
    curves.show_series([Series("reader", [1, 2, 3], [2.0, math.nan, 0.5]), Series("empty", [], [])])
    assert [(one.name, one.xs, one.ys) for one in curves.lines] == [
        ("reader", [1, 3], [2.0, 0.5]),
        ("empty", [], []),
    ]
    description = curves.accessibleDescription()
    assert "reader: from 2 to 0.500 at step 3, lowest 0.500, highest 2." in description
    assert "empty: nothing has been measured yet." in description
    apply_theme(qapp, "dark", "on")
    curves.show_series([Series("other", [5], [1.0])])
    assert [one.name for one in curves.lines] == ["other"]
    apply_theme(qapp, "light", "off")


def test_values_have_a_useful_number_of_digits() -> None:
    values = [0, 0.81234, 2.4, 12.345, 1234.5, 0.00012, 5e6, -0.5]
    assert [format_value(value) for value in values] == [
        "0.000",
        "0.812",
        "2.4",
        "12.3",
        "1,234",
        "1.20e-04",
        "5.00e+06",
        "-0.500",
    ]
    assert describe_series(Series("dev", [1200], [0.5])) == "dev: 0.500 at step 1,200."
