"""The text editor: marked text of about 80 characters a line, zoom, exact copying, plain paste and dropped files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPalette,
    QResizeEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app.editor.marked_text import MarkedText
from app.editor.marks import EditStep, shift_position
from app.editor.note_marks import NoteMark
from app.editor.positions import editor_text, from_raw_text, is_word_character, utf16_length
from app.editor.undo_history import UndoHistory
from app.widgets.labels import to_single_line
from core.documents.plain_text import clean_pasted_text
from core.i18n import tr
from core.text.diff import TextEdit
from core.types import Finding

_OWN = "application/x-evenhand-draft"


def draft_mime_data(text: str) -> QMimeData:
    """Text of a draft for the clipboard. Qt's default would turn no-break spaces into spaces."""
    data = QMimeData()
    data.setText(text)
    data.setData(_OWN, b"1")
    return data


def release_clipboard() -> None:
    """Replace clipboard data that Python owns by plain text: it may outlive the program and crash."""
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData()
    if data is not None and is_own_text(data):
        clipboard.setText(data.text())


def is_own_text(data: QMimeData) -> bool:
    """Whether ``data`` is text of a draft, whose characters count as they are."""
    return data.hasFormat(_OWN)


def text_from_mime(data: QMimeData) -> str:
    """The text to insert for ``data``; empty if there is none.

    Text of a draft is inserted unchanged but without NULs, since no program opens a file that contains one. Of text
    from a word processor or a browser only words and lines are used.
    """
    if is_own_text(data):
        return editor_text(data.text()).replace("\0", "")
    if data.hasText():
        return clean_pasted_text(data.text())
    if data.hasHtml():
        from core.formats.html_layout import page_text

        # Not by Qt, which opens the files that a page names.
        return clean_pasted_text(page_text(data.html()).text)
    return ""


LINE_LENGTH = 80
ZOOM_STEPS = (-4, 20)
_PAGE_MARGIN = 12
_ROOM_ABOVE, _ROOM_BELOW = 40, 160
"""What is kept free around the caret where the editor goes to a place, in pixels."""
_MOST_SHOWN = 600
"""How many UTF-16 units of a hidden text a tooltip shows."""
_DELETING = (Qt.Key.Key_Backspace, Qt.Key.Key_Delete)
_TAB_LENGTH = 7
_TEXT_SCALE = 1.2


