"""What of a docx, odt or html file cannot be edited safely: the pane refuses to, says why, and shows where."""

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
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QToolTip

from app.documents.document_controller import Drafts
from app.editor.editor import TextPane
from app.editor.positions import exact_part
from app.widgets.labels import showable
from core.i18n import tr

if TYPE_CHECKING:
    from app.documents.locked_ranges import LockedText

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


class Locks(QObject):
    """Stands between the person and the pane while a file with locked stretches is open. ``told``: why not."""

    told = Signal(str)

    def __init__(self, pane: TextPane, drafts: Drafts) -> None:
        super().__init__(pane)
        self._pane = pane
        self._drafts = drafts
        self._locked: LockedText | None = None
        self._draw = QTimer(self)
        self._draw.setSingleShot(True)
        self._draw.setInterval(0)
        self._draw.timeout.connect(self._show)
        self._view = (0, 0)
        pane.refuses = self._refuses
        pane.installEventFilter(self)
        pane.viewport().installEventFilter(self)
        pane.document().contentsChange.connect(self._edited)
        pane.view_moved.connect(self._seen)
        drafts.opened.connect(self._place)
        drafts.saved.connect(self._place)

    def refusal(self, start: int, end: int, inserted: str = "") -> str:
        """Why a part of the text (in UTF-16 units) cannot be replaced; empty where it can."""
        return self._locked.refusal(start, end, inserted) if self._locked else ""

    def close(self) -> None:
        """Let go of the document before it goes."""
        self._draw.stop()
        self._locked = None
        self._show()
        for watched in (self._pane, self._pane.viewport()):
            watched.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take away what would touch a locked stretch, before the pane gets it."""
        if self._locked is None:
            return False
        if event.type() == QEvent.Type.ToolTip and watched is self._pane.viewport():
            return isinstance(event, QHelpEvent) and self._explain(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._draw.start()
        if self._pane.isReadOnly():
            return False
        if watched is self._pane and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._key(event)
        if isinstance(event, QInputMethodEvent):
            return self._composed(event)
        if isinstance(event, QDropEvent) and event.type() == QEvent.Type.Drop:
            return self._dropped(event)
        return False

    def _place(self) -> None:
        container = self._drafts.session.container
        if container is None or not self._drafts.session.editable:
            self._locked = None
        else:
            from app.documents.locked_ranges import LockedText

            self._locked = LockedText(
                container, exact_part(self._pane.document(), 0, self._pane.document().characterCount() - 1)
            )
        self._draw.start()

    def _refuses(self, edits: Sequence[tuple[int, int, str]]) -> bool:
        """Whether one of these edits cannot be made; the reason is told."""
        reason = next(filter(None, (self.refusal(*edit) for edit in edits)), "")
        if reason:
            self.told.emit(reason)
        return bool(reason)

    def _key(self, event: QKeyEvent) -> bool:
        cursor = self._pane.textCursor()
        if event.matches(_Key.Cut) or event.key() == Qt.Key.Key_Cut:
            return cursor.hasSelection() and self._refused(cursor)
        if any(event.matches(key) for key in _BREAKS):
            # A soft break would be a character that such a file cannot hold.
            if not self._refused(cursor, "\n"):
                cursor.insertText("\n")
                self._pane.setTextCursor(cursor)
                self._pane.ensureCursorVisible()
            return True
        way = next((way for key, way in _DELETIONS.items() if event.matches(key)), None)
        if way is None and event.key() == Qt.Key.Key_Backspace:
            way = _Move.PreviousCharacter
        if way is not None:
            if not cursor.hasSelection():
                cursor.movePosition(way, QTextCursor.MoveMode.KeepAnchor)
            return cursor.hasSelection() and self._refused(cursor)
        typed = event.text()
        if typed and (typed.isprintable() or typed == "\t") and not _is_command(event):
            return self._refused(cursor, typed)
        return False

    def _composed(self, event: QInputMethodEvent) -> bool:
        cursor = self._pane.textCursor()
        if not cursor.hasSelection() and event.replacementLength():
            start = max(cursor.position() + event.replacementStart(), 0)
            cursor.setPosition(start)
            cursor.setPosition(start + event.replacementLength(), QTextCursor.MoveMode.KeepAnchor)
        if not (event.commitString() or event.preeditString()) or not self._refused(
            cursor, event.commitString()
        ):
            return False
        if event.preeditString():
            QGuiApplication.inputMethod().reset()
        return True

    def _dropped(self, event: QDropEvent) -> bool:
        place = self._pane.cursorForPosition(event.position().toPoint())
        moves = event.source() in (self._pane, self._pane.viewport())
        moves = moves and event.dropAction() == Qt.DropAction.MoveAction
        inserted = event.mimeData().text() if event.mimeData().hasText() else ""
        if self._refused(place, inserted) or (moves and self._refused(self._pane.textCursor())):
            event.setDropAction(Qt.DropAction.IgnoreAction)
            event.accept()
            return True
        return False

    def _refused(self, cursor: QTextCursor, inserted: str = "") -> bool:
        return self._refuses([(cursor.selectionStart(), cursor.selectionEnd(), inserted)])

    def _edited(self, position: int, _removed: int, added: int) -> None:
        """A net below all the checks: an edit that came another way is taken back."""
        if self._locked is None:
            return
        self._draw.start()
        length = self._pane.document().characterCount() - 1
        part = partial(exact_part, self._pane.document())
        if not self._locked.follow(position, position + added, length=length, part=part):
            self._locked = None
            QTimer.singleShot(0, self._take_back)

    def _take_back(self) -> None:
        if self._pane.document().isUndoAvailable():
            self._pane.undo()
            self.told.emit(
                tr("This touched a part of the file that cannot be edited here, and was taken back.")
            )
        self._place()

    def _explain(self, event: QHelpEvent) -> bool:
        place = self._pane.cursorForPosition(event.pos()).position()
        near = self._locked.between(place, place + 1) if self._locked else []
        reason = next((lock.reason for lock in near if lock.text.strip()), "")
        if reason:
            QToolTip.showText(event.globalPos(), showable(reason), self._pane)
        return bool(reason)

    def _seen(self, start: int, end: int) -> None:
        self._view = (start, end)
        if self._locked is not None:
            self._draw.start()

    def _show(self) -> None:
        """Give the locked words in view a ground and a quieter ink."""
        shown = []
        palette = self._pane.palette()
        ground = palette.color(QPalette.ColorRole.PlaceholderText)
        ground.setAlpha(_GROUND)
        for lock in self._locked.between(*self._view) if self._locked else ():
            if lock.text.strip() and lock.start < lock.end:
                one = QTextEdit.ExtraSelection()
                one.cursor = QTextCursor(self._pane.document())
                one.cursor.setPosition(lock.start)
                one.cursor.setPosition(lock.end, QTextCursor.MoveMode.KeepAnchor)
                one.format.setBackground(ground)
                one.format.setForeground(palette.color(QPalette.ColorRole.PlaceholderText))
                shown.append(one)
        if shown or self._pane.extraSelections():
            QPlainTextEdit.setExtraSelections(self._pane, shown)


def _is_command(event: QKeyEvent) -> bool:
    """Whether a key with Ctrl (and without Alt: AltGr is both) is a command and types nothing."""
    keys = event.modifiers()
    return bool(keys & Qt.KeyboardModifier.ControlModifier) and not keys & Qt.KeyboardModifier.AltModifier
