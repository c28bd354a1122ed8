"""How long until the window is there: ``python -m tests.benchmarks.window_start`` (offscreen, a process each time).

Prints, for each of five starts and their median, the seconds from the start of the process to the first paint of the
text, to a typed letter standing in it, and to the last panel being filled with the first reading (or its message).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

RUNS = 5
STEPS = ("first paint", "editable", "panels", "analysed")


def main() -> None:
    """Measure and print."""
    rows = [_measure() for _ in range(RUNS)]
    print("          " + "".join(f"{step:>13}" for step in STEPS))
    for number, row in enumerate(rows, start=1):
        print(f"start {number}   " + "".join(f"{row[step]:>11.2f} s" for step in STEPS))
    print(
        "median    " + "".join(f"{statistics.median(row[step] for row in rows):>11.2f} s" for step in STEPS)
    )


def _measure() -> dict[str, float]:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    with tempfile.TemporaryDirectory() as folder:
        environment["XDG_CONFIG_HOME"] = folder
        command = [sys.executable, "-m", "tests.benchmarks.window_start", str(time.time())]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, timeout=60
        )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _child(began: float) -> None:
    from PySide6.QtCore import QEvent, QObject, QSettings, Qt, QTimer
    from PySide6.QtWidgets import QApplication

    from app.main_window.window import MainWindow
    from app.settings.settings import Settings

    application = QApplication([])
    window = MainWindow(Settings(QSettings("Evenhand", "window_start")))
    times: dict[str, float] = {}

    class Watch(QObject):
        def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and "first paint" not in times:
                times["first paint"] = time.time() - began
                QTimer.singleShot(0, type_letter)
            return False

    def type_letter() -> None:
        from PySide6.QtTest import QTest

        QTest.keyClick(window.ui.editor, Qt.Key.Key_X)
        assert window.ui.editor.text().startswith("x")
        times["editable"] = time.time() - began
        window.ui.editor.undo()
        window.components.analysis.finished.connect(
            lambda _: times.setdefault("analysed", time.time() - began)
        )
        wait_for_panels()

    def wait_for_panels() -> None:
        if window.ui.document_dock.panel is not None:
            times.setdefault("panels", time.time() - began)
        if "analysed" in times and "panels" in times:
            window.ui.editor.document().setModified(False)
            window.close()
        else:
            QTimer.singleShot(2, wait_for_panels)

    watch = Watch()
    window.ui.editor.viewport().installEventFilter(watch)
    window.show()
    window.open_initial([])
    application.exec()
    print(json.dumps(times))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        _child(float(sys.argv[1]))
    else:
        main()
