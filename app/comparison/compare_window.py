"""The window that compares two versions of a document, and the edit summary for Wikipedia."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QWidget,
)

from app.comparison.diff_view import MAX_ROWS, DiffView
from app.widgets.dialogs import close_box
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel
from core.i18n import ntr, tr
from core.text.diff import Replacement, TextDiff
from core.types import Summary

MAX_SUMMARY_LENGTH = 500
"""Code points that MediaWiki stores of an edit summary."""
_MAX_WORDS = 8
_MAX_CHARACTERS = 80
_SIZE = (1100, 720)
NOTHING = tr("Nothing has changed: both versions are the same.")
COMPARING = tr("Comparing …")


def edit_summary(changes: Sequence[Replacement], *, more_neutral: bool) -> str:
    """One line of at most ``MAX_SUMMARY_LENGTH`` code points: as many changes as fit, and the number of all.

    It claims neutral wording only if the draft is ``more_neutral`` than before.
    """
    counted = Counter(_describe(change) for change in changes)
    fragments = [f"{words} ({times}×)" if times > 1 else words for words, times in counted.items()]
    number = len(changes)
    head = "Neutral wording (NPOV): " if more_neutral else "Wording: "
    end = f"{number:,} change" if number == 1 else f"{number:,} changes"
    kept: list[str] = []
    for words in fragments:
        left = len(fragments) - len(kept) - 1
        line = _join(head, [*kept, words], end, left)
        if len(line) > MAX_SUMMARY_LENGTH:
            break
        kept.append(words)
    return _join(head, kept, end, len(fragments) - len(kept))


def _join(head: str, fragments: Sequence[str], end: str, left: int) -> str:
    return head + "; ".join([*fragments, *(["and more"] if left else []), end])


def _describe(change: Replacement) -> str:
    if not change.old and not change.new:
        return "spacing"
    if all(_is_short(side) for side in (change.old, change.new)):
        return _describe_words(change.old, change.new)
    old, new = len(change.old.split()), len(change.new.split())
    if not change.old:
        return f"{_count_words(new)} added"
    return f"{_count_words(old)} rewritten" if change.new else f"{_count_words(old)} removed"


def _describe_words(old: str, new: str) -> str:
    # In English in every language of the window: the line goes into the history of an English article.
    if not new:
        return f"“{old}” removed"
    return f"“{old}” → “{new}”" if old else f"“{new}” added"


def _is_short(words: str) -> bool:
    return len(words) <= _MAX_CHARACTERS and len(words.split()) <= _MAX_WORDS


def _count_words(words: int) -> str:
    return f"{words:,} word" if words == 1 else f"{words:,} words"


def summarize(summary: Summary) -> str:
    """The analysis of a version in one line."""
    all_findings = sum(summary.kinds.values())
    return " · ".join(
        (
            ntr("{n} of {all} sentence biased", "{n} of {all} sentences biased", summary.sentences).format(
                n=f"{summary.biased_sentences:,}", all=f"{summary.sentences:,}"
            ),
            tr("mean bias {bias:.2f}").format(bias=summary.bias),
            ntr("{count} finding", "{count} findings", all_findings).format(count=f"{all_findings:,}"),
        )
    )


def is_more_neutral(before: Summary | None, after: Summary | None) -> bool:
    """Whether the mean bias fell and neither biased sentences nor findings increased."""
    if before is None or after is None:
        return False
    fewer = after.biased_sentences <= before.biased_sentences
    return after.bias < before.bias and fewer and sum(after.kinds.values()) <= sum(before.kinds.values())


class CompareWindow(QDialog):
    """Not modal. ``comparison_requested``: the person has chosen the version to compare with."""

    comparison_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Compare"))
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._line = ""
        self._version = QComboBox()
        self._version.addItems([tr("As opened"), tr("As last saved")])
        self._version.setAccessibleName(tr("Compare with"))
        self._version.currentIndexChanged.connect(lambda _: self.comparison_requested.emit())
        self._heads = (self._head(tr("As opened")), self._head(tr("Now")))
        self._summaries = (WrapLabel(muted=True), WrapLabel(muted=True))
        self._text = DiffView()
        self._message = WrapLabel(muted=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._summary = WrapLabel()
        self._summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = close_box(self)
        self._copy = self._buttons.addButton(tr("Copy edit summary"), QDialogButtonBox.ButtonRole.ActionRole)
        self._copy.setIcon(QIcon())
        self._copy.clicked.connect(self._copy_line)
        self._lay_out()
        self.resize(*_SIZE)

    @property
    def with_saved(self) -> bool:
        """Whether to compare with the version saved last, not with the one that was opened."""
        return self._version.currentIndex() == 1

    @property
    def summary_line(self) -> str:
        """The edit summary; empty if there is none."""
        return self._line

    @property
    def message(self) -> str:
        """The message below or in place of the versions."""
        return self._message.accessibleName() if not self._message.isHidden() else ""

    def offer(self, *, saved: bool) -> None:
        """Offer the opened and the saved version if they differ."""
        if not saved:
            with QSignalBlocker(self._version):
                self._version.setCurrentIndex(0)
        self._head_with(tr("As opened"), tr("Now"))
        self._version.setVisible(saved)
        self._heads[0].setVisible(not saved)

    def name(self, before: str, after: str) -> None:
        """Set the names of both versions, and offer no other."""
        self._head_with(before, after)
        self._version.hide()
        self._heads[0].show()

    def wait(self) -> None:
        """Show that the comparison is under way; the last one stays visible."""
        self._line = ""
        self._copy.setEnabled(False)
        self._message.show_text(COMPARING)

    def show_failure(self, message: str) -> None:
        """Show why there is no comparison."""
        self._text.show_difference(None)
        self._message.show_text(message)

    def show_difference(
        self, difference: TextDiff, *, before: Summary | None, after: Summary | None, message: str = ""
    ) -> None:
        """Show both versions and their analyses; ``message`` says why these are missing."""
        for label, summary in zip(self._summaries, (before, after), strict=True):
            label.setText(summarize(summary) if summary else "")
        changed = bool(difference.changes)
        better = is_more_neutral(before, after)
        self._line = edit_summary(difference.changes, more_neutral=better) if changed else ""
        self._summary.setText(self._line)
        self._copy.setEnabled(changed)
        left = len(difference.rows) - MAX_ROWS
        text = tr("The first {shown} paragraphs are shown; {left} more are not.")
        cut = text.format(shown=MAX_ROWS, left=f"{left:,}") if left > 0 else ""
        self._message.show_text("\n".join(part for part in (message, cut) if part) if changed else NOTHING)
        self._text.show_difference(difference)

    def _head(self, text: str) -> QLabel:
        label = PlainLabel(text)
        label.setFont(scaled_font(self.font(), 1.0, bold=True))
        return label

    def _head_with(self, before: str, after: str) -> None:
        for head, name in zip(self._heads, (before, after), strict=True):
            head.setText(name)

    def _lay_out(self) -> None:
        heads = make_row(spacing=24, margins=(14, 0, 14, 0))
        for number, (head, reads) in enumerate(zip(self._heads, self._summaries, strict=True)):
            title = make_row(head, None) if number else make_row(self._version, head, None)
            heads.addLayout(make_column(title, reads, spacing=2), 1)
        bottom = Qt.AlignmentFlag.AlignBottom
        foot = make_row((self._summary, 1), (self._buttons, bottom), margins=(14, 0, 14, 0))
        make_column(
            heads, (self._text, 1), self._message, foot, parent=self, spacing=8, margins=(0, 12, 0, 10)
        )

    def _copy_line(self) -> None:
        QGuiApplication.clipboard().setText(self._line)
        self._message.show_text(tr("The edit summary was copied."))
