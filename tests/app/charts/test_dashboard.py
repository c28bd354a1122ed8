"""The dashboard shows the live data of the document panel; a bar opens its paragraph, a cue its findings."""

from __future__ import annotations

import fakes
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.charts.cue_chart import CueBars
from app.charts.dashboard import Dashboard, summary_text
from app.charts.navigable_charts import NavigableChart
from app.charts.paragraph_charts import BiasByParagraph, ParagraphChart
from app.main_window.window import MainWindow

TEXT = "The shameful record reveals it.\n\nNothing is wrong here.\n\nA shameful, legendary end for the chairman.\n"
WORDS = ["shameful", "reveals", "shameful", "legendary", "chairman"]


def opened(make: Make, qtbot: QtBot) -> tuple[MainWindow, Dashboard]:
    window = make(TEXT)
    read(window, qtbot, WORDS)
    window.ui.actions["dashboard"].trigger()
    dashboard = window.components.dashboard.dashboard
    assert dashboard is not None
    qtbot.waitExposed(dashboard)
    return window, dashboard


def chart_of(dashboard: Dashboard, name: str) -> NavigableChart:
    chart = dashboard.sections[name].chart
    assert isinstance(chart, NavigableChart)
    return chart


def test_the_dashboard_follows_the_draft(make: Make, qtbot: QtBot) -> None:
    """What is typed is read and shown; the window stays usable beside it."""
    window, dashboard = opened(make, qtbot)
    chart = chart_of(dashboard, "bias")
    assert isinstance(chart, BiasByParagraph)
    assert not dashboard.isModal()
    assert chart.count() == 3
    window.ui.editor.moveCursor(window.ui.editor.textCursor().MoveOperation.End)
    window.ui.editor.insertPlainText("\nOne more paragraph, plainly said.\n")
    qtbot.waitUntil(lambda: chart.count() == 4)


def test_the_leaning_is_shown_to_those_who_switch_it_on(make: Make, qtbot: QtBot) -> None:
    """Off by default, it has a section neither in the panel nor in the dashboard."""
    window, dashboard = opened(make, qtbot)
    panel = window.components.panel_loader.document_panel
    assert panel is not None
    window.ui.document_dock.show()
    window.ui.document_dock.raise_()
    qtbot.waitUntil(panel.isVisible)

    def titles() -> list[str]:
        labels = [*panel.findChildren(QLabel), *dashboard.findChildren(QLabel)]
        return [label.text() for label in labels if label.isVisible() and "leaning" in label.text().lower()]

    assert titles() == []
    window.settings.set("show_leaning", True)
    assert titles().count("Political leaning of the wording") == 2
    window.settings.set("show_leaning", False)
    assert titles() == []


def test_a_bar_opens_its_paragraph(make: Make, qtbot: QtBot) -> None:
    """Enter on the third bar puts the caret at the third paragraph."""
    window, dashboard = opened(make, qtbot)
    chart = chart_of(dashboard, "bias")
    qtbot.keyClick(chart, Qt.Key.Key_End)
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert window.ui.editor.textCursor().position() == TEXT.index("A shameful")


def test_a_cue_steps_through_its_findings(make: Make, qtbot: QtBot) -> None:
    """Each Enter goes to the next finding of the class, and round again."""
    window, dashboard = opened(make, qtbot)
    chart = chart_of(dashboard, "cues")
    assert isinstance(chart, CueBars)
    assert chart.items[0].category == "contentious_label"
    qtbot.keyClick(chart, Qt.Key.Key_Home)
    places = []
    for _ in range(3):
        qtbot.keyClick(chart, Qt.Key.Key_Return)
        places.append(window.ui.editor.textCursor().position())
    first, second = TEXT.index("shameful"), TEXT.rindex("shameful")
    assert places == [first, second, first]


