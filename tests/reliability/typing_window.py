"""A real window that types into a draft until it is killed, and tells how many characters lie on the disk."""

from __future__ import annotations

import sys
import time
from itertools import cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.main_window.window import MainWindow
from core.bundles.reader import MissingBundleError

WORDS = "The record speaks for itself. "


def no_model(*_: Any) -> Any:
    """There is nothing to read with: this is about the text."""
    raise MissingBundleError("no model")


def main(path: Path) -> None:
    """Open ``path`` and type before its first character."""
    app = QApplication([])
    window = MainWindow(load=no_model, load_rewriter=no_model)
    window.show()
    QTest.qWaitForWindowExposed(window)
    assert window.components.documents.open(path)
    journal = window.components.journal_writer.journal
    assert journal is not None
    print("typing", flush=True)
    waiting: list[tuple[int, int]] = []
    for typed, character in enumerate(cycle(WORDS), 1):
        QTest.keyClicks(window.ui.editor, character)
        waiting.append((journal.revision, typed))
        while waiting and waiting[0][0] <= journal.written_revision:
            print(waiting.pop(0)[1], flush=True)
        app.processEvents()
        time.sleep(0.005)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
