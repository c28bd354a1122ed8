"""A window with two texts side by side, not modal: writing goes on beside it."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel, scaled
from app.versions.diff_view import DiffView
from core.language import tr
from core.text_diff import Difference, Stopped, compare

_SIZE = (980, 640)


class Differ(QObject):
    """Compares two texts in a thread; ``compared`` brings the ``Difference`` of those that were asked for last."""

    compared = Signal(object)
    _done = Signal(int, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._number = 0
        self._thread: threading.Thread | None = None
        self._done.connect(self._arrived)

    def ask(self, before: str, after: str) -> None:
        """Compare these two; what was asked for before is not wanted any more."""
        self.stop()
        number = self._number

        def run() -> None:
            try:
                difference = compare(before, after, stopped=lambda: self._number != number)
            except Stopped:
                return
            self._done.emit(number, difference)

        self._thread = threading.Thread(target=run, name="compare", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Nothing is wanted any more; the thread is joined."""
        self._number += 1
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _arrived(self, number: int, difference: Difference) -> None:
        if number == self._number:
            self.compared.emit(difference)


class TwoVersions(QDialog):
    """Two texts under two heads, compared in the background."""

    def __init__(self, parent: QWidget, *, title: str, heads: tuple[str, str]) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.view = DiffView()
        self._message = WrapLabel(muted=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._differ = Differ(self)
        self._differ.compared.connect(self._show)
        row = QHBoxLayout()
        row.setContentsMargins(14, 0, 14, 0)
        row.setSpacing(24)
        for head in heads:
            label = QLabel(head)
            label.setFont(scaled(self.font(), 1.0, bold=True))
            row.addWidget(label, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 12, 0, 10)
        column.addLayout(row)
        column.addWidget(self.view, 1)
        column.addWidget(self._message)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 14, 0)
        foot.addWidget(buttons)
        column.addLayout(foot)
        self.finished.connect(lambda _: self._differ.stop())
        self.resize(*_SIZE)

    @property
    def message(self) -> str:
        """What is said below the versions."""
        return self._message.accessibleName()

    def show_texts(self, before: str, after: str) -> None:
        """Compare these."""
        self._message.setText(tr("Comparing …"))
        self._differ.ask(before, after)

    def _show(self, difference: Difference) -> None:
        self.view.show_difference(difference)
        self._message.setText("" if difference.changes else tr("Both versions are the same."))
