"""Protects the lists beside the text: however low the window is, they end with a whole row."""

from __future__ import annotations

import fakes
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.review.findings_list import FindingsDelegate, FindingsModel
from app.widgets.list_rows import WholeRowsView

LINES = "The shameful plan.\n\n" * 40


def made(qtbot: QtBot) -> WholeRowsView:
    view = WholeRowsView()
    qtbot.addWidget(view)
    source, report = fakes.long_report(60)
    model = FindingsModel(view)
    view.setModel(model)
    view.setItemDelegate(FindingsDelegate(view))
    model.show(report.findings, source, report.sentences)
    view.show()
    return view


def last_in_view(view: QListView) -> QRect:
    """The place of the last row of which something can be seen."""
    return view.visualRect(view.indexAt(QPoint(5, view.viewport().height() - 1)))


def test_every_height_shows_whole_rows_and_nothing_below_them(qtbot: QtBot) -> None:
    view = made(qtbot)
    row = view.visualRect(view.model().index(0, 0)).height()
    least = view.minimumSizeHint().height()
    assert least - 2 * view.frameWidth() == row
    for height in range(least, least + 3 * row):
        view.resize(200, height)
        QApplication.processEvents()
        inside = view.viewport().height()
        assert inside % row == 0
        assert 0 <= height - 2 * view.frameWidth() - inside < row
        assert last_in_view(view).bottom() == inside - 1


def test_the_rows_are_whole_at_the_end_and_in_another_font_too(qtbot: QtBot) -> None:
    view = made(qtbot)
    view.resize(200, 333)
    font = view.font()
    font.setPointSizeF(font.pointSizeF() * 1.7)
    view.setFont(font)
    QApplication.processEvents()
    view.scrollToBottom()
    last = view.visualRect(view.model().index(view.model().rowCount() - 1, 0))
    assert last.bottom() == view.viewport().height() - 1
    assert view.visualRect(view.indexAt(QPoint(5, 1))).top() == 0


def test_the_panels_of_a_small_window_show_no_part_of_a_row(make: Make, qtbot: QtBot) -> None:
    window: MainWindow = make(LINES)
    window.resize(700, 517)
    listed = window.ui.findings_dock.findChild(WholeRowsView)
    assert listed is not None
    qtbot.waitUntil(lambda: listed.model().rowCount() == 40)
    for height in (517, 560, 611):
        window.resize(700, height)
        QApplication.processEvents()
        assert last_in_view(listed).bottom() == listed.viewport().height() - 1
