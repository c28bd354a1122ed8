"""Protects that the window follows the specs of the formats: dialogs, menu and status bar offer each of them."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.documents.document_controller import file_filters
from app.main_window.menus import ChoiceMenus
from app.main_window.status_bar import StatusBar
from core.documents.format_specs import FORMATS, FormatSpec
from core.documents.types import Format
from tests.core.documents.extra_format import add_latex


@pytest.fixture
def latex(monkeypatch: pytest.MonkeyPatch) -> FormatSpec:
    return add_latex(monkeypatch)


def test_file_dialogs_offer_every_suffix_in_its_group(latex: FormatSpec) -> None:
    drafts, *groups, every = file_filters().split(";;")
    assert every.endswith("(*)")
    for spec in FORMATS.values():
        assert all(f"*{suffix}" in drafts for suffix in spec.suffixes)
        (group,) = (one for one in groups if one.startswith(f"{spec.group} ("))
        assert all(f"*{suffix}" in group for suffix in spec.suffixes)
    assert f"{latex.group} (*.latex *.ltx)" in groups


def test_the_format_menu_offers_every_format(qtbot: QtBot, latex: FormatSpec) -> None:
    submenus = {name: QMenu() for name in ("recent", "kinds", "format", "theme")}
    for menu in submenus.values():
        qtbot.addWidget(menu)
    chosen: list[Format] = []
    actions = ChoiceMenus(
        submenus, on_kinds=lambda _: None, on_format=chosen.append, on_theme=lambda _: None
    ).format_actions
    assert list(actions) == list(FORMATS)
    actions[latex.format].trigger()
    assert chosen == [latex.format]
    assert actions[latex.format].text() == "&LaTeX"


def test_the_status_bar_names_the_format(qtbot: QtBot, latex: FormatSpec) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.show_format(latex.format)
    assert any("LaTeX" in button.accessibleName() for button in bar.findChildren(type(bar._format)))
