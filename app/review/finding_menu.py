"""The context menu of the text: spelling, suggestions, tags, ways to ignore, tracked changes, editing commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from PySide6.QtCore import QObject, QPoint
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from app.analysis.suggestion_prefetch import SuggestionPrefetch
from app.analysis.suggestions import PENDING, describe_change, word_changes
from app.annotations.shown_comments import ShownComments
from app.annotations.shown_notes import ShownNotes
from app.documents.revision_menu import RevisionMenu
from app.editor.editor import TextEditor
from app.review.house_style import HouseStyle
from app.review.ignore_commands import IgnoreCommands, IgnoreScope, shorten
from app.review.rewrite_commands import RewriteCommands
from app.review.suggestion_rows import COMMENT, RULE_OFF, add_comment_text, insert_text, scopes_for
from app.review.tag_commands import TagCommands
from app.spelling.spelling_menu import SpellingMenu
from core.types import Finding, Suggestion

_EDITING = ("undo", "redo", "-", "cut", "copy", "paste", "select_all")


class FindingMenu(QObject):
    """Shows the menu where the text is clicked with the right button, or at the caret for the menu key.

    ``actions`` are those of the window, by command.
    """

    def __init__(
        self,
        editor: TextEditor,
        actions: Mapping[str, QAction],
        *,
        prefetch: SuggestionPrefetch,
        rewrite: RewriteCommands,
        tags: TagCommands,
        ignore: IgnoreCommands,
        house_style: HouseStyle,
        spelling: SpellingMenu,
        revisions: RevisionMenu,
        notes: ShownNotes,
        comments: ShownComments,
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._actions = actions
        self._prefetch = prefetch
        self._rewrite = rewrite
        self._tags = tags
        self._ignore = ignore
        self._house_style = house_style
        self._spelling = spelling
        self._revisions, self._notes, self._comments = revisions, notes, comments
        editor.menu_requested.connect(self.show)

    def show(self, place: QPoint, position: int) -> None:
        """Show the menu at ``place`` on the screen, for the text at ``position`` in UTF-16 units."""
        menu = self.build(position)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(place)

    def build(self, position: int) -> QMenu:
        """The menu for a position of the text: with what a misspelled word, a finding or a revision there needs."""
        menu = QMenu(self._editor)
        self._spelling.add_to(menu, position)
        mark = self._editor.marks.at(position)
        if mark is not None:
            self._add_finding(menu, mark.finding)
            menu.addSeparator()
        self._revisions.add_to(menu, position)
        self._comments.add_to(menu, position)
        self._notes.add_to(menu, position)
        for name in _EDITING:
            if name == "-":
                menu.addSeparator()
            else:
                menu.addAction(self._actions[name])
        return menu

    def _add_finding(self, menu: QMenu, finding: Finding) -> None:
        waiting = menu.addAction(PENDING.note)
        waiting.setEnabled(False)
        if not self._fill(menu, waiting, finding):

            def fill(_found: Finding) -> None:
                if not isValid(waiting) or self._fill(menu, waiting, finding):
                    self._prefetch.updated.disconnect(fill)

            self._prefetch.updated.connect(fill)
        menu.addSeparator()
        for name, written in self._tags.tags(finding).items():
            action = menu.addAction(insert_text(written))
            action.triggered.connect(lambda _=False, name=name: self._tags.insert(finding, name))
        if comment := self._tags.comment(finding):
            action = menu.addAction(add_comment_text(comment))
            action.triggered.connect(lambda: self._tags.insert(finding, COMMENT))
        menu.addSeparator()
        scopes = scopes_for(finding)
        for scope in (scope for scope in get_args(IgnoreScope) if scope in scopes):
            action = menu.addAction(scopes[scope][1])
            action.triggered.connect(lambda _=False, scope=scope: self._ignore.ignore_finding(finding, scope))
        if finding.style is not None:
            menu.addAction(RULE_OFF).triggered.connect(lambda: self._house_style.switch_off(finding))

    def _fill(self, menu: QMenu, waiting: QAction, finding: Finding) -> bool:
        """Put the suggestions, or why there are none, in the place of ``waiting``; returns whether that is known."""
        suggestions = self._prefetch.get(finding)
        if suggestions.pending:
            return False
        for number, item in enumerate(suggestions.items, 1):
            action = QAction(_describe(suggestions.sentence, item), menu)
            action.setEnabled(not self._editor.isReadOnly())
            action.triggered.connect(lambda _=False, number=number: self._rewrite.apply(finding, number))
            menu.insertAction(waiting, action)
        waiting.setText(suggestions.note.replace("&", "&&"))
        if suggestions.items or not suggestions.note:
            menu.removeAction(waiting)
        return True


def _describe(sentence: str, item: Suggestion) -> str:
    changes = (describe_change(shorten(old), shorten(new)) for old, new in word_changes(sentence, item.edits))
    return "; ".join(changes).replace("&", "&&")
