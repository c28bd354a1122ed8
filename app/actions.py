"""Every command of the window as one table: its words, its keys, its icon. Menus and toolbar are read from here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from app.icons import icon

_Key = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``keys`` are standard keys or their names; ``tip`` says in a sentence what it does."""

    text: str
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    icon: str = ""
    tip: str = ""
    checkable: bool = False
    role: QAction.MenuRole = QAction.MenuRole.NoRole


COMMANDS: dict[str, Command] = {
    "new": Command("&New", (_Key.New,), "new", "Start an empty draft"),
    "open": Command("&Open…", (_Key.Open,), "open", "Open a draft"),
    "save": Command("&Save", (_Key.Save,), "save", "Save the draft"),
    "save_as": Command("Save &as…", (_Key.SaveAs, "Ctrl+Shift+S"), tip="Save the draft in another place"),
    "quit": Command(
        "&Quit", (_Key.Quit, "Ctrl+Q", "Ctrl+W"), tip="Close the window", role=QAction.MenuRole.QuitRole
    ),
    "forget_recent": Command("&Forget these files", tip="Empty the list of recent files"),
    "undo": Command("&Undo", (_Key.Undo,), "undo", "Take the last edit back"),
    "redo": Command("&Redo", (_Key.Redo, "Ctrl+Y"), "redo", "Do the edit again"),
    "cut": Command("Cu&t", (_Key.Cut,)),
    "copy": Command("&Copy", (_Key.Copy,)),
    "paste": Command("&Paste", (_Key.Paste,), tip="Paste as plain text"),
    "select_all": Command("Select &all", (_Key.SelectAll,)),
    "find": Command("&Find…", (_Key.Find,), "find", "Find words in the draft"),
    "find_next": Command("Find ne&xt", ("F3", "Ctrl+G")),
    "find_previous": Command("Find pre&vious", ("Shift+F3", "Ctrl+Shift+G")),
    "next": Command("&Next finding", ("F8",), "next", "Go to the next finding"),
    "previous": Command("&Previous finding", ("Shift+F8",), "previous", "Go to the previous finding"),
    "review_all": Command(
        "Review &all",
        ("Ctrl+Shift+R",),
        "review",
        "Go through all findings by key, from the first to the last",
    ),
    "use_1": Command("Use wording &1", ("Alt+1",), tip="Put the first wording of the card in place"),
    "use_2": Command("Use wording &2", ("Alt+2",), tip="Put the second wording of the card in place"),
    "use_3": Command("Use wording &3", ("Alt+3",), tip="Put the third wording of the card in place"),
    "ignore": Command("&Ignore once", ("Alt+0",), tip="Take this mark away until the draft is opened again"),
    "unignore": Command("&Show ignored again", tip="Mark again what was ignored once"),
    "compare": Command("&Compare…", ("Ctrl+Shift+D",), "compare", "The draft before and after, side by side"),
    "analyse": Command("&Analyse now", ("F5",), tip="Read the draft again at once"),
    "quotes": Command("Include &quotations", ("Ctrl+Shift+Q",), tip="Mark quoted words too", checkable=True),
    "zoom_in": Command("Zoom &in", (_Key.ZoomIn, "Ctrl+="), "zoom-in", "Larger text"),
    "zoom_out": Command("Zoom &out", (_Key.ZoomOut,), "zoom-out", "Smaller text"),
    "zoom_reset": Command("&Usual size", ("Ctrl+0",), tip="Text in its usual size"),
    "next_area": Command("Next &area", ("F6",), tip="Go from the text to the panels and back"),
    "sample": Command("Open the &sample draft", tip="A short draft to try things on"),
    "shortcuts": Command("&Keyboard shortcuts", ("Ctrl+/",), "info"),
    "about": Command("&About Evenhand", role=QAction.MenuRole.AboutRole),
}

