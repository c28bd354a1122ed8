"""What is new: the list of changes as it came with this program."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

import resources
from app.help.about import Page
from app.help.dialogs import button_row, fit
from core.language import tr

CHANGES = resources.ROOT.parent / "CHANGELOG.md"
"""Beside the rooms, in the source as in a package."""


def changes(path: Path = CHANGES) -> str:
    """The list of changes in Markdown, newest first; empty where none came with this copy."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def news_dialog(parent: QWidget, *, markdown: str) -> QDialog:
    """The dialog; the caller shows it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(tr("What is new"))
    said = markdown or tr("No list of changes came with this copy of Evenhand.")
    column = QVBoxLayout(dialog)
    column.addWidget(Page(tr("What is new"), said))
    column.addLayout(button_row(dialog))
    fit(dialog, 720, 560)
    return dialog
