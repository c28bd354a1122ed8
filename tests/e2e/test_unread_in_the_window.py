"""Protects that a person is told in the window, beside the findings, what was not read, and is no longer once it is."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.main_window.window import MainWindow
from app.settings.settings import Settings
from core.engine.engine import Engine

DRAFT = "The senator{{efn|who had lost so often}} left. {{Odd box|with so many words}}\n"


def test_what_is_not_read_is_said_beside_the_findings(
    tiny_bundle: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "draft.wikitext"
    path.write_text(DRAFT, encoding="utf-8")
    settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    window = MainWindow(settings, load=lambda: Engine.load(tiny_bundle))
    qtbot.addWidget(window, before_close_func=lambda _: window.ui.editor.document().setModified(False))
    window.show()
    qtbot.waitExposed(window)
    window.open_initial([str(path)])

    def said() -> list[str]:
        return [
            name
            for label in window.findChildren(QLabel)
            if (name := label.accessibleName()).startswith("Not read: ") and label.isVisible()
        ]

    qtbot.waitUntil(lambda: said() == ["Not read: 1 note, 1 template."], timeout=60_000)
    window.ui.editor.selectAll()
    window.ui.editor.insertPlainText("The senator left.{{efn|He had lost so often.}}")
    qtbot.waitUntil(lambda: not said(), timeout=60_000)
