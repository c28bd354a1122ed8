"""The dialog that offers unsaved drafts, each with its difference from the file. Closing it discards nothing."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QListWidget,
    QMessageBox,
    QPushButton,
    QWidget,
)

from app.comparison.diff_view import BackgroundDiff, DiffView
from app.documents.draft_comments import count_added
from app.documents.session import FileState, UnsavedDraft
from app.widgets.labels import WrapLabel, scaled_font, to_single_line
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.documents import parse
from core.documents.prose_view import count_words
from core.i18n import ntr, tr
from core.storage.files import FileError, write_text
from core.text.diff import TextDiff

_SIZE = (900, 640)
_ROWS = 4
_Button = QMessageBox.StandardButton


def describe_unsaved(unsaved: UnsavedDraft) -> str:
    """A draft in one line: name, time and length."""
    count = count_words(parse(unsaved.orphan.text, unsaved.orphan.place.format))
    words = ntr("{n} word", "{n} words", count).format(n=f"{count:,}")
    when = unsaved.orphan.when.strftime("%Y-%m-%d %H:%M")
    return " · ".join((to_single_line(unsaved.orphan.place.name), when, words))


def describe_state(unsaved: UnsavedDraft) -> str:
    """The state of its file in a sentence."""
    text = {
        FileState.UNTITLED: tr("This draft has never been saved to a file."),
        FileState.SAME: tr("Its file is unchanged: only these edits are unsaved."),
        FileState.CHANGED: tr("Its file has been changed by another program. Both versions are shown."),
        FileState.GONE: tr("Its file no longer exists or cannot be read. The text itself is complete."),
    }[unsaved.state]
    if unsaved.orphan.damaged:
        text += " " + tr("Its recovery file is damaged: the last edits may be missing.")
    added = count_added(unsaved.orphan.comments)
    undone = len(unsaved.orphan.comments) - added
    if added:
        said = ntr("{n} comment was added to it.", "{n} comments were added to it.", added)
        text += " " + said.format(n=f"{added:,}")
    if undone:
        said = ntr("{n} comment in the file was undone.", "{n} comments in the file were undone.", undone)
        text += " " + said.format(n=f"{undone:,}")
    where = unsaved.orphan.place.path
    return f"{text} ({where})" if where else text


class RecoveryDialog(QDialog):
    """``restore_requested``: an ``UnsavedDraft`` to open. What is not restored or discarded is offered again."""

    restore_requested = Signal(object)

    def __init__(self, parent: QWidget, offered: list[UnsavedDraft]) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Unsaved drafts"))
        self._offered = offered
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Unsaved drafts"))
        self.list.setSpacing(2)
        self.list.addItems([describe_unsaved(unsaved) for unsaved in offered])
        self.list.currentRowChanged.connect(self._chosen)
        self.state = WrapLabel(muted=True)
        self.view = DiffView()
        self._heads = (PlainLabel(tr("In the file")), PlainLabel(tr("Unsaved")))
        self._diff = BackgroundDiff(self)
        self._diff.compared.connect(self._compared)
        self.buttons = {
            "restore": self._button(tr("&Restore"), tr("Open it with the unsaved text")),
            "copy": self._button(tr("Save a &copy…"), tr("Save the unsaved text to a file")),
            "discard": self._button(tr("&Discard…"), tr("Delete the unsaved text permanently")),
        }
        self.buttons["restore"].clicked.connect(lambda: self.restore_requested.emit(self._current()))
        self.buttons["copy"].clicked.connect(self._save_copy)
        self.buttons["discard"].clicked.connect(self._discard)
        self.buttons["restore"].setDefault(True)
        self._lay_out()
        self.finished.connect(self._ended)
        self.resize(*_SIZE)
        self.list.setCurrentRow(0)
        self.list.setFocus()

    @property
    def remaining(self) -> int:
        """The number of drafts that are still offered."""
        return len(self._offered)

    def remove_row(self, unsaved: UnsavedDraft) -> None:
        """Remove a draft from the list."""
        row = self._offered.index(unsaved)
        del self._offered[row]
        self.list.takeItem(row)

    def _current(self) -> UnsavedDraft:
        return self._offered[max(self.list.currentRow(), 0)]

    def _chosen(self, row: int) -> None:
        if 0 <= row < len(self._offered):
            unsaved = self._offered[row]
            self.state.setText(describe_state(unsaved))
            there = unsaved.state in (FileState.SAME, FileState.CHANGED)
            self._heads[0].setText(tr("In the file") if there else tr("Not in any file"))
            self._diff.compare(unsaved.saved, unsaved.orphan.text)

    def _compared(self, difference: TextDiff) -> None:
        self.view.show_difference(difference)

    def _save_copy(self) -> None:
        unsaved = self._current()
        stem = Path(unsaved.orphan.place.name).stem or tr("Untitled")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save a copy of the unsaved text"), f"{stem}.txt")
        if not name:
            return
        try:
            write_text(Path(name), unsaved.orphan.text, encoding="utf-8")
        except FileError as error:
            QMessageBox.warning(self, tr("Not saved"), plain_text(str(error)))
        else:
            said = tr("A copy was saved as {path}. The draft stays in this list.").format(path=name)
            if count_added(unsaved.orphan.comments):
                said += " " + tr("The copy holds the text alone: restore the draft to keep its comments.")
            self.state.setText(said)

    def _discard(self) -> None:
        unsaved = self._current()
        answer = QMessageBox.question(
            self,
            tr("Discard the unsaved text?"),
            plain_text(
                tr(
                    "The unsaved text of “{name}” will be deleted permanently. The file itself "
                    "will not be changed."
                ).format(name=to_single_line(unsaved.orphan.place.name))
            ),
            _Button.Discard | _Button.Cancel,
            _Button.Cancel,
        )
        if answer == _Button.Discard:
            self.remove_row(unsaved)
            unsaved.orphan.discard()
            if not self._offered:
                self.accept()

    def _ended(self) -> None:
        self._diff.stop()
        for unsaved in self._offered:
            unsaved.orphan.release()

    def _button(self, words: str, tip: str) -> QPushButton:
        button = QPushButton(words)
        button.setToolTip(plain_text(tip))
        button.setAccessibleName(words.replace("&", "").removesuffix("…").rstrip())
        button.setAccessibleDescription(tip)
        button.setAutoDefault(False)
        return button

    def _lay_out(self) -> None:
        head = WrapLabel(
            tr(
                "Evenhand closed before these texts were saved. Nothing is lost: texts that you "
                "leave here are offered again at the next start."
            )
        )
        height = (self.list.sizeHintForRow(0) + 4) * min(max(len(self._offered), 2), _ROWS) + 8
        self.list.setFixedHeight(height)
        for label in self._heads:
            label.setFont(scaled_font(self.font(), 1.0, bold=True))
        heads = make_row(*((label, 1) for label in self._heads), spacing=24)
        foot = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close = foot.button(QDialogButtonBox.StandardButton.Close)
        close.setIcon(QIcon())
        close.setText(tr("Decide &later"))
        close.setAutoDefault(False)
        foot.rejected.connect(self.reject)
        foot.addButton(self.buttons["restore"], QDialogButtonBox.ButtonRole.ActionRole)
        foot.addButton(self.buttons["copy"], QDialogButtonBox.ButtonRole.ActionRole)
        foot.addButton(self.buttons["discard"], QDialogButtonBox.ButtonRole.ActionRole)
        make_column(
            head,
            self.list,
            self.state,
            heads,
            (self.view, 1),
            foot,
            parent=self,
            spacing=8,
            margins=(14, 12, 14, 10),
        )
