"""House style in the window: findings of rules beside the reader's, with a card, a filter, and rules of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.review.house_style import FlagWordsDialog
from app.settings.style_packs import RULES_OFF, SETTING
from core.style.library import own_folder
from core.types import Kind

TEXT = "The chairman met a policeman. Her shameful record is old."


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))


def marked(window: MainWindow) -> list[tuple[str, Kind]]:
    return [(mark.finding.text, mark.finding.kind) for mark in window.ui.editor.marks]


def with_pack(make: Make, qtbot: QtBot) -> MainWindow:
    """A window in which the pack of gender-neutral language is on."""
    window = make(TEXT)
    window.settings.set(SETTING, ("gender-neutral=on",))
    qtbot.waitUntil(lambda: ("policeman", Kind.STYLE) in marked(window))
    return window


def test_rules_mark_beside_the_reader_and_one_place_is_one_finding(make: Make, qtbot: QtBot) -> None:
    window = with_pack(make, qtbot)
    assert marked(window) == [
        ("chairman", Kind.DEMOGRAPHIC),
        ("policeman", Kind.STYLE),
        ("shameful", Kind.FRAMING),
    ]
    chairman = window.ui.editor.marks[0].finding
    assert chairman.style is not None
    assert chairman.style.rule == "gender-neutral/chairman"


def test_the_card_says_what_the_rule_says_and_switches_it_off(make: Make, qtbot: QtBot) -> None:
    window = with_pack(make, qtbot)
    window.components.review.go_to_mark(window.ui.editor.marks[1])
    card = window.components.card._card
    assert card is not None
    texts = " ".join(label.text() for label in card.findChildren(QLabel) if label.isVisible())
    assert "Gender-neutral language" in texts
    assert "“policeman”" in texts
    button = card.findChild(QToolButton, "rule_off")
    assert isinstance(button, QToolButton)
    button.click()
    qtbot.waitUntil(lambda: ("policeman", Kind.STYLE) not in marked(window))
    assert window.settings.value(RULES_OFF) == ("gender-neutral/policeman",)
    assert "is off" in window.ui.status_bar.currentMessage()


def test_a_finding_of_the_reader_alone_has_no_rule_to_switch_off(make: Make, qtbot: QtBot) -> None:
    window = with_pack(make, qtbot)
    window.components.review.go_to_mark(window.ui.editor.marks[2])
    card = window.components.card._card
    assert card is not None
    button = card.findChild(QToolButton, "rule_off")
    assert isinstance(button, QToolButton)
    assert not button.isVisible()


def test_the_filter_hides_what_only_rules_mark(make: Make, qtbot: QtBot) -> None:
    window = with_pack(make, qtbot)
    window.menus.kind_actions[Kind.STYLE].trigger()
    panel = window.components.panel_loader.findings_panel
    assert panel is not None
    assert Kind.STYLE not in panel.filter.kinds
    window.menus.kind_actions[Kind.DEMOGRAPHIC].trigger()
    shown = [one.text for one in window.components.review.findings if panel.filter.accepts(one)]
    assert shown == ["shameful"]
    window.menus.kind_actions[Kind.STYLE].trigger()
    shown = [one.text for one in window.components.review.findings if panel.filter.accepts(one)]
    assert shown == ["chairman", "policeman", "shameful"]


def test_flagged_words_are_marked_at_once(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    cursor = window.ui.editor.textCursor()
    cursor.setPosition(TEXT.index("record"))
    cursor.movePosition(cursor.MoveOperation.EndOfWord, cursor.MoveMode.KeepAnchor)
    window.ui.editor.setTextCursor(cursor)
    window.ui.actions["flag_words"].trigger()
    dialog = window.findChild(FlagWordsDialog)
    assert isinstance(dialog, FlagWordsDialog)
    assert dialog.words.text() == "record"
    dialog.instead.setText("history")
    dialog.accept()
    qtbot.waitUntil(lambda: ("record", Kind.STYLE) in marked(window))
    assert "history" in (own_folder() / "my-words.toml").read_text(encoding="utf-8")


def test_words_that_cannot_be_flagged_keep_the_dialog_open(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    window.ui.actions["flag_words"].trigger()
    dialog = window.findChild(FlagWordsDialog)
    assert isinstance(dialog, FlagWordsDialog)
    dialog.words.setText("…")
    dialog.accept()
    assert dialog.isVisible()
    assert "at least one word" in dialog.message.text()
    dialog.reject()


def test_a_project_file_chooses_the_packs_and_a_wrong_one_is_said(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / ".evenhand.toml").write_text('packs = ["gender-neutral"]\n', encoding="utf-8")
    window = make(TEXT)
    qtbot.waitUntil(lambda: ("policeman", Kind.STYLE) in marked(window))
    (tmp_path / ".evenhand.toml").write_text("packs = 3\n", encoding="utf-8")
    window.components.analyse_now()
    qtbot.waitUntil(lambda: ("policeman", Kind.STYLE) not in marked(window))
    result = window.components.review.result
    assert result is not None
    assert result.report is not None
    assert "line 1: “packs” must be a list of texts." in result.report.notes[-1]
