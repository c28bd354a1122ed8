"""What another model would change in the open document: both read it in the background, and a dialog shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal, Slot
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

from app.analysis.analysis_worker import Analyst, Snapshot
from app.analysis.worker_context import Desk, Reader
from app.widgets.dialogs import fit
from app.widgets.icons import kind_icon
from app.widgets.kinds import look
from app.widgets.labels import WrapLabel, percent, scaled, showable
from app.widgets.theme import is_dark
from core.bundles.reader import threshold_of
from core.i18n import ntr, tr
from core.models.comparison import Changes, FindingChange
from core.types import Finding

if TYPE_CHECKING:
    from core.documents.types import Document
    from core.types import Report


# A candidate reads the open draft beside the present reader: a person sees what would change before it does.


_LOOK_MS = 100


class _Share:
    """How much is done, in [0, 1]: written in the reading thread and looked at from the window's."""

    def __init__(self) -> None:
        self.done = 0.0

    def set(self, done: float) -> None:
        self.done = done


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Both reports on a text, the one before only where the present reader works.

    Without them, ``message`` says why there are none and what to do.
    """

    of: _Try
    source: str = ""
    before: Report | None = None
    after: Report | None = None
    message: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class _Try:
    """Lets the reader in ``folder`` and the present one read a snapshot."""

    snapshot: Snapshot
    folder: Path
    share: _Share

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Outcome:
        from core.bundles.reader import BundleError
        from core.engine.engine import Engine
        from core.engine.reader import Cancelled

        candidate = Engine.load(self.folder)
        document = self.snapshot.document(desk.parser.parse)
        if cancelled():
            raise Cancelled
        after = self._read(candidate, document, cancelled, half=0)
        try:
            present = desk.reader
        except BundleError:
            return Outcome(self, document.source, after=after)
        before = self._read(present, document, cancelled, half=1)
        return Outcome(self, document.source, before, after)

    def failed(self, error: Exception, message: str) -> Outcome:
        said = tr("The draft could not be read with this model ({error}). The present one stays in use.")
        return Outcome(self, message=message or said.format(error=type(error).__name__))

    def _read(
        self, reader: Reader, document: Document, cancelled: Callable[[], bool], *, half: int
    ) -> Report:
        return reader.analyse(
            document,
            path=self.snapshot.path,
            include_quotes=self.snapshot.include_quotes,
            threshold=threshold_of(reader.sensitivity, self.snapshot.sensitivity),
            cancelled=cancelled,
            told=lambda share: self.share.set((half + share) / 2),
        )


class Trial(QObject):
    """One trial, done in the reading thread. It lives as long as the analyst, and is gone when it is over.

    ``came_on``: the share that is done, in [0, 1]; ``finished``: the ``Outcome``. A cancelled one says nothing more.
    """

    came_on = Signal(float)
    finished = Signal(object)

    def __init__(self, analyst: Analyst) -> None:
        super().__init__(analyst)
        self._analyst = analyst
        self._task: _Try | None = None
        self._cancel = Event()
        self._look = QTimer(self)
        self._look.setInterval(_LOOK_MS)
        self._look.timeout.connect(self._tell)
        analyst.done.connect(self._arrived)

    def start(self, snapshot: Snapshot, folder: Path) -> None:
        """Read ``snapshot`` with the model in ``folder``."""
        self._task = _Try(snapshot, folder, _Share())
        self._cancel = self._analyst.give(self._task)
        self._look.start()

    def cancel(self) -> None:
        """Have no more of it."""
        self._cancel.set()
        self._end()

    def _tell(self) -> None:
        if self._task is not None:
            self.came_on.emit(self._task.share.done)

    @Slot(object)
    def _arrived(self, result: object) -> None:
        if isinstance(result, Outcome) and result.of is self._task and not self._cancel.is_set():
            self._end()
            self.finished.emit(result)

    def _end(self) -> None:
        self._look.stop()
        self._task = None
        self.deleteLater()


# What another model would change, told before it is used, and the choice.


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

    def _row(self, change: FindingChange) -> QTreeWidgetItem:
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


def _place(change: FindingChange) -> Finding:
    found = change.after or change.before
    assert found is not None
    return found


def _cut(text: str, most: int) -> str:
    line = showable(text)
    return line if len(line) <= most else f"{line[:most].rstrip()} …"
