"""What went wrong while the window was open, in one place, and a report of it that holds no word of a draft.

The message of an exception can quote the text that was worked on, so a report has its type and its frames only.
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

MOST = 100
_ROOMS = ("app", "core", "resources")
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
    """One thing that went wrong: when, a sentence or a type, and the frames that led there, the last one last."""

    when: datetime
    what: str
    frames: tuple[str, ...] = ()


class Problems(QObject):
    """Collects problems from every thread. ``added``: a ``Problem``, in the window's thread."""

    added = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._kept: list[Problem] = []
        self._handler = _Handler(self)
        self._before = threading.excepthook

    @property
    def kept(self) -> list[Problem]:
        """The last ``MOST`` problems, oldest first."""
        with self._lock:
            return list(self._kept)

    def add(self, what: str, trace: TracebackType | None = None) -> Problem:
        """Keep one; from any thread."""
        problem = Problem(datetime.now().astimezone(), what, frames(trace))
        with self._lock:
            self._kept = [*self._kept[-(MOST - 1) :], problem]
        self.added.emit(problem)
        return problem

    def listen(self) -> None:
        """Keep also what the rooms log as an error, and what ends a thread."""
        for room in _ROOMS:
            logging.getLogger(room).addHandler(self._handler)
        self._before = threading.excepthook
        threading.excepthook = self._thread_ended

    def stop_listening(self) -> None:
        """Leave the logs and the threads alone again."""
        for room in _ROOMS:
            logging.getLogger(room).removeHandler(self._handler)
        threading.excepthook = self._before

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
    """``file:line in function`` of each frame; files by their place in the program, never under a person's home."""
    return tuple(
        f"{_place(frame.filename)}:{frame.lineno} in {frame.name}" for frame in traceback.extract_tb(trace)
    )


def report(problems: Sequence[Problem], *, models: Sequence[str], draft: str | None = None) -> str:
    """The report as plain text: versions, models, problems; the draft's text only if its owner gave it."""
    lines = [
        f"Evenhand {_version('evenhand')}",
        f"Python {platform.python_version()}, Qt {qVersion()}, {platform.platform()}",
        ", ".join(f"{name} {_version(name)}" for name in _PACKAGES),
        *(f"Model: {model}" for model in models),
        "",
    ]
    for problem in problems:
        lines.append(f"{problem.when.isoformat(timespec='seconds')}  {problem.what}")
        lines += [f"    {frame}" for frame in problem.frames]
    if not problems:
        lines.append("No problem since the window was opened.")
    if draft is not None:
        lines += ["", "The draft, added by its owner:", "", draft]
    return "\n".join(lines) + "\n"


def hook(
    problems: Problems, tell: Callable[[str], None]
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """For ``sys.excepthook``: what no one caught is kept and told in a line instead of a traceback."""

    def caught(kind: type[BaseException], _error: BaseException, trace: TracebackType | None) -> None:
        problems.add(kind.__name__, trace)
        tell(
            tr(
                "Something went wrong ({kind}). The text is still here: save it now. Help ▸ Problems has a report."
            ).format(kind=kind.__name__)
        )

    return caught


def _place(name: str) -> str:
    path = Path(name)
    if not path.is_absolute() and ".." not in path.parts:
        return path.as_posix()  # that of a frozen program's module
    if path.is_relative_to(_ROOT):
        return path.relative_to(_ROOT).as_posix()
    for folder in sorted({Path(entry) for entry in sys.path if entry}, key=lambda p: -len(p.parts)):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return path.name


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "from source" if package == "evenhand" else "not installed"
