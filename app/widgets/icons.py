"""Icons: SVG outlines of one stroke width, drawn in the text colour of the theme."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPalette, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.widgets.kinds import glyph_path, kind_style
from app.widgets.theme import palette
from core.types import Kind

# Every size that a toolbar, a menu or a window list asks for at one, one and a half and two pixels a point.
_SIZES = (16, 20, 24, 32, 48, 64)
_APP_SIZES = (16, 24, 32, 48, 64, 128, 256)
_PEN = "currentColor"


def icon(name: str, *, dark: bool, high_contrast: bool = False) -> QIcon:
    """The icon ``name`` from ``resources/icons`` for a theme.

    Raises ``ValueError`` if there is no such icon.
    """
    result = QIcon()
    drawing = _load_svg(name)
    groups = {
        QIcon.Mode.Normal: QPalette.ColorGroup.Active,
        QIcon.Mode.Disabled: QPalette.ColorGroup.Disabled,
    }
    for mode, group in groups.items():
        colour = (
            palette(dark=dark, high_contrast=high_contrast).color(group, QPalette.ColorRole.ButtonText).name()
        )
        renderer = QSvgRenderer(QByteArray(drawing.replace(_PEN, colour).encode()))
        for size in _APP_SIZES if name == "app" else _SIZES:
            result.addPixmap(_render(renderer, size), mode)
    return result


def kind_icon(kind: Kind, *, dark: bool) -> QIcon:
    """The glyph of a kind in its colour."""
    result = QIcon()
    for size in _SIZES:
        pixmap = QPixmap(QSize(size, size))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        margin = size * 0.18
        box = QRectF(0, 0, size, size).adjusted(margin, margin, -margin, -margin)
        painter.fillPath(glyph_path(kind, box), kind_style(kind, dark=dark).colour)
        painter.end()
        result.addPixmap(pixmap)
    return result


@cache
def _load_svg(name: str) -> str:
    source = files("resources") / "icons" / f"{name}.svg"
    if not source.is_file():
        raise ValueError(f"There is no icon named {name!r}.")
    return source.read_text(encoding="utf-8")


def _render(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(QSize(size, size))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter)
    painter.end()
    return pixmap
