"""The licences dialog lists each part with its terms and full text."""

from __future__ import annotations

from pytestqt.qtbot import QtBot
from windows import Make

from app.help.dialogs import LicencesDialog
from core.packaging.licences import Part

PARTS = [
    Part("Evenhand", "1", "Apache-2.0", "OURS"),
    Part("<b>x</b>", "2", "", "<i>THEIRS</i>"),
    Part("y", "3", "MIT", ""),
]


def test_each_part_shows_its_terms_and_its_text(qtbot: QtBot) -> None:
    dialog = LicencesDialog(PARTS)
    qtbot.addWidget(dialog)
    shown = []
    for row in range(len(PARTS)):
        dialog.list.setCurrentRow(row)
        shown.append((dialog.terms.accessibleName(), dialog.text.toPlainText()))
    assert shown == [
        ("Evenhand 1 · Apache-2.0", "OURS"),
        ("<b>x</b> 2", "<i>THEIRS</i>"),
        ("y 3 · MIT", "This component has no licence text."),
    ]


def test_the_help_menu_opens_them(make: Make) -> None:
    window = make()
    window.ui.actions["licences"].trigger()
    dialog = window.findChild(LicencesDialog)
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert {"numpy", "onnxruntime"} <= set(names)
    assert dialog.terms.accessibleName().startswith("evenhand")
