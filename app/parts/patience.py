"""Work that a person waits for: in a thread of its own, with a word and a way out once it takes over a second."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QProgressDialog, QWidget

PATIENCE_S = 1.0
_LOOK_MS = 50
_Result = TypeVar("_Result")


class GivenUpError(Exception):
    """The person does not want to wait any longer."""


def waited_for(work: Callable[[], _Result], window: QWidget, *, saying: str, way_out: str) -> _Result:
    """The result of ``work``, which touches no widget; what it raises is raised here.

    After a second a dialog says what is waited for. Raises GivenUpError when the person closes it: the work then ends
    unheard.
    """
    results: list[_Result] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="opening")
    thread.start()
    thread.join(PATIENCE_S)
    if thread.is_alive():
        _wait(thread, window, saying, way_out)
    if errors:
        raise errors[0]
    return results[0]


def _wait(thread: threading.Thread, window: QWidget, saying: str, way_out: str) -> None:
    dialog = QProgressDialog(saying, way_out, 0, 0, window)
    dialog.setWindowTitle(window.windowTitle().replace("[*]", ""))
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.setMinimumDuration(0)
    dialog.setAccessibleName(saying)
    dialog.show()
    loop = QEventLoop()
    look = QTimer(dialog)
    look.timeout.connect(lambda: None if thread.is_alive() and not dialog.wasCanceled() else loop.quit())
    look.start(_LOOK_MS)
    loop.exec()
    given_up = dialog.wasCanceled()
    look.stop()
    dialog.hide()
    dialog.deleteLater()
    if given_up and thread.is_alive():
        raise GivenUpError
    thread.join()
