"""The charts by paragraph and of cues: every value is drawn, described and reachable from the keyboard."""

from __future__ import annotations

from dataclasses import replace

import fakes
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QPalette
from pytestqt.qtbot import QtBot

from app.charts.cue_chart import CueBars
from app.charts.navigable_charts import NavigableChart
from app.charts.paragraph_charts import (
    BiasByParagraph,
    KindsByParagraph,
    LeaningByParagraph,
    ParagraphChart,
)
from app.widgets.kinds import kind_style
from app.widgets.theme import palette
from core.reports.descriptions import explain_missing_leaning
from core.types import KINDS, Kind, Leaning, NoLeaning, ParagraphReading, Report

CHARTS = [BiasByParagraph, KindsByParagraph, LeaningByParagraph]
PLAIN = fakes.report(findings=[])


def with_paragraphs(biases: list[float], leaning: Leaning | None = None) -> Report:
    """A report of so many paragraphs, each of a sentence of ten code points."""
    paragraphs = tuple(
        ParagraphReading(10 * number, 10 * number + 9, bias, 1, leaning) for number, bias in enumerate(biases)
    )
    return replace(PLAIN, sentences=(), findings=(), paragraphs=paragraphs)


def ready(chart: NavigableChart, qtbot: QtBot, *, width: int = 400, dark: bool = False) -> QImage:
    qtbot.addWidget(chart)
    chart.setPalette(palette(dark=dark))
    chart.resize(width, chart.height())
    return chart.grab().toImage()


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


@pytest.mark.parametrize("dark", [False, True])
def test_bars_are_as_high_as_the_bias(qtbot: QtBot, *, dark: bool) -> None:
    """Half the bias is half the bar, in either theme."""
    chart = BiasByParagraph(plot=100)
    source = "A shameful plan stands here now."
    chart.show_report(fakes.report(source, findings=[fakes.finding(source, "shameful")]))
    chart.show_report(replace(chart_report(chart), paragraphs=(ParagraphReading(0, 32, 0.5, 1, None),)))
    image = ready(chart, qtbot, dark=dark)
    accent = palette(dark=dark).color(QPalette.ColorRole.Accent).name()
    inked = [y for y in range(image.height()) if image.pixelColor(220, y).name() == accent]
    assert abs(len(inked) - 50) <= 3


def chart_report(chart: ParagraphChart) -> Report:
    assert chart._report is not None
    return chart._report


@pytest.mark.parametrize("kind", CHARTS)
def test_an_empty_chart_shows_a_message(kind: type[ParagraphChart], qtbot: QtBot) -> None:
    """No paragraph, or none with findings or a leaning: words in place of an empty axis, and no crash."""
    chart = kind()
    ready(chart, qtbot)
    chart.show_report(with_paragraphs([]))
    assert chart.empty_message()
    assert chart.count() == 0
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert chart.current is None
    chart.grab()


@pytest.mark.parametrize("kind", CHARTS)
def test_a_thousand_paragraphs_are_grouped(kind: type[ParagraphChart], qtbot: QtBot) -> None:
    """No bar is thinner than can be seen and hit; every paragraph is in one; the words tell which."""
    chart = kind()
    ready(chart, qtbot, width=300)
    chart.show_report(with_paragraphs([0.3] * 1_000, fakes.RIGHTWARD))
    chart.grab()
    assert chart.count() <= 60
    assert chart.item_rect(1, 300).width() >= 4
    assert [bar.first for bar in chart.items[1:]] == [bar.last + 1 for bar in chart.items[:-1]]
    assert chart.items[-1].last == 1_000
    assert "aragraphs 1 to" in chart.describe(0)


@pytest.mark.parametrize("kind", CHARTS)
def test_keys_move_and_clicks_open(kind: type[ParagraphChart], qtbot: QtBot) -> None:
    """Arrows, Home and End move; Enter and a click ask for the paragraph."""
    chart = kind()
    ready(chart, qtbot)
    chart.show_report(with_paragraphs([0.1, 0.9, 0.4], fakes.RIGHTWARD))
    asked: list[int] = []
    chart.location_requested.connect(asked.append)
    for key, place in (
        (Qt.Key.Key_Right, 0),
        (Qt.Key.Key_End, 2),
        (Qt.Key.Key_Left, 1),
        (Qt.Key.Key_Home, 0),
    ):
        qtbot.keyClick(chart, key)
        assert chart.current == place
        assert chart.accessibleDescription().startswith(chart.describe(place))
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.item_rect(1, 400).center().toPoint())
    assert asked == [0, 10]
    assert chart.item_at(QPointF(-5, -5)) is None


