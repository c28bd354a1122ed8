"""Rows and columns of widgets and layouts."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLayout, QScrollArea, QVBoxLayout, QWidget

Item = QWidget | QLayout | tuple[QWidget | QLayout, int] | tuple[QWidget, Qt.AlignmentFlag] | int | None
"""A part of a row or column: a widget or a layout, alone or with its stretch factor or alignment; a number of free
pixels; None for the free space.
"""
Margins = tuple[int, int, int, int]
_NO_MARGINS = (0, 0, 0, 0)
_Box = TypeVar("_Box", bound=QBoxLayout)


def make_row(
    *items: Item,
    parent: QWidget | None = None,
    spacing: int | None = None,
    margins: Margins | None = _NO_MARGINS,
) -> QHBoxLayout:
    """Lay out items side by side, as the layout of ``parent`` if given.

    ``spacing`` and ``margins`` (left, top, right, bottom) are in pixels; None is that of the style.
    """
    return _fill(QHBoxLayout(), items, parent, spacing, margins)


def make_column(
    *items: Item,
    parent: QWidget | None = None,
    spacing: int | None = None,
    margins: Margins | None = _NO_MARGINS,
) -> QVBoxLayout:
    """Lay out items below each other; otherwise like ``make_row``."""
    return _fill(QVBoxLayout(), items, parent, spacing, margins)


def make_scroll_area(page: QWidget, name: str = "") -> QScrollArea:
    """A frameless area that scrolls a page up and down and takes no focus itself; ``name`` is its accessible name."""
    area = QScrollArea()
    area.setAccessibleName(name)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidgetResizable(True)
    area.setWidget(page)
    return area


def _fill(
    box: _Box, items: tuple[Item, ...], parent: QWidget | None, spacing: int | None, margins: Margins | None
) -> _Box:
    if parent is not None:
        parent.setLayout(box)
    if margins is not None:
        box.setContentsMargins(*margins)
    if spacing is not None:
        box.setSpacing(spacing)
    for item in items:
        part, how = item if isinstance(item, tuple) else (item, 0)
        stretch, alignment = (0, how) if isinstance(how, Qt.AlignmentFlag) else (how, Qt.AlignmentFlag(0))
        if part is None:
            box.addStretch(1)
        elif isinstance(part, int):
            box.addSpacing(part)
        elif isinstance(part, QWidget):
            box.addWidget(part, stretch, alignment)
        else:
            box.addLayout(part, stretch)
    return box
