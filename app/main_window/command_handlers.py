"""What each command of ``app.commands.actions`` does in a window."""

from __future__ import annotations

from collections.abc import Callable

import resources
from app.main_window.components import Rooms

SAMPLE = resources.ROOT / "samples" / "sample.md"


def deeds(window: Rooms) -> dict[str, Callable[[], object]]:
    """The deed of every command, by its name."""
    pane, drafts, find, review = window.pane, window.drafts, window.find_bar, window.review
    return {
        "new": drafts.new,
        "open": drafts.open_dialog,
        "open_article": window.articles.open,
        "copy_whole": window.articles.copy_whole,
        "save": drafts.save,
        "save_as": drafts.save_as,
        "recover": lambda: window.recovery.look(asked=True),
        "keep_version": window.versioning.keep,
        "versions": window.panels.show_versions,
        "words": window.panels.show_words,
        "forget_draft": window.versioning.forget,
        "forget_recent": drafts.forget_recent,
        "quit": window.close,
        "undo": pane.undo,
        "redo": pane.redo,
        "cut": pane.cut,
        "copy": pane.copy,
        "paste": pane.paste,
        "select_all": pane.selectAll,
        "find": find.open,
        "find_next": find.find_next,
        "find_previous": find.find_previous,
        "next": lambda: (window.reviewing if window.reviewing.active else review).next(),
        "previous": lambda: (window.reviewing if window.reviewing.active else review).previous(),
        "review_all": window.reviewing.start,
        "use_1": lambda: window.rewording.apply_here(1),
        "use_2": lambda: window.rewording.apply_here(2),
        "use_3": lambda: window.rewording.apply_here(3),
        "ignore": lambda: window.ignoring.here("once"),
        "ignore_words": lambda: window.ignoring.here("words"),
        "allow": lambda: window.ignoring.here("always"),
        "ignored": lambda: _show_ignored(window),
        "compare": window.comparing.open,
        "dashboard": window.dashboards.open,
        "audit": window.audits.open,
        "export_html": window.exporting.html,
        "export_pdf": window.exporting.pdf,
        "export_chart": window.exporting.chart,
        "analyse": window.analyse,
        "stop": window.analyst.stop,
        "quotes": lambda: window.settings.set("include_quotes", window.commands["quotes"].isChecked()),
        "zoom_in": lambda: window.preferences.zoom(pane.zoom + 1),
        "zoom_out": lambda: window.preferences.zoom(pane.zoom - 1),
        "zoom_reset": lambda: window.preferences.zoom(0),
        "next_area": window.next_area,
        "sample": lambda: drafts.open_copy(SAMPLE),
        "palette": window.preferences.palette,
        "settings": window.preferences.settings,
        "shortcuts": window.preferences.shortcuts,
        "tour": window.helping.tour,
        "news": window.helping.news,
        "problems": window.helping.problems,
        "licences": window.helping.licences,
        "about": window.helping.about,
    }


def _show_ignored(window: Rooms) -> None:
    from app.review.ignored_dialog import show_ignored

    show_ignored(window, window.pane, window.ignoring)