def test_focus_can_be_seen(qtbot: QtBot) -> None:
    """The chart and the bar that the keyboard is on have frames."""
    chart = BiasByParagraph()
    chart.show_report(with_paragraphs([0.1, 0.9]))
    without = ready(chart, qtbot)
    chart.show()
    qtbot.waitExposed(chart)
    chart.setFocus()
    qtbot.waitUntil(chart.hasFocus)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    framed = chart.grab().toImage()
    accent = palette(dark=False).color(QPalette.ColorRole.Accent)
    assert framed.pixelColor(1, framed.height() // 2) == accent
    assert without.pixelColor(1, without.height() // 2) != accent


def test_the_selected_paragraph_survives_an_update(qtbot: QtBot) -> None:
    """A new reading while somebody walks over the bars does not throw them back."""
    chart = BiasByParagraph()
    ready(chart, qtbot)
    chart.show_report(with_paragraphs([0.1, 0.9, 0.4]))
    qtbot.keyClick(chart, Qt.Key.Key_End)
    chart.show_report(with_paragraphs([0.2, 0.8, 0.4, 0.6]))
    assert chart.current == 2
    chart.show_report(with_paragraphs([]))
    assert chart.current is None


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ((NoLeaning.SHORT, NoLeaning.UNPOLITICAL), "Too short, or not political."),
        ((NoLeaning.SHORT, NoLeaning.UNSURE), "Too short or not political, or the reader cannot tell."),
        ((NoLeaning.UNABLE, NoLeaning.UNABLE), "The reader cannot tell."),
    ],
)
def test_a_chart_without_any_leaning_says_why(
    qtbot: QtBot, reasons: tuple[NoLeaning, NoLeaning], said: str
) -> None:
    chart = LeaningByParagraph(plot=100)
    paragraphs = tuple(
        ParagraphReading(10 * at, 10 * at + 9, 0.2, 2, None, reason) for at, reason in enumerate(reasons)
    )
    chart.show_report(replace(PLAIN, findings=(), paragraphs=paragraphs))
    ready(chart, qtbot)
    assert chart.empty_message() == said
    assert ("cannot tell" in said) is ("cannot tell" in chart.summary())
    for number, reason in enumerate(reasons):
        assert explain_missing_leaning(reason) in chart.describe(number)


def test_unknown_leaning_has_its_own_mark(qtbot: QtBot) -> None:
    """A point alone would claim too much; a paragraph without a leaning has no mark at all."""
    chart = LeaningByParagraph(plot=100)
    unsure = ParagraphReading(0, 9, 0.2, 2, fakes.RIGHTWARD)
    none = ParagraphReading(10, 19, 0.2, 2, None)
    chart.show_report(replace(PLAIN, findings=(), paragraphs=(unsure, none)))
    image = ready(chart, qtbot)
    plot = chart.item_rect(0, 400)
    ground = image.pixelColor(2, round(plot.center().y()))

    def inked(number: int) -> int:
        x = int(chart.item_rect(number, 400).center().x())
        rows = range(round(plot.top()) + 2, round(plot.bottom()) - 2)
        return sum(image.pixelColor(x, y).lightness() < ground.lightness() - 40 for y in rows)

    assert inked(0) > 50
    assert inked(1) <= 3
    assert "interval " in chart.describe(0)
    assert "No leaning is given" in chart.describe(1)
    assert "1 of 2 have a leaning" in chart.summary()


def test_kinds_differ_by_more_than_colour(qtbot: QtBot) -> None:
    """Each kind has its own filling in the bars, and the key names them."""
    source = "One shameful claim chairman."
    findings = [
        fakes.finding(source, "shameful"),
        fakes.finding(source, "claim", kind=Kind.EPISTEMOLOGICAL),
        fakes.finding(source, "chairman", kind=Kind.DEMOGRAPHIC),
    ]
    chart = KindsByParagraph(plot=120)
    chart.show_report(fakes.report(source, findings=findings))
    seen = colours(ready(chart, qtbot))
    for kind in KINDS:
        assert kind_style(kind, dark=False).colour.name() in seen
    assert len({kind_style(kind, dark=False).brush for kind in KINDS}) == len(KINDS)
    assert chart.describe(0) == "Paragraph 1: Framing 1, Epistemological 1, Demographic 1."


def test_cues_are_counted_by_class(qtbot: QtBot) -> None:
    """The class that explains most comes first, with its words; a row leads to its findings."""
    source = "Shameful and shameful, disgraceful; the chairman wept over a disaster."
    label, default = (cue for _, _, _, cue in (fakes.MARKED[0], fakes.MARKED[2]))
    assert label is not None
    assert default is not None
    label, default = (
        replace(label, category="contentious_label"),
        replace(default, category="gendered_default"),
    )
    findings = (
        fakes.finding(source, "Shameful", cue=label),
        fakes.finding(source, "shameful", cue=label),
        fakes.finding(source, "disgraceful", cue=replace(label, cue="disgraceful")),
        fakes.finding(source, "chairman", kind=Kind.DEMOGRAPHIC, cue=default),
        fakes.finding(source, "disaster"),
    )
    chart = CueBars()
    chart.show_findings(findings)
    ready(chart, qtbot)
    assert [(cue.category, cue.count) for cue in chart.items] == [
        ("contentious_label", 3),
        ("", 1),
        ("gendered_default", 1),
    ]
    assert chart.items[0].words == (("shameful", 2), ("disgraceful", 1))
    assert chart.describe(0).startswith("contentious label (Framing): 3 findings. shameful")
    assert "from context" in chart.describe(1)
    asked: list[object] = []
    chart.cue_requested.connect(asked.append)
    qtbot.keyClick(chart, Qt.Key.Key_Down)
    qtbot.keyClick(chart, Qt.Key.Key_Space)
    assert asked == [chart.items[0]]
    chart.show_findings(())
    assert chart.summary() == "No findings."
    chart.grab()


def test_a_quoted_paragraph_is_described_as_such(qtbot: QtBot) -> None:
    """It has no bias of its own, and 0 of 0 sentences says nothing."""
    chart = BiasByParagraph()
    chart.show_report(replace(PLAIN, findings=(), paragraphs=(ParagraphReading(0, 9, 0.0, 0, None),)))
    ready(chart, qtbot)
    assert chart.describe(0) == "Paragraph 1: only quotations, which are not counted."