# A dash is a separator; a word in brackets is a submenu or a list that the window fills.
MENUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("&File", ("new", "open", "[recent]", "-", "save", "save_as", "-", "quit")),
    (
        "&Edit",
        (
            "undo",
            "redo",
            "-",
            "cut",
            "copy",
            "paste",
            "select_all",
            "-",
            "find",
            "find_next",
            "find_previous",
        ),
    ),
    (
        "&Review",
        (
            *("review_all", "next", "previous", "-", "use_1", "use_2", "use_3", "ignore", "unignore", "-"),
            *("compare", "-", "[kinds]", "quotes", "-", "[format]", "analyse"),
        ),
    ),
    ("&View", ("[panels]", "next_area", "-", "zoom_in", "zoom_out", "zoom_reset", "-", "[theme]")),
    ("&Help", ("sample", "-", "shortcuts", "about")),
)
TOOLBAR = ("open", "save", "-", "undo", "redo", "-", "previous", "next", "review_all", "compare", "-", "find")


def make_actions(window: QMainWindow) -> dict[str, QAction]:
    """One action for every command, known to the window so that its keys work everywhere in it."""
    actions = {}
    for name, command in COMMANDS.items():
        action = QAction(command.text, window)
        action.setObjectName(name)
        action.setShortcuts(_sequences(command))
        action.setCheckable(command.checkable)
        action.setMenuRole(command.role)
        action.setIconVisibleInMenu(False)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        told = command.tip or plain(command.text)
        action.setToolTip(f"{told} ({keys})" if keys else told)
        action.setStatusTip(command.tip)
        window.addAction(action)
        actions[name] = action
    return actions


def dress_actions(actions: dict[str, QAction], *, dark: bool) -> None:
    """Give the actions the icons of the theme."""
    for name, command in COMMANDS.items():
        if command.icon:
            actions[name].setIcon(icon(command.icon, dark=dark))


def fill_menus(window: QMainWindow, actions: dict[str, QAction]) -> dict[str, QMenu]:
    """Build the menu bar; returns the submenus named in brackets, empty, by their name."""
    titles = {
        "[recent]": "Open &recent",
        "[kinds]": "&Kinds",
        "[format]": "&Format",
        "[panels]": "&Panels",
        "[theme]": "&Theme",
    }
    submenus = {}
    for title, names in MENUS:
        menu = window.menuBar().addMenu(title)
        menu.setToolTipsVisible(True)
        for name in names:
            if name == "-":
                menu.addSeparator()
            elif name in titles:
                submenus[name[1:-1]] = menu.addMenu(titles[name])
            else:
                menu.addAction(actions[name])
    return submenus


def fill_toolbar(bar: QToolBar, actions: dict[str, QAction]) -> None:
    """Put the most used commands into the toolbar."""
    for name in TOOLBAR:
        if name == "-":
            bar.addSeparator()
        else:
            bar.addAction(actions[name])


def shortcut_rows(actions: dict[str, QAction]) -> list[tuple[str, str]]:
    """(what it does, its keys) for every command with keys, in the order of the menus.

    Of a standard key only the usual one is told, not those of old and rare keyboards.
    """
    rows = []
    for _, names in MENUS:
        for name in names:
            if name in actions and (first := actions[name].shortcut()):
                more = [QKeySequence(key) for key in COMMANDS[name].keys if isinstance(key, str)]
                told = dict.fromkeys(
                    key.toString(QKeySequence.SequenceFormat.NativeText) for key in (first, *more)
                )
                rows.append((plain(COMMANDS[name].text), " or ".join(told)))
    return rows


def plain(text: str) -> str:
    """A menu text without the marks of its mnemonic and its dots."""
    return text.replace("&", "").removesuffix("…")


def _sequences(command: Command) -> list[QKeySequence]:
    found: list[QKeySequence] = []
    for key in command.keys:
        for sequence in [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key):
            if sequence not in found:
                found.append(sequence)
    return found