def test_empty_and_failed_states_show_a_message(qtbot: QtBot) -> None:
    """No sentence, no reading: words, no charts; a state above charts that stay."""
    dashboard = Dashboard()
    qtbot.addWidget(dashboard)
    dashboard.show()

    def shown() -> str:
        return "\n".join(label.text() for label in dashboard.findChildren(QLabel) if label.isVisible())

    dashboard.show_report(fakes.report("", findings=[], sentences=[], leaning=None))
    assert "no sentence" in shown()
    dashboard.show_report(fakes.report())
    dashboard.add_state("The model could not be loaded.")
    assert "could not be loaded" in shown()
    assert "2 of 4 sentences read as biased (50%)" in shown()
    dashboard.show_state("Nothing to read yet.")
    assert "Nothing to read yet." in shown()
    assert "2 of 4" not in shown()


def test_a_draft_of_one_sentence_is_shown(qtbot: QtBot) -> None:
    """The smallest draft has a dashboard too."""
    source = "It is shameful."
    report = fakes.report(source, findings=[fakes.finding(source, "shameful")], leaning=None)
    dashboard = Dashboard()
    qtbot.addWidget(dashboard)
    dashboard.show()
    dashboard.show_report(report)
    assert summary_text(report.summary).startswith("1 of 1 sentence reads as biased (100%)")
    for section in dashboard.sections.values():
        section.grab()


def test_every_control_is_accessible(qtbot: QtBot) -> None:
    """A title, the figures in words and a way to keep the picture, for every chart."""
    dashboard = Dashboard()
    qtbot.addWidget(dashboard)
    dashboard.show()
    dashboard.show_report(fakes.report(), leaning=True)
    asked: list[str] = []
    dashboard.export_requested.connect(asked.append)
    for name, section in dashboard.sections.items():
        assert section.chart.accessibleName()
        if isinstance(section.chart, ParagraphChart):
            assert section.chart.accessibleDescription()
            assert section.chart.focusPolicy() == Qt.FocusPolicy.StrongFocus
        button = section.findChildren(QToolButton)[0]
        assert button.accessibleName()
        button.click()
        assert asked[-1] == name


def test_the_menu_key_offers_the_export(qtbot: QtBot) -> None:
    """From the keyboard, with the chart in focus."""
    dashboard = Dashboard()
    qtbot.addWidget(dashboard)
    dashboard.show()
    dashboard.show_report(fakes.report())
    asked: list[str] = []
    dashboard.export_requested.connect(asked.append)
    for name in ("bias", "kinds"):
        chart = dashboard.sections[name].chart
        point = chart.rect().center()
        key = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, point, chart.mapToGlobal(point))
        QApplication.sendEvent(chart, key)
        menu = dashboard.sections[name].findChildren(QMenu)[0]
        assert menu.isVisible()
        menu.actions()[0].trigger()
        menu.close()
    assert asked == ["bias", "kinds"]


def test_charts_fit_narrow_and_wide_windows(qtbot: QtBot) -> None:
    """Two columns where there is room, one where there is not; nothing stands out to the right."""
    dashboard = Dashboard()
    qtbot.addWidget(dashboard)
    dashboard.show_report(fakes.report(), leaning=True)
    dashboard.show()

    def places() -> list[tuple[QWidget, QPoint]]:
        return [(section, section.mapTo(dashboard, QPoint(0, 0))) for section in dashboard.sections.values()]

    def lefts() -> set[int]:
        return {place.x() for _, place in places()}

    for width, columns in ((1100, 2), (500, 1)):
        dashboard.resize(width, 700)
        qtbot.waitUntil(
            lambda width=width, columns=columns: (dashboard.width(), len(lefts())) == (width, columns)
        )
        assert max(place.x() + section.width() for section, place in places()) <= width


def test_closing_the_window_closes_the_dashboard(make: Make, qtbot: QtBot) -> None:
    """Nothing is left open."""
    window, dashboard = opened(make, qtbot)
    window.ui.editor.document().setModified(False)
    window.close()
    assert window.components.dashboard.dashboard is None
    assert not dashboard.isVisible()
