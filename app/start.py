"""The process that shows the window: Qt, its language, the first file, and the end."""

from __future__ import annotations

import gc
import signal
import sys

from PySide6.QtWidgets import QApplication

from app.main_window.garbage_collection import Tidying
from app.main_window.window import MainWindow
from app.settings.interface_language import chosen, speak_in_qt


def run(paths: list[str]) -> int:
    """Show the window with the first of ``paths``, or the sample draft; returns the exit code when it is closed."""
    # A thread that computes lets the one that paints go on after half a millisecond instead of five.
    sys.setswitchinterval(0.0005)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Evenhand")
    app.setDesktopFileName("evenhand")
    speak_in_qt(app, chosen())
    # A search for garbage in a thread that the window starts would destroy widgets there: only Tidying searches.
    gc.disable()
    window = MainWindow()
    Tidying(window.pane)
    window.helping.listen()
    signal.signal(signal.SIGINT, lambda *_: window.close())
    window.show()
    window.open_first(paths)
    window.helping.greet(tour=not paths)
    return app.exec()
