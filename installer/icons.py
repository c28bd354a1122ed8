"""The program's icon in the formats of each system, rendered from ``resources/icons/app.svg``.

``python -m installer.icons FOLDER`` writes ``evenhand-SIZE.png``, ``evenhand.ico`` and ``evenhand.icns``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from installer.project import ROOT

SIZES = (16, 24, 32, 48, 64, 128, 256, 512)
SOURCE = ROOT / "resources" / "icons" / "app.svg"


def draw(folder: Path) -> None:
    """Write the icons into ``folder``. Raises RuntimeError where Qt cannot."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication, QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    application = QGuiApplication.instance() or QGuiApplication([])
    renderer = QSvgRenderer(str(SOURCE))
    folder.mkdir(parents=True, exist_ok=True)
    wanted = {f"evenhand-{size}.png": size for size in SIZES} | {"evenhand.ico": 256, "evenhand.icns": 512}
    for name, size in wanted.items():
        image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        if not image.save(str(folder / name)):
            raise RuntimeError(f"{folder / name} cannot be written.")
    del application


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
