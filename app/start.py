"""Starts Qt and shows the main window."""

from __future__ import annotations

import gc
import signal
import sys

from PySide6.QtWidgets import QApplication

from app.background.reading import end_program
from app.main_window.garbage_collection import GarbageCollector
from app.main_window.window import MainWindow
from app.settings.interface_language import choose_language, install_qt_translator, set_default_locale


def run(paths: list[str], *, empty: bool = False) -> int:
    """Show ``paths``, a window for each, or the last draft, or an ``empty`` one.

    Returns the exit code once it is closed.
    """
    # A computing thread yields to the painting one after half a millisecond instead of five.
    sys.setswitchinterval(0.0005)
    app = QApplication(sys.argv[:1])
    app.setApplicationName("Evenhand")
    app.setDesktopFileName("evenhand")
    language = choose_language()
    install_qt_translator(app, language)
    set_default_locale(language)
    # A collection in a worker thread would destroy widgets there: only GarbageCollector collects.
    gc.disable()
    window = MainWindow()
    GarbageCollector(window.ui.editor)
    window.components.help.listen()
    signal.signal(signal.SIGINT, lambda *_: window.close())
    window.show()
    if not empty:
        window.open_initial(paths)
    window.components.help.greet(tour=not paths and not empty)
    return end_program(app.exec())
