"""The document panel: the values of the report in words and charts, and messages where there are none."""

from __future__ import annotations

from dataclasses import replace

import fakes
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QScrollArea
from pytestqt.qtbot import QtBot

from app.charts.base_charts import Chart, KindBars, LeaningGauge, ShareBar
from app.charts.chart_sections import explain_leaning
from app.charts.document_panel import DocumentPanel, frequent_marked_words
from app.charts.paragraph_charts import BiasByParagraph, LeaningByParagraph
from app.widgets.kinds import kind_style
from app.widgets.labels import scaled_font
from app.widgets.theme import apply_theme, palette
from core.types import KINDS, Kind, Leaning, NoLeaning


@pytest.fixture
def panel(qtbot: QtBot, qapp: QApplication) -> DocumentPanel:
    """A panel in view, in the theme that the app gives it before anything is shown. The leaning is switched on."""
    apply_theme(qapp, "system")
    made = DocumentPanel()
    made.shows_leaning = True
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    return made


def shown_texts(panel: DocumentPanel) -> str:
    return "\n".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def scrolling(panel: DocumentPanel) -> QScrollArea:
    area = panel.findChild(QScrollArea)
    assert isinstance(area, QScrollArea)
    return area


def columns_of(image: QImage, colour: str, y: int) -> list[int]:
    return [x for x in range(image.width()) if image.pixelColor(x, y).name() == colour]


def test_values_match_the_report(panel: DocumentPanel) -> None:
    """Share, sentences, mean bias, leaning and notes."""
    panel.show_report(fakes.report(notes=["Read as UTF-8."]))
    texts = shown_texts(panel)
    for expected in (
        "50%",
        "2 of 4 sentences",
        "mean bias\u00a00.42",
        "right\u00a00.55",
        "±0.20",
        "Read as UTF-8.",
    ):
        assert expected in texts
    panel.show_report(fakes.report())
    assert "Notes" not in shown_texts(panel)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (None, "the text is not political, or has fewer than 60 words"),
        (NoLeaning.SHORT, "too short"),
        (NoLeaning.UNPOLITICAL, "the text is not political."),
        (NoLeaning.UNSURE, "the reader cannot tell"),
        (NoLeaning.UNABLE, "this reader cannot tell"),
    ],
)
def test_no_leaning_is_explained(panel: DocumentPanel, reason: NoLeaning | None, said: str) -> None:
    """Where nothing can be said about the leaning, the panel says why and shows no gauge."""
    panel.show_report(fakes.report(leaning=None, no_leaning=reason))
    assert said in shown_texts(panel)
    assert said in panel.findChildren(LeaningGauge)[0].accessibleName()
    assert not panel.findChildren(LeaningGauge)[0].isVisible()
    panel.show_report(fakes.report())
    assert panel.findChildren(LeaningGauge)[0].isVisible()


def test_messages(panel: DocumentPanel) -> None:
    """Nothing yet, an error, and a state beside figures that stay."""
    panel.set_message("The model could not be loaded: no such folder")
    assert "no such folder" in shown_texts(panel)
    panel.show_report(fakes.report())
    assert "no such folder" not in shown_texts(panel)
    panel.set_message("Checking…")
    assert "50%" in shown_texts(panel)
    assert "Checking…" in shown_texts(panel)
    panel.clear()
    assert "50%" not in shown_texts(panel)
    assert "Checking…" not in shown_texts(panel)


def test_text_without_a_sentence(panel: DocumentPanel) -> None:
    """An empty file divides nothing by zero and says so."""
    panel.show_report(fakes.report("", findings=[], sentences=[], leaning=None))
    assert "no sentence" in shown_texts(panel)
    assert "%" not in shown_texts(panel)


def test_charts_have_accessible_texts(panel: DocumentPanel) -> None:
    """A chart without words is nothing to a screen reader."""
    panel.show_report(fakes.report())
    charts = {type(chart): chart for chart in panel.findChildren(Chart)}
    assert charts[ShareBar].accessibleName() == "2 of 4 sentences read as biased"
    assert (
        charts[KindBars].accessibleName() == "Findings by kind: Framing 4, Epistemological 2, Demographic 1"
    )
    assert "+0.39" in charts[LeaningGauge].accessibleName()
    assert charts[BiasByParagraph].accessibleName() == "Bias by paragraph"
    assert "paragraph 1: 0.59" in charts[BiasByParagraph].accessibleDescription()


