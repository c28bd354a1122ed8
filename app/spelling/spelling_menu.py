"""What the context menu of the text offers for a misspelled word."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from shiboken6 import isValid

from app.editor.editor import TextEditor
from app.editor.misspellings import Range
from app.spelling.spelling_controller import SpellingController
from core.i18n import tr

ADD = tr("&Add to dictionary")
IGNORE = tr("I&gnore in this draft")
NO_CORRECTION = tr("No spelling suggestion found")
SEARCHING = tr("Looking for spelling suggestions…")


class SpellingMenu:
    """Corrections, *Add to dictionary* and *Ignore in this draft*."""

    def __init__(self, editor: TextEditor, spelling: SpellingController) -> None:
        self._editor, self._spelling = editor, spelling

    def add_to(self, menu: QMenu, position: int) -> None:
        """Add the entries for the misspelled word at ``position``, in UTF-16 units, if there is one."""
        found = self._spelling.word_at(position)
        if found is None:
            return
        place, word = found
        waiting = menu.addAction(SEARCHING)
        waiting.setEnabled(False)

        def fill(corrections: tuple[str, ...]) -> None:
            if isValid(menu) and isValid(waiting):
                self._fill(menu, waiting, place, word=word, corrections=corrections)

        corrections = self._spelling.corrections(word, fill)
        if corrections is not None:
            fill(corrections)
        menu.addSeparator()
        menu.addAction(ADD).triggered.connect(lambda: self._spelling.add_to_dictionary(word))
        menu.addAction(IGNORE).triggered.connect(lambda: self._spelling.ignore(word))
        menu.addSeparator()

    def _fill(
        self, menu: QMenu, waiting: QAction, place: Range, *, word: str, corrections: tuple[str, ...]
    ) -> None:
        """Replace ``waiting`` by the corrections."""
        if not corrections:
            waiting.setText(NO_CORRECTION)
            return
        for correction in corrections:
            action = QAction(correction.replace("&", "&&"), menu)
            action.setEnabled(not self._editor.isReadOnly())
            action.triggered.connect(
                lambda _=False, correction=correction: self._spelling.correct(place, word, correction)
            )
            menu.insertAction(waiting, action)
        menu.removeAction(waiting)
