"""All commands of the window in one table: text, keys, icon. Menus and toolbar are built from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar

from app.widgets.icons import icon
from app.widgets.plain_text import plain_text
from core.i18n import tr

_Key = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``keys`` are standard keys or key names; ``tip`` says what it does.

    ``disabled_reason`` says why it may be disabled.
    """

    text: str
    keys: tuple[QKeySequence.StandardKey | str, ...] = ()
    icon: str = ""
    tip: str = ""
    checkable: bool = False
    role: QAction.MenuRole = QAction.MenuRole.NoRole
    disabled_reason: str = ""

    def sequences(self) -> list[QKeySequence]:
        """Its keys on this system, the preferred one first."""
        found: list[QKeySequence] = []
        for key in self.keys:
            for sequence in [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key):
                if sequence not in found:
                    found.append(sequence)
        return found


_READ_ONLY = tr("This draft is read-only.")
_NO_REFERENCES = tr("Only references of wikitext can be folded.")
_NO_FOLDS = tr("Only wikitext, Markdown, and Word and OpenDocument files have parts to fold.")
_NO_REVISIONS = tr(
    "This draft has no tracked changes. Only Word and OpenDocument files (.docx, .odt) can contain them."
)
_NOTHING_SELECTED = tr("Select some words first.")

