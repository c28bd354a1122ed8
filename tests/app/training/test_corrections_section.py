"""The corrections section: what is shown is what is saved, and nothing is written or removed unasked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from windows import Button, Make, answer, read, saving_to

from app.analysis.suggestions import DiffPart
from app.background.store import StoreAccess
from app.main_window.window import MainWindow
from app.models.app_context import AppContext
from app.review.correction_recorder import SETTING
from app.training.correction_list import accessible_text, details_text, sentence_parts
from app.training.corrections_section import CorrectionsSection
from core.corrections import Correction, Verdict, chosen_corpus, corpus
from core.corrections.correction_store import CorrectionStore
from core.types import Kind

SENTENCE = "The shameful 👍🏽 record reveals it."
ONE = Correction(Verdict.ACCEPTED, Kind.FRAMING, SENTENCE, 4, 12, SENTENCE.replace("shameful", "poor"))
OTHER = Correction(
    Verdict.ACCEPTED, Kind.EPISTEMOLOGICAL, SENTENCE, 23, 30, SENTENCE.replace("reveals", "says")
)
PASSED = Correction(Verdict.REJECTED, Kind.FRAMING, "A legendary end.", 2, 11)
Open = Callable[..., CorrectionsSection]
CHECK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def opened(make: Make, qtbot: QtBot) -> Open:
    """Opens the section over a window whose store holds these corrections, oldest first."""

    def show(*corrections: Correction) -> CorrectionsSection:
        window = make()
        qtbot.waitUntil(lambda: window.components.store_access.store is not None)
        assert window.components.store_access.store is not None
        uid = window.components.store_access.store.open_draft(None, name="Quagmire.md", path=None).uid
        for correction in corrections:
            assert CorrectionStore(window.components.store_access.store).add(uid, correction)
        section = CorrectionsSection(AppContext(window.components.services, window))
        section.resize(560, 640)
        qtbot.addWidget(section)
        section.show()
        rest(section, qtbot)
        return section

    return show


def rest(section: CorrectionsSection, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window_of(section).components.background.busy)


def window_of(section: CorrectionsSection) -> MainWindow:
    return section.context.parent()


def listed(section: CorrectionsSection) -> list[Correction]:
    return [one.correction for one in section.model.listed]


def take_out(section: CorrectionsSection, row: int) -> None:
    """Click at the box of a row."""
    box = section.list.visualRect(section.model.index(row))
    QTest.mouseClick(section.list.viewport(), Qt.MouseButton.LeftButton, pos=box.topLeft() + QPoint(16, 16))


def test_an_empty_list_explains_how_corrections_arise(opened: Open) -> None:
    section = opened()
    assert not section.list.isVisible()
    assert section.message.accessibleName().startswith("There are no corrections yet.")
    assert "counts as accepted" in section.message.accessibleName()


def test_corrections_are_listed_newest_first_and_selected_without_writing(opened: Open) -> None:
    section = opened(ONE, OTHER, PASSED)
    assert listed(section) == [PASSED, OTHER, ONE]
    assert section.count_label.text() == "2 accepted, 1 rejected; 3 chosen"
    assert section.usage_label.text() == "The next training run uses no corrections."
    assert section.leave_out_button.isHidden()
    assert chosen_corpus() is None


def test_the_switch_changes_the_setting(opened: Open) -> None:
    section = opened()
    settings = window_of(section).settings
    box = section.setting_control.focus_widget
    assert box is not None
    QTest.keyClick(box, Qt.Key.Key_Space)
    assert settings.value(SETTING) is True
    settings.set(SETTING, False)
    assert not box.isChecked()  # type: ignore[attr-defined]


def test_filters_narrow_the_list_and_keep_the_selection(opened: Open) -> None:
    section = opened(ONE, OTHER, PASSED)
    section.verdict.setCurrentIndex(1)
    assert listed(section) == [OTHER, ONE]
    section.kind.setCurrentIndex(1)
    assert listed(section) == [ONE]
    assert section.count_label.text() == "2 accepted, 1 rejected; 3 chosen"
    section.uncheck_all_button.click()
    assert section.count_label.text() == "2 accepted, 1 rejected; 2 chosen"
    assert not section.uncheck_all_button.isEnabled()
    section.verdict.setCurrentIndex(2)
    section.kind.setCurrentIndex(0)
    assert listed(section) == [PASSED]
    section.verdict.setCurrentIndex(0)
    section.check_all_button.click()
    assert section.count_label.text() == "2 accepted, 1 rejected; 3 chosen"


def test_rows_are_toggled_by_mouse_and_keyboard(opened: Open) -> None:
    section = opened(ONE, OTHER, PASSED)
    take_out(section, 0)
    assert section.model.index(0).data(CHECK) is Qt.CheckState.Unchecked
    assert section.count_label.text().endswith("2 chosen")
    section.list.selectAll()
    section.list.setCurrentIndex(section.model.index(0))
    QTest.keyClick(section.list, Qt.Key.Key_Space)
    assert section.count_label.text().endswith("3 chosen")
    section.list.selectAll()
    QTest.keyClick(section.list, Qt.Key.Key_Space)
    assert section.count_label.text().endswith("0 chosen")
    assert not section.use_button.isEnabled()
    assert not section.save_button.isEnabled()


def test_only_selected_corrections_are_saved(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = opened(ONE, OTHER, PASSED)
    take_out(section, 1)
    saving_to(monkeypatch, tmp_path / "mine")
    with qtbot.waitSignal(section.context.message) as told_to:
        section.save_button.click()
    assert told_to.args == [f"Saved 2 corrections to {tmp_path / 'mine.jsonl'}."]
    assert corpus.read(tmp_path / "mine.jsonl") == [ONE, PASSED]
    assert "Quagmire" not in (tmp_path / "mine.jsonl").read_text(encoding="utf-8")
    assert chosen_corpus() is None
    rest(section, qtbot)


def test_an_unwritable_folder_is_reported(
    opened: Open, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = opened(ONE)
    saving_to(monkeypatch, tmp_path / "nowhere" / "mine.jsonl")
    with qtbot.waitSignal(section.context.message) as told_to:
        section.save_button.click()
    assert told_to.args is not None
    assert told_to.args[0].startswith("mine.jsonl was not saved: ")
    assert section.list.isVisible()


def test_saved_corrections_are_used_in_the_next_training_until_removed(opened: Open, qtbot: QtBot) -> None:
    section = opened(ONE, OTHER, PASSED)
    take_out(section, 2)
    section.use_button.click()
    qtbot.waitUntil(section.leave_out_button.isVisible)
    place = chosen_corpus()
    assert place is not None
    assert corpus.read(place) == [OTHER, PASSED]
    assert section.usage_label.text() == "The next training run uses 2 corrections."
    rest(section, qtbot)
    section.leave_out_button.click()
    qtbot.waitUntil(lambda: not section.leave_out_button.isVisible())
    assert chosen_corpus() is None
    assert section.count_label.text().endswith("2 chosen"), "what was taken out stays out"


def test_reopening_keeps_the_selection_and_selects_newer_corrections(opened: Open, qtbot: QtBot) -> None:
    section = opened(ONE, OTHER)
    take_out(section, 0)
    section.use_button.click()
    qtbot.waitUntil(section.leave_out_button.isVisible)
    rest(section, qtbot)
    qtbot.wait(20)
    store = window_of(section).components.store_access.store
    assert store is not None
    CorrectionStore(store).add(store.open_draft(None, name="New", path=None).uid, PASSED)
    again = CorrectionsSection(section.context)
    qtbot.addWidget(again)
    again.show()
    rest(again, qtbot)
    assert {one.correction for one in again.model.all if one.id in again.model.checked_ids} == {ONE, PASSED}


def test_deleting_confirms_and_removes_from_store_and_corpus(
    opened: Open, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = opened(ONE, OTHER, PASSED)
    section.use_button.click()
    qtbot.waitUntil(section.leave_out_button.isVisible)
    rest(section, qtbot)
    assert not section.delete_button.isEnabled()
    section.list.setCurrentIndex(section.model.index(1))
    assert answer(monkeypatch, QMessageBox.StandardButton.Cancel) == []
    QTest.keyClick(section.list, Qt.Key.Key_Delete)
    rest(section, qtbot)
    assert len(section.model.all) == 3
    asked = answer(monkeypatch, Button.Yes)
    section.delete_button.click()
    qtbot.waitUntil(lambda: len(section.model.all) == 2)
    assert asked == ["Delete corrections"]
    place = chosen_corpus()
    assert place is not None
    assert corpus.read(place) == [ONE, PASSED]
    assert section.list.currentIndex().row() == 1
    rest(section, qtbot)


def test_a_new_correction_is_listed_and_selected(opened: Open, qtbot: QtBot) -> None:
    section = opened(ONE, OTHER)
    take_out(section, 0)
    window = window_of(section)
    window.settings.set(SETTING, True)
    read(window, qtbot, ["shameful", "reveals", "chairman"])
    window.ui.editor.go_to(window.ui.editor.marks[0].start)
    window.ui.actions["ignore"].trigger()
    qtbot.waitUntil(lambda: len(section.model.all) == 3)
    assert section.count_label.text() == "2 accepted, 1 rejected; 2 chosen"
    rest(section, qtbot)


def test_a_missing_store_is_reported(make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(StoreAccess, "open", lambda *_, **__: None)
    window = make()
    section = CorrectionsSection(AppContext(window.components.services, window))
    qtbot.addWidget(section)
    section.show()
    assert section.message.accessibleName().startswith("Evenhand’s database cannot be opened")


def test_row_height_fits_the_sentence(opened: Open) -> None:
    long = Correction(Verdict.REJECTED, Kind.FRAMING, f"A legendary end {'of many words ' * 12}.", 2, 11)
    section = opened(PASSED, long)
    tall, low = (section.list.visualRect(section.model.index(row)).height() for row in (0, 1))
    assert tall > low
    section.resize(320, 640)
    section.list.doItemsLayout()
    assert section.list.visualRect(section.model.index(0)).height() > tall


def test_the_diff_is_by_word_and_keeps_the_findings() -> None:
    made = [(one.chunk.text, one.chunk.part, one.is_marked) for one in sentence_parts(ONE)]
    assert made == [
        ("The ", DiffPart.EQUAL, False),
        ("shameful", DiffPart.DELETED, True),
        (" ", DiffPart.EQUAL, False),
        ("poor", DiffPart.INSERTED, False),
        (" 👍🏽 record reveals it.", DiffPart.EQUAL, False),
    ]
    assert [(one.chunk.text, one.is_marked) for one in sentence_parts(PASSED)] == [
        ("A ", False),
        ("legendary", True),
        (" end.", False),
    ]


def test_long_unchanged_text_is_shortened_around_the_change() -> None:
    sentence = f"{'Many words ' * 60}of a shameful kind {'and more ' * 60}end."
    at = sentence.index("shameful")
    one = Correction(Verdict.ACCEPTED, Kind.FRAMING, sentence, at, at + 8, sentence.replace("shameful ", ""))
    shown = "".join(part.chunk.text for part in sentence_parts(one))
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert "of a shameful kind" in shown
    assert len(shown) < 450


def test_a_correction_has_an_accessible_text(opened: Open) -> None:
    section = opened(PASSED, ONE)
    first, second = section.model.listed
    assert details_text(first).startswith("Accepted · Framing · Quagmire.md · ")
    assert accessible_text(first).endswith(": “shameful” → “poor”. The shameful 👍🏽 record reveals it.")
    assert accessible_text(second).startswith("Rejected, Framing, Quagmire.md, ")
    assert accessible_text(second).endswith(": “legendary”. A legendary end.")
    accessible = section.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert accessible.startswith("chosen, Accepted, ")
