"""Controls side by side, on as many lines as the width asks for."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.parts.flow_layout import FlowLayout


class FlowRow(QWidget):
    """As high as its lines, also where what it stands in asks for no height by width (a splitter, a scroll area)."""

    def __init__(self, *, spacing: int = 6) -> None:
        super().__init__()
        self._row = FlowLayout(spacing=spacing)
        self.setLayout(self._row)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def add(self, widgets: Sequence[QWidget]) -> None:
        """Put these behind those that are there."""
        for widget in widgets:
            self._row.addWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The narrower, the higher."""
        super().resizeEvent(event)
        self.setFixedHeight(self._row.heightForWidth(self.width()))
