"""The process with the window for `tests.benchmarks.beside.window.keys`: FILE COUNT, figures as JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import QAbstractAnimation, QSettings, Qt, QTimer
from PySide6.QtGui import QPaintEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.editor.editor import TextEditor
from app.main_window.window import MainWindow
from app.settings.settings import Settings
from tests.benchmarks.beside.child import peak

_TYPED = "On day {number} a trader called it a shameful stitch-up."
_WORD = "shameful"
_KEY_MS, _REST_MS, _MOST_MS = 25, 500, 5000


def main() -> None:
    """Type the sentences, wait for each line, and print."""
    path, count = Path(sys.argv[1]), int(sys.argv[2])
    application = QApplication([])
    window = MainWindow(Settings(QSettings("Evenhand", "keystroke")))
    trial = _Trial(window, count)
    window.show()
    window.open_files([path])
    window.components.analysis.finished.connect(
        lambda _: QTimer.singleShot(1500, trial.begin), Qt.ConnectionType.SingleShotConnection
    )
    QTimer.singleShot(count * (_MOST_MS + 5000) + 60_000, application.quit)
    application.exec()
    print(json.dumps({"seen": trial.seen, "missed": trial.missed, "peak": peak()}))


class _Trial:
    """Types one sentence after the other, and sees when a line stands under its word."""

    def __init__(self, window: MainWindow, count: int) -> None:
        self.seen: list[float] = []
        self.missed = 0
        self._window, self._left = window, count
        self._letters = ""
        self._place = (0, 0)
        self._pressed = 0.0
        self._late = QTimer(window)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._give_up)
        painted = TextEditor.paintEvent

        def paint(editor: TextEditor, event: QPaintEvent) -> None:
            painted(editor, event)
            if self._pressed and self._is_seen(editor):
                self.seen.append(time.perf_counter() - self._pressed)
                self._next()

        TextEditor.paintEvent = paint  # type: ignore[method-assign]

    def begin(self) -> None:
        """Put the caret at the end and type a sentence as a paragraph of its own."""
        editor = self._window.ui.editor
        if not self._left:
            editor.document().setModified(False)
            self._window.close()
            return
        self._left -= 1
        editor.moveCursor(QTextCursor.MoveOperation.End)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        QTest.keyClick(editor, Qt.Key.Key_Return)
        self._letters = _TYPED.format(number=self._left)
        start = editor.textCursor().position() + self._letters.index(_WORD)
        self._place = (start, start + len(_WORD))
        self._press()

    def _press(self) -> None:
        letter, self._letters = self._letters[0], self._letters[1:]
        if not self._letters:
            self._pressed = time.perf_counter()
            self._late.start(_MOST_MS)
        QTest.keyClick(self._window.ui.editor, letter)
        if self._letters:
            QTimer.singleShot(_KEY_MS, self._press)

    def _is_seen(self, editor: TextEditor) -> bool:
        """Whether the frame that was just painted has the line, and not at the very beginning of its fading in."""
        fading = editor._fade.state() == QAbstractAnimation.State.Running and not editor._fade.currentValue()
        return bool(editor.marks.between(*self._place)) and not fading

    def _give_up(self) -> None:
        self.missed += 1
        self._next()

    def _next(self) -> None:
        self._pressed = 0.0
        self._late.stop()
        QTimer.singleShot(_REST_MS, self.begin)


if __name__ == "__main__":
    main()
