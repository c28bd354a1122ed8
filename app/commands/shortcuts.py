"""The keyboard shortcuts of the commands: which are in use, which may be chosen, and how they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from app.commands.actions import COMMANDS, MENUS, set_shortcuts, strip_mnemonic
from app.settings.settings import Settings
from core.i18n import tr


def shortcut_text(command: str, near: QWidget) -> str:
    """The first key of a command in the window of ``near``, as text; empty if it has none.

    For a window without commands, such as a dialog, the parent's window counts.
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


def with_shortcut(text: str, command: str, near: QWidget) -> str:
    """``text``, with the key of the command in brackets if it has one."""
    keys = shortcut_text(command, near)
    return f"{text} ({keys})" if keys else text


Bindings = dict[str, tuple[str, ...]]
"""For every command its keys as portable text, the preferred one first."""

_Key = QKeySequence.StandardKey
_Modifier = Qt.KeyboardModifier
# Editing keys of every text field; a command that has one of them by default may keep it.
_EDITING = tuple(
    key
    for key in _Key
    if key.name.startswith(("MoveTo", "Select", "Delete", "Insert"))
    or key.name in ("Undo", "Redo", "Cut", "Copy", "Paste", "Backspace")
)


def to_portable(sequence: QKeySequence) -> str:
    """A key as text that is the same on every system."""
    return sequence.toString(QKeySequence.SequenceFormat.PortableText)


def to_native(key: str) -> str:
    """A portable key as this system shows it."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)


def default_keys(name: str) -> tuple[str, ...]:
    """The keys of a command unless they are changed."""
    return tuple(to_portable(sequence) for sequence in COMMANDS[name].sequences())


def format_keys(name: str, keys: Sequence[str]) -> str:
    """The keys of a command as text; of standard keys only the first, without those of rare keyboards."""
    if tuple(keys) == default_keys(name):
        named = [to_portable(QKeySequence(key)) for key in COMMANDS[name].keys if isinstance(key, str)]
        keys = [*keys[:1], *named]
    return tr(" or ").join(to_native(key) for key in dict.fromkeys(keys))


def resolve_bindings(changed: Mapping[str, tuple[str, ...]]) -> Bindings:
    """The keys of all commands, given those that were ``changed``.

    Unknown commands, invalid keys and keys that may not be chosen are skipped. A key that was assigned to one command
    is taken from the command that has it by default.
    """
    found: Bindings = {}
    taken: set[str] = set()
    for name in COMMANDS:
        if name in changed:
            keys = [key for key in dict.fromkeys(map(_normalize, changed[name])) if key and key not in taken]
            found[name] = tuple(key for key in keys if not rejection_reason(name, key))
            taken.update(found[name])
    for name in COMMANDS:
        if name not in found:
            found[name] = tuple(key for key in default_keys(name) if key not in taken)
    return {name: found[name] for name in COMMANDS}


def command_with_key(key: str, present: Mapping[str, tuple[str, ...]], *, but: str) -> str | None:
    """The command other than ``but`` that has this key."""
    return next((name for name, keys in present.items() if key in keys and name != but), None)


def rejection_reason(name: str, key: str) -> str:
    """One sentence on why a command may not have this key; empty if it may."""
    sequence = QKeySequence(key)
    if not key or sequence.count() != 1 or _normalize(key) != key:
        return tr("Press one key, alone or together with Ctrl, Alt or Shift.")
    if key in default_keys(name):
        return ""
    pressed = _combination(sequence)
    code, held = pressed.key(), pressed.keyboardModifiers()
    with_command = bool(held & (_Modifier.ControlModifier | _Modifier.AltModifier | _Modifier.MetaModifier))
    if code in (Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
        return tr("{key} closes dialogs or moves between controls. Choose another key.").format(
            key=to_native(key)
        )
    if not with_command and not Qt.Key.Key_F1 <= code <= Qt.Key.Key_F35:
        return tr("{key} types text or moves the caret. Combine it with Ctrl or Alt.").format(
            key=to_native(key)
        )
    if held & _Modifier.ControlModifier and held & _Modifier.AltModifier:
        return tr("On many keyboards, Ctrl and Alt together type special characters. Choose other keys.")
    if any(sequence in QKeySequence.keyBindings(editing) for editing in _EDITING):
        return tr("{key} edits text in every field. Choose another key.").format(key=to_native(key))
    if held == _Modifier.AltModifier and (menu := _menu_of(code)):
        return tr("{key} opens the menu {menu}. Choose another key.").format(key=to_native(key), menu=menu)
    return ""


def assign_key(settings: Settings, name: str, key: str) -> None:
    """Give a command this key alone, and take it from any other command. Raises ValueError if it is not allowed."""
    if reason := rejection_reason(name, key):
        raise ValueError(reason)
    present = resolve_bindings(settings.shortcuts)
    for other, keys in present.items():
        if other != name and key in keys:
            _store(settings, other, tuple(one for one in keys if one != key))
    _store(settings, name, (key,))


def remove(settings: Settings, name: str) -> None:
    """Remove all keys of a command."""
    _store(settings, name, ())


def reset(settings: Settings, name: str) -> None:
    """Restore the default keys of a command, and take them from other commands."""
    own = default_keys(name)
    for other, keys in resolve_bindings(settings.shortcuts).items():
        if other != name and any(key in own for key in keys):
            _store(settings, other, tuple(key for key in keys if key not in own))
    settings.set_shortcut(name, None)


def reset_all(settings: Settings) -> None:
    """Restore the default keys of all commands."""
    for name in settings.shortcuts:
        settings.set_shortcut(name, None)


def apply(actions: Mapping[str, QAction], settings: Settings) -> None:
    """Set the keys of the actions."""
    for name, keys in resolve_bindings(settings.shortcuts).items():
        set_shortcuts(actions[name], [QKeySequence(key) for key in keys])


def _store(settings: Settings, name: str, keys: tuple[str, ...]) -> None:
    settings.set_shortcut(name, None if keys == default_keys(name) else keys)


def _normalize(key: str) -> str:
    return to_portable(QKeySequence(key))


def _menu_of(code: Qt.Key) -> str:
    letters = {_combination(QKeySequence.mnemonic(title)).key(): strip_mnemonic(title) for title, _ in MENUS}
    return letters.get(code, "")


def _combination(sequence: QKeySequence) -> QKeyCombination:
    first: QKeyCombination = sequence[0]  # type: ignore[index]  # missing from the stubs
    return first
