"""The list of the tracked changes of the open docx or odt: who inserted or deleted what; accept or reject them."""

from __future__ import annotations

from datetime import datetime
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from app.background.reading import BackgroundRead
from app.documents.revision_strings import shown_author, shown_time, shown_words
from app.documents.revisions_controller import RevisionsController
from app.documents.session import read_revisions_of
from app.widgets.dialogs import button_row, fit_to_screen
from app.widgets.form_fields import make_button
from app.widgets.labels import WrapLabel, make_placeholder
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.revisions.types import AnsweredComment, Revision, RevisionKind, Story

_PAD = 5
_NONE = tr("There are no tracked changes in this file.")
_KINDS = {
    RevisionKind.INSERTED: tr("Inserted"),
    RevisionKind.DELETED: tr("Deleted"),
    RevisionKind.MOVED: tr("Moved"),
    RevisionKind.FORMATTED: tr("Formatted"),
}
_STORIES = {
    Story.HEADER: tr("header"),
    Story.FOOTER: tr("footer"),
    Story.FOOTNOTES: tr("footnotes"),
    Story.ENDNOTES: tr("endnotes"),
}


class RevisionsDialog(QDialog):
    """Not modal: the text can be read and edited beside it. A selected row is shown in the text."""

    def __init__(self, revisions: RevisionsController, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Tracked changes"))
        self._revisions = revisions
        self._listed = ""
        self._found: list[Revision] | str = []
        self._answered: list[AnsweredComment] = []
        self._goes_on = False
        self._read = BackgroundRead(self)
        self.notice = WrapLabel()
        self.save_button = make_button(tr("&Save"), revisions.save)
        self.list = _List()
        self.list.currentItemChanged.connect(lambda *_: self._go_there())
        self.list.itemClicked.connect(lambda _: self._go_there())
        self.list.itemSelectionChanged.connect(self._enable)
        self.list.itemActivated.connect(lambda _: self._go_there(take_focus=True))
        self.empty = make_placeholder()
        self.accept_button = make_button(tr("&Accept"), lambda: self._resolve(accepted=True))
        self.reject_button = make_button(tr("&Reject"), lambda: self._resolve(accepted=False))
        self.accept_all_button = make_button(
            tr("Accept a&ll"), lambda: revisions.resolve(None, accepted=True)
        )
        self.reject_all_button = make_button(
            tr("Re&ject all"), lambda: revisions.resolve(None, accepted=False)
        )
        self.undo_button = make_button(
            tr("&Undo"), revisions.undo, tip=tr("Undo what you last accepted or rejected")
        )
        self._pages = QStackedWidget()
        self._pages.addWidget(self.list)
        self._pages.addWidget(self.empty)
        buttons = (self.accept_button, self.reject_button, self.accept_all_button, self.reject_all_button)
        make_column(
            make_row((self.notice, 1), self.save_button),
            (self._pages, 1),
            button_row(self, *buttons, self.undo_button),
            parent=self,
            margins=None,
        )
        revisions.changed.connect(self.refresh)
        fit_to_screen(self, 760, 420)
        self.refresh()

    def refresh(self) -> None:
        """Read the revisions again if the file changed, and update what can be done with them in any case."""
        session = self._revisions.session
        if session.sha256 != self._listed:
            self._read.start(partial(read_revisions_of, session), partial(self._show, session.sha256))
        elif self._answered != self._revisions.answered:
            self._show(self._listed, self._found)
        self.notice.show_text(self._revisions.obstacle)
        self.save_button.setVisible(session.editable and self._revisions.unsaved)
        self._enable()

    def done(self, result: int) -> None:
        """Stop reading when the dialog is closed."""
        self._read.cancel()
        super().done(result)

    def _show(self, sha256: str, found: list[Revision] | str) -> None:
        """List the revisions of the file with this hash. The row stays, and after the one before was resolved it is
        shown in the text.
        """
        if sha256 != self._revisions.session.sha256:
            return
        self._listed, self._found, self._answered = sha256, found, self._revisions.answered
        current = self.list.currentItem()
        row = 0 if current is None else max(self.list.indexOfTopLevelItem(current), 0)
        self.list.blockSignals(True)
        self.list.clear()
        items = [self._item(revision) for revision in found] if isinstance(found, list) else []
        items += [self._answered_item(comment) for comment in self._answered]
        self.list.addTopLevelItems(items)
        if items:
            self.list.setCurrentItem(items[min(row, len(items) - 1)])
        self.list.blockSignals(False)
        self.empty.setText(found if isinstance(found, str) else _NONE)
        self._pages.setCurrentWidget(self.list if items else self.empty)
        self._enable()
        if self._goes_on:
            self._goes_on = False
            self._go_there()

    def _item(self, revision: Revision) -> QTreeWidgetItem:
        words = shown_words(revision.text)
        item = self._row(_KINDS[revision.kind], words, words, revision.author, revision.time, revision)
        font = self.list.font()
        font.setUnderline(revision.kind is RevisionKind.INSERTED)
        font.setStrikeOut(revision.kind is RevisionKind.DELETED)
        item.setFont(_List.WORDS, font)
        return item

    def _answered_item(self, comment: AnsweredComment) -> QTreeWidgetItem:
        """The row of a comment that was answered and whose finding is gone."""
        from core.answers.answers import describe_answers

        said = ([f"“{comment.words}”"] if comment.words else []) + describe_answers(comment)
        last = comment.answers[-1] if comment.answers else None
        author, time = (last.author, last.time) if last else ("", None)
        return self._row(tr("Comment"), shown_words(" · ".join(said)), "\n".join(said), author, time, comment)

    def _row(
        self,
        kind: str,
        words: str,
        tip: str,
        author: str,
        time: datetime | None,
        listed: Revision | AnsweredComment,
    ) -> QTreeWidgetItem:
        name = shown_author(author) or tr("unknown")
        cells = [kind, words, name, shown_time(time), self._where(listed)]
        item = QTreeWidgetItem(cells)
        item.setToolTip(_List.WORDS, plain_text(tip))
        item.setSizeHint(0, QSize(0, self.fontMetrics().height() + 2 * _PAD))
        item.setData(0, Qt.ItemDataRole.UserRole, listed)
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, cells)))
        return item

    def _where(self, revision: Revision | AnsweredComment) -> str:
        if isinstance(revision, Revision) and revision.story in _STORIES:
            return _STORIES[revision.story]
        if revision.place is None:
            return ""
        return tr("line {number:,}").format(number=self._revisions.line(revision))

    def _selected(self) -> list[Revision]:
        """The selected revisions; comments cannot be accepted or rejected."""
        listed = map(_listed, self.list.selectedItems())
        return [revision for revision in listed if isinstance(revision, Revision)]

    def _resolve(self, *, accepted: bool) -> None:
        self._goes_on = True
        self._revisions.resolve(self._selected(), accepted=accepted)

    def _go_there(self, *, take_focus: bool = False) -> None:
        item = self.list.currentItem()
        if item is not None and self._listed == self._revisions.session.sha256:
            self._revisions.go_to(_listed(item), take_focus=take_focus)

    def _enable(self) -> None:
        is_current = self._listed == self._revisions.session.sha256 and not self._revisions.obstacle
        some = is_current and self.list.topLevelItemCount() > len(self._answered)
        for button in (self.accept_button, self.reject_button):
            button.setEnabled(some and bool(self._selected()))
        for button in (self.accept_all_button, self.reject_all_button):
            button.setEnabled(some)
        self.undo_button.setEnabled(self._revisions.can_undo)


def _listed(item: QTreeWidgetItem) -> Revision | AnsweredComment:
    listed = item.data(0, Qt.ItemDataRole.UserRole)
    assert isinstance(listed, Revision | AnsweredComment)
    return listed


class _List(QTreeWidget):
    """Flat rows: what was done, to which words, by whom, when, and where."""

    WORDS = 1

    def __init__(self) -> None:
        super().__init__()
        self.setHeaderLabels([tr("Change"), tr("Words"), tr("Author"), tr("Date"), tr("Where")])
        self.setAccessibleName(tr("Tracked changes"))
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        head = self.header()
        head.setStretchLastSection(False)
        head.setSectionsMovable(False)
        head.setMinimumSectionSize(64)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setSectionResizeMode(self.WORDS, QHeaderView.ResizeMode.Stretch)
