"""Keyboard shortcuts of the commands: which they are, which a person may choose, and how a tooltip names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.commands.actions import COMMANDS, MENUS, give_keys, plain
from app.settings.settings import Settings
from core.i18n import tr

# The keys of a command as they are now, for what is said beside a button: a person may have changed them.


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


# The keys of the commands: which they are, which a person may choose, and which command has them already.


Bindings = dict[str, tuple[str, ...]]
"""For every command its keys as portable text, the usual one first."""

_Key = QKeySequence.StandardKey
_Modifier = Qt.KeyboardModifier
# What every text field does with these; a command that has one of them by itself may keep it.
_EDITING = tuple(
    key
    for key in _Key
    if key.name.startswith(("MoveTo", "Select", "Delete", "Insert"))
    or key.name in ("Undo", "Redo", "Cut", "Copy", "Paste", "Backspace")
)


def portable(sequence: QKeySequence) -> str:
    """A key as text that means the same on every system."""
    return sequence.toString(QKeySequence.SequenceFormat.PortableText)


def native(key: str) -> str:
    """A portable key as people of this system know it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def own_keys(name: str) -> tuple[str, ...]:
    """The keys that a command has as long as nobody changes them."""
    return tuple(portable(sequence) for sequence in COMMANDS[name].sequences())


def shown_keys(name: str, keys: Sequence[str]) -> str:
    """The keys of a command in words; of its own standard keys only the usual one, not those of rare keyboards."""
    if tuple(keys) == own_keys(name):
        named = [portable(QKeySequence(key)) for key in COMMANDS[name].keys if isinstance(key, str)]
        keys = [*keys[:1], *named]
    return tr(" or ").join(native(key) for key in dict.fromkeys(keys))


def bindings(changed: Mapping[str, tuple[str, ...]]) -> Bindings:
    """The keys of all commands where those in ``changed`` are others than their own.

    What no command of this version is, what is no key, and what may not be chosen counts as not there; of two
    commands with one key, the one that was given it has it.
    """
    found: Bindings = {}
    taken: set[str] = set()
    for name in COMMANDS:
        if name in changed:
            keys = [key for key in dict.fromkeys(map(_tidy, changed[name])) if key and key not in taken]
            found[name] = tuple(key for key in keys if not refusal(name, key))
            taken.update(found[name])
    for name in COMMANDS:
        if name not in found:
            found[name] = tuple(key for key in own_keys(name) if key not in taken)
    return {name: found[name] for name in COMMANDS}


def holder(key: str, present: Mapping[str, tuple[str, ...]], *, but: str) -> str | None:
    """The command other than ``but`` that has this key."""
    return next((name for name, keys in present.items() if key in keys and name != but), None)


def refusal(name: str, key: str) -> str:
    """Why a command may not have this key, in one sentence; empty if it may."""
    sequence = QKeySequence(key)
    if not key or sequence.count() != 1 or _tidy(key) != key:
        return tr("Press one key, alone or together with Ctrl, Alt or Shift.")
    if key in own_keys(name):
        return ""
    pressed = sequence[0]
    code, held = pressed.key(), pressed.keyboardModifiers()
    with_command = bool(held & (_Modifier.ControlModifier | _Modifier.AltModifier | _Modifier.MetaModifier))
    if code in (Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        return tr("{key} leads out of dialogs and from one control to the next.").format(key=native(key))
    if not with_command and not Qt.Key.Key_F1 <= code <= Qt.Key.Key_F35:
        return tr("{key} is for writing and moving in the text. Hold Ctrl or Alt with it.").format(
            key=native(key)
        )
    if held & _Modifier.ControlModifier and held & _Modifier.AltModifier:
        return tr("Ctrl and Alt together write characters on many keyboards. Choose other keys.")
    if any(sequence in QKeySequence.keyBindings(editing) for editing in _EDITING):
        return tr("{key} edits text in every field. Choose another key.").format(key=native(key))
    if held == _Modifier.AltModifier and (menu := _menu_of(code)):
        return tr("{key} opens the menu {menu}. Choose another key.").format(key=native(key), menu=menu)
    return ""


def choose(settings: Settings, name: str, key: str) -> None:
    """Give a command this key and no other; a command that has it loses it. Raises ValueError for a refused one."""
    if reason := refusal(name, key):
        raise ValueError(reason)
    present = bindings(settings.shortcuts)
    for other, keys in present.items():
        if other != name and key in keys:
            _keep(settings, other, tuple(one for one in keys if one != key))
    _keep(settings, name, (key,))


def remove(settings: Settings, name: str) -> None:
    """Leave a command without keys."""
    _keep(settings, name, ())


def reset(settings: Settings, name: str) -> None:
    """Give a command its own keys again; commands that were given one of them lose it."""
    own = own_keys(name)
    for other, keys in bindings(settings.shortcuts).items():
        if other != name and any(key in own for key in keys):
            _keep(settings, other, tuple(key for key in keys if key not in own))
    settings.set_shortcut(name, None)


def reset_all(settings: Settings) -> None:
    """Give every command its own keys again."""
    for name in settings.shortcuts:
        settings.set_shortcut(name, None)


def apply(actions: Mapping[str, QAction], settings: Settings) -> None:
    """Give the actions their present keys."""
    for name, keys in bindings(settings.shortcuts).items():
        give_keys(actions[name], [QKeySequence(key) for key in keys])


def _keep(settings: Settings, name: str, keys: tuple[str, ...]) -> None:
    settings.set_shortcut(name, None if keys == own_keys(name) else keys)


def _tidy(key: str) -> str:
    return portable(QKeySequence(key))


def _menu_of(code: Qt.Key) -> str:
    letters = {QKeySequence.mnemonic(title)[0].key(): plain(title) for title, _ in MENUS}
    return letters.get(code, "")
