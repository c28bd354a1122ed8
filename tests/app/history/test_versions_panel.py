"""Protects the look of the versions: a chart that says what it shows, rows that fit, words for every figure."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from PySide6.QtCore import QLocale, QPoint, QPointF
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from app.history.timeline_chart import TimelineChart, scale_top, spread_apart, thin_points
from app.history.version_list import VersionsModel
from app.history.version_strings import accessible_text, describe_timeline, format_day, format_time
from app.history.versions_panel import VersionsPanel
from app.widgets.kinds import kind_style
from app.widgets.labels import scaled_font
from app.widgets.theme import apply_theme, palette
from core.documents.types import Format
from core.storage.types import Scores, Version
from core.types import KINDS, Kind

NOW = datetime(2026, 5, 20, 12, 0).astimezone()


def version(
    number: int, bias: float | None = 0.5, *, why: str = "saved", kinds: dict[Kind, int] | None = None
) -> Version:
    scores = None if bias is None else Scores(bias, 3, 9, kinds or {Kind.FRAMING: number})
    made = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(hours=number)
    return Version(number, made, why, Format.PLAIN, 60, 1204, "0" * 64, scores)


def many(count: int) -> list[Version]:
    return [version(number, 0.9 - 0.8 * number / count) for number in range(1, count + 1)]


@pytest.fixture
def panel(qtbot: QtBot) -> VersionsPanel:
    made = VersionsPanel()
    qtbot.addWidget(made)
    made.resize(320, 640)
    made.show()
    return made


@pytest.fixture
def chart(qtbot: QtBot) -> TimelineChart:
    made = TimelineChart()
    qtbot.addWidget(made)
    made.setPalette(palette(dark=False))
    made.resize(300, made.height())
    return made


def pixels(image: QImage, colour: str) -> list[tuple[int, int]]:
    places = ((x, y) for x in range(image.width()) for y in range(image.height()))
    return [(x, y) for x, y in places if image.pixelColor(x, y).name() == colour]


# Words


def test_a_moment_is_told_from_the_present_one() -> None:
    QLocale.setDefault(QLocale("en_GB"))
    try:
        assert format_time(NOW - timedelta(hours=3), now=NOW) == "today 09:00"
        assert format_time(NOW - timedelta(hours=13), now=NOW) == "yesterday 23:00"
        assert format_time(NOW - timedelta(days=40), now=NOW) == "10 Apr 12:00"
        assert format_day(NOW - timedelta(days=400), now=NOW) == "15 Apr 2025"
    finally:
        QLocale.setDefault(QLocale.system())


def test_a_row_is_said_whole() -> None:
    said = accessible_text(version(3, 0.25, kinds={Kind.FRAMING: 2, Kind.DEMOGRAPHIC: 1}))
    assert "saved, 1,204 words, bias 0.25, 3 of 9 sentences biased" in said
    assert "Framing 2, Epistemological 0, Demographic 1" in said
    assert accessible_text(version(3, None)).endswith("1,204 words, not analysed")
    assert "kept" in accessible_text(version(3, why="of a later program"))
    assert ", For Anna, saved, 1,204 words" in accessible_text(replace(version(3), name="For Anna"))


def test_the_chart_is_told_in_words() -> None:
    """From where to where, the ends, and the kinds: all that the lines show."""
    told = describe_timeline([version(1, 0.4), version(2, None), version(3, 0.9), version(4, 0.1)])
    assert told.startswith("Bias over 3 versions: from 0.40 (")
    assert "lowest 0.10, highest 0.90" in told
    assert "at first Framing 1" in told
    assert "now Framing 4" in told
    assert describe_timeline([version(1, 0.4)]).startswith("One version: bias 0.40.")
    assert (
        describe_timeline([]) == describe_timeline([version(1, None)]) == "No version has been analysed yet."
    )


# The chart


@pytest.mark.parametrize(
    ("values", "top"), [([], 0.1), ([0.0], 0.1), ([0.1], 0.2), ([0.34, 0.2], 0.4), ([1.0], 1.0)]
)
def test_the_axis_ends_above_all_values(values: list[float], top: float) -> None:
    assert scale_top(values) == pytest.approx(top)


def test_glyphs_at_one_height_are_moved_apart() -> None:
    places = spread_apart([10.0, 10.0, 10.0], 9)
    assert sorted(places) == [1.0, 10.0, 19.0]
    assert spread_apart([0.0, 50.0, 20.0], 9) == [0.0, 50.0, 20.0]


def test_a_long_line_is_thinned_and_keeps_its_shape() -> None:
    points = [QPointF(x, x % 2) for x in range(1000)]
    shown = thin_points(points, 75)
    assert 60 < len(shown) <= 75
    assert {point.y() for point in shown[:-1]} == {0.5}
    assert thin_points(points[:50], 75) == points[:50]


def test_the_line_falls_where_the_bias_falls(chart: TimelineChart) -> None:
    chart.show_versions([version(1, 0.9), version(2, 0.1)])
    accent = palette(dark=False).color(QPalette.ColorRole.Accent).name()
    inked = pixels(chart.grab().toImage(), accent)
    left = [y for x, y in inked if x < chart.place(0, 300) + 20]
    right = [y for x, y in inked if x > chart.place(1, 300) - 20]
    assert max(left) < min(right)


def test_each_kind_has_its_line_and_its_shape(chart: TimelineChart) -> None:
    chart.show_versions(
        [version(at, 0.5, kinds={k: 2 + n + at for n, k in enumerate(KINDS)}) for at in (1, 2, 3)]
    )
    image = chart.grab().toImage()
    for kind in KINDS:
        inked = pixels(image, kind_style(kind, dark=False).colour.name())
        assert any(x < chart.place(2, 300) - 10 for x, _ in inked), kind
        assert any(x > chart.place(2, 300) + 3 for x, _ in inked), kind


def test_a_chosen_version_is_ringed(chart: TimelineChart) -> None:
    chart.show_versions(many(200))
    before = chart.grab().toImage()
    chart.choose(frozenset({100}))
    after = chart.grab().toImage()
    middle = chart.place(99, 300)
    changed = [
        x
        for x in range(before.width())
        for y in range(before.height())
        if before.pixelColor(x, y) != after.pixelColor(x, y)
    ]
    assert changed
    assert all(abs(x - middle) <= 9 for x in changed)


@pytest.mark.parametrize(
    "versions", [[], [version(1, None)], [version(1, 0.0, kinds={})], many(2), many(500)]
)
def test_any_number_of_versions_is_drawn_inside(chart: TimelineChart, versions: list[Version]) -> None:
    chart.show_versions(versions)
    image = chart.grab().toImage()
    accent = palette(dark=False).color(QPalette.ColorRole.Accent).name()
    inked = pixels(image, accent)
    assert bool(inked) == any(one.scores for one in versions)
    assert all(0 < x < 299 and 0 <= y < image.height() for x, y in inked)


def test_the_chart_follows_the_theme(panel: VersionsPanel, qapp: QApplication) -> None:
    try:
        panel.show_versions(many(5))
        for dark in (False, True):
            apply_theme(qapp, "dark" if dark else "light", "off")
            inked = pixels(panel.timeline.grab().toImage(), kind_style(Kind.FRAMING, dark=dark).colour.name())
            assert inked, dark
    finally:
        apply_theme(qapp, "system", "off")


# The panel


def test_narrow_and_large_type_stand_nothing_out(panel: VersionsPanel) -> None:
    panel.setFont(scaled_font(panel.font(), 1.6))
    panel.resize(220, 700)
    panel.show_versions(many(40))
    QApplication.processEvents()
    for part in (panel.timeline, panel.list, *panel.findChildren(QPushButton)):
        assert part.mapTo(panel, QPoint(part.width(), 0)).x() <= 220
    assert not panel.grab().isNull()


def test_a_low_panel_gives_its_room_to_the_list(panel: VersionsPanel) -> None:
    panel.show_versions(many(40))
    assert panel.timeline.isVisible()
    panel.resize(320, 300)
    QApplication.processEvents()
    assert not panel.timeline.isVisible()
    assert panel.list.height() > 150


def test_every_control_has_a_name(panel: VersionsPanel) -> None:
    panel.show_versions(many(3))
    assert panel.list.accessibleName() == "Versions"
    assert panel.timeline.accessibleName()
    assert all(one.text() and one.accessibleDescription() for one in panel.findChildren(QPushButton))


def test_a_name_is_drawn_in_its_row(panel: VersionsPanel) -> None:
    """Beside the time, also where the panel is narrow; without it the row looks as before."""
    panel.resize(220, 700)
    looks = []
    for name in ("", "A name", "A name that is much longer than the row of a narrow panel"):
        panel.show_versions([replace(version(1), name=name)])
        QApplication.processEvents()
        looks.append(panel.list.grab().toImage())
    assert looks[0] != looks[1] != looks[2] != looks[0]


def test_a_new_version_leaves_the_other_rows_alone(qtbot: QtBot) -> None:
    """A reset would throw the list back to its top under the person's hands."""
    model = VersionsModel()
    model.show(many(5))
    with qtbot.assertNotEmitted(model.modelReset), qtbot.waitSignal(model.rowsInserted):
        model.show([*many(5), version(6)])
    with qtbot.assertNotEmitted(model.modelReset):
        model.show([*many(5), version(6, 0.1)])
    with qtbot.waitSignal(model.modelReset):
        model.show(many(2))
    assert [model.version(row).id for row in range(model.rowCount())] == [2, 1]


def test_three_chosen_versions_cannot_be_compared(panel: VersionsPanel) -> None:
    panel.show_versions(many(4))
    states = []
    for count in range(4):
        panel.list.clearSelection()
        for row in range(count):
            model = panel.list.selectionModel()
            model.select(panel.list.model().index(row, 0), model.SelectionFlag.Select)
        first, second = panel.findChildren(QPushButton)[:2]
        states.append((first.text(), first.isEnabled(), second.isEnabled()))
    assert states == [
        ("Compare", False, False),
        ("Compare", True, True),
        ("Compare both", True, False),
        ("Compare", False, False),
    ]
