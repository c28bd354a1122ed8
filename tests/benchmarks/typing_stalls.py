"""How calm typing is in a long draft: ``python -m tests.benchmarks.typing_stalls [--words N] [--keys N] [--file F]``.

``--endings docx,txt`` measures a formatted Word file beside the same words as plain text: headings, emphasis, links,
lists and tables, as `formatted_docx` writes them.

Opens the real window with the bundled models on the draft, waits for the first reading, and types with real key
events: words, spaces, line ends, corrections, jumps, at 40 keys a second with pauses in which readings begin. A beat
of one millisecond in the event loop tells how long it stood still. Every run is a process of its own, once with the
analysis on and once with it off, and prints: for each keystroke the longest stall until the next one, and the time
from the key to the end of its paint; the time from opening the draft to the paint of its first page; the start, the
first reading and the peak of memory. Where Linux tells it, also
the stalls without the time in which the thread was ready and had no processor: other programs make it wait. Asserts
nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.long_draft import formatted_docx, long_draft

WORDS, KEYS = 50_000, 2_000
_KEY_MS = 25
_PAUSE_EVERY, _PAUSE_MS = 25, (320, 1400)
_TYPED = "the shameful council claims that a notorious deal was signed and nobody of the board said why in may".split()
_WAIT_S = 400


def main() -> None:
    """Measure with the analysis on and off, and print both side by side."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        text = arguments.file.read_text(encoding="utf-8") if arguments.file else long_draft(arguments.words)
        endings = arguments.endings.split(",")
        drafts = [_written(Path(folder) / f"long.{ending}", text) for ending in endings]
        load = " ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "?"
        print(
            f"{len(text.split()):,} words ({', '.join(endings)}), {arguments.keys:,} keys, {platform.machine()}, "
            f"{os.cpu_count()} cores, {platform.system()}, Qt platform {_platform()}, load before {load}"
        )
        rows = {
            f"{path.suffix[1:]}, {mode}": _run(mode, path, arguments.keys, folder)
            for path in drafts
            for mode in arguments.modes.split(",")
        }
    print(f"{'format, analysis':44}" + "".join(f"{name:>16}" for name in rows))
    for name in next(iter(rows.values())):
        print(f"{name:44}" + "".join(f"{row[name]:>16}" for row in rows.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", type=int, default=WORDS)
    parser.add_argument("--keys", type=int, default=KEYS)
    parser.add_argument("--file", type=Path)
    parser.add_argument(
        "--endings", default="md", help="of md, txt, wikitext and docx: what the draft is read as, in turn"
    )
    parser.add_argument("--modes", default="on,off")
    return parser.parse_args()


def _written(path: Path, text: str) -> Path:
    """The draft as a file, with the formatting that its ending allows."""
    if path.suffix == ".docx":
        path.write_bytes(formatted_docx(text))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def _platform() -> str:
    return os.environ.get("QT_QPA_PLATFORM", "offscreen")


def _run(mode: str, path: Path, keys: int, folder: str) -> dict[str, str]:
    environment = {**os.environ, "QT_QPA_PLATFORM": _platform(), "XDG_CONFIG_HOME": folder}
    environment |= {"EVENHAND_HOME": f"{folder}/home-{mode}"}
    command = [sys.executable, "-m", "tests.benchmarks.typing_stalls", "--child", mode, str(path), str(keys)]
    command.append(str(time.time()))
    done = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=600
    )
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    stalls, own, paints = (figures.pop(name) for name in ("stalls", "own", "paints"))
    table = {f"{name}": f"{value:,.2f} {unit}" for name, (value, unit) in figures.items()}
    lists = {"longest stall at a key": stalls, "the same, without waits": own, "key to end of paint": paints}
    for name, values in lists.items():
        for share in (0.5, 0.95, 0.99, 1.0):
            label = "max" if share == 1 else f"p{share * 100:.0f}"
            table[f"{name}, {label}"] = f"{_quantile(values, share):.1f} ms"
    table["stalls over 16 ms / 50 ms / 100 ms"] = " / ".join(
        str(sum(value > most for value in stalls)) for most in (16, 50, 100)
    )
    return table


def _quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))] if ordered else 0.0


