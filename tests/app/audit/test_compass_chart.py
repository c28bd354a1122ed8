"""Models on the compass are distinguishable without colour, contrast with the background and lie where they should."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from pytestqt.qtbot import QtBot
from vision import contrast

from app.audit.compass_chart import SHAPE_COUNT, CompassChart, marker_path, series_color
from app.audit.compass_strings import format_coordinates
from app.audit.tables import stability_rows
from app.widgets.theme import palette
from core.runs.political_compass import PROMPTS, Agreement, CompassPoint
from tests.core.runs.made_compass import a_position

MANY = 24


def test_points_differ_in_shape_and_then_in_colour() -> None:
    origin = QPointF(0, 0)
    outlines = [str(marker_path(number, origin, 8.0).toFillPolygon()) for number in range(SHAPE_COUNT)]
    assert len(set(outlines)) == SHAPE_COUNT
    looks = {(number % SHAPE_COUNT, series_color(number, dark=False).name()) for number in range(MANY)}
    assert len(looks) == MANY


@pytest.mark.parametrize("high_contrast", [False, True])
@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("number", range(6))
def test_points_contrast_with_the_background(number: int, dark: bool, high_contrast: bool) -> None:
    """WCAG 2.2, 1.4.11."""
    dress = palette(dark=dark, high_contrast=high_contrast)
    for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
        assert contrast(series_color(number, dark=dark), QColor(dress.color(role))) >= 3.0


@pytest.mark.parametrize("width", [300, 600, 1400])
def test_right_is_on_the_right_and_authoritarian_at_the_top(qtbot: QtBot, width: int) -> None:
    chart = CompassChart()
    qtbot.addWidget(chart)
    chart.resize(width, 300)
    corners = [(-10.0, 10.0), (10.0, 10.0), (-10.0, -10.0), (10.0, -10.0), (0.0, 0.0)]
    chart.show_positions([a_position(f"m{at}", place, unclear=0) for at, place in enumerate(corners)])
    chart.resize(width, chart.preferred_height())
    middles = [chart.item_rect(at, float(width)).center() for at in range(5)]
    assert middles[0].x() < middles[4].x() < middles[1].x()
    assert middles[0].y() < middles[4].y() < middles[2].y()
    assert middles[1].x() - middles[0].x() == pytest.approx(middles[2].y() - middles[0].y())
    assert all(0 <= middle.x() <= width and 0 <= middle.y() <= chart.height() for middle in middles)
    assert chart.item_at(middles[3]) == 3


def test_names_are_below_the_plot_in_a_narrow_window(qtbot: QtBot) -> None:
    chart = CompassChart()
    qtbot.addWidget(chart)
    chart.show_positions([a_position("one"), a_position("two")])
    chart.show()
    chart.resize(1000, 100)
    wide = chart.preferred_height()
    chart.resize(400, 100)
    assert chart.preferred_height() > wide


@pytest.mark.parametrize("width", [400, 1000])
def test_a_model_without_answers_has_no_point_but_a_name(qtbot: QtBot, width: int) -> None:
    chart = CompassChart()
    qtbot.addWidget(chart)
    chart.show()
    chart.resize(width, 100)
    clear = a_position("clear", (5.0, 5.0), unclear=0)
    chart.show_positions(
        [clear, a_position("mute", (0.0, 0.0), unclear=6), a_position("too", (0.0, 0.0), unclear=6)]
    )
    chart.resize(width, chart.preferred_height())
    plot = chart._plot_rect(float(width), float(chart.height()))
    boxes = [chart.item_rect(number, float(width)) for number in range(3)]
    assert [plot.contains(box.center()) for box in boxes] == [True, False, False]
    assert chart.item_at(boxes[2].center()) == 2
    assert chart.item_at(plot.center()) is None
    alone = CompassChart()
    qtbot.addWidget(alone)
    alone.resize(width, chart.height())
    alone.show_positions([clear])
    inside = plot.toRect().adjusted(2, 2, -2, -2)
    assert _drawn(chart, width).copy(inside) == _drawn(alone, width, chart.height()).copy(inside)
    chart.show_positions(chart.items, [(0, 1), (1, 2)])
    assert _drawn(chart, width).copy(inside) == _drawn(alone, width, chart.height()).copy(inside)


def test_unclear_answers_have_no_spread() -> None:
    unanswered = Agreement(7, None, None, 0.0)
    mute = replace(a_position("mute", unclear=6), agreements={PROMPTS: unanswered})
    one_mind = replace(a_position("sure", unclear=0), agreements={PROMPTS: unanswered})
    assert [row[-1] for row in stability_rows([mute, one_mind])] == ["–", "0.000"]


def test_names_are_beside_the_plot_only_if_their_values_fit(qtbot: QtBot) -> None:
    chart = CompassChart()
    qtbot.addWidget(chart)
    chart.show_positions([a_position("one", (-9.9, -9.9))])
    for width in range(300, 1200, 50):
        chart.resize(width, 900)
        corner = chart._entry_corner(0, float(width), 900.0)
        assert corner.x() + chart.text_width(format_coordinates(CompassPoint(-10.0, -10.0))) < width


def _drawn(chart: CompassChart, width: int = 700, height: int = 0) -> QImage:
    image = QImage(width, height or chart.preferred_height(), QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    chart.paint_on(painter, float(width), float(image.height()), palette=palette(dark=False))
    painter.end()
    return image


def test_uncertainty_and_arrows_are_drawn(qtbot: QtBot) -> None:
    chart = CompassChart()
    qtbot.addWidget(chart)
    chart.resize(700, 300)
    sure = [
        a_position("one", (-5.0, 5.0), unclear=0, done=1),
        a_position("two", (5.0, -5.0), unclear=0, done=1),
    ]
    chart.show_positions(sure)
    plain = _drawn(chart)
    chart.show_positions(sure, [(0, 1)])
    assert _drawn(chart) != plain
    middle = chart._to_pixels(
        CompassPoint(1.0, -1.0), chart._plot_rect(700.0, float(chart.preferred_height()))
    )
    assert _drawn(chart).pixelColor(middle.toPoint()).lightness() < 120
    chart.show_positions([a_position("one", (-5.0, 5.0), unclear=3, done=1), sure[1]])
    assert _drawn(chart) != plain
