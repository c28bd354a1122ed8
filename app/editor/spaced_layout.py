"""The layout of the editor's text: room between lines and around paragraphs, and styles set as blocks are laid out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument, QTextLayout
from PySide6.QtWidgets import QPlainTextDocumentLayout

from app.editor.block_styles import BlockStyles

# Space between lines as a share of the line height: with most system fonts, 1.5 times the font size in all.
LEADING = 0.36


class SpacedLayout(QPlainTextDocumentLayout):
    """The layout of ``QPlainTextEdit`` with half of ``LEADING`` above and below every line, and with ``styles``.

    A block gets its formats when it is laid out, so that only what is visible or edited is ever styled.
    ``more_formats`` are set over those of the styles.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.styles = BlockStyles()
        self.more_formats: Callable[[QTextBlock], list[QTextLayout.FormatRange]] = lambda _: []
        self._edit: tuple[int, int, int] | None = None
        self._blocks = document.blockCount()
        self._settling = False

    def set_styles(self, styles: BlockStyles) -> None:
        """Lay out every block anew, once it is visible, in these styles."""
        self.styles = styles
        self.document().markContentsDirty(0, self.document().characterCount())

    def set_visible(self, blocks: Iterable[QTextBlock], *, visible: bool) -> None:
        """Show or hide blocks; hidden ones take no room."""
        for block in blocks:
            block.setVisible(visible)
            block.clearLayout()
            block.setLineCount(int(visible))
        self.documentSizeChanged.emit(self.documentSize())
        self.requestUpdate()

    def begin_edit(
        self, position: int, removed: int, added: int, steps: Sequence[tuple[int, int, int]] = ()
    ) -> None:
        """The text was edited, in ``steps`` if they are known, and is going to be laid out."""
        document = self.document()
        self._edit = (position, removed, added)
        for step in steps or (self._edit,):
            self.styles.moved(*step)
        self.styles.edited(position, removed, added)
        block = document.findBlock(position)
        if self._blocks == document.blockCount() and block == document.findBlock(position + added):
            # Qt lays out a single block without asking for its rectangle first.
            self._set_formats(block)
        self._blocks = document.blockCount()

    def documentChanged(self, position: int, removed: int, added: int) -> None:
        """Lay out what was edited. Formats that were set do not count: Qt would take their blocks for edited ones."""
        if self._settling:
            return
        edit, self._edit = self._edit, None
        super().documentChanged(*(edit or (position, removed, added)))

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """The rectangle of a block; it is styled before it is laid out, and its lines are spread afterwards."""
        if block.isValid() and not block.isVisible():
            return QRectF()
        layout = block.layout()
        if layout is None:
            return super().blockBoundingRect(block)
        if not layout.lineCount():
            self._set_formats(block)
            self._settle(block)
        box = super().blockBoundingRect(block)
        if not layout.lineCount():
            return box
        space = self.styles.space(block)
        half = round(layout.lineAt(0).height() * LEADING / 2)
        if layout.lineAt(0).y() != half + space.above:
            counted = layout.lineCount()
            if space.left:
                _indent(layout, space.left)
            _spread(layout, half + space.above, half)
            if layout.lineCount() != counted:
                block.setLineCount(layout.lineCount())
                self.documentSizeChanged.emit(self.documentSize())
            box = super().blockBoundingRect(block)
        return box.adjusted(0, 0, 0, half + space.below)

    def _set_formats(self, block: QTextBlock) -> None:
        formats = self.styles.formats(block) + self.more_formats(block)
        if formats or block.layout().formats():
            block.layout().setFormats(formats)

    def _settle(self, block: QTextBlock) -> None:
        """Make the document forget that formats were set, which would count as a part of the next edit."""
        self._settling = True
        self.document().markContentsDirty(block.position(), 0)
        self._settling = False


def _indent(layout: QTextLayout, left: int) -> None:
    """Lay out the lines of a block anew with space at their left."""
    first = layout.lineAt(0)
    x, width = first.x(), first.width()
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLeadingIncluded(True)
        line.setLineWidth(max(width - left, 1))
        line.setPosition(QPointF(x + left, 0))
    layout.endLayout()


def _spread(layout: QTextLayout, top: int, half: int) -> None:
    height = float(top)
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        line.setPosition(QPointF(line.x(), height))
        height += line.height() + 2 * half
