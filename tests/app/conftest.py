"""A window to test, and the questions that it asks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake_reader import FakeReader
from fake_rewriter import FakeRewriter
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import (
    QMessageBox,
    QWidget,
)
from pytestqt.qtbot import QtBot
from windows import TEXT, Make

from app.analysis.worker_context import Reader, Rewriter
from app.main_window.window import MainWindow
from app.settings.settings import Settings


@pytest.fixture
def make(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Opens a window on a file with a text, or on an empty draft. A question that no test expects fails it."""

    def unexpected(_window: QWidget, title: str, text: str, *_: object) -> None:
        raise AssertionError(f"{title}: {text}")

    for name in ("question", "warning"):
        monkeypatch.setattr(QMessageBox, name, unexpected)

    def window(
        text: str | None = TEXT,
        *,
        load: Callable[[], Reader] = FakeReader,
        load_rewriter: Callable[[Any], Rewriter] = lambda _: FakeRewriter(),
    ) -> MainWindow:
        # A window of the test before would be destroyed whenever Python tidies up, even while Qt walks over it.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        store = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        one = MainWindow(Settings(store), load=load, load_rewriter=load_rewriter)
        qtbot.addWidget(one, before_close_func=lambda _: one.ui.editor.document().setModified(False))
        one.show()
        qtbot.waitExposed(one)
        if text is not None:
            path = tmp_path / "draft.md"
            path.write_bytes(text.encode())
            assert one.components.documents.open(path)
        qtbot.waitUntil(lambda: one.ui.document_dock.panel is not None)
        return one

    return window


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """The questions and warnings that were shown; questions are answered with what ``answer`` set."""
    shown: list[tuple[str, str]] = []
    monkeypatch.setattr(QMessageBox, "warning", lambda _window, title, text: shown.append((title, text)))
    return shown
