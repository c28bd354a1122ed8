"""The window with two versions of a draft side by side, and the line that tells what was changed."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.compare_diff import Difference, Row, Stretch
from app.diff_text import colour_of
from app.edit_summary import edit_summary
from app.labels import WrapLabel, scaled
from app.status_line import counted
from app.theme import is_dark
from app.wordings import Part
from core.report import Summary

_MOST_ROWS = 800
_SIZE = (1100, 720)
NOTHING = "Nothing has been changed: both versions are the same."
COMPARING = "Comparing …"


def standing(summary: Summary) -> str:
    """How a version reads, in one line."""
    biased = f"{summary.biased_sentences:,} of {counted(summary.sentences, 'sentence', 'sentences')} biased"
    findings = counted(sum(summary.kinds.values()), "finding", "findings")
    return f"{biased} · mean bias {summary.bias:.2f} · {findings}"


def reads_better(before: Summary | None, after: Summary | None) -> bool:
    """Whether the mean bias fell and neither biased sentences nor findings became more."""
    if before is None or after is None:
        return False
    fewer = after.biased_sentences <= before.biased_sentences
    return after.bias < before.bias and fewer and sum(after.kinds.values()) <= sum(before.kinds.values())


class CompareWindow(QDialog):
    """Not modal: writing goes on beside it. ``wanted``: the person asks for a comparison with the other version."""

    wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Compare")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._difference: Difference | None = None
        self._line = ""
        self._version = QComboBox()
        self._version.addItems(["As opened", "As last saved"])
        self._version.setAccessibleName("Compare with")
        self._version.currentIndexChanged.connect(lambda _: self.wanted.emit())
        self._heads = (self._head("As opened"), self._head("Now"))
        self._standings = (WrapLabel(muted=True), WrapLabel(muted=True))
        self._text = QTextBrowser()
        self._text.setAccessibleName("Both versions side by side")
        self._text.setOpenLinks(False)
        self._text.setFont(scaled(self.font(), 1.1))
        self._text.document().setDocumentMargin(8)
        self._text.setFrameShape(QFrame.Shape.NoFrame)
        self._message = WrapLabel(muted=True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._summary = WrapLabel()
        self._summary.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self._buttons.button(QDialogButtonBox.StandardButton.Close).setIcon(QIcon())
        self._buttons.rejected.connect(self.reject)
        self._copy = self._buttons.addButton("Copy edit summary", QDialogButtonBox.ButtonRole.ActionRole)
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
        self._version.setVisible(saved)
        self._heads[0].setVisible(not saved)

    def wait(self) -> None:
        """Say that the comparison is under way; what was shown stays until it is there."""
        self._line = ""
        self._copy.setEnabled(False)
        self._say(COMPARING)

    def show_failure(self, message: str) -> None:
        """Say why there is nothing to see."""
        self._difference = None
        self._text.clear()
        self._say(message)

    def show_difference(
        self, difference: Difference, *, before: Summary | None, after: Summary | None, message: str = ""
    ) -> None:
        """Show both versions and how they read; ``message`` says why that is not known."""
        self._difference = difference
        for label, summary in zip(self._standings, (before, after), strict=True):
            label.setText(standing(summary) if summary else "")
        changed = bool(difference.changes)
        better = reads_better(before, after)
        self._line = edit_summary(difference.changes, more_neutral=better) if changed else ""
        self._summary.setText(self._line)
        self._copy.setEnabled(changed)
        left = len(difference.rows) - _MOST_ROWS
        cut = f"The first {_MOST_ROWS} paragraphs are shown; {left:,} more are not." if left > 0 else ""
        self._say("\n".join(part for part in (message, cut) if part) if changed else NOTHING)
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._difference is not None:
            self._write()

    def _head(self, text: str) -> QLabel:
        label = QLabel(text)
        label.setFont(scaled(self.font(), 1.0, bold=True))
        return label

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

    def _say(self, message: str) -> None:
        self._message.setText(message)
        self._message.setVisible(bool(message))

    def _copy_line(self) -> None:
        QGuiApplication.clipboard().setText(self._line)
        self._say("The edit summary is on the clipboard.")

    def _write(self) -> None:
        if self._difference is None:
            return
        dark = is_dark(self.palette())
        muted = self.palette().color(QPalette.ColorRole.PlaceholderText).name()
        line = self.palette().color(QPalette.ColorRole.Mid).name()
        rows = self._difference.rows[:_MOST_ROWS] if self._difference.changes else ()
        table = "".join(_html(row, muted=muted, line=line, dark=dark) for row in rows)
        self._text.setHtml(
            f'<table width="100%" cellspacing="0" cellpadding="7">{table}</table>' if table else ""
        )


def _html(row: Row, *, muted: str, line: str, dark: bool) -> str:
    if row.skipped:
        told = counted(row.skipped, "paragraph is the same", "paragraphs are the same")
        return f'<tr><td colspan="2" align="center" style="color:{muted}">⋯ {told} ⋯</td></tr>'
    if row.before == row.after and not any(stretch.text.strip() for stretch in row.after):
        return ""
    before = _side(row.before, Part.OUT, dark=dark)
    after = _side(row.after, Part.IN, dark=dark)
    edge = f'<td width="50%" style="border-left:1px solid {line};padding-left:14px">'
    return f'<tr><td width="50%">{before}</td>{edge}{after}</td></tr>'


def _side(stretches: Sequence[Stretch], part: Part, *, dark: bool) -> str:
    ink, ground = (colour.name() for colour in colour_of(part, dark=dark))
    how = "text-decoration:line-through" if part is Part.OUT else "font-weight:bold"
    style = f"color:{ink};background-color:{ground};{how}"
    written = "".join(
        f'<span style="{style}">{_plain(stretch.text)}</span>' if stretch.changed else _plain(stretch.text)
        for stretch in stretches
    )
    return f'<div style="white-space:pre-wrap">{written}</div>'


def _plain(text: str) -> str:
    """Text for HTML; what Qt cannot draw becomes U+FFFD."""
    drawn = "".join("\ufffd" if char == "\0" or "\ud800" <= char <= "\udfff" else char for char in text)
    return escape(drawn)