def _child(mode: str, path: Path, keys: int, began: float) -> None:
    from PySide6.QtCore import QSettings, Qt, QTimer
    from PySide6.QtGui import QPaintEvent
    from PySide6.QtWidgets import QApplication

    from app.analysis.analysis_worker import AnalysisResult
    from app.editor.editor import TextEditor
    from app.main_window.garbage_collection import GarbageCollector
    from app.main_window.window import MainWindow
    from app.settings.settings import Settings

    sys.setswitchinterval(0.0005)
    application = QApplication([])
    painted = TextEditor.paintEvent
    figures: dict[str, Any] = {}
    stalls: list[float] = []
    paints: list[float] = []
    state = {"beat": 0.0, "worst": 0.0, "own": 0.0, "waited": 0.0, "key": 0.0, "opening": 0.0}
    own: list[float] = []

    def paint(editor: TextEditor, event: QPaintEvent) -> None:
        painted(editor, event)
        figures.setdefault("first paint after start", (time.time() - began, "s"))
        figures.setdefault("first paint, processor time", (time.process_time(), "s"))
        if state["opening"]:
            figures["opening to the first page"] = (1000 * (time.perf_counter() - state["opening"]), "ms")
            state["opening"] = 0.0
        if state["key"]:
            paints.append(1000 * (time.perf_counter() - state["key"]))
            state["key"] = 0.0

    TextEditor.paintEvent = paint  # type: ignore[method-assign]
    window = MainWindow(Settings(QSettings("Evenhand", "typing_stalls")))
    GarbageCollector(window.ui.editor)
    window.show()
    if mode == "off":
        window.components.analysis.close()
    while "first paint after start" not in figures:
        application.processEvents()
    opening = time.perf_counter()
    window.open_files([path])
    # The editor paints the draft when the event loop runs again.
    state["opening"] = opening

    def beat() -> None:
        now, waited = time.perf_counter(), _waited_ms()
        gap = 1000 * (now - state["beat"])
        state["worst"] = max(state["worst"], gap)
        state["own"] = max(state["own"], gap - (waited - state["waited"]))
        state["beat"], state["waited"] = now, waited

    heart = QTimer()
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.setInterval(1)
    heart.timeout.connect(beat)
    typing = _Typing(window.ui.editor, random.Random(7))
    state["left"] = keys
    fingers = QTimer(singleShot=True)  # type: ignore[call-overload]
    fingers.setTimerType(Qt.TimerType.PreciseTimer)

    def begin() -> None:
        figures["the first reading after start"] = (time.time() - began, "s")
        figures["findings"] = (float(len(window.ui.editor.marks)), "")
        figures["memory, after the first reading"] = (_resident("VmRSS") / 1e6, "MB")
        QTimer.singleShot(2500, start)

    def start() -> None:
        figures["readings while typing"] = (0.0, "")
        window.components.analysis.finished.connect(count)
        state["beat"] = time.perf_counter()
        heart.start()
        fingers.timeout.connect(press)
        press()

    def count(_reading: object) -> None:
        figures["readings while typing"] = (figures["readings while typing"][0] + 1, "")

    def press() -> None:
        if state["left"] < keys:
            beat()
            stalls.append(state["worst"])
            own.append(state["own"])
        if not state["left"]:
            end()
            return
        state["left"] -= 1
        state["worst"] = state["own"] = 0.0
        state["waited"] = _waited_ms()
        state["key"] = state["beat"] = time.perf_counter()
        typing.press()
        fingers.start(typing.rest_ms)

    def end() -> None:
        heart.stop()
        figures["memory, peak"] = (_resident("VmHWM") / 1e6, "MB")
        figures["stalls"], figures["own"], figures["paints"] = stalls, own, paints
        window.ui.editor.document().setModified(False)
        window.close()

    def read(result: AnalysisResult) -> None:
        # The empty draft of a new window may be read before.
        if result.words and "the first reading after start" not in figures:
            begin()

    if mode == "on":
        window.components.analysis.finished.connect(read)
    else:
        QTimer.singleShot(2000, begin)
    QTimer.singleShot(1000 * _WAIT_S, application.quit)
    application.exec()
    print(json.dumps(figures))


class _Typing:
    """A person who types into a pane: what is pressed next, and how long until then."""

    def __init__(self, editor: Any, chance: random.Random) -> None:
        self._editor = editor
        self._chance = chance
        self._ahead = ""
        self._pressed = 0
        self.rest_ms = _KEY_MS

    def press(self) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        self._pressed += 1
        pause = self._pressed % _PAUSE_EVERY == 0
        self.rest_ms = self._chance.randint(*_PAUSE_MS) if pause else _KEY_MS
        draw = self._chance.random()
        if self._pressed % 200 == 1:
            self._jump()
        elif draw < 0.06:
            QTest.keyClick(self._editor, Qt.Key.Key_Backspace)
        elif draw < 0.07:
            QTest.keyClick(self._editor, Qt.Key.Key_Return)
        else:
            self._ahead = self._ahead or self._chance.choice(_TYPED) + " "
            letter, self._ahead = self._ahead[0], self._ahead[1:]
            QTest.keyClick(self._editor, letter)

    def _jump(self) -> None:
        from PySide6.QtGui import QTextCursor

        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(self._chance.randrange(self._editor.document().characterCount()))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfWord)
        self._editor.setTextCursor(cursor)
        self._editor.centerCursor()


def _waited_ms() -> float:
    """How long this thread was ready and waited for a processor, in all; 0 where the system does not say."""
    try:
        return int(Path("/proc/thread-self/schedstat").read_text(encoding="ascii").split()[1]) / 1e6
    except OSError:
        return 0.0


def _resident(field: str) -> float:
    """Bytes: ``VmRSS`` now or ``VmHWM`` at most; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) * 1024.0 for line in lines if line.startswith(f"{field}:")), 0.0)


if __name__ == "__main__":
    if len(sys.argv) > 1 and sys.argv[1] == "--child":
        _child(sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]))
    else:
        main()
