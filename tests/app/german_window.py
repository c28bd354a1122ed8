"""Opens the window and its dialogs in German and prints, as JSON, what stands in them.

It runs as a program of its own: tables of words are looked up when their modules are imported.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent.parent), str(HERE)]

from core import language  # noqa: E402

language.use("de")

from fake_reader import FakeReader  # noqa: E402
from fake_rewriter import FakeRewriter  # noqa: E402
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QSettings, Qt  # noqa: E402
from PySide6.QtWidgets import (  # noqa: E402
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMenu,
    QTextEdit,
    QWidget,
)

from app.settings import Settings  # noqa: E402
from app.spoken import speak_in_qt  # noqa: E402
from app.window import MainWindow  # noqa: E402

Role = Qt.ItemDataRole
TEXT = 'The shameful record reveals it, and the plot is legendary.\n\nHe said "a disgraceful act" to the chairman.\n'
SECONDS = 30
DIALOGS = ("settings", "palette", "shortcuts", "compare", "dashboard", "ignored", "problems", "about", "open_article")
STATES = ("next", "review_all", "find", "tour")


@dataclass
class Seen:
    """What a surface shows: menus with their entries, all texts by where they stand, and buttons that are cut off."""

    menus: dict[str, list[str]] = field(default_factory=dict)
    texts: list[tuple[str, str]] = field(default_factory=list)
    clipped: list[str] = field(default_factory=list)


def wait(until: Callable[[], bool]) -> None:
    """Let the window work until something is so."""
    end = time.monotonic() + SECONDS
    while not until():
        QApplication.processEvents()
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.005)


def settle() -> None:
    """Let what was asked for be shown."""
    end = time.monotonic() + 0.1
    while time.monotonic() < end:
        QApplication.processEvents()
        time.sleep(0.005)


def texts_of(widget: QWidget) -> Iterator[str]:
    """All that a widget says to eyes and to screen readers; not the draft, nor a list's rows of its words."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription(), widget.statusTip())
    if isinstance(widget, QAbstractButton | QLabel):
        yield widget.text()
    if isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    if isinstance(widget, QDockWidget) or widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    if isinstance(widget, QTextEdit):
        yield widget.placeholderText()
    if isinstance(widget, QAbstractItemView):
        yield from cells_of(widget.model())


def cells_of(model: QAbstractItemModel) -> Iterator[str]:
    """What the rows of a list or a table say."""
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(model.rowCount()):
        for column in range(columns):
            index = model.index(row, column)
            for role in (Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole):
                yield str(index.data(role) or "")


def look_at(name: str, surface: QWidget, seen: Seen) -> None:
    """Note what a surface shows now."""
    for widget in [surface, *surface.findChildren(QWidget)]:
        if isinstance(widget, QMenu) or not widget.isVisible():
            continue
        seen.texts += [(name, text) for text in texts_of(widget) if text.strip()]
        if isinstance(widget, QAbstractButton) and widget.text() and widget.width() < widget.minimumSizeHint().width():
            seen.clipped.append(f"{name}: {widget.text()}")


def note_menus(window: MainWindow, seen: Seen) -> None:
    """Note the menu bar and every menu under it, by their titles."""
    bar = [action.text() for action in window.menuBar().actions()]
    seen.menus["menu bar"] = bar
    for menu in window.menuBar().findChildren(QMenu):
        shown = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
        seen.menus[menu.title()] = [action.text() for action in shown]
        seen.texts += [(f"menu {menu.title()}", text) for action in shown for text in (action.text(), action.toolTip())]


def main() -> None:
    """Open, look at everything, print."""
    app = QApplication([])
    speak_in_qt(app, "de")
    folder = Path(tempfile.mkdtemp())
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Settings(store), load=FakeReader, load_rewriter=lambda _: FakeRewriter())
    window.resize(1280, 800)
    window.show()
    path = folder / "draft.md"
    path.write_text(TEXT, encoding="utf-8")
    window.drafts.open(path)
    wait(lambda: len(window.pane.marks) > 0 and window.document_dock.widget() is not None)
    seen = Seen()
    note_menus(window, seen)
    for state in ("", *STATES):
        if state:
            window.commands[state].trigger()
        settle()
        look_at(state or "window", window, seen)
    window.helping.close()
    for name in DIALOGS:
        before = set(app.topLevelWidgets())
        window.commands[name].trigger()
        settle()
        for top in app.topLevelWidgets():
            if top.isVisible() and top not in before:
                look_at(name, top, seen)
                top.close()
    print(json.dumps({"menus": seen.menus, "texts": sorted(set(seen.texts)), "clipped": seen.clipped}))
    window.close()


if __name__ == "__main__":
    main()
