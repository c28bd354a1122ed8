"""The menus whose entries are choices: recent files, kinds, formats, panels and themes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QDockWidget, QMenu, QToolBar

from app.main_window.status_bar import FORMAT_NAMES
from app.widgets.kinds import look
from app.widgets.theme import Mode
from core.documents.types import Format
from core.formats.loader import CONTAINERS
from core.i18n import tr
from core.types import KINDS, Kind

_Choice = TypeVar("_Choice")
THEMES: dict[Mode, str] = {"system": tr("Like the &system"), "light": tr("&Light"), "dark": tr("&Dark")}


def fill_recent(
    menu: QMenu, paths: Iterable[Path], *, then: Callable[[Path], object], clear: QAction
) -> None:
    """The recent files, newest first, and a way to forget them."""
    menu.clear()
    for number, path in enumerate(paths, start=1):
        shown = f"{path.name} — {path.parent}".replace("&", "&&")
        entry = menu.addAction(f"&{number} {shown}" if number < 10 else shown)
        entry.triggered.connect(lambda _=False, path=path: then(path))
    menu.menuAction().setEnabled(not menu.isEmpty())
    menu.addSeparator()
    menu.addAction(clear)


def fill_kinds(menu: QMenu, then: Callable[[frozenset[Kind]], None]) -> dict[Kind, QAction]:
    """One switch for each kind; ``then`` gets all that are on."""
    actions: dict[Kind, QAction] = {}

    def chosen() -> None:
        then(frozenset(kind for kind, action in actions.items() if action.isChecked()))

    for kind in KINDS:
        style = look(kind, dark=False)
        action = menu.addAction(f"{style.glyph}  &{style.label}")
        action.setCheckable(True)
        action.setChecked(True)
        action.triggered.connect(chosen)
        actions[kind] = action
    return actions


def fill_formats(menu: QMenu, then: Callable[[Format], None]) -> dict[Format, QAction]:
    """What the draft is read as."""
    return _choices(menu, {chosen: f"&{name}" for chosen, name in FORMAT_NAMES.items()}, then)


def show_format(actions: dict[Format, QAction], chosen: Format) -> None:
    """Check what the draft is, and offer what it could be read as: a text as other text, any other file as it is."""
    for form, action in actions.items():
        action.setVisible(form is chosen or (form not in CONTAINERS and chosen not in CONTAINERS))
    actions[chosen].setChecked(True)


def fill_themes(menu: QMenu, then: Callable[[Mode], None]) -> dict[Mode, QAction]:
    """Light, dark or what the system says."""
    return _choices(menu, THEMES, then)


def fill_panels(menu: QMenu, docks: Iterable[QDockWidget], bar: QToolBar) -> None:
    """Show and hide what stands around the text."""
    menu.addActions([*(dock.toggleViewAction() for dock in docks), bar.toggleViewAction()])


def _choices(
    menu: QMenu, names: dict[_Choice, str], then: Callable[[_Choice], None]
) -> dict[_Choice, QAction]:
    group = QActionGroup(menu)
    actions: dict[_Choice, QAction] = {}
    for choice, name in names.items():
        action = group.addAction(menu.addAction(name))
        action.setCheckable(True)
        action.triggered.connect(lambda _=False, choice=choice: then(choice))
        actions[choice] = action
    return actions
