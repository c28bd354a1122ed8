"""Our icons: SVG outlines of one stroke weight, drawn in the colour of the theme's text."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.widgets.kinds import glyph_path, look
from app.widgets.theme import palette
from core.types import Kind

# Every size that a toolbar, a menu or a window list asks for at one, one and a half and two pixels a point.
_SIZES = (16, 20, 24, 32, 48, 64)
_APP_SIZES = (16, 24, 32, 48, 64, 128, 256)
_PEN = "currentColor"


def icon(name: str, *, dark: bool, stark: bool = False) -> QIcon:
    """The icon of that name, in ``resources/icons``, for a light or dark theme, in high contrast or not.

    Raises ``ValueError`` where there is no such icon.
    """
    made = QIcon()
    drawing = _drawing(name)
    groups = {
        QIcon.Mode.Normal: QPalette.ColorGroup.Active,
        QIcon.Mode.Disabled: QPalette.ColorGroup.Disabled,
    }
    for mode, group in groups.items():
        colour = palette(dark=dark, stark=stark).color(group, QPalette.ColorRole.ButtonText).name()
        renderer = QSvgRenderer(QByteArray(drawing.replace(_PEN, colour).encode()))
        for size in _APP_SIZES if name == "app" else _SIZES:
            made.addPixmap(_rendered(renderer, size), mode)
    return made


def kind_icon(kind: Kind, *, dark: bool) -> QIcon:
    """The glyph of a kind in its colour."""
    made = QIcon()
    for size in _SIZES:
        pixmap = QPixmap(QSize(size, size))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        margin = size * 0.18
        box = QRectF(0, 0, size, size).adjusted(margin, margin, -margin, -margin)
        painter.fillPath(glyph_path(kind, box), look(kind, dark=dark).colour)
        painter.end()
        made.addPixmap(pixmap)
    return made


@cache
def _drawing(name: str) -> str:
    source = files("resources") / "icons" / f"{name}.svg"
    if not source.is_file():
        raise ValueError(f"There is no icon named {name!r}.")
    return source.read_text(encoding="utf-8")


def _rendered(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter)
    painter.end()
    return pixmap
