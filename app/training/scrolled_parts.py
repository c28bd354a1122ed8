"""A page of parts below each other, each with its title; it scrolls where there is little height."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.parts.labels import scaled


class ScrolledParts(QScrollArea):
    """``name`` is what a screen reader calls the page."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)

    def show_parts(self, parts: Sequence[tuple[str, QWidget]]) -> None:
        """Show these, each a title (or none) and a widget, in the place of those before."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(6)
        for name, widget in parts:
            if name:
                label = QLabel(name)
                label.setFont(scaled(self.font(), 1.0, bold=True))
                column.addWidget(label)
            column.addWidget(widget)
        column.addStretch(1)
        self.setWidget(page)
