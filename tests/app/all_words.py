"""Opens the window and its dialogs, and prints as JSON what stands in them. It needs a process of its own.

The words are those of the language that was chosen before this module was imported: tables look theirs up then.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from fake_reader import FakeReader
from fake_rewriter import FakeRewriter
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QSettings, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QDockWidget,
    QLabel,
    QLineEdit,
    QMenu,
    QTabWidget,
    QToolButton,
    QWidget,
)

from app.main_window.window import MainWindow
from app.settings.interface_language import install_qt_translator, set_default_locale
from app.settings.settings import Settings

Role = Qt.ItemDataRole
TEXT = (
    'Shameful record reveals plot.\n\nHe said "disgraceful act".\n\nHe claims legendary chairman resigned.\n'
)
"""Without the small English words by which an untranslated sentence is known."""

STATES = ("next", "versions", "review_all", "find", "tour")
DIALOGS = (
    *("settings", "palette", "shortcuts", "compare", "dashboard", "ignored", "export_chart"),
    *("keep_version", "problems", "about", "open_article", "audit"),
)
WIDTHS = (1280, 700)
SECONDS = 30


@dataclass
class Seen:
    """Menus with their entries, every text after the place where it stands, and the buttons that are cut off."""

    menus: dict[str, list[str]] = field(default_factory=dict)
    texts: list[tuple[str, str]] = field(default_factory=list)
    clipped: list[tuple[str, str]] = field(default_factory=list)


def show_all(language: str) -> None:
    """Open everything once and print it."""
    app = QApplication([])
    install_qt_translator(app, language)
    set_default_locale(language)
    folder = Path(tempfile.mkdtemp())
    store = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(Settings(store), load=FakeReader, load_rewriter=lambda _: FakeRewriter())
    window.show()
    path = folder / "entwurf.md"
    path.write_text(TEXT, encoding="utf-8")
    window.components.documents.open(path)
    _wait(lambda: bool(window.ui.editor.marks) and window.ui.document_dock.panel is not None)
    seen = Seen()
    _look_at_menus(window, seen)
    for state in STATES:
        window.ui.actions[state].trigger()
        for width in WIDTHS:
            window.resize(width, 800)
            _settle()
            _look_at(f"{state}, {width} pixels", window, seen)
    window.components.help.close()
    for name in DIALOGS:
        before = set(app.topLevelWidgets())
        window.ui.actions[name].trigger()
        _settle()
        for top in app.topLevelWidgets():
            if top.isVisible() and top not in before:
                _look_at_pages(name, top, seen)
                top.close()
    window.close()
    print(json.dumps(asdict(seen)))


def _wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not until():
        if time.monotonic() > end:
            raise TimeoutError
        QApplication.processEvents()
        time.sleep(0.005)


def _settle() -> None:
    end = time.monotonic() + 0.1
    _wait(lambda: time.monotonic() > end)


def _look_at_menus(window: MainWindow, seen: Seen) -> None:
    seen.menus["menu bar"] = [action.text() for action in window.menuBar().actions()]
    for menu in window.menuBar().findChildren(QMenu):
        shown = [action for action in menu.actions() if action.isVisible() and not action.isSeparator()]
        seen.menus[menu.title()] = [action.text() for action in shown]
        seen.texts += [(menu.title(), text) for action in shown for text in (action.text(), action.toolTip())]


def _look_at_pages(place: str, surface: QWidget, seen: Seen) -> None:
    """All pages of a dialog that has tabs."""
    _look_at(place, surface, seen)
    for tabs in surface.findChildren(QTabWidget):
        seen.texts += [(place, tabs.tabText(at)) for at in range(tabs.count())]
        for at in range(1, tabs.count()):
            tabs.setCurrentIndex(at)
            _settle()
            _look_at(f"{place}, {at}", surface, seen)


def _look_at(place: str, surface: QWidget, seen: Seen) -> None:
    for widget in [surface, *surface.findChildren(QWidget)]:
        if isinstance(widget, QMenu) or not widget.isVisible():
            continue
        seen.texts += [(place, text) for text in _texts(widget) if text.strip()]
        if isinstance(widget, QAbstractButton) and _is_clipped(widget):
            seen.clipped.append((place, widget.text()))


def _texts(widget: QWidget) -> Iterator[str]:
    """All that a widget says to eyes and to screen readers."""
    yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())
    if isinstance(widget, QAbstractButton | QLabel):
        yield widget.text()
    if isinstance(widget, QLineEdit):
        yield widget.placeholderText()
    if isinstance(widget, QDockWidget) or widget.isWindow():
        yield widget.windowTitle()
    if isinstance(widget, QComboBox):
        yield from (widget.itemText(number) for number in range(widget.count()))
    if isinstance(widget, QAbstractItemView):
        yield from _cells(widget.model())


def _cells(model: QAbstractItemModel) -> Iterator[str]:
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount()
    for row in range(model.rowCount()):
        for column in range(columns):
            index = model.index(row, column)
            for role in (Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole):
                yield str(index.data(role) or "")


def _is_clipped(button: QAbstractButton) -> bool:
    icon_only = Qt.ToolButtonStyle.ToolButtonIconOnly
    if (
        isinstance(button, QToolButton)
        and not button.icon().isNull()
        and button.toolButtonStyle() == icon_only
    ):
        return False
    words = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, button.text()).width()
    return words > button.width()
