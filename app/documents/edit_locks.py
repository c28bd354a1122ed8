"""Locked parts of docx, odt and html files: edits of them are rejected with a reason, and they are highlighted."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import (
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPalette,
    QTextCursor,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit

from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.editor.positions import exact_text
from app.widgets.labels import to_single_line
from app.widgets.plain_text import show_tooltip
from core.i18n import tr
from core.text.diff import TextEdit

if TYPE_CHECKING:
    from app.documents.locked_ranges import LockedRanges

_Move = QTextCursor.MoveOperation
_Key = QKeySequence.StandardKey
_DELETIONS = {
    _Key.Delete: _Move.NextCharacter,
    _Key.Backspace: _Move.PreviousCharacter,
    _Key.DeleteStartOfWord: _Move.PreviousWord,
    _Key.DeleteEndOfWord: _Move.NextWord,
    _Key.DeleteEndOfLine: _Move.EndOfBlock,
}
_BREAKS = (_Key.InsertParagraphSeparator, _Key.InsertLineSeparator)
_GROUND = 60


class EditLocks(QObject):
    """Rejects edits of locked ranges in ``editor``. ``status_message``: why an edit was rejected."""

    status_message = Signal(str)

    def __init__(self, editor: TextEditor, documents: DocumentController) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents
        self._ranges: LockedRanges | None = None
        self._draw_timer = QTimer(self, singleShot=True, interval=0)
        self._draw_timer.timeout.connect(self._highlight)
        self._visible_range = (0, 0)
        editor.rejects_edits = self._reject_edits
        editor.installEventFilter(self)
        editor.viewport().installEventFilter(self)
        editor.document().contentsChange.connect(self._edited)
        editor.visible_range_changed.connect(self._visible_range_changed)
        documents.opened.connect(self._load_ranges)
        documents.saved.connect(self._load_ranges)

    def rejection_reason(self, start: int, end: int, inserted: str = "") -> str:
        """Why a range (in UTF-16 units) cannot be replaced; empty if it can."""
        return self._ranges.rejection_reason(start, end, inserted) if self._ranges else ""

    def close(self) -> None:
        """Stop watching the document before it is destroyed."""
        self._draw_timer.stop()
        self._ranges = None
        self._highlight()
        for watched in (self._editor, self._editor.viewport()):
            watched.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Consume events that would edit a locked range, before the editor receives them."""
        if self._ranges is None:
            return False
        if event.type() == QEvent.Type.ToolTip and watched is self._editor.viewport():
            return isinstance(event, QHelpEvent) and self._explain(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw_timer.start()
        if self._editor.isReadOnly():
            return False
        if watched is self._editor and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key_event(event)
        if isinstance(event, QInputMethodEvent):
            return self._input_method_event(event)
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            return self._drop_event(event)
        return False

    def _load_ranges(self) -> None:
        container = self._documents.session.container
        if container is None or not self._documents.session.editable:
            self._ranges = None
        else:
            from app.documents.locked_ranges import LockedRanges

            self._ranges = LockedRanges(
                container,
                exact_text(self._editor.document(), 0, self._editor.document().characterCount() - 1),
            )
        self._draw_timer.start()

    def _reject_edits(self, edits: Sequence[TextEdit]) -> bool:
        """Whether one of these edits must not be made; the reason is emitted."""
        reason = next(filter(None, (self.rejection_reason(*edit) for edit in edits)), "")
        if reason:
            self.status_message.emit(reason)
        return bool(reason)

    def _key_event(self, event: QKeyEvent) -> bool:
        cursor = self._editor.textCursor()
        if event.matches(_Key.Cut) or event.key() == Qt.Key.Key_Cut:
            return cursor.hasSelection() and self._is_rejected(cursor)
        if any(event.matches(key) for key in _BREAKS):
            # A soft break would be a character that such a file cannot contain.
            if not self._is_rejected(cursor, "\n"):
                cursor.insertText("\n")
                self._editor.setTextCursor(cursor)
                self._editor.ensureCursorVisible()
            return True
        way = next((way for key, way in _DELETIONS.items() if event.matches(key)), None)
        if way is None and event.key() == Qt.Key.Key_Backspace:
            way = _Move.PreviousCharacter
        if way is not None:
            if not cursor.hasSelection():
                cursor.movePosition(way, QTextCursor.MoveMode.KeepAnchor)
            return cursor.hasSelection() and self._is_rejected(cursor)
        typed = event.text()
        if typed and (typed.isprintable() or typed == "\t") and not _is_command(event):
            return self._is_rejected(cursor, typed)
        return False

    def _input_method_event(self, event: QInputMethodEvent) -> bool:
        cursor = self._editor.textCursor()
        if not cursor.hasSelection() and event.replacementLength():
            start = max(cursor.position() + event.replacementStart(), 0)
            cursor.setPosition(start)
            cursor.setPosition(start + event.replacementLength(), QTextCursor.MoveMode.KeepAnchor)
        if not (event.commitString() or event.preeditString()) or not self._is_rejected(
            cursor, event.commitString()
        ):
            return False
        if event.preeditString():
            QGuiApplication.inputMethod().reset()
        return True

    def _drop_event(self, event: QDropEvent) -> bool:
        place = self._editor.cursorForPosition(event.position().toPoint())
        moves = event.source() in (self._editor, self._editor.viewport())
        moves = moves and event.dropAction() == Qt.DropAction.MoveAction
        inserted = event.mimeData().text() if event.mimeData().hasText() else ""
        if self._is_rejected(place, inserted) or (moves and self._is_rejected(self._editor.textCursor())):
            event.setDropAction(Qt.DropAction.IgnoreAction)
            event.accept()
            return True
        return False

    def _is_rejected(self, cursor: QTextCursor, inserted: str = "") -> bool:
        return self._reject_edits([TextEdit(cursor.selectionStart(), cursor.selectionEnd(), inserted)])

    def _edited(self, position: int, _removed: int, added: int) -> None:
        """Undo an edit of a locked range that passed all other checks."""
        if self._ranges is None:
            return
        self._draw_timer.start()
        length = self._editor.document().characterCount() - 1
        text_between = partial(exact_text, self._editor.document())
        if not self._ranges.apply_edit(position, position + added, length=length, text_between=text_between):
            self._ranges = None
            QTimer.singleShot(0, self._undo_edit)

    def _undo_edit(self) -> None:
        if self._editor.document().isUndoAvailable():
            self._editor.undo()
            self.status_message.emit(
                tr("This edit touched a part of the file that cannot be edited here, so it was undone.")
            )
        self._load_ranges()

    def _explain(self, event: QHelpEvent) -> bool:
        place = self._editor.cursorForPosition(event.pos()).position()
        near = self._ranges.between(place, place + 1) if self._ranges else []
        reason = next((lock.reason for lock in near if lock.text.strip()), "")
        if reason:
            show_tooltip(event.globalPos(), to_single_line(reason), self._editor)
        return bool(reason)

    def _visible_range_changed(self, start: int, end: int) -> None:
        self._visible_range = (start, end)
        if self._ranges is not None:
            self._draw_timer.start()

    def _highlight(self) -> None:
        """Draw the visible locked words in muted colours."""
        shown = []
        palette = self._editor.palette()
        ground = palette.color(QPalette.ColorRole.PlaceholderText)
        ground.setAlpha(_GROUND)
        for lock in self._ranges.between(*self._visible_range) if self._ranges else ():
            if lock.text.strip() and lock.start < lock.end:
                one = QTextEdit.ExtraSelection()
                one.cursor = QTextCursor(self._editor.document())
                one.cursor.setPosition(lock.start)
                one.cursor.setPosition(lock.end, QTextCursor.MoveMode.KeepAnchor)
                one.format.setBackground(ground)
                one.format.setForeground(palette.color(QPalette.ColorRole.PlaceholderText))
                shown.append(one)
        if shown or self._editor.extraSelections():
            QPlainTextEdit.setExtraSelections(self._editor, shown)


def _is_command(event: QKeyEvent) -> bool:
    """Whether a key is a command: with Ctrl, and without Alt, since AltGr is both."""
    keys = event.modifiers()
    return bool(keys & Qt.KeyboardModifier.ControlModifier) and not keys & Qt.KeyboardModifier.AltModifier