def test_share_bar_is_as_long_as_the_share(qtbot: QtBot) -> None:
    """A quarter fills a quarter."""
    bar = ShareBar()
    qtbot.addWidget(bar)
    bar.setPalette(palette(dark=False))
    bar.resize(200, bar.height())
    bar.show_share(1, 4)
    accent = palette(dark=False).color(QPalette.ColorRole.Accent).name()
    filled = columns_of(bar.grab().toImage(), accent, bar.height() // 2)
    assert abs(max(filled) - 50) <= 2
    bar.show_share(0, 0)
    assert columns_of(bar.grab().toImage(), accent, bar.height() // 2) == []


def test_kind_bars_share_one_scale(qtbot: QtBot) -> None:
    """The most frequent kind fills the width; half as many fill half of it; none is no bar."""
    bars = KindBars()
    qtbot.addWidget(bars)
    bars.setPalette(palette(dark=False))
    bars.resize(240, bars.height())
    bars.show_counts({Kind.FRAMING: 8, Kind.EPISTEMOLOGICAL: 4})
    image = bars.grab().toImage()
    reach = {}
    for kind in KINDS:
        colour = kind_style(kind, dark=False).colour.name()
        lines = [columns_of(image, colour, y) for y in range(image.height())]
        widest = max(lines, key=lambda line: (max(line) - min(line)) if line else 0)
        reach[kind] = max(widest) if widest else 0
    assert abs(reach[Kind.FRAMING] - 239) <= 3
    assert abs(reach[Kind.EPISTEMOLOGICAL] - 119) <= 3
    assert reach[Kind.DEMOGRAPHIC] <= 12


@pytest.mark.parametrize("leaning", [Leaning(1, 0, 0, 1), Leaning(0, 0, 1, 1), Leaning(0.2, 0.6, 0.2, 0)])
def test_gauge_marks_right_minus_left_inside_the_chart(leaning: Leaning, qtbot: QtBot) -> None:
    """The marker stands where the figure says, and is whole at both ends."""
    gauge = LeaningGauge()
    qtbot.addWidget(gauge)
    gauge.setPalette(palette(dark=False))
    gauge.resize(200, gauge.height())
    gauge.show_leaning(leaning)
    accent = palette(dark=False).color(QPalette.ColorRole.Accent).name()
    inked = columns_of(gauge.grab().toImage(), accent, 16)
    middle = (min(inked) + max(inked)) / 2
    assert abs(middle - gauge.place(leaning.right - leaning.left)) <= 1.5
    assert min(inked) >= 1
    assert max(inked) <= 198


def test_charts_follow_the_theme(panel: DocumentPanel, qapp: QApplication) -> None:
    """Charts drawn for a light theme would be unreadable on a dark one."""
    try:
        apply_theme(qapp, "light")
        panel.show_report(fakes.report())
        bars = panel.findChildren(KindBars)[0]
        light = {bars.grab().toImage().pixelColor(40, y).name() for y in range(bars.height())}
        apply_theme(qapp, "dark")
        dark = {bars.grab().toImage().pixelColor(40, y).name() for y in range(bars.height())}
        assert kind_style(Kind.FRAMING, dark=False).colour.name() in light
        assert kind_style(Kind.FRAMING, dark=True).colour.name() in dark
        assert kind_style(Kind.FRAMING, dark=False).colour.name() not in dark
    finally:
        apply_theme(qapp, "system")


def test_a_wheel_over_a_chart_scrolls_the_panel(panel: DocumentPanel) -> None:
    """Charts that take a click leave the wheel alone."""
    panel.resize(300, 260)
    panel.show_report(fakes.report())
    QApplication.processEvents()
    chart = panel.findChildren(BiasByParagraph)[0]
    at = chart.mapTo(panel, QPoint(60, 20))
    assert panel.childAt(at) is chart
    QTest.wheelEvent(panel.windowHandle(), QPointF(at), QPoint(0, -120))
    QApplication.processEvents()
    assert scrolling(panel).verticalScrollBar().value() > 0


def test_narrow_panel_keeps_everything_inside(panel: DocumentPanel) -> None:
    """At 220 pixels and in large type nothing stands out to the right, where no scroll bar would find it."""
    panel.setFont(scaled_font(panel.font(), 1.6))
    panel.resize(220, 600)
    panel.show_report(fakes.report(notes=["Opened as " + "x" * 200]))
    inside = scrolling(panel).viewport().width()
    parts = [*panel.findChildren(QLabel), *panel.findChildren(Chart)]
    visible = [part for part in parts if part.isVisible()]
    assert len(visible) > 8
    for part in visible:
        assert part.mapTo(panel, QPoint(part.width(), 0)).x() <= inside


def test_marked_words_are_counted() -> None:
    """Case does not make two words of one; the most frequent come first."""
    source = "Shameful, then shameful, then iconic."
    first, second = fakes.finding(source, "Shameful"), fakes.finding(source, "shameful")
    findings = (fakes.finding(source, "iconic"), first, second)
    assert frequent_marked_words(findings) == [("shameful", 2), ("iconic", 1)]


def test_spread_is_shown_only_if_windows_differ() -> None:
    """One window has no disagreement to speak of."""
    assert "differ" in explain_leaning(fakes.RIGHTWARD)
    assert "differ" not in explain_leaning(replace(fakes.RIGHTWARD, spread=0.0))


def test_a_leaning_is_never_a_verdict(panel: DocumentPanel) -> None:
    """It is whose wording the text resembles, with how weak that is one hover away."""
    panel.show_report(replace(fakes.report(), leaning_f1=0.478))
    assert "The wording most resembles that of right outlets." in shown_texts(panel)
    hints = "\n".join(label.toolTip() for label in panel.findChildren(QLabel))
    assert "0.48" in hints
    assert "not a verdict" in hints
    close = explain_leaning(Leaning(0.34, 0.33, 0.33))
    assert "does not clearly resemble" in close


def test_a_chosen_bar_opens_its_paragraph(panel: DocumentPanel, qtbot: QtBot) -> None:
    """Arrow keys walk, Enter goes, and a screen reader hears where the keyboard is."""
    source = "A shameful plan. It is fine.\n\nNothing here. At all.\n\nThe shameful end. So it is."
    panel.show_report(fakes.report(source, findings=[fakes.finding(source, "shameful")]))
    chart = panel.findChildren(BiasByParagraph)[0]
    chart.setFocus()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.accessibleDescription().startswith("Paragraph 2: mean bias")
    with qtbot.waitSignal(panel.location_requested) as gone:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert gone.args == [source.index("Nothing")]


def test_leaning_by_paragraph_is_shown_only_if_known(panel: DocumentPanel) -> None:
    """Short paragraphs have none."""
    panel.show_report(fakes.report())
    assert not panel.findChildren(LeaningByParagraph)[0].isVisible()
    source = " ".join(f"Sentence {number} says a word or two more than that." for number in range(8))
    panel.show_report(fakes.report(source, findings=[]))
    assert panel.findChildren(LeaningByParagraph)[0].isVisible()


def test_the_leaning_has_no_section_unless_it_is_wanted(qtbot: QtBot) -> None:
    made = DocumentPanel()
    qtbot.addWidget(made)
    made.resize(300, 700)
    made.show()
    source = " ".join(f"Sentence {number} says a word or two more than that." for number in range(8))
    made.show_report(fakes.report(source, findings=[]))
    assert "leaning" not in shown_texts(made).lower()
    assert not made.findChildren(LeaningGauge)[0].isVisible()
    made.shows_leaning = True
    assert "Political leaning of the wording" in shown_texts(made)
    made.shows_leaning = False
    assert "leaning" not in shown_texts(made).lower()
