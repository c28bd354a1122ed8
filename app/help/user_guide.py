"""The user guide in a window: the page of the documentation, with its contents and a search."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QKeySequence,
    QPalette,
    QShortcut,
    QTextBlock,
    QTextCursor,
    QTextDocument,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QDialog, QLineEdit, QSplitter, QTextEdit, QTreeWidget, QTreeWidgetItem, QWidget

import resources
from app.widgets.dialogs import button_row, fit_to_screen
from app.widgets.layouts import make_column, make_row
from app.widgets.offline_text import OfflineBrowser
from app.widgets.plain_text import PlainLabel
from core.i18n import ntr, tr

GUIDE = resources.ROOT.parent / "docs" / "usage.md"
"""Next to the packages, in the source and in an installed program."""
PICTURES = GUIDE.parent / "pictures"
"""Its pictures, which `make pictures` draws."""

_OTHER_PAGE = re.compile(r"(?<!!)\[([^\[\]]+)\]\((?!https?:|#)[^()\s]*\)")
_CONTENTS_LEVELS = (2, 3)
_CELL_PADDING = 4
_FOUND = 90


def load_guide(path: Path = GUIDE) -> str:
    """The guide in Markdown; empty if it is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def without_other_pages(markdown: str) -> str:
    """The guide with the words of links to other pages, which are not here, in place of the links."""
    return _OTHER_PAGE.sub(r"\1", markdown)


def heading_anchor(title: str) -> str:
    """The anchor by which links in Markdown name a heading."""
    return re.sub(r"[^\w\- ]", "", title.casefold()).replace(" ", "-")


class UserGuide(QDialog):
    """The guide, its contents on the left, the search above it. ``markdown`` is empty if this copy has no guide."""

    def __init__(self, markdown: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("User guide"))
        self.page = OfflineBrowser(pictures=PICTURES)
        self.page.setAccessibleName(tr("User guide"))
        self.page.setMarkdown(without_other_pages(markdown) or tr("This copy of Evenhand has no user guide."))
        self.page.anchorClicked.connect(self._follow)
        self.contents = QTreeWidget()
        self.contents.setHeaderHidden(True)
        self.contents.setAccessibleName(tr("Contents"))
        self.contents.itemClicked.connect(self._open)
        self.contents.itemActivated.connect(self._open)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("Search the guide"))
        self.field.setAccessibleName(tr("Search the guide"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self._search(again=True))
        self.count = PlainLabel()
        self.count.setAccessibleName(tr("Number of matches"))
        self._anchors: dict[str, int] = {}
        self._fill_contents()
        self._widen_cells()
        self._lay_out()
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self._start_search)
        QShortcut(QKeySequence(QKeySequence.StandardKey.FindNext), self, self._search)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter goes to the next match, Shift+Enter to the previous one."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.field.hasFocus():
            self._search(back=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._mark_matches()

    def _lay_out(self) -> None:
        splitter = QSplitter()
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.contents)
        splitter.addWidget(self.page)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([240, 700])
        self.contents.setMinimumWidth(120)
        top = make_row((self.field, 1), self.count)
        make_column(top, (splitter, 1), button_row(self), parent=self, margins=None)
        fit_to_screen(self, 980, 720)
        self.page.setFocus()

    def minimumSizeHint(self) -> QSize:
        """Small: contents and page scroll."""
        return QSize(320, 240)

    def _blocks(self) -> list[QTextBlock]:
        found = []
        block = self.page.document().begin()
        while block.isValid():
            found.append(block)
            block = block.next()
        return found

    def _fill_contents(self) -> None:
        above: QTreeWidgetItem | None = None
        for block in self._blocks():
            level = block.blockFormat().headingLevel()
            if not level:
                continue
            self._anchors.setdefault(heading_anchor(block.text()), block.position())
            if level not in _CONTENTS_LEVELS:
                continue
            item = QTreeWidgetItem([block.text()])
            item.setData(0, Qt.ItemDataRole.UserRole, block.position())
            if level == _CONTENTS_LEVELS[0] or above is None:
                self.contents.addTopLevelItem(item)
                above = item
            else:
                above.addChild(item)
        self.contents.expandAll()

    def _widen_cells(self) -> None:
        """Give the tables thin lines and room in their cells."""
        for frame in self.page.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                form = QTextTableFormat(frame.format().toTableFormat())
                form.setCellPadding(_CELL_PADDING)
                form.setCellSpacing(0)
                form.setBorder(1)
                form.setBorderCollapse(True)
                form.setBorderBrush(self.palette().color(QPalette.ColorRole.Mid))
                frame.setFormat(form)

    def _open(self, item: QTreeWidgetItem) -> None:
        self._go_to(int(item.data(0, Qt.ItemDataRole.UserRole)))

    def _follow(self, address: QUrl) -> None:
        if not address.scheme() and address.fragment() in self._anchors:
            self._go_to(self._anchors[address.fragment()])

    def _go_to(self, position: int) -> None:
        """Put the place at the top of the page."""
        cursor = QTextCursor(self.page.document())
        cursor.setPosition(position)
        self.page.setTextCursor(cursor)
        bar = self.page.verticalScrollBar()
        bar.setValue(bar.value() + self.page.cursorRect().top())

    def _start_search(self) -> None:
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _search(self, *, back: bool = False, again: bool = False) -> None:
        """Select the next match, going round; ``again``: the words have changed, so stay if this one still matches."""
        words, page = self.field.text(), self.page
        matches = self._mark_matches()
        if not matches:
            return
        here = page.textCursor()
        if again:
            here.setPosition(here.selectionStart())
        way = QTextDocument.FindFlag.FindBackward if back else QTextDocument.FindFlag(0)
        found = page.document().find(words, here, way)
        page.setTextCursor(matches[-1 if back else 0] if found.isNull() else found)
        self.count.setText(ntr("{n} match", "{n} matches", len(matches)).format(n=f"{len(matches):,}"))

    def _mark_matches(self) -> list[QTextCursor]:
        """Mark every match; returns them in order."""
        words, document = self.field.text(), self.page.document()
        matches: list[QTextCursor] = []
        found = document.find(words) if words else QTextCursor()
        while not found.isNull():
            matches.append(found)
            found = document.find(words, found)
        colour = QColor(self.palette().color(QPalette.ColorRole.Accent))
        colour.setAlpha(_FOUND)
        shown = []
        for match in matches:
            one = QTextEdit.ExtraSelection()
            one.cursor = match
            one.format.setBackground(colour)
            shown.append(one)
        self.page.setExtraSelections(shown)
        self.count.setText("" if matches or not words else tr("No matches"))
        return matches
