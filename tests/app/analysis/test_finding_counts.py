"""Protects the counts of findings: they do not depend on the sensitivity, and say how many are shown at another one."""

from __future__ import annotations

import fakes
import pytest
from fake_reader import FakeReader
from PySide6.QtWidgets import QLabel, QListView, QToolButton
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.analysis.finding_counts import count_findings, overlapping
from app.charts.base_charts import KindBars
from app.main_window.window import MainWindow
from app.review.findings_panel import FindingsPanel
from core.types import Kind

TEXT = "The shameful plan perhaps was a plot.\n\nMore.\n"
MARKED = {-2: ["shameful"], 0: ["shameful", "plot"], 1: ["shameful", "perhaps", "plot"]}


def title(window: MainWindow) -> str:
    labels = window.ui.findings_dock.findChildren(QLabel)
    return next(label.text() for label in labels if label.text().startswith("Findings "))


def kinds(window: MainWindow) -> list[str]:
    buttons = window.ui.findings_dock.findChildren(QToolButton)
    return [one.text() for one in buttons if one.objectName().startswith("kind_") and one.isVisible()]


def move_to(window: MainWindow, qtbot: QtBot, step: int) -> None:
    window.ui.sensitivity.slider.setValue(step)
    read(window, qtbot, MARKED[step])


def test_a_wording_counts_once_whatever_words_are_marked_with_it() -> None:
    source = "A shameful and disgraceful plot, a plain plan of radical men."
    apart = [fakes.finding(source, words) for words in ("shameful", "disgraceful", "radical")]
    together = [fakes.finding(source, words) for words in ("shameful and disgraceful plot", "plain")]
    assert [one.text for one in overlapping(apart, together)] == ["shameful", "disgraceful"]
    counts = count_findings(apart, together)
    assert (counts.found, counts.shown, counts.less_certain) == (3, 2, 1)
    counts = count_findings(together, apart)
    assert (counts.found, counts.shown, counts.less_certain) == (2, 1, 1)
    assert counts.of(Kind.FRAMING) == 2
    assert counts.of(Kind.STYLE) == 0


def test_title_and_kinds_stay_where_the_slider_moves(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT, load=FakeReader)
    window.show()
    read(window, qtbot, MARKED[0])
    assert title(window) == "Findings 2"
    usual = kinds(window)
    assert usual == ["Framing 2", "Epistemological 0", "Demographic 0"]
    for step, said in (
        (-2, "Findings 1 of 2"),
        (1, "Findings 2 · 1 less certain"),
        (0, "Findings 2"),
    ):
        move_to(window, qtbot, step)
        assert title(window) == said
        assert kinds(window) == usual


@pytest.mark.parametrize("step", [-2, 1])
def test_the_charts_of_the_draft_stay(make: Make, qtbot: QtBot, step: int) -> None:
    window = make(TEXT, load=FakeReader)
    window.show()
    read(window, qtbot, MARKED[0])
    move_to(window, qtbot, step)
    window.ui.document_dock.raise_()
    window.ui.actions["dashboard"].trigger()
    dashboard = window.components.dashboard.dashboard
    assert dashboard is not None
    for place in (window.ui.document_dock, dashboard):
        chart = place.findChild(KindBars)
        assert chart is not None
        assert chart.accessibleName() == "Findings by kind: Framing 2, Epistemological 0, Demographic 0"
    window.components.dashboard.close()


@pytest.mark.parametrize("scope", ["ignore", "ignore_words"])
def test_what_is_ignored_is_not_counted_where_the_slider_hides_it(
    make: Make, qtbot: QtBot, scope: str
) -> None:
    window = make(TEXT, load=FakeReader)
    window.show()
    read(window, qtbot, MARKED[0])
    window.ui.editor.go_to(TEXT.index("plot"))
    window.ui.actions[scope].trigger()
    assert title(window) == "Findings 1"
    window.ui.sensitivity.slider.setValue(-2)
    qtbot.waitUntil(lambda: window.components.review.result.snapshot.sensitivity == -2)
    assert title(window) == "Findings 1"
    window.ui.sensitivity.slider.setValue(1)
    read(window, qtbot, ["shameful", "perhaps"])
    assert title(window) == "Findings 1 · 1 less certain"


def test_ignoring_at_a_higher_sensitivity_takes_away_what_was_counted(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT, load=FakeReader)
    window.show()
    read(window, qtbot, MARKED[0])
    move_to(window, qtbot, 1)
    for words, said in (("plot", "Findings 1 · 1 less certain"), ("perhaps", "Findings 1")):
        window.ui.editor.go_to(TEXT.index(words))
        window.ui.actions["ignore"].trigger()
        assert title(window) == said


def test_words_that_are_allowed_are_not_counted_where_the_slider_hides_them(make: Make, qtbot: QtBot) -> None:
    text = TEXT + "Another plot.\n"
    window = make(text, load=FakeReader)
    window.show()
    read(window, qtbot, ["shameful", "plot", "plot"])
    window.ui.sensitivity.slider.setValue(1)
    read(window, qtbot, ["shameful", "perhaps", "plot", "plot"])
    window.ui.editor.go_to(text.index("plot"))
    window.ui.actions["allow"].trigger()
    window.ui.sensitivity.slider.setValue(-2)
    qtbot.waitUntil(lambda: window.components.review.result.snapshot.sensitivity == -2)
    assert title(window) == "Findings 1"


def test_a_sentence_listed_for_hidden_words_is_not_counted_besides(make: Make, qtbot: QtBot) -> None:
    window = make("A slanted plot.\n", load=FakeReader)
    window.show()
    read(window, qtbot, ["plot"])
    window.ui.sensitivity.slider.setValue(-2)
    qtbot.waitUntil(lambda: window.components.review.result.snapshot.sensitivity == -2)
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    assert listed.model().rowCount() == 1, "the sentence stands for its hidden word"
    assert title(window) == "Findings 0 of 1"


def test_a_long_title_makes_a_narrow_panel_no_wider(qtbot: QtBot) -> None:
    """What it has no room for is in its tip."""
    panel = FindingsPanel()
    qtbot.addWidget(panel)
    panel.show_report(fakes.report(), fakes.DRAFT)
    least = panel.minimumSizeHint().width()
    panel.show_report(fakes.report(), fakes.DRAFT, counted=fakes.report().findings[2:3])
    long = next(one for one in panel.findChildren(QLabel) if one.text() == "Findings 1 · 6 less certain")
    assert panel.minimumSizeHint().width() == least
    assert long.toolTip().startswith("Findings 1 · 6 less certain")


def test_a_panel_without_rows_says_what_to_do(qtbot: QtBot) -> None:
    panel = FindingsPanel()
    qtbot.addWidget(panel)
    panel.show()
    panel.show_report(fakes.report(findings=[]), fakes.DRAFT, counted=fakes.report().findings)
    texts = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert "Findings 0 of 7" in texts
    assert any("Raise it" in text for text in texts)
