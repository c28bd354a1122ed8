"""What each command of ``app.commands.actions`` does in a window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QInputDialog, QMainWindow

import resources
from app.editor.editor import TextEditor
from app.main_window.components import Components
from app.main_window.layout import WindowLayout
from app.main_window.new_window import NOT_STARTED, open_new_window
from app.review.guided_review import GuidedReview
from app.review.review_controller import ReviewController
from app.settings.settings import Settings
from core.i18n import tr

SAMPLE = resources.ROOT / "samples" / "sample.md"


def command_handlers(
    window: QMainWindow, ui: WindowLayout, parts: Components, settings: Settings
) -> dict[str, Callable[[], object]]:
    """The handler of every command, by its name."""
    editor, documents, preferences = ui.editor, parts.documents, parts.preferences

    def active_review() -> GuidedReview | ReviewController:
        return parts.guided_review if parts.guided_review.active else parts.review

    def new_window() -> None:
        if not open_new_window():
            ui.message_bar.show_message(NOT_STARTED)

    def print_here() -> None:
        from app.export.draft_print import print_draft

        print_draft(window, editor, documents.session.name)

    def show_ignored_dialog() -> None:
        from app.review.ignored_dialog import show_ignored

        show_ignored(window, editor, parts.ignore, parts.spelling)

    return {
        "new": documents.new,
        "new_window": new_window,
        "open": documents.open_dialog,
        "open_article": parts.wikipedia.open,
        "copy_whole": parts.wikipedia.copy_whole,
        "save": documents.save,
        "save_as": documents.save_as,
        "track_changes": lambda: documents.track_changes(ui.actions["track_changes"].isChecked()),
        "reviewed_copy": parts.reviewed_copy.save,
        "recover": lambda: parts.recovery.search(requested=True),
        "print": print_here,
        "keep_version": parts.history.ask_keep,
        "versions": lambda: ui.show_panel(ui.versions_dock),
        "words": lambda: ui.show_panel(ui.words_dock),
        "forget_draft": parts.history.forget,
        "forget_recent": documents.forget_recent,
        "quit": window.close,
        "undo": editor.undo,
        "redo": editor.redo,
        "cut": editor.cut,
        "copy": editor.copy,
        "paste": editor.paste,
        "paste_plain": editor.paste,
        "paste_formatted": parts.formatted_paste.paste,
        "select_all": editor.selectAll,
        "find": ui.find_bar.open,
        "replace": ui.find_bar.open_replace,
        "find_next": ui.find_bar.find_next,
        "find_previous": ui.find_bar.find_previous,
        "go_to_line": lambda: _go_to_line(window, editor),
        "next": lambda: active_review().next(),
        "previous": lambda: active_review().previous(),
        "review_all": parts.guided_review.start,
        "by_sentence": lambda: settings.set("by_sentence", ui.actions["by_sentence"].isChecked()),
        "use_1": lambda: parts.rewrite.apply_at_caret(1),
        "use_2": lambda: parts.rewrite.apply_at_caret(2),
        "use_3": lambda: parts.rewrite.apply_at_caret(3),
        "reword": parts.rewrite.toggle_whole_sentence_at_caret,
        "ignore": lambda: parts.ignore.ignore_at_caret("once"),
        "ignore_words": lambda: parts.ignore.ignore_at_caret("words"),
        "allow": lambda: parts.ignore.ignore_at_caret("always"),
        "flag_words": parts.house_style.flag_words,
        "draft_packs": parts.draft_packs.show_dialog,
        "ignored": show_ignored_dialog,
        "compare": parts.comparison.open,
        "revisions": parts.revisions.show_dialog,
        "dashboard": parts.dashboard.open,
        "audit": parts.audits.open,
        "export_html": parts.exporter.export_html,
        "export_pdf": parts.exporter.export_pdf,
        "export_chart": parts.exporter.export_chart,
        "analyse": parts.reanalyse,
        "stop": parts.analysis.stop,
        "quotes": lambda: settings.set("include_quotes", ui.actions["quotes"].isChecked()),
        "spelling": lambda: settings.set("spelling", ui.actions["spelling"].isChecked()),
        "next_misspelled": parts.spelling.next_word,
        "show_revisions": lambda: settings.set("show_revisions", ui.actions["show_revisions"].isChecked()),
        "zoom_in": lambda: preferences.zoom(editor.zoom + 1),
        "zoom_out": lambda: preferences.zoom(editor.zoom - 1),
        "zoom_reset": lambda: preferences.zoom(0),
        "fold_all": editor.folding.fold_all,
        "fold_references": editor.folding.toggle_references,
        "fold_here": editor.folding.toggle_at_caret,
        "unfold_all": editor.folding.unfold_all,
        "next_area": ui.focus_next_area,
        "sample": lambda: documents.open_copy(SAMPLE),
        "palette": preferences.show_palette,
        "settings": preferences.show_settings,
        "shortcuts": preferences.show_shortcuts,
        "guide": parts.help.guide,
        "tour": parts.help.tour,
        "news": parts.help.news,
        "problems": parts.help.problems,
        "licences": parts.help.licences,
        "about": parts.help.about,
    }


def _go_to_line(window: QMainWindow, editor: TextEditor) -> None:
    """Ask for the number of a line and put the caret at its start."""
    last, here = editor.document().blockCount(), editor.textCursor().blockNumber() + 1
    label = tr("Line, 1 to {last:,}:").format(last=last)
    number, chosen = QInputDialog.getInt(window, tr("Go to line"), label, here, 1, last)
    if chosen:
        editor.go_to(editor.document().findBlockByNumber(number - 1).position())
        editor.setFocus()
