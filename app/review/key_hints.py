"""The keys of a command as they are now, for what is said beside a button: a person may have changed them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.actions import COMMANDS


def keys_of(command: str, near: QWidget) -> str:
    """The usual key of a command in the window that holds ``near``, in words; empty where it has none.

    A window without commands, as a dialog is, says what its parent's window says.
    """
    window: QWidget | None = near.window()
    while window is not None:
        action = window.findChild(QAction, command, Qt.FindChildOption.FindDirectChildrenOnly)
        if action is not None:
            return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        parent = window.parentWidget()
        window = parent.window() if parent is not None else None
    own = COMMANDS[command].sequences()
    return own[0].toString(QKeySequence.SequenceFormat.NativeText) if own else ""


def with_keys(said: str, command: str, near: QWidget) -> str:
    """``said``, and the keys of the command in brackets, if it has any."""
    keys = keys_of(command, near)
    return f"{said} ({keys})" if keys else said
