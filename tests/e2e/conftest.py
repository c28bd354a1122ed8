"""A window on a draft with somebody at its keyboard, and the bundled reader, opened once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.analysis.worker_context import Reader, Rewriter
from app.main_window.window import MainWindow
from app.settings.settings import Settings
from core.engine.engine import Engine
from tests.app.fake_reader import FakeReader
from tests.app.fake_rewriter import FakeRewriter
from tests.e2e.person import Person

Sit = Callable[..., Person]


@pytest.fixture(scope="session")
def bundled() -> Engine:
    """The reader that comes with the program."""
    return Engine.load()


@pytest.fixture
def sit(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sit]:
    """Sits somebody down before a window with a file, or with an empty draft; a question that is not expected fails.

    A screen reader is running: Qt keeps what it would hear up to date.
    """
    QAccessible.setActive(True)

    def unexpected(_window: QWidget, title: str, text: str, *_: object) -> None:
        raise AssertionError(f"{title}: {text}")

    for name in ("question", "warning"):
        monkeypatch.setattr(QMessageBox, name, unexpected)

    def person(
        text: str | None,
        *,
        name: str = "draft.md",
        load: Callable[[], Reader] = FakeReader,
        load_rewriter: Callable[[Any], Rewriter] = lambda _: FakeRewriter(),
    ) -> Person:
        # A window of the test before would be destroyed whenever Python tidies up, even while Qt walks over it.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        settings = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
        window = MainWindow(settings, load=load, load_rewriter=load_rewriter)
        qtbot.addWidget(window, before_close_func=lambda _: window.ui.editor.document().setModified(False))
        window.resize(1180, 780)  # As on a common screen, also where the test's screen is smaller.
        window.show()
        qtbot.waitExposed(window)
        if text is not None:
            path = tmp_path / name
            path.write_bytes(text.encode())
            assert window.components.documents.open(path)
        qtbot.waitUntil(
            lambda: window.components.store_access.store is not None and not window.components.background.busy
        )
        window.ui.editor.setFocus()
        return Person(window, qtbot)

    yield person
    QAccessible.setActive(False)
