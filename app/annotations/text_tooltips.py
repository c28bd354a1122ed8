"""The tooltip of the text: what the tracked changes, notes and comments under the mouse are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPointF
from PySide6.QtGui import QHelpEvent

from app.editor.editor import TextEditor
from app.widgets.plain_text import show_tooltip


class TextTooltips(QObject):
    """Shows what the ``sources`` say of a point of the viewport; where a finding is, its card is shown instead."""

    def __init__(self, editor: TextEditor, sources: Sequence[Callable[[QPointF], list[str]]]) -> None:
        super().__init__(editor)
        self._editor, self._sources = editor, sources
        editor.viewport().installEventFilter(self)

    def close(self) -> None:
        """Stop watching the editor."""
        self._editor.viewport().removeEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Show the tooltip."""
        if event.type() != QEvent.Type.ToolTip or not isinstance(event, QHelpEvent):
            return False
        point = QPointF(event.pos())
        if self._editor.mark_at_point(point) is not None:
            return False
        lines = [line for source in self._sources for line in source(point)]
        if lines:
            show_tooltip(event.globalPos(), "\n".join(lines), self._editor)
        return bool(lines)
