"""The examinations, in the order in which they are made; each returns what it has seen, or raises FailedError."""

from __future__ import annotations

from collections.abc import Callable

from installer.examine.examinations import commands, package, rooms, training, window
from installer.examine.stage import Stage

EXAMINATIONS: dict[str, Callable[[Stage], str]] = {
    "clean": package.clean,
    "starts": window.starts,
    "word": window.word,
    "german": window.german,
    "rooms": rooms.visited,
    "recovery": window.recovery,
    "silent": window.silent,
    "check": commands.check_finds_the_same,
    "commands": commands.speak,
    "setup": training.sets_up,
    "training": training.trains,
    "removal": package.removal,
    "archive": package.archive,
}
"""``removal`` takes the package out; ``archive`` needs none."""

LEFT_OUT_WITHOUT = {"setup": "wheels", "training": "wheels", "archive": "archive"}
"""What an examination is left out without: a field of `Stage`."""
