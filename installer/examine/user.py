"""A simulated user: presses keys, and sees window titles and pixels. Knows nothing of the program's internals."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Callable

from installer.examine.results import FailedError
from installer.examine.sandbox import HOME, Program
from installer.examine.screen import Screen

TIMEOUT_S = 60.0
UNDERLINES = (0xD55E00, 0x1A80C4, 0x6A1258)
"""The colours of the three kinds on a light background (``app.widgets.kinds``)."""
_TEXT = (slice(100, 740), slice(40, 820))
_MIN_PIXELS = 10
_INTERVAL_S = 0.05
_CARET_PIXELS = 80
_MAX_TRIES = 8
_TRY_S = 4.0
_PALETTE = "Command palette|Befehlspalette"


class User:
    """Controls the window that has the keyboard focus on a screen."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.program: Program | None = None
        """The program in use; once it has ended, waiting stops."""
        self._variables = {**os.environ, "DISPLAY": screen.display}

    def press(self, *keys: str) -> None:
        """Press keys such as ``ctrl+shift+p``, one after the other."""
        self._do("key", "--delay", "60", *keys)

    def write(self, text: str) -> None:
        """Type a text."""
        self._do("type", "--delay", "25", text)

    def click(self, x: int, y: int) -> None:
        """Click at a point of the screen, in pixels from the upper left corner."""
        self._do("mousemove", str(x), str(y), "click", "1")

    def titles(self) -> list[str]:
        """The titles of all windows that are shown."""
        found = self._do("search", "--onlyvisible", "--name", ".").split()
        return [self._do("getwindowname", window).strip() for window in found]

    def active(self) -> str:
        """The title of the window that has the keyboard."""
        return self._do("getactivewindow", "getwindowname").strip()

    def await_window(self, title: str, timeout_s: float = TIMEOUT_S) -> None:
        """Wait until a window whose title matches has the keyboard. Raises FailedError with the titles there are."""
        if not self._await(lambda: self._has_keyboard(title), timeout_s):
            raise FailedError(
                f"No window “{title}” came up; after {timeout_s:.0f} s there are: {self.titles() or 'none'}"
            )

    def await_underlines(self, timeout_s: float = TIMEOUT_S) -> None:
        """Wait until the text has a line in the colour of a kind. Raises FailedError."""
        if not self._await(self.sees_underlines, timeout_s):
            raise FailedError(f"Nothing was underlined within {timeout_s:.0f} s")

    def sees_underlines(self) -> bool:
        """Whether the text has lines in the colour of a kind."""
        text = self.screen.pixels()[_TEXT]
        return any(int((text == colour).sum()) >= _MIN_PIXELS for colour in UNDERLINES)

    def await_rest(self, quiet_s: float = 1.0, timeout_s: float = TIMEOUT_S) -> None:
        """Wait until the screen has not changed for ``quiet_s`` seconds."""
        before, since, end = self.screen.pixels(), time.monotonic(), time.monotonic() + timeout_s
        while time.monotonic() < min(since + quiet_s, end):
            time.sleep(_INTERVAL_S)
            now = self.screen.pixels()
            if (now != before).sum() > _CARET_PIXELS:
                before, since = now, time.monotonic()

    def choose(self, command: str) -> None:
        """Run a command through the command palette."""
        self.press("ctrl+shift+p")
        self.await_window(_PALETTE)
        self.write(command)
        self.await_rest(0.5)
        self.press("Return")

    def press_until(self, keys: str, title: str) -> None:
        """Press keys repeatedly until a window with a matching title has the focus.

        Raises FailedError.
        """
        for _ in range(_MAX_TRIES):
            if not self._has_keyboard(title):
                self.press(keys)
                self._await(lambda: self._has_keyboard(title), _TRY_S)
        self.await_window(title, _TRY_S)

    def escape_to(self, title: str) -> None:
        """Press Escape until the window of that title has the keyboard. Raises FailedError."""
        self.press_until("Escape", re.escape(title))

    def _has_keyboard(self, title: str) -> bool:
        return re.fullmatch(title, self.active()) is not None

    def name_file(self, name: str) -> None:
        """Name a file in the dialog that asks for one."""
        self.press("ctrl+a")
        self.write(f"{HOME}/{name}")
        self.press("Return")

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            ["xdotool", *words], env=self._variables, capture_output=True, text=True, check=False
        )
        return done.stdout

    def _await(self, seen: Callable[[], bool], timeout_s: float) -> bool:
        end = time.monotonic() + timeout_s
        while not seen():
            ended = self.program is not None and self.program.code is not None
            if ended or time.monotonic() > end:
                return False
            time.sleep(_INTERVAL_S)
        return True
