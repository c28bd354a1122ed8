"""The examinations in order; each returns a summary of what it saw, or raises FailedError."""

from __future__ import annotations

from collections.abc import Callable

from installer.examine.context import Context
from installer.examine.examinations import commands, package, pages, training, window

EXAMINATIONS: dict[str, Callable[[Context], str]] = {
    "clean": package.clean,
    "starts": window.starts,
    "word": window.word,
    "german": window.german,
    "pages": pages.open_all,
    "recovery": window.recovery,
    "silent": window.silent,
    "check": commands.check_agrees,
    "commands": commands.other_commands,
    "setup": training.sets_up,
    "training": training.trains,
    "removal": package.removal,
    "archive": package.archive,
}
"""``removal`` removes the package; ``archive`` does not need it."""

SKIPPED_WITHOUT = {"setup": "wheels", "training": "wheels", "archive": "archive"}
"""The field of `Context` without which an examination is skipped."""
