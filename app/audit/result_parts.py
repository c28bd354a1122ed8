"""What pages are put together from: notes, headings, choosers with a name, boxes."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.parts.labels import WrapLabel, scaled
from app.training.retrain_fields import Choice


def note(text: str) -> WrapLabel:
    """What is to be known about the thing above."""
    label = WrapLabel(muted=True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    label.setText(text)
    return label


def heading(text: str) -> QLabel:
    """The title of a part."""
    label = QLabel(text)
    label.setFont(scaled(label.font(), 1.0, bold=True))
    label.setContentsMargins(0, 6, 0, 0)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    return label


def labelled(words: str, box: Choice) -> QWidget:
    """A chooser behind its name."""
    made = QWidget()
    label = QLabel(words)
    label.setBuddy(box)
    row = QHBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(6)
    row.addWidget(label)
    row.addWidget(box)
    return made


def together(boxes: Iterable[QWidget]) -> QWidget:
    """Boxes that belong together, below each other."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(4)
    for box in boxes:
        column.addWidget(box)
    return made
