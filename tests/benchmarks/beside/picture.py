"""The picture for the README: reading and rewriting beside their peers, growth, keystroke to underline."""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.benchmarks.beside import reading, rewriting
from tests.benchmarks.beside.contenders import Measured
from tests.benchmarks.beside.growth import Grown
from tests.benchmarks.beside.results import Results
from tests.benchmarks.beside.table import KEYS_BAR_MS

_SIZE = (1320, 360)
_OURS, _PEER, _TEXT, _BAR, _EDIT = "#1f6f8b", "#b9c2c9", "#222222", "#b3261e", "#c77700"
_PAUSE_MS = 300


def draw(results: Results, path: Path) -> None:
    """Write the picture of what was measured as a PNG of twice its size, drawn offscreen on white."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import pyqtgraph as pg
    from pyqtgraph.exporters import ImageExporter
    from PySide6.QtWidgets import QApplication

    application = QApplication.instance() or QApplication([])
    looks = {"background": "w", "foreground": _TEXT, "antialias": True}
    before = {name: pg.getConfigOption(name) for name in looks}
    pg.setConfigOptions(**looks)
    view = pg.GraphicsLayoutWidget()
    view.resize(*_SIZE)
    view.ci.setContentsMargins(12, 12, 24, 12)
    for title, pairs in (
        ("Sentences read a second", _pair(results.reading, reading.OURS, reading.SAME)),
        ("Places reworded a second", _pair(results.rewriting, rewriting.OURS, rewriting.SAME)),
    ):
        if pairs:
            _bars(_plot(view, title), pairs)
    if results.growth:
        _grown(_plot(view, "Seconds by sentences in the draft"), results.growth)
    if results.keys.get("seen"):
        _keys(_plot(view, "Keystroke to underline, ms"), results.keys["seen"])
    view.show()
    application.processEvents()
    exporter = ImageExporter(view.ci)
    exporter.parameters()["width"] = 2 * _SIZE[0]
    exporter.export(str(path))
    view.close()
    view.deleteLater()
    pg.setConfigOptions(**before)


def _plot(view: Any, title: str) -> Any:
    plot = view.addPlot(title=title)
    plot.setMouseEnabled(x=False, y=False)
    plot.hideButtons()
    return plot


def _pair(measured: Sequence[Measured], ours: str, same: str) -> list[tuple[str, float]]:
    """Ours and the peer with the same model, with what each does a second; those that are not here are left out."""
    named = {one.name: one for one in measured if not one.missing}
    return [
        (name, named[name].count / statistics.median(named[name].seconds))
        for name in (ours, same)
        if name in named
    ]


def _bars(plot: Any, pairs: Sequence[tuple[str, float]]) -> None:
    import pyqtgraph as pg

    for at, (_, value) in enumerate(pairs):
        brush = _PEER if at else _OURS
        plot.addItem(pg.BarGraphItem(x=[at], height=[value], width=0.6, brush=brush, pen=None))
        _say(plot, at, value, f"{value:,.0f}" if value >= 10 else f"{value:.1f}", anchor=(0.5, 1))
    plot.getAxis("bottom").setTicks([list(enumerate(name for name, _ in pairs))])
    plot.setYRange(0, 1.15 * max(value for _, value in pairs), padding=0)
    plot.setXRange(-0.6, len(pairs) - 0.4, padding=0)


def _grown(plot: Any, grown: Grown) -> None:
    """Both axes logarithmic."""
    import pyqtgraph as pg

    places = range(len(grown.sizes))
    sizes = [math.log10(size) for size in grown.sizes]
    lines = {
        "read whole": ([grown.first(at) for at in places], _OURS),
        "after one edit": ([statistics.median(grown.again(at)) for at in places], _EDIT),
    }
    logs = []
    for name, (seconds, colour) in lines.items():
        values = [math.log10(value) for value in seconds]
        plot.plot(
            sizes, values, pen=pg.mkPen(colour, width=2), symbol="o", symbolBrush=colour, symbolPen=None
        )
        above = colour == _OURS
        place = max(values[:2]) + 0.25 if above else values[0] - 0.1
        _say(plot, sizes[0], place, name, colour=colour, anchor=(0, 1 if above else 0))
        logs += values
    low, high = math.floor(min(logs)), math.ceil(max(logs))
    plot.getAxis("bottom").setTicks(
        [[(at, f"{size:,}") for at, size in zip(sizes, grown.sizes, strict=True)]]
    )
    plot.getAxis("left").setTicks([[(power, f"{10**power:,g}") for power in range(low, high + 1)]])
    plot.setYRange(low - 0.3, high + 0.3, padding=0)
    plot.setXRange(sizes[0] - 0.2, sizes[-1] + 0.6, padding=0)


def _keys(plot: Any, seen: Sequence[float]) -> None:
    """Each sentence that was typed, the shortest first; the pause, and the bar."""
    import pyqtgraph as pg

    values = sorted(1000 * seconds for seconds in seen)
    plot.plot(
        list(range(1, len(values) + 1)), values, pen=None, symbol="o", symbolBrush=_OURS, symbolPen=None
    )
    for value, colour, name, anchor in (
        (_PAUSE_MS, _PEER, "pause after the last key", (0, 0)),
        (KEYS_BAR_MS, _BAR, "wanted at most", (0, 1)),
    ):
        plot.addItem(pg.InfiniteLine(pos=value, angle=0, pen=pg.mkPen(colour, width=2)))
        _say(plot, 0.6, value, name, colour=_TEXT if colour == _PEER else colour, anchor=anchor)
    plot.getAxis("bottom").setTicks([])
    plot.setYRange(0, 1.15 * max(*values, KEYS_BAR_MS), padding=0)
    plot.setXRange(0.4, len(values) + 0.6, padding=0)


def _say(
    plot: Any, x: float, y: float, words: str, *, colour: str = _TEXT, anchor: tuple[float, float]
) -> None:
    import pyqtgraph as pg

    label = pg.TextItem(words, color=colour, anchor=anchor)
    label.setPos(x, y)
    plot.addItem(label)
