"""The menus whose entries are choices: recent files, kinds, formats and themes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from app.widgets.kinds import kind_style
from app.widgets.theme import Mode
from core.documents.format_specs import FORMATS, extracts_text
from core.documents.types import Format
from core.i18n import tr
from core.types import ALL_KINDS, Kind

_Choice = TypeVar("_Choice")
THEMES: dict[Mode, str] = {"system": tr("Like the &system"), "light": tr("&Light"), "dark": tr("&Dark")}


class ChoiceMenus:
    """Fills the submenus that ``app.commands.actions.fill_menus`` leaves empty, and shows what is chosen in them."""

    def __init__(
        self,
        submenus: Mapping[str, QMenu],
        *,
        on_kinds: Callable[[frozenset[Kind]], object],
        on_format: Callable[[Format], object],
        on_theme: Callable[[Mode], object],
    ) -> None:
        self.recent = submenus["recent"]
        self.kind_actions = _kind_switches(submenus["kinds"], on_kinds)
        self.format_actions = _exclusive_choices(
            submenus["format"], {spec.format: f"&{spec.name}" for spec in FORMATS.values()}, on_format
        )
        self.theme_actions = _exclusive_choices(submenus["theme"], THEMES, on_theme)

    def show_kinds(self, kinds: frozenset[Kind]) -> None:
        """Check the kinds that are shown."""
        for kind, action in self.kind_actions.items():
            action.setChecked(kind in kinds)

    def show_format(self, chosen: Format) -> None:
        """Check the format of the draft. Text can be read as another text format; other files cannot."""
        for form, action in self.format_actions.items():
            action.setVisible(form is chosen or (not extracts_text(form) and not extracts_text(chosen)))
        self.format_actions[chosen].setChecked(True)

    def fill_recent(
        self, paths: Iterable[Path], *, open_file: Callable[[Path], object], clear: QAction
    ) -> None:
        """List the recent files, newest first, and the command that clears the list."""
        menu = self.recent
        menu.clear()
        for number, path in enumerate(paths, start=1):
            shown = f"{path.name} — {path.parent}".replace("&", "&&")
            entry = menu.addAction(f"&{number} {shown}" if number < 10 else shown)
            entry.triggered.connect(lambda _=False, path=path: open_file(path))
        menu.menuAction().setEnabled(not menu.isEmpty())
        menu.addSeparator()
        menu.addAction(clear)


def _kind_switches(menu: QMenu, on_kinds: Callable[[frozenset[Kind]], object]) -> dict[Kind, QAction]:
    actions: dict[Kind, QAction] = {}

    def report_chosen() -> None:
        on_kinds(frozenset(kind for kind, action in actions.items() if action.isChecked()))

    for kind in ALL_KINDS:
        style = kind_style(kind, dark=False)
        action = menu.addAction(f"{style.glyph}  &{style.label}")
        action.setCheckable(True)
        action.setChecked(True)
        action.triggered.connect(report_chosen)
        actions[kind] = action
    return actions


def _exclusive_choices(
    menu: QMenu, names: Mapping[_Choice, str], on_choice: Callable[[_Choice], object]
) -> dict[_Choice, QAction]:
    group = QActionGroup(menu)
    actions: dict[_Choice, QAction] = {}
    for choice, name in names.items():
        action = group.addAction(menu.addAction(name))
        action.setCheckable(True)
        action.triggered.connect(lambda _=False, choice=choice: on_choice(choice))
        actions[choice] = action
    return actions
