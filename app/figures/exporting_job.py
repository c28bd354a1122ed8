"""One file that is made and written beside the writing: its thread, how far it is, and the way to stop it."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from app.figures.exporting_pdf import Stopped
from core.files import FileError, write_bytes
from core.language import tr

_log = logging.getLogger(__name__)
Make = Callable[[Callable[[float], None], Callable[[], bool]], bytes]


class Job(QThread):
    """Makes bytes with ``make(progress, stopped)`` and writes them to ``path``, whole or not at all.

    ``moved``: percents that are done. ``wrong``: one sentence on what went wrong. ``written``: the file is there.
    """

    moved = Signal(int)
    wrong = Signal(str)
    written = Signal(str)

    def __init__(self, make: Make, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("exporting")
        self._make = make
        self._path = path

    def run(self) -> None:
        """Make and write; nothing is written once it is stopped."""
        try:
            data = self._make(lambda share: self.moved.emit(round(100 * share)), self.isInterruptionRequested)
            if self.isInterruptionRequested():
                return
            write_bytes(self._path, data)
        except Stopped:
            return
        except FileError as error:
            self.wrong.emit(str(error))
        except Exception as error:
            # The message of an exception can hold words of the draft, and those belong in no log.
            frame = traceback.extract_tb(error.__traceback__)[-1]
            kind = type(error).__name__
            _log.error("Export failed: %s in %s:%s", kind, frame.name, frame.lineno)
            said = tr("{name} could not be made ({kind}). The draft itself is safe.")
            self.wrong.emit(said.format(name=self._path.name, kind=kind))
        else:
            self.written.emit(self._path.name)
