"""Pictures of the window for the guide and the README: ``python -m installer.pictures`` (``make pictures``).

Opens the real window, without a display, on the sample draft with the bundled models, and writes ``docs/pictures`` and
``.github/window.png``. The pictures have a palette of 256 colours, which keeps them small.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from installer.project import ROOT

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from PySide6.QtWidgets import QWidget

    from app.main_window.window import MainWindow
    from core.types import Finding

FOLDER = ROOT / "docs" / "pictures"
README_PICTURE = ROOT / ".github" / "window.png"
NAMES = ("window", "findings", "review", "dashboard", "comparison")
MAX_BYTES = 150_000
_COLOURS = 256
_WINDOW = (1280, 800)
_DASHBOARD, _COMPARISON = (1000, 700), (1000, 440)
_CARD_AT = "legendary"
_WAIT_S = 300.0


def write_pictures(folder: Path = FOLDER, readme: Path = README_PICTURE) -> None:
    """Write every picture. Raises RuntimeError where one cannot be drawn or is too large."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, widget in _shown_widgets():
        image = with_palette(widget.grab().toImage())
        for path in [folder / f"{name}.png", *([readme] if name == "window" else [])]:
            if not image.save(str(path), "PNG", 0):
                raise RuntimeError(f"{path} cannot be written.")
            if path.stat().st_size > MAX_BYTES:
                raise RuntimeError(f"{path} has more than {MAX_BYTES:,} bytes.")


def with_palette(image: QImage) -> QImage:
    """The picture in its own 256 colours: the most frequent ones, and for each other the nearest of them."""
    from PySide6.QtGui import QImage

    rgb = image.convertToFormat(QImage.Format.Format_RGB32)
    width, height = rgb.width(), rgb.height()
    pixels = np.frombuffer(rgb.constBits(), np.uint32).reshape(height, rgb.bytesPerLine() // 4)[:, :width]
    colours, places, counts = np.unique(pixels & 0xFFFFFF, return_inverse=True, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    table = colours[_spread(colours, order)]
    parts = _channels(colours)
    nearest = np.concatenate(
        [
            ((parts[at : at + 1024, None, :] - _channels(table)[None, :, :]) ** 2).sum(axis=2).argmin(axis=1)
            for at in range(0, len(parts), 1024)
        ]
    )
    made = QImage(width, height, QImage.Format.Format_Indexed8)
    made.setColorTable([0xFF000000 | int(colour) for colour in table])
    lines = np.frombuffer(made.bits(), np.uint8).reshape(height, made.bytesPerLine())
    lines[:, :width] = nearest[places].reshape(height, width)
    return made


def _spread(colours: np.ndarray, order: np.ndarray) -> np.ndarray:
    """The places of at most 256 colours: the most frequent of each neighbourhood, in the finest grid that has room."""
    for bits in range(9):
        cells = _channels(colours[order]) >> bits
        _, first = np.unique(cells, axis=0, return_index=True)
        if len(first) <= _COLOURS:
            return order[np.sort(first)]
    raise AssertionError("one cell holds all colours")


def _channels(colours: np.ndarray) -> np.ndarray:
    """Red, green and blue of colours, as signed numbers, so that they can be subtracted: shape (n, 3)."""
    return np.stack([(colours >> shift) & 0xFF for shift in (16, 8, 0)], axis=1).astype(np.int32)


def _shown_widgets() -> Iterator[tuple[str, QWidget]]:
    """Each picture's name and what it shows, which may change with the next."""
    with tempfile.TemporaryDirectory() as home:
        # A home of its own: nothing of the person who draws them gets into the pictures.
        os.environ |= {"HOME": home, "EVENHAND_HOME": f"{home}/data", "LANGUAGE": "en"}
        os.environ |= {"QT_QPA_PLATFORM": "offscreen", "XDG_DATA_HOME": home, "XDG_CONFIG_HOME": home}
        from PySide6.QtCore import QSettings
        from PySide6.QtWidgets import QApplication

        from app.comparison.compare_window import COMPARING, CompareWindow
        from app.main_window.command_handlers import SAMPLE
        from app.main_window.window import MainWindow
        from app.settings.settings import Settings
        from app.widgets.theme import apply_theme

        application = QApplication.instance() or QApplication([])
        assert isinstance(application, QApplication)
        settings = Settings(QSettings(f"{home}/settings.ini", QSettings.Format.IniFormat))
        settings.set("theme", "light")
        window = MainWindow(settings)
        apply_theme(application, "light", "off")
        window.resize(*_WINDOW)
        window.show()
        draft = Path(home) / SAMPLE.name
        draft.write_bytes(SAMPLE.read_bytes())
        window.components.documents.open(draft)
        _wait(lambda: bool(_findings(window)) and window.ui.document_dock.panel is not None)
        _rest()

        _show_card(window)
        yield "window", window
        window.components.card.hide()
        yield "findings", window.ui.findings_dock
        window.ui.actions["review_all"].trigger()
        _wait(lambda: _has_suggestions(window, _findings(window)[0]))
        _rest()
        yield "review", window
        window.ui.actions["use_2"].trigger()
        window.components.guided_review.reset()
        window.components.card.hide()
        _rest()

        window.ui.actions["dashboard"].trigger()
        dashboard = window.components.dashboard.dashboard
        assert dashboard is not None
        dashboard.resize(*_DASHBOARD)
        _rest()
        yield "dashboard", dashboard
        dashboard.close()

        window.ui.actions["compare"].trigger()
        compared = next(one for one in window.findChildren(CompareWindow) if one.isVisible())
        compared.resize(*_COMPARISON)
        _wait(lambda: compared.message != COMPARING)
        _rest()
        yield "comparison", compared
        compared.close()
        window.ui.editor.document().setModified(False)
        window.close()


def _show_card(window: MainWindow) -> None:
    """The card of one finding, with its suggestions."""
    finding = next(one for one in _findings(window) if _CARD_AT in one.text)
    _wait(lambda: _has_suggestions(window, finding))
    window.components.card.show_now(finding)
    _rest()


def _findings(window: MainWindow) -> tuple[Finding, ...]:
    result = window.components.last_result
    return result.report.findings if result is not None and result.report is not None else ()


def _has_suggestions(window: MainWindow, finding: Finding) -> bool:
    """Whether the suggestions for a finding are there."""
    return not window.components.prefetch.get(finding).pending


def _rest() -> None:
    """Let everything appear that is on its way."""
    end = time.monotonic() + 2.0
    _wait(lambda: time.monotonic() > end)


def _wait(until: Callable[[], bool]) -> None:
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + _WAIT_S
    while not until():
        if time.monotonic() > end:
            raise RuntimeError("The window did not come to rest.")
        QApplication.processEvents()
        time.sleep(0.01)


if __name__ == "__main__":
    write_pictures(*map(Path, sys.argv[1:]))
