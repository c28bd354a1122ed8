"""What another model would change, told before it is used, and the choice."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.help.dialogs import fit
from app.parts.icons import kind_icon
from app.parts.kinds import look
from app.parts.labels import WrapLabel, percent, scaled, showable
from app.parts.theme import is_dark
from core.findings import Finding
from core.language import ntr, tr
from core.shelf.changes import Change, Changes

_GLYPH, _PAD = 14, 5
_WORDS, _SENTENCE = 40, 300
"""So many characters of them are shown."""


class TrialDialog(QDialog):
    """Says what changes and asks. Accepted: the other model is to be used.

    Without ``changes``, ``message`` says all there is to say.
    """

    def __init__(
        self,
        parent: QWidget,
        *,
        present: str,
        candidate: str,
        changes: Changes | None = None,
        message: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Use another model?"))
        head = WrapLabel()
        head.setFont(scaled(self.font(), 1.15, bold=True))
        head.setText(tr("{candidate} instead of {present}").format(candidate=candidate, present=present))
        self.said = WrapLabel()
        self.said.setText(message or (summary(changes) if changes else ""))
        self.list = _ChangesList(changes)
        self.list.setVisible(changes is not None and not changes.nothing)
        self.use = QPushButton(tr("&Use this model"))
        self.keep = QPushButton(tr("&Keep the present one"))
        buttons = QDialogButtonBox()
        buttons.addButton(self.use, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.RejectRole)
        for button in (self.use, self.keep):
            button.setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addWidget(head)
        column.addWidget(self.said)
        column.addWidget(self.list, 1)
        if self.list.isHidden():
            column.addStretch(1)
        column.addWidget(buttons)
        fit(self, 680, 460 if not self.list.isHidden() else 200)
        (self.keep if self.list.isHidden() else self.list).setFocus()


def summary(changes: Changes) -> str:
    """What changes, in some sentences."""
    counts = ", ".join(
        (
            ntr("{n} finding gained", "{n} findings gained", len(changes.gained)).format(
                n=len(changes.gained)
            ),
            ntr("{n} lost", "{n} lost", len(changes.lost)).format(n=len(changes.lost)),
            ntr("{n} marked otherwise", "{n} marked otherwise", len(changes.altered)).format(
                n=len(changes.altered)
            ),
            ntr("{n} as before", "{n} as before", changes.same).format(n=changes.same),
        )
    )
    bias = tr(
        "Mean bias {before} → {after}; biased sentences {biased_before} → {biased_after} of {sentences}."
    ).format(
        before=percent(changes.bias_before),
        after=percent(changes.bias_after),
        biased_before=changes.biased_before,
        biased_after=changes.biased_after,
        sentences=changes.sentences,
    )
    return tr("In the open draft: {counts}.").format(counts=counts) + f"\n{bias}"


class _ChangesList(QTreeWidget):
    """One row for each finding that comes, goes or is marked otherwise, in the order of the text."""

    def __init__(self, changes: Changes | None) -> None:
        super().__init__()
        self.setAccessibleName(tr("What would change"))
        self.setHeaderLabels([tr("Change"), tr("Words"), tr("Kind"), tr("Sentence")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setIconSize(QSize(_GLYPH, _GLYPH))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        head = self.header()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setStretchLastSection(True)
        if changes is None:
            return
        rows = [*changes.gained, *changes.lost, *changes.altered]
        for change in sorted(rows, key=lambda one: _place(one).start):
            self.addTopLevelItem(self._row(change))
        if rows:
            self.setCurrentItem(self.topLevelItem(0))

    def _row(self, change: Change) -> QTreeWidgetItem:
        before, after, at = change.before, change.after, _place(change)
        told = tr("gained") if before is None else tr("lost") if after is None else tr("marked otherwise")
        sign = "+" if before is None else "−" if after is None else "≠"
        words, kinds = _cut(at.text, _WORDS), look(at.kind, dark=False).label
        if before is not None and after is not None:
            kind_before, kind_after = (look(one.kind, dark=False).label for one in (before, after))
            words = f"{_cut(before.text, _WORDS)} → {_cut(after.text, _WORDS)}"
            kinds = kind_after if kind_before == kind_after else f"{kind_before} → {kind_after}"
        short = _cut(change.sentence, _SENTENCE)
        item = QTreeWidgetItem([f"{sign} {told}", words, kinds, short])
        item.setIcon(2, kind_icon(at.kind, dark=is_dark(self.palette())))
        item.setToolTip(3, short)
        item.setSizeHint(3, QSize(0, self.fontMetrics().height() + 2 * _PAD))
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{told}: {words}, {kinds}. {short}")
        return item


def _place(change: Change) -> Finding:
    found = change.after or change.before
    assert found is not None
    return found


def _cut(text: str, most: int) -> str:
    line = showable(text)
    return line if len(line) <= most else f"{line[:most].rstrip()} …"
