"""Protects a writer whose data is another version's: an earlier one's is all there, a newer one's is left alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fake_reader import FakeReader
from fake_rewriter import FakeRewriter
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot
from windows import Make

from app.main_window.window import MainWindow
from app.settings.settings import Settings
from core.paths import data_folder
from core.storage.data_version import DATA_VERSION, VERSION_FILE, backups
from core.storage.journal import journals_folder
from tests.old_data import NAMES, SAVED, everything, lay_out


@pytest.mark.parametrize("name", NAMES)
def test_what_an_earlier_version_left_is_there_in_the_window(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    home = tmp_path / "writer"
    folder = lay_out(name, home)
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    conf = home / ".config" / "Evenhand" / "Evenhand.conf"
    settings = Settings(QSettings(str(conf), QSettings.Format.IniFormat))
    chosen = {"theme": "dark", "sensitivity": 3, "history_days": 0, "kinds": ("framing", "epistemological")}
    assert {key: settings.value(key) for key in chosen} == chosen
    assert settings.shortcuts == {"next": ("F9",)}
    window = MainWindow(settings, load=FakeReader, load_rewriter=lambda _: FakeRewriter())
    qtbot.addWidget(window, before_close_func=lambda one: one.ui.editor.document().setModified(False))
    window.show()
    qtbot.waitUntil(lambda: window.components.store_access.store is not None)
    assert window.ui.message_bar.text == ""
    (backup,) = backups(folder)
    kept = json.loads((backup / "settings.json").read_text(encoding="utf-8"))
    assert kept["view/theme"] == "dark"
    assert kept["shortcuts/next"] == "F9"
    qtbot.waitUntil(lambda: window.components.recovery.dialog is not None)
    dialog = window.components.recovery.dialog
    assert dialog is not None
    assert dialog.remaining == 1
    dialog.reject()


def test_a_newer_data_folder_is_told_of_and_left_alone_while_files_open_and_save(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    folder = lay_out("schema-2", tmp_path / "writer")
    (folder / VERSION_FILE).write_text(json.dumps({"format": DATA_VERSION + 1}), encoding="utf-8")
    monkeypatch.setenv("EVENHAND_HOME", str(folder))
    before = everything(folder)
    window = make(SAVED)
    qtbot.waitUntil(lambda: window.components.store_access.failed)
    assert window.ui.message_bar.text.startswith(
        f"Your data in {data_folder()} was last used by a newer version of Evenhand"
    )
    assert (
        "no versions of your drafts are kept, and the models that came with Evenhand are used"
        in window.ui.message_bar.text
    )
    QTest.keyClicks(window.ui.editor, "More. ")
    qtbot.waitUntil(lambda: window.components.journal_writer.is_written)
    assert len(list(journals_folder().glob("*.journal"))) == 1
    assert window.components.documents.save()
    assert (tmp_path / "draft.md").read_text(encoding="utf-8") == f"More. {SAVED}"
    window.components.recovery.search(requested=True)
    qtbot.waitUntil(lambda: "no unsaved draft" in window.ui.message_bar.text)
    window.close()
    assert everything(folder) == before
