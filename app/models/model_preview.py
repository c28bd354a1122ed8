"""The preview of another model: both models analyse the draft in the background, and a dialog shows the changes."""

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
    QWidget,
)

from app.analysis.analysis_worker import AnalysisController, Snapshot
from app.analysis.worker_context import Reader, WorkerContext
from app.widgets.dialogs import fit_to_screen
from app.widgets.icons import kind_icon
from app.widgets.kinds import kind_style
from app.widgets.labels import WrapLabel, format_percent, scaled_font, to_single_line
from app.widgets.layouts import make_column
from app.widgets.plain_text import plain_text
from app.widgets.theme import is_dark
from core.bundles.reader import threshold_at
from core.i18n import ntr, tr
from core.models.comparison import FindingChange, ReadingChanges
from core.types import Finding

if TYPE_CHECKING:
    from core.documents.types import Document
    from core.types import Report


_POLL_MS = 100


class _SharedProgress:
    """The share done, in [0, 1]: written in the analysis thread, polled in the thread of the window."""

    def __init__(self) -> None:
        self.done = 0.0

    def set(self, done: float) -> None:
        self.done = done


@dataclass(frozen=True, slots=True, eq=False)
class PreviewResult:
    """Reports on a text by both models; ``before`` is missing if the active reader does not work.

    Without ``after``, ``message`` says why and what to do.
    """

    task: PreviewTask
    source: str = ""
    before: Report | None = None
    after: Report | None = None
    message: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PreviewTask:
    """Analyses a snapshot with the reader in ``folder`` and with the active one."""

    snapshot: Snapshot
    folder: Path
    share: _SharedProgress

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> PreviewResult:
        from core.bundles.manifest import BundleError
        from core.engine.engine import Engine
        from core.engine.reader import Cancelled

        candidate = Engine.load(self.folder)
        document = self.snapshot.document(context.parser.parse)
        if cancelled():
            raise Cancelled
        after = self._read(candidate, document, cancelled, half=0)
        try:
            present = context.reader
        except BundleError:
            return PreviewResult(self, document.source, after=after)
        before = self._read(present, document, cancelled, half=1)
        return PreviewResult(self, document.source, before, after)

    def failed(self, error: Exception, message: str) -> PreviewResult:
        template = tr(
            "The draft could not be analysed with this model ({error}). The current model stays in use."
        )
        return PreviewResult(self, message=message or template.format(error=type(error).__name__))

    def _read(
        self, reader: Reader, document: Document, cancelled: Callable[[], bool], *, half: int
    ) -> Report:
        return reader.analyse(
            document,
            path=self.snapshot.path,
            include_quotes=self.snapshot.include_quotes,
            threshold=threshold_at(reader.sensitivity, self.snapshot.sensitivity),
            cancelled=cancelled,
            on_progress=lambda share: self.share.set((half + share) / 2),
        )


class ModelPreview(QObject):
    """One preview in the analysis thread. It deletes itself when it is over.

    ``progressed`` carries the share done, in [0, 1]; ``finished`` the ``PreviewResult``, unless it was cancelled.
    """

    progressed = Signal(float)
    finished = Signal(object)

    def __init__(self, analysis: AnalysisController) -> None:
        super().__init__(analysis)
        self._analysis = analysis
        self._task: PreviewTask | None = None
        self._cancel = Event()
        self._poll = QTimer(self, interval=_POLL_MS)
        self._poll.timeout.connect(self._emit_progress)
        analysis.task_done.connect(self._task_done)

    def start(self, snapshot: Snapshot, folder: Path) -> None:
        """Analyse ``snapshot`` with the model in ``folder``."""
        self._task = PreviewTask(snapshot, folder, _SharedProgress())
        self._cancel = self._analysis.submit(self._task)
        self._poll.start()

    def cancel(self) -> None:
        """Cancel the preview."""
        self._cancel.set()
        self._end()

    def _emit_progress(self) -> None:
        if self._task is not None:
            self.progressed.emit(self._task.share.done)

    @Slot(object)
    def _task_done(self, result: object) -> None:
        if isinstance(result, PreviewResult) and result.task is self._task and not self._cancel.is_set():
            self._end()
            self.finished.emit(result)

    def _end(self) -> None:
        self._poll.stop()
        self._task = None
        self.deleteLater()


_GLYPH, _PAD = 14, 5
_MAX_WORDS, _MAX_SENTENCE = 40, 300
"""Characters that are shown."""


