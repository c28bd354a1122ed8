"""The window with two versions of a document side by side, and the edit summary that says what was changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app.comparison.diff_view import MOST_ROWS, DiffView
from app.widgets.labels import WrapLabel, scaled_font
from core.i18n import ntr, tr
from core.text.diff import Replacement, TextDiff
from core.types import Summary

# The line that goes with an edit of a Wikipedia article: what was changed, in words, and no better than it is.


LONGEST = 500
"""Code points that MediaWiki keeps of an edit summary."""
_WORDS = 8
_CHARACTERS = 80


def edit_summary(changes: Sequence[Replacement], *, more_neutral: bool) -> str:
    """One line of at most ``LONGEST`` code points: as many changes as fit, and how many there are in all.

    Only where the draft reads ``more_neutral`` than before does it claim to be neutral wording.
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
        if len(line) > LONGEST:
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
    # In English whatever the window speaks: the line goes into an English article's history.
    if not new:
        return f"“{old}” removed"
    return f"“{old}” → “{new}”" if old else f"“{new}” added"


def _is_short(words: str) -> bool:
    return len(words) <= _CHARACTERS and len(words.split()) <= _WORDS


def _count_words(words: int) -> str:
    return f"{words:,} word" if words == 1 else f"{words:,} words"


# The window with two versions of a draft side by side, and the line that tells what was changed.


_SIZE = (1100, 720)
NOTHING = tr("Nothing has been changed: both versions are the same.")
COMPARING = tr("Comparing …")


def summarize(summary: Summary) -> str:
    """How a version reads, in one line."""
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
    """Whether the mean bias fell and neither biased sentences nor findings became more."""
    if before is None or after is None:
        return False
    fewer = after.biased_sentences <= before.biased_sentences
    return after.bias < before.bias and fewer and sum(after.kinds.values()) <= sum(before.kinds.values())


class CompareWindow(QDialog):
    """Not modal: writing goes on beside it. ``comparison_requested``: the person asks for a comparison with the other version."""

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
        self._standings = (WrapLabel(muted=True), WrapLabel(muted=True))
        self._text = DiffView()
        self._message = WrapLabel(muted=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._summary = WrapLabel()
        self._summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        self._buttons.rejected.connect(self.reject)
        self._copy = self._buttons.addButton(tr("Copy edit summary"), QDialogButtonBox.ButtonRole.ActionRole)
        self._copy.setIcon(QIcon())
        self._copy.clicked.connect(self._copy_line)
        self._lay_out()
        self.resize(*_SIZE)

    @property
    def with_saved(self) -> bool:
        """Whether the version to compare with is the one that was saved last, not the one that was opened."""
        return self._version.currentIndex() == 1

    @property
    def summary_line(self) -> str:
        """The edit summary; empty while there is none."""
        return self._line

    @property
    def message(self) -> str:
        """What is said in place of, or below, the versions."""
        return self._message.accessibleName() if not self._message.isHidden() else ""

    def offer(self, *, saved: bool) -> None:
        """Let the person choose between both earlier versions where they differ."""
        if not saved:
            was = self._version.blockSignals(True)
            self._version.setCurrentIndex(0)
            self._version.blockSignals(was)
        self._head_with(tr("As opened"), tr("Now"))
        self._version.setVisible(saved)
        self._heads[0].setVisible(not saved)

    def name(self, before: str, after: str) -> None:
        """Call both versions so; there is no other to choose."""
        self._head_with(before, after)
        self._version.hide()
        self._heads[0].show()

    def wait(self) -> None:
        """Say that the comparison is under way; what was shown stays until it is there."""
        self._line = ""
        self._copy.setEnabled(False)
        self._show_message(COMPARING)

    def show_failure(self, message: str) -> None:
        """Say why there is nothing to see."""
        self._text.show_difference(None)
        self._show_message(message)

    def show_difference(
        self, difference: TextDiff, *, before: Summary | None, after: Summary | None, message: str = ""
    ) -> None:
        """Show both versions and how they read; ``message`` says why that is not known."""
        for label, summary in zip(self._standings, (before, after), strict=True):
            label.setText(summarize(summary) if summary else "")
        changed = bool(difference.changes)
        better = is_more_neutral(before, after)
        self._line = edit_summary(difference.changes, more_neutral=better) if changed else ""
        self._summary.setText(self._line)
        self._copy.setEnabled(changed)
        left = len(difference.rows) - MOST_ROWS
        fragments = tr("The first {shown} paragraphs are shown; {left} more are not.")
        cut = fragments.format(shown=MOST_ROWS, left=f"{left:,}") if left > 0 else ""
        self._show_message("\n".join(part for part in (message, cut) if part) if changed else NOTHING)
        self._text.show_difference(difference)

    def _head(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setFont(scaled_font(self.font(), 1.0, bold=True))
        return label

    def _head_with(self, before: str, after: str) -> None:
        for head, name in zip(self._heads, (before, after), strict=True):
            head.setText(name)

    def _lay_out(self) -> None:
        heads = QHBoxLayout()
        heads.setContentsMargins(14, 0, 14, 0)
        heads.setSpacing(24)
        for number, (head, reads) in enumerate(zip(self._heads, self._standings, strict=True)):
            title = QHBoxLayout()
            if not number:
                title.addWidget(self._version)
            title.addWidget(head)
            title.addStretch(1)
            column = QVBoxLayout()
            column.setSpacing(2)
            column.addLayout(title)
            column.addWidget(reads)
            heads.addLayout(column, 1)
        foot = QHBoxLayout()
        foot.setContentsMargins(14, 0, 14, 0)
        foot.addWidget(self._summary, 1)
        foot.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignBottom)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 12, 0, 10)
        whole.setSpacing(8)
        whole.addLayout(heads)
        whole.addWidget(self._text, 1)
        whole.addWidget(self._message)
        whole.addLayout(foot)

    def _show_message(self, message: str) -> None:
        self._message.setText(message)
        self._message.setVisible(bool(message))

    def _copy_line(self) -> None:
        QGuiApplication.clipboard().setText(self._line)
        self._show_message(tr("The edit summary is on the clipboard."))
