"""What results are put together from: notes, headings, choosers with a name."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

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