COMMANDS: dict[str, Command] = {
    "new": Command(tr("&New"), (_Key.New,), "new", tr("Start an empty draft")),
    "new_window": Command(
        tr("New &window"), ("Ctrl+Shift+N",), tip=tr("Open another window with an empty draft")
    ),
    "open": Command(tr("&Open…"), (_Key.Open,), "open", tr("Open a draft")),
    "save": Command(tr("&Save"), (_Key.Save,), "save", tr("Save the draft"), disabled_reason=_READ_ONLY),
    "save_as": Command(
        tr("Save &as…"),
        (_Key.SaveAs, "Ctrl+Shift+S"),
        tip=tr("Save the draft under another name or in another folder"),
        disabled_reason=_READ_ONLY,
    ),
    "track_changes": Command(
        tr("Save edits as &tracked changes"),
        tip=tr(
            "Save each edit of a Word or OpenDocument file as a tracked change, which can be accepted or rejected there"
        ),
        checkable=True,
        disabled_reason=tr("Only changes of Word and OpenDocument files (.docx, .odt) can be tracked."),
    ),
    "reviewed_copy": Command(
        tr("Save a reviewed cop&y…"),
        tip=tr(
            "A copy of the document with each open finding as a comment: its kind, the reasons, "
            "and suggestions"
        ),
        disabled_reason=tr("Comments can only be written to Word and OpenDocument files (.docx, .odt)."),
    ),
    "print": Command(tr("&Print…"), (_Key.Print,), tip=tr("Print the draft, or what is selected")),
    "keep_version": Command(
        tr("&Keep this version…"),
        ("Ctrl+Shift+K",),
        tip=tr("Keep the text as it is now in the history, with a name if you like"),
    ),
    "versions": Command(
        tr("Show &versions"), ("Ctrl+Shift+H",), tip=tr("Go to the earlier versions of this draft")
    ),
    "words": Command(
        tr("Show &words"),
        ("Ctrl+Shift+W",),
        tip=tr("Go to the words of this draft, with the bias that the model gives each word alone"),
    ),
    "forget_draft": Command(
        tr("&Forget this draft…"), tip=tr("Remove everything that is stored about this draft")
    ),
    "recover": Command(
        tr("&Unsaved drafts…"), tip=tr("Restore text that was not saved when Evenhand closed")
    ),
    "quit": Command(
        tr("&Quit"),
        (_Key.Quit, "Ctrl+Q", "Ctrl+W"),
        tip=tr("Close the window"),
        role=QAction.MenuRole.QuitRole,
    ),
    "forget_recent": Command(tr("&Clear recent files"), tip=tr("Clear the list of recent files")),
    "undo": Command(
        tr("&Undo"),
        (_Key.Undo,),
        "undo",
        tr("Undo the last edit"),
        disabled_reason=tr("There is nothing to undo."),
    ),
    "redo": Command(
        tr("&Redo"),
        (_Key.Redo, "Ctrl+Y"),
        "redo",
        tr("Redo the edit"),
        disabled_reason=tr("There is nothing to redo."),
    ),
    "cut": Command(tr("Cu&t"), (_Key.Cut,), disabled_reason=_NOTHING_SELECTED),
    "copy": Command(tr("&Copy"), (_Key.Copy,), disabled_reason=_NOTHING_SELECTED),
    "paste": Command(tr("&Paste"), (_Key.Paste,), tip=tr("Paste as plain text"), disabled_reason=_READ_ONLY),
    "paste_plain": Command(
        tr("Paste as p&lain text"),
        ("Ctrl+Shift+V",),
        tip=tr("Paste only the words, without headings, bold, links and tables"),
        disabled_reason=_READ_ONLY,
    ),
    "paste_formatted": Command(
        tr("Paste &with formatting"),
        ("Ctrl+Alt+V",),
        tip=tr("Paste headings, bold, italics, links, lists and tables as mark-up of the draft"),
        disabled_reason=tr(
            "Formatting can be pasted only into Markdown and wikitext drafts that are not read-only. Elsewhere, paste "
            "as plain text."
        ),
    ),
    "select_all": Command(tr("Select &all"), (_Key.SelectAll,)),
    "find": Command(tr("&Find…"), (_Key.Find,), "find", tr("Find words in the draft")),
    "replace": Command(
        tr("R&eplace…"),
        ("Ctrl+H",),
        tip=tr("Find words or an expression in the draft and replace one match or all"),
        disabled_reason=_READ_ONLY,
    ),
    "find_next": Command(tr("Find ne&xt"), ("F3", "Ctrl+G")),
    "find_previous": Command(tr("Find pre&vious"), ("Shift+F3", "Ctrl+Shift+G")),
    "go_to_line": Command(tr("&Go to line…"), ("Ctrl+L",), tip=tr("Go to a line by its number")),
    "next": Command(tr("&Next finding"), ("F8",), "next", tr("Go to the next finding")),
    "previous": Command(tr("&Previous finding"), ("Shift+F8",), "previous", tr("Go to the previous finding")),
    "review_all": Command(
        tr("Review &all"),
        ("Ctrl+Shift+R",),
        "review",
        tr("Go through all findings with the keyboard, from the first to the last"),
    ),
    "by_sentence": Command(
        tr("Re&view by sentence"),
        ("Ctrl+Shift+E",),
        tip=tr("“Review all” goes from sentence to sentence and rewords each as a whole"),
        checkable=True,
    ),
    "use_1": Command(tr("Use suggestion &1"), ("Alt+1",), tip=tr("Apply the first suggestion on the card")),
    "use_2": Command(tr("Use suggestion &2"), ("Alt+2",), tip=tr("Apply the second suggestion on the card")),
    "use_3": Command(tr("Use suggestion &3"), ("Alt+3",), tip=tr("Apply the third suggestion on the card")),
    "reword": Command(
        tr("Reword the s&entence"),
        ("Alt+7",),
        tip=tr("Switch the card between a suggestion for the whole sentence and those for the marked words"),
    ),
    "ignore": Command(tr("&Ignore once"), ("Alt+0",), tip=tr("Ignore this finding and no other")),
    "ignore_words": Command(
        tr("Ignore these &words here"),
        ("Alt+8",),
        tip=tr("Ignore every finding with these words in this draft"),
    ),
    "allow": Command(
        tr("Al&ways allow these words"), ("Alt+9",), tip=tr("Never mark these words again, in any draft")
    ),
    "flag_words": Command(
        tr("&Flag these words…"),
        tip=tr("Add the selected words to your own style pack, with what to write instead"),
    ),
    "draft_packs": Command(
        tr("Style &packs for this draft…"),
        tip=tr("Choose the style packs for this draft only, regardless of the settings"),
    ),
    "ignored": Command(
        tr("&Show ignored…"),
        ("Ctrl+Shift+I",),
        tip=tr(
            "See and restore what is ignored in this draft, words that are always allowed, and your personal dictionary"
        ),
    ),
    "open_article": Command(
        tr("Open a &Wikipedia article…"),
        ("Ctrl+Shift+O",),
        tip=tr("Fetch an article by title or address; asks before anything is sent"),
    ),
    "copy_whole": Command(
        tr("Copy w&hole text"),
        ("Ctrl+Alt+C",),
        tip=tr("Copy the whole draft, to paste it back where it came from"),
    ),
    "problems": Command(
        tr("&Problems…"), tip=tr("What has gone wrong since Evenhand started, as a report to copy")
    ),
    "tour": Command(tr("Take the &tour"), tip=tr("A tour of the window in five steps")),
    "news": Command(tr("What is &new…"), tip=tr("What changed from version to version")),
    "compare": Command(
        tr("&Compare…"), ("Ctrl+Shift+D",), "compare", tr("The draft before and after, side by side")
    ),
    "revisions": Command(
        tr("&Tracked changes…"),
        tip=tr("See who inserted or deleted what in the file, and accept or reject the changes"),
        disabled_reason=_NO_REVISIONS,
    ),
    "analyse": Command(tr("&Analyse now"), ("F5",), tip=tr("Analyse the draft again")),
    "stop": Command(
        tr("Stop anal&ysing"), ("Shift+F5",), tip=tr("Stop the analysis; the next edit starts it again")
    ),
    "quotes": Command(
        tr("Include &quotations"), ("Ctrl+Shift+Q",), tip=tr("Mark quoted words too"), checkable=True
    ),
    "spelling": Command(
        tr("Check &spelling"),
        ("Shift+F7",),
        tip=tr("Underline words that are not in the dictionary; right-click a word to see corrections"),
        checkable=True,
    ),
    "next_misspelled": Command(
        tr("Next &misspelled word"), ("F7",), tip=tr("Select the next word that is not in the dictionary")
    ),
    "palette": Command(
        tr("Command &palette…"), ("Ctrl+Shift+P",), tip=tr("Find any command by a few letters and run it")
    ),
    "settings": Command(
        tr("Se&ttings…"),
        (_Key.Preferences, "Ctrl+,"),
        tip=tr("Open the settings"),
        role=QAction.MenuRole.PreferencesRole,
    ),
    "export_html": Command(
        tr("Report as &HTML…"), tip=tr("A web page with the draft, its findings and charts, to share")
    ),
    "export_pdf": Command(tr("Report as &PDF…"), tip=tr("The same report as a PDF file with numbered pages")),
    "export_chart": Command(tr("&Chart as picture…"), tip=tr("One chart as PNG or SVG")),
    "dashboard": Command(
        tr("&Dashboard"), ("Ctrl+Shift+B",), tip=tr("All charts of the draft in a larger window")
    ),
    "audit": Command(
        tr("&Audit of language models…"),
        ("Ctrl+Shift+A",),
        tip=tr("Measure the political leaning of language models, and place them on the political compass"),
    ),
    "zoom_in": Command(tr("Zoom &in"), (_Key.ZoomIn, "Ctrl+="), "zoom-in", tr("Larger text")),
    "zoom_out": Command(tr("Zoom &out"), (_Key.ZoomOut,), "zoom-out", tr("Smaller text")),
    "zoom_reset": Command(tr("&Default size"), ("Ctrl+0",), tip=tr("Reset the text to its default size")),
    "fold_all": Command(
        tr("&Fold templates and notes"),
        ("Shift+F9",),
        tip=tr(
            "Hide everything that spans several lines: templates, tables, references, comments, "
            "code, front matter, and the notes, headers and footers of a file"
        ),
        disabled_reason=_NO_FOLDS,
    ),
    "fold_references": Command(
        tr("Fold or unfold all r&eferences"),
        ("Ctrl+Shift+F9",),
        tip=tr("Show a label in the place of every reference of the wikitext, or show them all again"),
        disabled_reason=_NO_REFERENCES,
    ),
    "fold_here": Command(
        tr("Fold or unfold &here"),
        ("F9",),
        tip=tr("Hide the reference, template or note at the caret, or show it again"),
        disabled_reason=_NO_FOLDS,
    ),
    "unfold_all": Command(
        tr("Unfo&ld all"), ("Ctrl+F9",), tip=tr("Show all lines again"), disabled_reason=_NO_FOLDS
    ),
    "show_revisions": Command(
        tr("Show t&racked changes"),
        tip=tr("Mark the tracked changes of the file in the text, in a colour for each author"),
        checkable=True,
        disabled_reason=_NO_REVISIONS,
    ),
    "next_area": Command(
        tr("Next &area"), ("F6",), tip=tr("Move the focus from the text to the panels and back")
    ),
    "sample": Command(tr("Open the &sample draft"), tip=tr("A short draft to try things out")),
    "guide": Command(tr("&User guide"), (_Key.HelpContents, "F1"), tip=tr("Read and search the user guide")),
    "shortcuts": Command(
        tr("&Keyboard shortcuts…"), ("Ctrl+/",), "info", tr("See the keys of every command, and change them")
    ),
    "licences": Command(tr("&Licences…"), tip=tr("The parts of this program and their licences")),
    "about": Command(tr("&About Evenhand"), role=QAction.MenuRole.AboutRole),
}

