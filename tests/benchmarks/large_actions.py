"""The worst stall of single large actions in the window: ``python -m tests.benchmarks.large_actions [--words N]``.

Opens the real window with an engine that flags listed words (no model: what is measured is the window), on a long draft
and on one line of 200 KB, and does what a person may do at once: choose kinds, select all and paste, undo, go to the
end, find. Prints for each the longest time in which the event loop stood still, by a beat of one millisecond, until
the window is quiet again. Asserts nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from tests.benchmarks.long_draft import long_draft

if TYPE_CHECKING:
    from app.main_window.window import MainWindow
    from core.engine.engine import Engine
    from core.engine.reader import Reader, Reading

_QUIET_S = 3.0
_MOST_S = 60.0
_LINE = 200_000
_FLAGGED = re.compile(
    r"\b(?:the|shameful|disgraceful|claimed|revealed|famously|brutal|radical|iconic|noisy)\b"
)


class _Words:
    """Stands for the reader in a real engine: every listed word is a finding."""

    predicts_classes = False

    def __init__(self) -> None:
        from core.bundles.reader import load_reader_bundle
        from core.engine.engine import bundled_reader

        self.bundle = load_reader_bundle(bundled_reader())

    def read(self, texts: Sequence[str], **_options: object) -> list[Reading]:
        """Findings of the three kinds by turns."""
        from core.engine.reader import UNIFORM, Reading
        from core.engine.spans import Span
        from core.types import KINDS

        return [
            Reading(
                tuple(
                    Span(*found.span(), KINDS[len(found.group()) % 3], 0.9)
                    for found in _FLAGGED.finditer(text)
                ),
                0.5,
                UNIFORM,
                0.0,
            )
            for text in texts
        ]


def _engine() -> Engine:
    from core.engine.cues import Lexicon
    from core.engine.engine import Engine

    return Engine(cast("Reader", _Words()), Lexicon.load())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=50_000)
    words = parser.parse_args().words
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"XDG_CONFIG_HOME": folder, "EVENHAND_HOME": f"{folder}/home"}
        text = long_draft(words)
        line = text.replace("\n", " ")[:_LINE]
        for name, draft in ((f"{words:,} words", text), ("one line of 200 KB", line)):
            path = Path(folder) / "draft.txt"
            path.write_text(draft, encoding="utf-8")
            _measure(name, path, draft)


def _measure(name: str, path: Path, text: str) -> None:
    from PySide6.QtCore import QSettings, Qt
    from PySide6.QtGui import QGuiApplication, QTextCursor
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from app.main_window.garbage_collection import GarbageCollector
    from app.main_window.window import MainWindow
    from app.settings.settings import Settings
    from core.types import KINDS
    from tests.app.fake_rewriter import FakeRewriter

    sys.setswitchinterval(0.0005)
    application = QApplication.instance() or QApplication([])
    assert isinstance(application, QApplication)
    window = MainWindow(
        Settings(QSettings("Evenhand", "large_actions")),
        load=_engine,
        load_rewriter=lambda _: FakeRewriter(),
    )
    tidying = GarbageCollector(window.ui.editor)
    window.show()
    editor = window.ui.editor

    def paste() -> None:
        QGuiApplication.clipboard().setText(text)
        editor.selectAll()
        editor.paste()

    def end() -> None:
        editor.moveCursor(QTextCursor.MoveOperation.End)

    def kinds(wanted: int) -> None:
        window.components.review.kinds = frozenset(KINDS[:wanted])

    actions: list[tuple[str, Callable[[], object]]] = [
        ("open", lambda: window.open_files([path])),
        ("no kinds", lambda: kinds(0)),
        ("all kinds", lambda: kinds(3)),
        ("type a letter", lambda: QTest.keyClick(editor, Qt.Key.Key_X)),
        ("go to the end", end),
        ("type a letter there", lambda: QTest.keyClick(editor, Qt.Key.Key_X)),
        ("select all, paste", paste),
        ("undo", editor.undo),
        ("redo", editor.redo),
        ("select all, delete", lambda: (editor.selectAll(), QTest.keyClick(editor, Qt.Key.Key_Delete))),
        ("undo", editor.undo),
    ]
    print(f"{name}, {os.cpu_count()} cores, Qt platform {application.platformName()}")
    for label, action in actions:
        worst = _worst(window, action)
        print(f"  {label:24}{worst:10.0f} ms   then {len(editor.marks):,} marks")
    editor.document().setModified(False)
    tidying.close()
    window.close()


def _worst(window: MainWindow, action: Callable[[], object]) -> float:
    """The longest gap between two beats, in milliseconds, from the action until nothing has happened for a while."""
    from PySide6.QtCore import QEventLoop, Qt, QTimer

    began = time.perf_counter()
    state = {"beat": began, "worst": 0.0, "busy": began}

    def beat() -> None:
        now = time.perf_counter()
        gap = now - state["beat"]
        state["worst"] = max(state["worst"], gap)
        state["beat"] = now
        if gap > 0.05:
            state["busy"] = now
        if now - state["busy"] > _QUIET_S or now - began > _MOST_S:
            loop.quit()

    loop = QEventLoop()
    heart = QTimer(window)
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.timeout.connect(beat)
    window.components.analysis.finished.connect(lambda _: state.update(busy=time.perf_counter()))
    action()
    heart.start(1)
    loop.exec()
    heart.stop()
    heart.deleteLater()
    return 1000 * state["worst"]


if __name__ == "__main__":
    main()
