"""The details of a selected run: curves, metrics, settings, files and log; and several runs compared."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from history_driver import HistoryDriver, add_run, with_metrics
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QPalette
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QPlainTextEdit,
    QTabWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.runs.curves import metrics_of
from app.runs.evaluation_charts import ConfusionMatrix, PublishedTable, ReliabilityDiagram
from app.runs.run_status import status_icon, status_text
from app.widgets.read_only_table import ReadOnlyTable
from app.widgets.theme import palette
from core.runs.metrics import ConfusionCounts, PublishedMetric, Reliability, ReliabilityBin
from core.runs.types import METRICS_FILE, MetricPoint, Status


@pytest.fixture
def driver(qtbot: QtBot) -> Iterator[HistoryDriver]:
    made = HistoryDriver(qtbot)
    yield made
    made.close()


def tables(page: QWidget) -> dict[str, list[list[str]]]:
    return {table.accessibleName(): table.texts() for table in page.findChildren(ReadOnlyTable)}


def test_a_run_shows_all_details(driver: HistoryDriver) -> None:
    run = add_run(
        driver.runs,
        result={"babe_macro_f1": 0.8},
        data={"babe/sg2.csv": "ab" * 32},
        settings={"learning_rate": "5e-05"},
        bundle=True,
    )
    with_metrics(run)
    history = driver.show()
    driver.choose(run)
    figures = tables(history.run_details.metrics)
    assert figures["Result"] == [["babe macro f1", "0.8000"]]
    assert figures["Comparison with published values"][0][2:5] == ["0.790", "0.804", "-0.014"]
    assert figures["Confusion matrix: bias"][0] == ["neutral", "8 (80%)", "2 (20%)", "10"]
    facts = tables(history.run_details.facts)
    assert ["Seed", "42"] in facts["Run"]
    assert ["Program", "0.1.0"] in facts["Run"]
    assert facts["Settings"] == [["learning_rate", "5e-05"]]
    assert facts["Corpora"] == [["babe/sg2.csv", "ab" * 32]]
    assert facts["Files of the run"] == [["bundle/x", "5", "ef" * 32]]
    assert history.run_details.log.toPlainText() == "first\nlast"
    assert [line.ys for line in history.run_details.curves.curves.lines] == [[0.2, 0.4]]


def test_the_selected_metric_stays_selected(driver: HistoryDriver) -> None:
    one, two = add_run(driver.runs, 0), add_run(driver.runs, 1)
    history = driver.show()
    driver.choose(one)
    chooser = history.run_details.curves.choice
    assert chooser.currentText() == "dev"
    chooser.setCurrentIndex(chooser.findText("loss"))
    chooser.activated.emit(chooser.currentIndex())
    driver.choose(two)
    assert chooser.currentText() == "loss"
    assert history.run_details.curves.curves.lines[0].ys[0] == 1.0


def test_damaged_metrics_are_reported_and_hide_nothing_else(driver: HistoryDriver) -> None:
    run = add_run(driver.runs, result={"f1": 0.5})
    (run.folder / METRICS_FILE).write_text("{")
    history = driver.show()
    driver.choose(run)
    names = [label.accessibleName() for label in history.run_details.metrics.findChildren(QWidget)]
    assert any("results of the run" in one and "damaged" in one for one in names)
    assert "Result" in tables(history.run_details.metrics)


def test_a_run_without_events_says_so(driver: HistoryDriver) -> None:
    run = add_run(driver.runs, status=Status.PAUSED)
    history = driver.show()
    driver.choose(run)
    names = [label.accessibleName() for label in history.run_details.metrics.findChildren(QWidget)]
    assert "The run has no metrics yet." in names
    assert "last checkpoint" in history.run_details.explanation


def test_several_runs_are_overlaid_and_compared(driver: HistoryDriver) -> None:
    runs = [add_run(driver.runs, at, seed=at, result={"f1": 0.5 + at / 8}) for at in range(3)]
    history = driver.show()
    driver.choose(*runs)
    assert len(history.comparison.curves.curves.lines) == 3
    rows = {row[0]: row[1:] for row in history.comparison.table.texts()}
    assert rows == {"seed": ["2", "1", "0"], "f1": ["0.7500", "0.6250 (-0.1250)", "0.5000 (-0.2500)"]}
    assert history.buttons["delete"].isEnabled()
    assert not history.buttons["export"].isEnabled()


def test_metrics_with_one_value_have_no_curve() -> None:
    one = [
        MetricPoint("a", 1, "step", "loss", 1),
        MetricPoint("a", 2, "step", "loss", 1),
        MetricPoint("a", 2, "eval", "dev", 1),
    ]
    two = [
        MetricPoint("b", 1, "eval", "dev", 1),
        MetricPoint("b", 2, "eval", "dev", 1),
        MetricPoint("b", 2, "end", "f1", 1),
    ]
    assert metrics_of([one, two, [*two, two[-1]]]) == [("a", "loss"), ("b", "dev")]


def test_controls_and_rows_have_accessible_names(driver: HistoryDriver) -> None:
    run = with_metrics(add_run(driver.runs, result={"f1": 0.5}, seconds=90.0, bundle=True))
    history = driver.show()
    driver.choose(run)
    kinds = (QAbstractButton, QComboBox, QAbstractItemView, QTabWidget, QPlainTextEdit)
    for tab in range(history.run_details.tabs.count()):
        history.run_details.tabs.setCurrentIndex(tab)
        for kind in kinds:
            for widget in history.findChildren(kind):
                if widget.isVisible() and not widget.objectName().startswith("qt_"):
                    face = QAccessible.queryAccessibleInterface(widget)
                    inner = isinstance(widget.parentWidget(), QComboBox | QAbstractItemView)
                    assert inner or face.text(QAccessible.Text.Name), widget
    spoken = history.table.view.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    for part in ("finished", "Reader", "Smoke test", "encoder", "cpu", "1:30", "f1 0.5000"):
        assert part in spoken


def test_tab_goes_round_through_every_control(driver: HistoryDriver, qtbot: QtBot) -> None:
    run = add_run(driver.runs, bundle=True)
    history = driver.show()
    history.activateWindow()
    qtbot.waitActive(history)
    driver.choose(run)
    history.table.view.setFocus()
    reached = []
    while not reached or history.focusWidget() is not history.table.view:
        reached.append(history.focusWidget().accessibleName())
        QTest.keyClick(history.focusWidget(), Qt.Key.Key_Tab)
        assert len(reached) < 30
    names = {"Recipe", "Status", "Sort by", "Training runs", "Use this model", "Export…", "Delete…", "Metric"}
    assert names <= set(reached)


@pytest.mark.parametrize("width", [320, 560, 1000])
def test_nothing_is_clipped_or_covered_at_any_width(driver: HistoryDriver, width: int) -> None:
    run = add_run(driver.runs, result={"f1": 0.5})
    history = driver.show(width, 620)
    driver.choose(run)
    table = history.table
    boxes = [table.filter_bar, table.view, *history.buttons.values(), history.run_details]
    places = [box.rect().translated(box.mapTo(history, box.rect().topLeft())) for box in boxes]
    for at, place in enumerate(places):
        assert place.right() <= history.rect().right()
        assert not any(place.intersects(other) for other in places[:at])
    for box in table.filter_bar.findChildren(QComboBox):
        assert table.filter_bar.rect().contains(box.mapTo(table.filter_bar, box.rect().bottomRight()))


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("high_contrast", [False, True])
def test_a_confusion_matrix_is_readable_without_colour(qtbot: QtBot, dark: bool, high_contrast: bool) -> None:
    matrix = ConfusionMatrix()
    qtbot.addWidget(matrix)
    matrix.setPalette(palette(dark=dark, high_contrast=high_contrast))
    matrix.show_matrix(ConfusionCounts("bias", ("no\n", "yes"), ((1200, 300), (0, 0))))
    assert matrix.texts() == [["no", "1,200 (80%)", "300 (20%)", "1,500"], ["yes", "0 (–)", "0 (–)", "0"]]
    cell = matrix.item(0, 2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert cell == "true no, predicted yes: 300, 20% of the row"
    assert "no: 1,500 cases, 80% predicted correctly." in matrix.accessibleDescription()
    assert matrix.item(0, 1).font().bold()
    assert not matrix.item(0, 2).font().bold()
    base = matrix.palette().color(QPalette.ColorRole.Base)
    grounds = [matrix.item(0, column).background().color().alpha() for column in (1, 2)]
    assert grounds == [0, 0] if high_contrast else grounds[0] > grounds[1] > 0
    assert base.isValid()


def test_published_values_show_the_difference_to_ours(qtbot: QtBot) -> None:
    table = PublishedTable()
    qtbot.addWidget(table)
    table.show_values([PublishedMetric("BERT", "F1", 0.81, 0.8, "BABE, Table 5")])
    assert table.texts() == [["BERT", "F1", "0.810", "0.800", "+0.010", "BABE, Table 5"]]
    assert table.item(0, 3).data(Qt.ItemDataRole.AccessibleTextRole) == "Published: 0.800"
    table.show_values([])
    assert table.texts() == []


def test_selected_cells_can_be_copied(qtbot: QtBot) -> None:
    table = ReadOnlyTable("x")
    qtbot.addWidget(table)
    table.show_rows(("a", "b"), [("1", "2"), ("3", "4")])
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "1\t2\n3\t4"
    QTest.keyClick(table, Qt.Key.Key_X)
    assert table.texts() == [["1", "2"], ["3", "4"]]


def test_a_reliability_diagram_is_drawn_and_described(qtbot: QtBot) -> None:
    diagram = ReliabilityDiagram()
    qtbot.addWidget(diagram)
    diagram.resize(240, diagram.height())
    blank = diagram.grab().toImage()
    bins = (ReliabilityBin(0.5, 0.75, 0, 0.0, 0.0), ReliabilityBin(0.75, 1.0, 20, 0.9, 0.6))
    diagram.show_diagram(Reliability("bias", bins, 0.3))
    description = diagram.accessibleDescription()
    assert description.startswith("Calibration error 0.300.")
    assert "20 answers with a confidence of 75% to 100%: mean 90%, 60% correct." in description
    assert description.count("confidence") == 1
    assert diagram.grab().toImage() != blank


def test_states_differ_in_symbol_and_text(qapp: object) -> None:
    pictures = {status: status_icon(status).pixmap(20, 20).toImage() for status in Status}
    words = {status_text(status) for status in Status}
    assert len(words) == len(Status)
    for one in Status:
        assert [other for other in Status if pictures[other] == pictures[one]] == [one]
