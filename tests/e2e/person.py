"""Somebody at the keyboard of a real window: every deed is a key event, and what is asked of it is what can be seen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication, QKeyEvent, QKeySequence, QWindow
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QWidget
from pytestqt.qtbot import QtBot

from app.editor.positions import OffsetMap
from app.main_window.window import MainWindow

MOST_STEPS = 60
"""So many Tabs or F6 a person would press in search of a control, and not one more."""


class Person:
    """Drives one window. The keys go where the system would send them: to the focus of the active window."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot
        window.activateWindow()
        qtbot.waitActive(window)

    # Deeds

    def press(self, keys: str, times: int = 1) -> None:
        """Press keys such as ``Ctrl+Shift+P``, so many times."""
        combination = QKeySequence(keys)[0]
        for _ in range(times):
            QTest.keyClick(self._active(), combination.key(), combination.keyboardModifiers())
            QApplication.processEvents()

    def write(self, text: str) -> None:
        """Type, letter by letter; what no key has comes as an input method sends it."""
        for letter in text:
            if letter == "\n":
                self.press("Return")
            elif letter.isascii():
                QTest.keyClick(self._active(), letter)
            else:
                for kind in (QKeyEvent.Type.KeyPress, QKeyEvent.Type.KeyRelease):
                    event = QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter)
                    QApplication.sendEvent(self.focus, event)
        QApplication.processEvents()

    def tab_to(self, name: str, keys: str = "Tab") -> QWidget:
        """Press Tab until the control of that name has the focus; fail where it never does."""
        for _ in range(MOST_STEPS):
            if spoken_name(self.focus).startswith(name):
                return self.focus
            self.press(keys)
            assert self.focus is not self.window.ui.editor, (
                f"{keys} writes in the draft before it reaches {name!r}"
            )
        raise AssertionError(f"{keys} never reaches {name!r}; the focus is on {spoken_name(self.focus)!r}")

    def walk_to(self, words: str) -> None:
        """F8 until the card of these words is there, as often as there are findings and no more."""
        for _ in self.window.ui.editor.marks:
            self.press("F8")
            assert self.card, "each step shows a card"
            if self.card == words:
                return
        raise AssertionError(f"F8 never comes to {words!r}")

    def wait_for_suggestions(self) -> None:
        """Wait until the card says what it has to offer."""
        shown = self.window.components.card.shown_finding
        assert shown is not None, "no card is there"
        self.wait(lambda: not self.window.components.prefetch.get(shown).pending)

    def wait(self, until: Callable[[], bool]) -> None:
        """Wait until something can be seen."""
        self.qtbot.waitUntil(until, timeout=60_000)

    def see(self, words: list[str]) -> None:
        """Wait until exactly these words are marked."""
        self.qtbot.waitUntil(lambda: _equal(self.marked, words), timeout=60_000)

    def rest(self) -> None:
        """Wait until everything that was written is read, and everything that is to be kept is kept."""
        with self.qtbot.waitSignal(self.window.components.analysis.finished, timeout=60_000):
            self.press("F5")
        self.wait(lambda: not self.window.components.background.busy)

    def _active(self) -> QWindow:
        """The active window; the offscreen platform gives none the focus when a dialog goes, as a desktop does."""
        if QGuiApplication.focusWindow() is None:
            self.window.activateWindow()
            self.qtbot.waitUntil(lambda: QGuiApplication.focusWindow() is not None)
        active = QGuiApplication.focusWindow()
        assert active is not None, "no window is active"
        return active

    # What is to be seen

    @property
    def focus(self) -> QWidget:
        """What the keys go to."""
        self._active()
        widget = QApplication.focusWidget()
        assert widget is not None, "nothing has the focus"
        return widget

    @property
    def text(self) -> str:
        """The draft."""
        return self.window.ui.editor.text()

    @property
    def caret(self) -> int:
        """Where the caret stands in the text, in code points."""
        return OffsetMap(self.text).to_code_point(self.window.ui.editor.textCursor().position())

    @property
    def marked(self) -> list[str]:
        """The characters that stand under the lines now, whatever a finding says of itself."""
        raw = self.text.encode("utf-16-le")
        marks = self.window.ui.editor.marks
        return [raw[2 * mark.start : 2 * mark.end].decode("utf-16-le", "replace") for mark in marks]

    @property
    def card(self) -> str:
        """The words on the card, or nothing where there is no card."""
        shown = self.window.components.card.shown_finding
        return shown.text if shown is not None else ""

    @property
    def rows(self) -> list[str]:
        """The rows of the list of findings, as a screen reader has them."""
        listed = self.window.ui.findings_dock.findChild(QListView)
        assert listed is not None
        view = QAccessible.queryAccessibleInterface(listed)
        return [view.child(row).text(QAccessible.Text.Name) for row in range(view.childCount())]

    @property
    def told(self) -> str:
        """The passing message at the lower edge of the window."""
        return self.window.ui.status_bar.currentMessage()


def spoken_name(widget: QWidget) -> str:
    """What a screen reader calls a control."""
    view = QAccessible.queryAccessibleInterface(widget)
    return view.text(QAccessible.Text.Name) if view is not None else ""


def _equal(seen: list[str], wanted: list[str]) -> bool:
    assert seen == wanted
    return True
