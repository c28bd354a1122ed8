"""Protects the assembled window: every command does its work, every part shows the same finding."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from fake_reader import FakeReader
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QListView,
    QWidget,
)
from pytestqt.qtbot import QtBot
from windows import TEXT, Make, read

from app.analysis.worker_context import Reader
from app.commands.actions import COMMANDS, EXPORTS, MENUS
from app.help.problems import make_excepthook
from app.main_window.window import EMPTY, MainWindow
from app.review.review_controller import WRAPPED_TO_FIRST
from core.bundles.manifest import BundleError
from core.documents.types import Format
from core.types import Kind


def rows(window: MainWindow) -> list[str]:
    found = window.ui.findings_dock.findChild(QListView)
    assert found is not None
    model = found.model()
    return [
        str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)) for row in range(model.rowCount())
    ]


# Reading


def test_findings_stand_in_the_text_the_panels_and_the_status(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    assert len(rows(window)) == 3
    assert window.ui.status_bar.document_text == "14 words · 2 sentences · saved"
    assert window.ui.status_bar.analysis_text.startswith("reader test 1.0 · analysed in")


@pytest.mark.parametrize(
    ("name", "text", "facts"),
    [
        ("a.md", "---\nauthor: Ann Lee\n---\n\n# A **law**\n\nIt `is so` shameful.\n", "4 words · 2 sentences"),
        ("a.wiki", "{{Infobox|name=Ann}}\n''A'' [[law|shameful law]].<ref>A book.</ref>\n", "3 words · 1 sentence"),
    ],
)  # fmt: skip
def test_the_words_of_prose_are_counted_and_none_before_it_is_read(
    make: Make, qtbot: QtBot, tmp_path: Path, name: str, text: str, facts: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    window = make(None)
    assert window.components.documents.open(path)
    assert window.ui.status_bar.document_text == "saved"
    read(window, qtbot, ["shameful"])
    assert window.ui.status_bar.document_text == f"{facts} · saved"


def test_at_first_the_issues_have_as_much_room_as_the_panel_below(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    above, below = window.ui.findings_dock.height(), window.ui.document_dock.height()
    assert abs(above - below) < 0.1 * above


def test_an_edit_is_read_again(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.ui.editor.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(window.ui.editor, "The legendary plot. ")
    read(window, qtbot, ["shameful", "reveals", "chairman", "legendary", "plot"])
    assert "unsaved" in window.ui.status_bar.document_text
    assert window.isWindowModified()


def test_quotations_are_read_if_asked_and_that_is_remembered(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.ui.actions["quotes"].trigger()
    read(window, qtbot, ["shameful", "reveals", "disgraceful", "chairman"])
    assert window.settings.value("include_quotes")


def test_kinds_can_be_hidden_from_the_menu_and_the_panel(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.menus.kind_actions[Kind.FRAMING].trigger()
    assert [mark.finding.text for mark in window.ui.editor.marks] == ["reveals", "chairman"]
    assert len(rows(window)) == 2
    button = window.ui.findings_dock.findChild(QAbstractButton, "kind_framing")
    assert button is not None
    button.click()
    assert len(window.ui.editor.marks) == 3
    assert window.menus.kind_actions[Kind.FRAMING].isChecked()


def test_a_broken_bundle_is_told_and_the_text_stays_editable(make: Make, qtbot: QtBot) -> None:
    def load() -> Reader:
        raise BundleError("The reader is damaged. Reinstall Evenhand.")

    window = make(load=load)
    qtbot.waitUntil(lambda: window.ui.status_bar.analysis_text == "not analysed")
    labels = [label.accessibleName() for label in window.ui.findings_dock.findChildren(QWidget)]
    assert "The reader is damaged. Reinstall Evenhand." in labels
    QTest.keyClicks(window.ui.editor, "Still ")
    assert window.ui.editor.text() == "Still " + TEXT


def test_an_empty_draft_says_what_to_do(make: Make, qtbot: QtBot) -> None:
    window = make("")
    qtbot.waitUntil(
        lambda: any(
            label.accessibleName() == EMPTY for label in window.ui.findings_dock.findChildren(QWidget)
        )
    )
    assert len(window.ui.editor.marks) == 0


def test_another_format_is_read_at_once(make: Make, qtbot: QtBot) -> None:
    window = make("A `shameful` word and a shameful one.")
    read(window, qtbot, ["shameful"])
    window.menus.format_actions[Format.PLAIN].trigger()
    read(window, qtbot, ["shameful", "shameful"])
    assert not window.components.documents.modified


def test_an_error_is_told_without_a_traceback(make: Make, capsys: pytest.CaptureFixture[str]) -> None:
    window = make()
    try:
        raise ValueError(TEXT)
    except ValueError as error:
        make_excepthook(window.components.help.recorded, window.ui.message_bar.show_message)(
            type(error), error, error.__traceback__
        )
    assert "ValueError" in window.ui.message_bar.text
    assert "shameful" not in window.ui.message_bar.text
    assert capsys.readouterr().err == ""


# Walking


def test_f8_walks_over_findings_with_card_panel_and_caret(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    for row, mark in enumerate(window.ui.editor.marks):
        window.ui.actions["next"].trigger()
        assert window.ui.editor.textCursor().position() == mark.start
        assert window.components.card.shown_finding == mark.finding
        assert window.ui.editor.current == mark.finding
        assert listed.currentIndex().row() == row
    window.ui.actions["next"].trigger()
    assert window.components.card.shown_finding == window.ui.editor.marks[0].finding
    assert window.ui.status_bar.currentMessage() == WRAPPED_TO_FIRST
    window.ui.actions["previous"].trigger()
    assert window.components.card.shown_finding == window.ui.editor.marks[2].finding


def test_f8_brings_a_far_finding_into_view(make: Make, qtbot: QtBot) -> None:
    window = make("Plain words.\n\n" * 300 + "A shameful end.\n")
    read(window, qtbot, ["shameful"])
    window.ui.actions["next"].trigger()
    assert window.ui.editor.rects_of(window.ui.editor.marks[0])
    assert window.components.card.shown_finding is not None


def test_escape_hides_the_card_and_typing_too(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.ui.actions["next"].trigger()
    QTest.keyClick(window.ui.editor, Qt.Key.Key_Escape)
    assert window.components.card.shown_finding is None
    window.ui.actions["next"].trigger()
    assert window.components.card.shown_finding is not None
    QTest.keyClicks(window.ui.editor, "x")
    assert window.components.card.shown_finding is None


def test_a_resting_mouse_brings_the_card_and_leaving_takes_it_away(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    mark = window.ui.editor.marks[1]
    QTest.mouseMove(window.ui.status_bar, QPoint(20, 5))
    QTest.mouseMove(window.ui.editor.viewport(), window.ui.editor.rects_of(mark)[0].center().toPoint())
    qtbot.waitUntil(lambda: window.components.card.shown_finding == mark.finding)
    # Not at the very edge: there Qt lays the handle of the dock over the text.
    far = window.ui.editor.viewport().rect().bottomRight() - QPoint(20, 20)
    QTest.mouseMove(window.ui.editor.viewport(), far)
    qtbot.waitUntil(lambda: window.components.card.shown_finding is None)


def test_a_resting_caret_brings_the_card(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.activateWindow()
    window.ui.editor.setFocus()
    window.ui.editor.go_to(window.ui.editor.marks[0].start + 2)
    qtbot.waitUntil(lambda: window.components.card.shown_finding == window.ui.editor.marks[0].finding)


def test_a_row_of_the_panel_goes_to_its_words(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    listed = window.ui.findings_dock.findChild(QListView)
    assert listed is not None
    listed.clicked.emit(listed.model().index(2, 0))
    assert window.ui.editor.textCursor().position() == window.ui.editor.marks[2].start
    assert window.components.card.shown_finding == window.ui.editor.marks[2].finding


def test_the_strip_goes_there(make: Make, qtbot: QtBot) -> None:
    window = make("👍🏽 Plain words.\n\n" * 200 + "A shameful end.")
    read(window, qtbot, ["shameful"])
    window.ui.bias_strip.position_clicked.emit(window.ui.editor.text().index("shameful"))
    assert window.ui.editor.textCursor().position() == window.ui.editor.marks[0].start


def test_the_strip_frames_what_is_in_view_from_the_start(make: Make, qtbot: QtBot) -> None:
    window = make("👍🏽 A shameful start.\n\n" + "Plain words.\n\n" * 200)
    read(window, qtbot, ["shameful"])
    start, end = window.ui.bias_strip._view
    assert start == 0
    assert 20 < end < len(window.ui.editor.text()) // 2


# The frame


def test_layout_zoom_and_theme_are_remembered(make: Make, qtbot: QtBot) -> None:
    first = make()
    first.ui.document_dock.hide()
    first.ui.actions["zoom_in"].trigger()
    first.menus.theme_actions["dark"].trigger()
    first.close()
    second = make()
    assert second.ui.document_dock.isHidden()
    assert not second.ui.findings_dock.isHidden()
    assert second.ui.editor.zoom == 1
    assert second.menus.theme_actions["dark"].isChecked()
    second.menus.theme_actions["light"].trigger()


def test_f6_goes_round_the_parts(make: Make, qtbot: QtBot) -> None:
    window = make()
    window.activateWindow()
    window.ui.editor.setFocus()
    seen = []
    for _ in range(5):
        seen.append(QApplication.focusWidget())
        window.ui.actions["next_area"].trigger()
    assert seen[0] is window.ui.editor
    assert seen[1] is window.ui.bias_strip
    assert len({id(widget) for widget in seen}) >= 4


def test_every_command_has_a_place_and_no_two_share_keys(make: Make) -> None:
    window = make()
    placed = {name for _, names in MENUS for name in names}
    assert set(COMMANDS) - placed - set(EXPORTS) == {"forget_recent"}
    used: dict[str, str] = {}
    for name, action in window.ui.actions.items():
        assert action.receivers("2triggered()") > 0 or action.isCheckable(), name
        for sequence in action.shortcuts():
            assert used.setdefault(sequence.toString(), name) == name


def test_every_control_has_a_name(make: Make, qtbot: QtBot) -> None:
    window = make()
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    for widget in window.findChildren(QWidget):
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus or not widget.isVisible():
            continue
        if widget.objectName().startswith("qt_") or isinstance(widget.parentWidget(), QAbstractScrollArea):
            continue
        text = getattr(widget, "text", lambda: "")
        assert widget.accessibleName() or text(), f"{widget!r} in {widget.parentWidget()!r}"


def test_menus_have_no_dead_entries(make: Make) -> None:
    window = make()

    def leaves(actions: list[QAction]) -> Iterator[QAction]:
        for action in actions:
            if action.menu() is not None:
                yield from leaves(action.menu().actions())
            elif not action.isSeparator():
                yield action

    entries = list(leaves(window.menuBar().actions()))
    assert len(entries) > 30
    assert all(entry.text() for entry in entries)


def test_a_long_reading_says_how_far_it_is_and_can_be_stopped(make: Make, qtbot: QtBot) -> None:
    gate = Event()
    window = make("A shameful word.", load=lambda: FakeReader(gate=gate))
    qtbot.waitUntil(lambda: window.ui.status_bar.analysis_text == "analysing…")
    window.components.analysis._report_progress(0.5)
    assert window.ui.status_bar.analysis_text == "analysing… 50%"
    window.ui.actions["stop"].trigger()
    assert window.ui.status_bar.analysis_text == "analysis stopped"
    gate.set()
    qtbot.wait(30)
    assert not list(window.ui.editor.marks)
    window.ui.actions["analyse"].trigger()
    read(window, qtbot, ["shameful"])