class TextEditor(MarkedText):
    """The editor: lines of about 80 characters, zoom, plain paste, dropped files.

    ``finding_hovered``: the finding under the mouse, or None. ``files_dropped``: a list of ``Path``.
    ``menu_requested``: where on the screen a context menu is asked for, and the position in the text, in UTF-16 units.
    ``rejects_edits`` may be replaced by a check that returns True for edits that must not be made.
    """

    finding_hovered = Signal(object)
    files_dropped = Signal(list)
    menu_requested = Signal(QPoint, int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document().setDocumentMargin(_PAGE_MARGIN)
        self.setAccessibleName(tr("Draft"))
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setMouseTracking(True)
        self.setCursorWidth(2)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setAutoFillBackground(True)
        self.history = UndoHistory(self.document())
        self.rejects_edits: Callable[[Sequence[TextEdit]], bool] = lambda _: False
        self._hovered: Finding | None = None
        self._zoom = 0
        self.set_zoom(0)
        self.document().setModified(False)

    @property
    def zoom(self) -> int:
        """The present zoom step; 0 is the default size."""
        return self._zoom

    def set_zoom(self, step: int) -> None:
        """Set the text size, in steps of one point from the default."""
        self._zoom = max(ZOOM_STEPS[0], min(ZOOM_STEPS[1], step))
        font = QFont()
        points = font.pointSizeF() if font.pointSizeF() > 0 else font.pixelSize() * 0.75
        font.setPointSizeF(points * _TEXT_SCALE + self._zoom)
        self.setFont(font)
        self.setTabStopDistance(_TAB_LENGTH * QFontMetricsF(font).averageCharWidth())
        self._apply_line_length()

    def go_to(self, start: int, end: int | None = None) -> None:
        """Put the caret at ``start``, or select up to ``end``; unfold it, and scroll there with room around it."""
        last = max(self.document().characterCount() - 1, 0)
        self.folding.reveal([(min(start, last), min(max(start, end or 0), last))])
        cursor = self.textCursor()
        cursor.setPosition(min(start, last))
        if end is not None:
            cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        view, caret = self.viewport().rect(), self.cursorRect()
        if not view.adjusted(0, _ROOM_ABOVE, 0, -_ROOM_BELOW).contains(caret):
            self.centerCursor()
            caret = self.cursorRect()
            missing = min(_ROOM_BELOW - (view.height() - caret.bottom()), caret.top() - _ROOM_ABOVE)
            if missing > 0:  # In a low window the room is below: a card needs it.
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + missing // caret.height())

    def text_between(self, start: int, end: int) -> str:
        """The text between two positions in UTF-16 units; shorter if the document ends before."""
        last = max(self.document().characterCount() - 1, 0)
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(start, last))
        cursor.setPosition(min(end, last), QTextCursor.MoveMode.KeepAnchor)
        return from_raw_text(cursor.selectedText())

    def hidden_text_at(self, point: QPointF) -> list[str]:
        """The beginning of the text that is hidden inside a line at a point of the viewport, if there is any."""
        part = self.hidden_part_at(point)
        if part is None:
            return []
        words = to_single_line(self.text_between(part.start, min(part.end, part.start + _MOST_SHOWN)))
        return [f"{words}…" if part.end - part.start > _MOST_SHOWN else words]

    def replace(self, edits: Sequence[TextEdit], *, checked: bool = True) -> bool:
        """Apply edits, sorted, disjoint, in UTF-16 units, as one step of the undo history.

        Caret, selection and scroll position stay at their text. Returns False without a change if ``checked`` and
        ``rejects_edits`` returns True.
        """
        if checked and self.rejects_edits(edits):
            return False
        back = self._reversed(edits)

        def insert() -> None:
            cursor = QTextCursor(self.document())
            cursor.beginEditBlock()
            for start, end, new in reversed(edits):
                cursor.setPosition(start)
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                cursor.insertText(new)
            cursor.endEditBlock()

        length = self.document().availableUndoSteps()
        self._keep_place(edits, insert)
        self.history.add_edits(length, edits, back)
        return True

    def undo(self) -> None:
        """Undo the last step. Caret and view stay, unless it was typing: then the caret goes there."""
        step = self.history.last
        if step is not None and step.back is None:
            self.history.undo_action(step)
            return
        if step is not None and step.back is not None:
            self._keep_place(step.back, self.document().undo)
        else:
            super().undo()
        self.history.set_done(step, done=False)

    def redo(self) -> None:
        """Redo the step that was undone last, as ``undo`` does."""
        step = self.history.following
        if step is not None and step.forward is None:
            self.history.redo_action(step)
            return
        if step is not None and step.forward is not None:
            self._keep_place(step.forward, self.document().redo)
        else:
            super().redo()
        self.history.set_done(step, done=True)

    def load(self, text: str) -> None:
        """Load another text, without undo history and marks."""
        super().load(text)
        self.history.clear()

    def forget_history(self) -> None:
        """Nothing that was done so far can be undone any more."""
        self.document().clearUndoRedoStacks()
        self.history.clear()

    def cut(self) -> None:
        """Cut the selection unless that edit is rejected."""
        cursor = self.textCursor()
        if not self.rejects_edits([TextEdit(cursor.selectionStart(), cursor.selectionEnd(), "")]):
            super().cut()

    def createMimeDataFromSelection(self) -> QMimeData:
        """The exact selected text."""
        cursor = self.textCursor()
        return draft_mime_data(self.text_between(cursor.selectionStart(), cursor.selectionEnd()))

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste plain text."""
        self.insert_pasted(text_from_mime(source))

    def insert_pasted(self, text: str) -> None:
        """Put a text in the place of the selection, as one step of the undo history, unless that edit is rejected."""
        cursor = self.textCursor()
        if text and not self.rejects_edits([TextEdit(cursor.selectionStart(), cursor.selectionEnd(), text)]):
            cursor.insertText(text)
            self.ensureCursorVisible()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the line length, and the text in the middle."""
        super().resizeEvent(event)
        self._apply_line_length()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Forget the hovered finding, and keep the line of the caret completely visible."""
        self._set_hovered(None)
        before = self.textCursor().position()
        if not self.isReadOnly() and event.matches(QKeySequence.StandardKey.Undo):
            self.undo()
        elif not self.isReadOnly() and event.matches(QKeySequence.StandardKey.Redo):
            self.redo()
        elif not (event.key() in _DELETING and self._open_before_deleting(event)):
            self.folding.by_arrow = event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            super().keyPressEvent(event)
            self.folding.by_arrow = False
        # Qt ignores the space below a line, and can leave the last one cut off.
        if self.textCursor().position() != before and self.cursorRect().bottom() > self.viewport().height():
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + 1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Fold, unfold or go to a note where that is marked; else a click between two lines counts for the nearer."""
        if not (self._click_fold_mark(event) or self._click_note_sign(event)):
            super().mousePressEvent(self._snapped(event))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As a second click where folds are marked; else a double click counts for the nearer line."""
        if not self._click_fold_mark(event):
            super().mouseDoubleClickEvent(self._snapped(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select, and report the finding under the mouse."""
        super().mouseMoveEvent(self._snapped(event))
        mark = None if event.buttons() else self.mark_at_point(event.position())
        self._set_hovered(mark.finding if mark else None)
        is_on_link = (
            self.hidden_part_at(event.position()) is not None
            or self.fold_mark_at(event.position()) is not None
            or self._note_to_follow(event) is not None
        )
        shape = Qt.CursorShape.PointingHandCursor if is_on_link else Qt.CursorShape.IBeamCursor
        if self.viewport().cursor().shape() != shape:
            self.viewport().setCursor(shape)

    def viewportEvent(self, event: QEvent) -> bool:
        """Forget the hovered finding where the mouse leaves the text over its edge."""
        if event.type() == QEvent.Type.Leave:
            self._set_hovered(None)
        return super().viewportEvent(event)

    def event(self, event: QEvent) -> bool:
        """The empty margins beside the text scroll it and take clicks, as the text does."""
        if event.type() == QEvent.Type.Wheel and isinstance(event, QWheelEvent):
            self.wheelEvent(event)
            return event.isAccepted()
        if isinstance(event, QMouseEvent):
            return self._click_in_margin(event) or super().event(event)
        return super().event(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the words under the mouse, or of those at the caret."""
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            position = self.cursorForPosition(event.pos()).position()
            self.menu_requested.emit(event.globalPos(), position)
        else:
            place = self.viewport().mapToGlobal(self.cursorRect().bottomLeft())
            self.menu_requested.emit(place, self.textCursor().position())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Ctrl and the wheel zoom."""
        self._set_hovered(None)
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.set_zoom(self._zoom + (1 if event.angleDelta().y() > 0 else -1))
            event.accept()
        else:
            super().wheelEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept copies of files and of text, and moving text inside the draft."""
        if local_files(event.mimeData()):
            accept_copy(event)
        else:
            super().dragEnterEvent(event)
            self._copy_from_elsewhere(event)

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Files may be dropped anywhere on the text, but no text into a hidden part."""
        if local_files(event.mimeData()):
            accept_copy(event)
        elif self.hidden_part_at(event.position()) is not None:
            event.ignore()
        else:
            super().dragMoveEvent(event)
            self._copy_from_elsewhere(event)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open dropped files instead of inserting their names."""
        files = local_files(event.mimeData())
        if not files and self.hidden_part_at(event.position()) is not None:
            event.ignore()
        elif not files:
            super().dropEvent(event)
            self._copy_from_elsewhere(event)
        elif accept_copy(event):
            self.files_dropped.emit(files)

    def _copy_from_elsewhere(self, event: QDropEvent) -> None:
        """Let another program keep the text that is dragged from it; Qt accepts what it proposes, moving too."""
        if event.isAccepted() and event.source() not in (self, self.viewport()):
            accept_copy(event)

    def _reversed(self, edits: Sequence[TextEdit]) -> list[TextEdit]:
        """The edits that undo these, which are still to be made."""
        back: list[TextEdit] = []
        shift = 0
        for start, end, new in edits:
            length = utf16_length(new)
            back.append(TextEdit(start + shift, start + shift + length, self.text_between(start, end)))
            shift += length - (end - start)
        return back

    def _keep_place(self, edits: Sequence[TextEdit], change: Callable[[], object]) -> None:
        """Make these edits by ``change``; caret, selection, scroll position and marks stay at their text."""
        self.folding.reveal((start, end) for start, end, _ in edits)
        place = self.textCursor()
        caret, anchor = (shift_position(at, edits) for at in (place.position(), place.anchor()))
        bars = (self.verticalScrollBar(), self.horizontalScrollBar())
        scrolled = [bar.value() for bar in bars]
        self._steps = [self._edit_step(*edit) for edit in reversed(edits)]
        change()
        self._steps = ()
        place = self.textCursor()
        place.setPosition(anchor)
        place.setPosition(caret, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(place)
        for bar, value in zip(bars, scrolled, strict=True):
            bar.setValue(value)

    def _edit_step(self, start: int, end: int, new: str) -> EditStep:
        document = self.document()
        before = new[-1:] or (document.characterAt(start - 1) if start else "")
        after = new[:1] or document.characterAt(end)
        return EditStep(
            start,
            end - start,
            utf16_length(new),
            word_before=is_word_character(before),
            word_after=is_word_character(after),
        )

    def _snapped(self, event: QMouseEvent) -> QMouseEvent:
        return self._moved(event, self.snap_to_line(event.position()))

    def _click_fold_mark(self, event: QMouseEvent) -> bool:
        if event.button() != Qt.MouseButton.LeftButton:
            return False
        part, block = self.hidden_part_at(event.position()), self.fold_mark_at(event.position())
        if part is not None:
            self.folding.open(part)
        elif block is not None:
            self.folding.toggle(block)
        return part is not None or block is not None

    def _open_before_deleting(self, event: QKeyEvent) -> bool:
        """Show the hidden parts that the key would delete from; returns whether there are any."""
        cursor = QTextCursor(self.textCursor())
        if self.isReadOnly() or cursor.hasSelection():
            return False
        is_word = event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier)
        move = QTextCursor.MoveOperation
        if event.key() == Qt.Key.Key_Backspace:
            way = move.PreviousWord if is_word else move.PreviousCharacter
        else:
            way = move.NextWord if is_word else move.NextCharacter
        cursor.movePosition(way, QTextCursor.MoveMode.KeepAnchor)
        return self.folding.open_between(cursor.selectionStart(), cursor.selectionEnd())

    def _click_note_sign(self, event: QMouseEvent) -> bool:
        note = self._note_to_follow(event) if event.button() == Qt.MouseButton.LeftButton else None
        if note is not None:
            self.go_to(note.start)
        return note is not None

    def _note_to_follow(self, event: QMouseEvent) -> NoteMark | None:
        """The note whose sign is under the mouse while Ctrl is held."""
        held = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        return next(iter(self.notes_at_point(event.position())), None) if held else None

    def _click_in_margin(self, event: QMouseEvent) -> bool:
        if self.viewport().geometry().contains(event.position().toPoint()):
            return False
        moved = self._moved(event, self.viewport().mapFromParent(event.position()))
        if event.type() == QEvent.Type.MouseButtonPress:
            self.mousePressEvent(moved)
        elif event.type() == QEvent.Type.MouseMove:
            self.mouseMoveEvent(moved)
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self.mouseReleaseEvent(moved)
        return True

    def _moved(self, event: QMouseEvent, point: QPointF) -> QMouseEvent:
        return QMouseEvent(
            event.type(),
            point,
            event.scenePosition(),
            event.globalPosition(),
            event.button(),
            event.buttons(),
            event.modifiers(),
            event.pointingDevice(),
        )

    def _set_hovered(self, finding: Finding | None) -> None:
        if finding != self._hovered:
            self._hovered = finding
            self.finding_hovered.emit(finding)

    def _apply_line_length(self) -> None:
        width = QFontMetricsF(self.font()).averageCharWidth() * LINE_LENGTH + 2 * _PAGE_MARGIN
        free = self.width() - self.verticalScrollBar().sizeHint().width() - width
        side = max(0, int(free / 2))
        if self.viewportMargins().left() != side:
            self.setViewportMargins(side, 0, side, 0)
            # Qt lays the text out again only for a resize event, and misses this one inside another.
            super().resizeEvent(QResizeEvent(self.viewport().size(), QSize()))


def accept_copy(event: QDropEvent) -> bool:
    """Accept what is dragged as a copy, so that it stays where it comes from.

    It is ignored, and False returned, where its source allows nothing but moving it.
    """
    possible = event.possibleActions()
    for action in (Qt.DropAction.CopyAction, Qt.DropAction.LinkAction):
        if action in possible:
            event.setDropAction(action)
            event.accept()
            return True
    event.ignore()
    return False


def local_files(data: QMimeData) -> list[Path]:
    """The local files in ``data``."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