class PreviewDialog(QDialog):
    """Shows what would change. Accepted: use the other model.

    Without ``changes``, ``message`` says why there is nothing to compare.
    """

    def __init__(
        self,
        parent: QWidget,
        *,
        present: str,
        candidate: str,
        changes: ReadingChanges | None = None,
        message: str = "",
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Use another model?"))
        title = WrapLabel()
        title.setFont(scaled_font(self.font(), 1.15, bold=True))
        title.setText(tr("{candidate} instead of {present}").format(candidate=candidate, present=present))
        self.message_label = WrapLabel(message or (summary(changes) if changes else ""))
        self.list = _ChangesList(changes)
        self.list.setVisible(changes is not None and not changes.is_empty)
        self.use = QPushButton(tr("&Use this model"))
        self.keep = QPushButton(tr("&Keep the current model"))
        buttons = QDialogButtonBox()
        buttons.addButton(self.use, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(self.keep, QDialogButtonBox.ButtonRole.RejectRole)
        for button in (self.use, self.keep):
            button.setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = make_column(title, self.message_label, (self.list, 1), parent=self, spacing=10, margins=None)
        if self.list.isHidden():
            column.addStretch(1)
        column.addWidget(buttons)
        fit_to_screen(self, 680, 460 if not self.list.isHidden() else 200)
        (self.keep if self.list.isHidden() else self.list).setFocus()


def summary(changes: ReadingChanges) -> str:
    """The changes in a few sentences."""
    counts = ", ".join(
        (
            ntr("{n} finding gained", "{n} findings gained", len(changes.gained)).format(
                n=len(changes.gained)
            ),
            ntr("{n} lost", "{n} lost", len(changes.lost)).format(n=len(changes.lost)),
            ntr("{n} changed", "{n} changed", len(changes.altered)).format(n=len(changes.altered)),
            ntr("{n} unchanged", "{n} unchanged", changes.same).format(n=changes.same),
        )
    )
    bias = tr(
        "Mean bias {before} → {after}; biased sentences {biased_before} → {biased_after} of {sentences}."
    ).format(
        before=format_percent(changes.bias_before),
        after=format_percent(changes.bias_after),
        biased_before=changes.biased_before,
        biased_after=changes.biased_after,
        sentences=changes.sentences,
    )
    return tr("In the open draft: {counts}.").format(counts=counts) + f"\n{bias}"


class _ChangesList(QTreeWidget):
    """A row per finding that is gained, lost or marked otherwise, in the order of the text."""

    def __init__(self, changes: ReadingChanges | None) -> None:
        super().__init__()
        self.setAccessibleName(tr("What would change"))
        self.setHeaderLabels([tr("Change"), tr("Words"), tr("Kind"), tr("Sentence")])
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setIconSize(QSize(_GLYPH, _GLYPH))
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        title = self.header()
        title.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        title.setStretchLastSection(True)
        if changes is None:
            return
        rows = [*changes.gained, *changes.lost, *changes.altered]
        for change in sorted(rows, key=lambda change: _finding_of(change).start):
            self.addTopLevelItem(self._row(change))
        if (first := self.topLevelItem(0)) is not None:
            self.setCurrentItem(first)

    def _row(self, change: FindingChange) -> QTreeWidgetItem:
        before, after, finding = change.before, change.after, _finding_of(change)
        change_text = tr("gained") if before is None else tr("lost") if after is None else tr("changed")
        symbol = "+" if before is None else "−" if after is None else "≠"
        words, kinds = _shorten(finding.shown, _MAX_WORDS), kind_style(finding.kind, dark=False).label
        if before is not None and after is not None:
            kind_before, kind_after = (
                kind_style(change.kind, dark=False).label for change in (before, after)
            )
            words = f"{_shorten(before.text, _MAX_WORDS)} → {_shorten(after.text, _MAX_WORDS)}"
            kinds = kind_after if kind_before == kind_after else f"{kind_before} → {kind_after}"
        sentence = _shorten(change.sentence, _MAX_SENTENCE)
        item = QTreeWidgetItem([f"{symbol} {change_text}", words, kinds, sentence])
        item.setIcon(2, kind_icon(finding.kind, dark=is_dark(self.palette())))
        item.setToolTip(3, plain_text(sentence))
        item.setSizeHint(3, QSize(0, self.fontMetrics().height() + 2 * _PAD))
        item.setData(0, Qt.ItemDataRole.AccessibleTextRole, f"{change_text}: {words}, {kinds}. {sentence}")
        return item


def _finding_of(change: FindingChange) -> Finding:
    found = change.after or change.before
    assert found is not None
    return found


def _shorten(text: str, limit: int) -> str:
    line = to_single_line(text)
    return line if len(line) <= limit else f"{line[:limit].rstrip()} …"