# A dash is a separator; a name in brackets is a submenu that the window fills.
MENUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        tr("&File"),
        (
            *("new", "new_window", "open", "open_article", "[recent]", "recover", "-", "save", "save_as"),
            *("track_changes", "reviewed_copy", "[export]", "print", "-"),
            *("keep_version", "versions", "forget_draft", "-", "quit"),
        ),
    ),
    (
        tr("&Edit"),
        (
            *("undo", "redo", "-", "cut", "copy", "paste", "paste_plain", "paste_formatted"),
            *("select_all", "copy_whole", "-"),
            *("find", "find_next", "find_previous", "replace", "go_to_line", "-", "settings"),
        ),
    ),
    (
        tr("&Review"),
        (
            *("review_all", "by_sentence", "next", "previous", "-", "use_1", "use_2", "use_3", "reword", "-"),
            *("ignore", "ignore_words", "allow", "ignored", "flag_words", "draft_packs", "-"),
            *("compare", "revisions", "-", "[kinds]", "quotes", "-"),
            *("spelling", "next_misspelled", "-", "[format]", "analyse", "stop"),
        ),
    ),
    (
        tr("&View"),
        (
            *("palette", "dashboard", "words", "-", "[panels]", "next_area", "-"),
            *("fold_all", "fold_references", "fold_here", "unfold_all", "-", "show_revisions", "-"),
            *("zoom_in", "zoom_out", "zoom_reset", "-", "[theme]"),
        ),
    ),
    (tr("&Tools"), ("audit",)),
    (tr("&Help"), ("guide", "tour", "sample", "news", "-", "shortcuts", "problems", "licences", "about")),
)
EXPORTS = ("export_html", "export_pdf", "export_chart")
TOOLBAR = ("open", "save", "-", "undo", "redo", "-", "previous", "next", "review_all", "compare", "-", "find")


