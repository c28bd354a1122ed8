"""Problems of the current session, and a report of them without any text of a draft.

The message of an exception can quote the draft, so a report holds only its type and its frames.
"""

from __future__ import annotations

import logging
import platform
import sys
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Signal, qVersion

from core.i18n import tr

MAX_PROBLEMS = 100
_PACKAGES_LOGGED = ("app", "core", "resources")
_ROOT = Path(__file__).resolve().parents[2]
_PACKAGES = (
    "PySide6-Essentials",
    "onnxruntime",
    "ctranslate2",
    "tokenizers",
    "numpy",
    "SQLAlchemy",
)


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: time, a sentence or an exception type, and the stack frames, innermost last."""

    time: datetime
    description: str
    frames: tuple[str, ...] = ()


class Problems(QObject):
    """Collects problems from every thread. ``added`` carries a ``Problem``, in the thread of the window."""

    added = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._recent: list[Problem] = []
        self._handler = _Handler(self)
        self._previous_hook = threading.excepthook

    @property
    def recent(self) -> list[Problem]:
        """The last ``MAX_PROBLEMS`` problems, oldest first."""
        with self._lock:
            return list(self._recent)

    def add(self, description: str, trace: TracebackType | None = None) -> Problem:
        """Record a problem; callable from any thread."""
        problem = Problem(datetime.now().astimezone(), description, frames(trace))
        with self._lock:
            self._recent = [*self._recent[-(MAX_PROBLEMS - 1) :], problem]
        self.added.emit(problem)
        return problem

    def listen(self) -> None:
        """Also record logged warnings and errors, and exceptions that end a thread."""
        for package in _PACKAGES_LOGGED:
            logging.getLogger(package).addHandler(self._handler)
        self._previous_hook = threading.excepthook
        threading.excepthook = self._thread_ended

    def stop_listening(self) -> None:
        """Remove the log handlers and restore the thread hook."""
        for package in _PACKAGES_LOGGED:
            logging.getLogger(package).removeHandler(self._handler)
        threading.excepthook = self._previous_hook

    def _thread_ended(self, ended: threading.ExceptHookArgs) -> None:
        if ended.exc_type is not SystemExit:
            self.add(ended.exc_type.__name__, ended.exc_traceback)


class _Handler(logging.Handler):
    def __init__(self, problems: Problems) -> None:
        super().__init__(logging.WARNING)
        self._problems = problems

    def emit(self, record: logging.LogRecord) -> None:
        trace = record.exc_info[2] if record.exc_info else None
        self._problems.add(f"{record.name}: {record.getMessage()}", trace)


def frames(trace: TracebackType | None) -> tuple[str, ...]:
    """``file:line in function`` of each frame, with paths relative to the program, never below a home folder."""
    return tuple(
        f"{_relative_path(frame.filename)}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(trace)
    )


def report(problems: Sequence[Problem], *, models: Sequence[str], draft: str | None = None) -> str:
    """The report as plain text: versions, models, problems; the draft only if ``draft`` is given."""
    lines = [
        f"Evenhand {_package_version('evenhand')}",
        f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
        ", ".join(f"{name} {_package_version(name)}" for name in _PACKAGES),
        *(f"Model: {model}" for model in models),
        "",
    ]
    for problem in problems:
        lines.append(f"{problem.time.isoformat(timespec='seconds')}  {problem.description}")
        lines += [f"    {frame}" for frame in problem.frames]
    if not problems:
        lines.append("No problem since the window was opened.")
    if draft is not None:
        lines += ["", "The draft, added by its owner:", "", draft]
    return "\n".join(lines) + "\n"


def make_excepthook(
    problems: Problems, on_message: Callable[[str], None]
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """A ``sys.excepthook`` that records uncaught exceptions and calls ``on_message`` instead of printing them."""

    def handle(error_type: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
        problems.add(error_type.__name__, trace)
        on_message(
            tr(
                "Something went wrong ({kind}). Your text is safe: save it now. See Help ▸ Problems for a report."
            ).format(kind=error_type.__name__)
        )

    return handle


def _relative_path(name: str) -> str:
    path = Path(name)
    if not path.is_absolute() and ".." not in path.parts:
        return path.as_posix()  # of a module in a frozen program
    if path.is_relative_to(_ROOT):
        return path.relative_to(_ROOT).as_posix()
    for folder in sorted({Path(entry) for entry in sys.path if entry}, key=lambda p: -len(p.parts)):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def _package_version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "from source" if package == "evenhand" else "not installed"
