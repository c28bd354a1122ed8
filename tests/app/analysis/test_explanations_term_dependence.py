"""Protects what becomes of a finding that leans on its word: the card says so, it sinks, and typing stays calm."""

from __future__ import annotations

import fakes
import pytest
from fake_reader import FLAGGED, FakeReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QListView, QMenu, QWidget
from pytestqt.qtbot import QtBot
from windows import Make, read

from app.analysis.explanations import TERM_DEPENDENT
from app.review.findings_list import FindingsModel
from app.review.findings_panel import FindingsPanel
from app.settings.settings import SETTINGS_BY_NAME
from core.types import Kind

WORDS = FLAGGED | {"muslim": (Kind.DEMOGRAPHIC, 0.83, None), "radical": (Kind.FRAMING, 0.7, None)}
TEXT = "A Muslim voter came. The shameful vote failed. A radical Muslim group met.\n"
ORDER = ["Muslim", "shameful", "radical", "Muslim"]


def listed(panel: QWidget) -> list[str]:
    model = panel.findChild(QListView, "issues").model()
    return [str(model.index(row, 0).data()) for row in range(model.rowCount())]


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader(words=dict(WORDS))


def test_such_findings_sink_and_keep_the_order_of_the_text(qtbot: QtBot) -> None:
    report = fakes.report()
    low = frozenset(report.findings[at] for at in (0, 2))
    panel = FindingsPanel()
    qtbot.addWidget(panel)
    panel.show_report(report, fakes.DRAFT, low)
    words = [finding.text for finding in report.findings]
    assert listed(panel) == [words[1], *words[3:], words[0], words[2]]
    panel.term_dependent_last = False
    assert listed(panel) == words


def test_every_finding_is_found_in_its_row(qtbot: QtBot) -> None:
    report = fakes.report()
    low = frozenset(report.findings[::3])
    model = FindingsModel()
    model.show(report.findings, fakes.DRAFT, report.sentences, term_dependent=low, term_dependent_last=True)
    for finding in report.findings:
        row = model.row_of(finding)
        assert row is not None
        assert model.finding(row) == finding
        assert model.term_dependent(row) == (finding in low)
        said = str(model.index(row).data(Qt.ItemDataRole.AccessibleTextRole))
        assert ("depends on the word itself" in said) == (finding in low)


def test_the_reader_is_asked_and_the_list_and_the_card_say_it(
    make: Make, qtbot: QtBot, reader: FakeReader
) -> None:
    window = make(TEXT, load=lambda: reader)
    read(window, qtbot, ORDER)
    panel = window.ui.findings_dock.panel
    qtbot.waitUntil(lambda: len(listed(panel)) == 4)
    assert listed(panel)[0] == "shameful"
    assert listed(panel)[-1] == "Muslim"
    for number, says in ((0, True), (1, False)):
        window.components.card.show_now(window.ui.editor.marks[number].finding)
        card = window.ui.central.findChild(QWidget, "finding_card")
        names = [child.accessibleName() for child in card.findChildren(QWidget) if child.isVisible()]
        assert (TERM_DEPENDENT in names) is says
        assert (TERM_DEPENDENT in card.accessibleDescription()) is says


def test_the_switch_is_in_the_menu_and_the_settings_and_is_remembered(
    make: Make, qtbot: QtBot, reader: FakeReader
) -> None:
    window = make(TEXT, load=lambda: reader)
    read(window, qtbot, ORDER)
    panel = window.ui.findings_dock.panel
    qtbot.waitUntil(lambda: len(listed(panel)) == 4)
    assert window.settings.value("sink_on_word") is True
    panel.findChild(QListView, "issues").menu_requested.emit(0, QPoint(0, 0))
    menu = panel.findChild(QMenu)
    switch = next(
        action for action in menu.actions() if action.text() == SETTINGS_BY_NAME["sink_on_word"].label
    )
    assert switch.isChecked()
    switch.trigger()
    menu.close()
    assert window.settings.value("sink_on_word") is False
    assert listed(panel) == ORDER
    window.settings.set("sink_on_word", True)
    assert listed(panel)[0] == "shameful"


def test_typing_elsewhere_asks_the_reader_nothing_about_known_findings(
    make: Make, qtbot: QtBot, reader: FakeReader
) -> None:
    window = make(TEXT, load=lambda: reader)
    read(window, qtbot, ORDER)
    known = len(reader.reader.texts)
    assert known
    window.ui.editor.go_to(0)
    window.ui.editor.insertPlainText("Some quiet news first. ")
    qtbot.waitUntil(
        lambda: (
            len(reader.seen) > 1
            and len(window.ui.editor.marks) == 4
            and not window.components.analysis._analysing
        )
    )
    assert len(reader.reader.texts) == known
    panel = window.ui.findings_dock.panel
    qtbot.waitUntil(lambda: listed(panel)[0] == "shameful")