def make_actions(window: QMainWindow) -> dict[str, QAction]:
    """One action for every command, added to the window so that its keys work everywhere in it."""
    actions = {}
    for name, command in COMMANDS.items():
        action = QAction(command.text, window)
        action.setObjectName(name)
        action.setCheckable(command.checkable)
        action.setMenuRole(command.role)
        action.setIconVisibleInMenu(False)
        action.setStatusTip(command.tip)
        set_shortcuts(action, command.sequences())
        window.addAction(action)
        actions[name] = action
    return actions


def set_shortcuts(action: QAction, keys: Sequence[QKeySequence]) -> None:
    """Give a command these keys, and show the first in its tooltip."""
    action.setShortcuts(keys)
    _set_tooltip(action)


def set_enabled(action: QAction, enabled: bool) -> None:
    """Switch a command on or off; the tooltip of one that is off says why."""
    action.setEnabled(enabled)
    _set_tooltip(action)


def _set_tooltip(action: QAction) -> None:
    command = COMMANDS[action.objectName()]
    tip = command.tip or strip_mnemonic(command.text)
    first = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    reason = "" if action.isEnabled() or not command.disabled_reason else f"\n{command.disabled_reason}"
    action.setToolTip(plain_text((f"{tip} ({first})" if first else tip) + reason))


def update_icons(actions: dict[str, QAction], *, dark: bool, high_contrast: bool = False) -> None:
    """Give the actions the icons of the theme."""
    for name, command in COMMANDS.items():
        if command.icon:
            actions[name].setIcon(icon(command.icon, dark=dark, high_contrast=high_contrast))


def fill_menus(window: QMainWindow, actions: dict[str, QAction]) -> dict[str, QMenu]:
    """Build the menu bar; returns the submenus named in brackets, empty, by their name."""
    titles = {
        "[recent]": tr("Open &recent"),
        "[export]": tr("&Export"),
        "[kinds]": tr("&Kinds"),
        "[format]": tr("&Format"),
        "[panels]": tr("&Panels"),
        "[theme]": tr("&Theme"),
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
    submenus["export"].addActions([actions[name] for name in EXPORTS])
    return submenus


def fill_toolbar(bar: QToolBar, actions: dict[str, QAction]) -> None:
    """Put the most used commands into the toolbar."""
    for name in TOOLBAR:
        if name == "-":
            bar.addSeparator()
        else:
            bar.addAction(actions[name])


def strip_mnemonic(text: str) -> str:
    """A menu text without its mnemonic and its ellipsis."""
    return text.replace("&", "").removesuffix("…").rstrip()
