"""Protects the style packs of one draft: they come before settings and project, and are there when it is reopened."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot
from windows import Make

from app.documents.draft_packs import DraftPacksDialog
from app.main_window.window import MainWindow
from app.settings.style_packs import SETTING
from core.types import Kind

TEXT = "A policeman wrote it. The crippled boy sold matches."


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVENHAND_HOME", str(tmp_path / "home"))


def flagged(window: MainWindow) -> list[str]:
    return [mark.finding.text for mark in window.ui.editor.marks if mark.finding.kind is Kind.STYLE]


def open_dialog(window: MainWindow) -> DraftPacksDialog:
    window.ui.actions["draft_packs"].trigger()
    dialog = window.findChild(DraftPacksDialog)
    assert isinstance(dialog, DraftPacksDialog)
    return dialog


def wait_for_store(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)


def test_a_pack_is_on_in_this_draft_alone_and_still_when_it_is_reopened(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    window = make(TEXT)
    wait_for_store(window, qtbot)
    path = window.components.documents.session.path
    assert path is not None
    dialog = open_dialog(window)
    assert not any(box.isChecked() for box in dialog.boxes.values())
    assert not dialog.usual_button.isEnabled()
    dialog.boxes["gender-neutral"].click()
    qtbot.waitUntil(lambda: flagged(window) == ["policeman"])
    assert window.settings.value(SETTING) == ()
    other = tmp_path / "other.md"
    other.write_text(TEXT, encoding="utf-8")
    assert window.components.documents.open(other)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: window.components.last_result is not None)
    assert flagged(window) == []
    assert window.components.documents.open(path)
    qtbot.waitUntil(lambda: flagged(window) == ["policeman"])
    assert open_dialog(window).boxes["gender-neutral"].isChecked()


def test_a_pack_that_is_on_in_the_settings_can_be_off_here_and_comes_back(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    window.settings.set(SETTING, ("gender-neutral=on",))
    qtbot.waitUntil(lambda: flagged(window) == ["policeman"])
    dialog = open_dialog(window)
    dialog.boxes["gender-neutral"].click()
    dialog.boxes["people-first"].click()
    qtbot.waitUntil(lambda: flagged(window) == ["crippled boy"])
    dialog.usual_button.click()
    assert window.components.draft_packs.choices == {}
    assert dialog.boxes["gender-neutral"].isChecked()
    assert not dialog.boxes["people-first"].isChecked()
    qtbot.waitUntil(lambda: flagged(window) == ["policeman"])


def test_a_choice_that_agrees_with_the_settings_is_none(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    dialog = open_dialog(window)
    dialog.boxes["gender-neutral"].click()
    dialog.boxes["gender-neutral"].click()
    assert window.components.draft_packs.choices == {}


def test_the_choice_comes_before_a_project_file(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / ".evenhand.toml").write_text('packs = ["gender-neutral"]\n', encoding="utf-8")
    window = make(TEXT)
    qtbot.waitUntil(lambda: flagged(window) == ["policeman"])
    dialog = open_dialog(window)
    assert dialog.boxes["gender-neutral"].isChecked()
    dialog.boxes["gender-neutral"].click()
    qtbot.waitUntil(lambda: flagged(window) == [])
    (tmp_path / ".evenhand.toml").write_text("packs = 3\n", encoding="utf-8")
    dialog.close()
    assert not open_dialog(window).boxes["gender-neutral"].isChecked()


def test_what_was_chosen_before_the_store_was_open_is_stored(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    packs = window.components.draft_packs
    packs.choose("people-first", True)
    wait_for_store(window, qtbot)
    store, session = window.components.store_access.store, window.components.documents.session
    assert store is not None
    qtbot.waitUntil(lambda: store.draft_packs(session.uid) == {"people-first": True})


def test_a_forgotten_draft_has_no_packs_of_its_own(make: Make, qtbot: QtBot) -> None:
    window = make(TEXT)
    wait_for_store(window, qtbot)
    window.components.draft_packs.choose("gender-neutral", True)
    qtbot.waitUntil(lambda: flagged(window) == ["policeman"])
    window.components.history.forgotten.emit()
    qtbot.waitUntil(lambda: flagged(window) == [])
