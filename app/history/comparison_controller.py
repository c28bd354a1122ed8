"""Compares the document with an earlier version: both are analysed and diffed in the analysis thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.analysis.analysis_worker import AnalysisController, Snapshot
from app.analysis.worker_context import WorkerContext
from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from core.documents.types import Format
from core.i18n import tr
from core.text.diff import DiffCancelled, TextDiff, compare_texts
from core.types import Summary

if TYPE_CHECKING:
    from app.comparison.compare_window import CompareWindow


@dataclass(frozen=True, slots=True)
class ComparedVersion:
    """A version to compare, with its name."""

    name: str
    text: str
    format: Format


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """The comparison of two versions. The summaries are None if no reader works; ``message`` then says why."""

    number: int
    difference: TextDiff | None = None
    before: Summary | None = None
    after: Summary | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class _CompareTask:
    number: int
    before: Snapshot
    after: Snapshot

    def run(self, context: WorkerContext, cancelled: Callable[[], bool]) -> ComparisonResult:
        from core.bundles.manifest import BundleError
        from core.engine.cue_classes import LexiconError
        from core.engine.onnx_session import ReaderError
        from core.engine.reader import Cancelled

        try:
            difference = compare_texts(self.before.text, self.after.text, stopped=cancelled)
        except DiffCancelled as error:
            raise Cancelled from error
        if not difference.changes:
            return ComparisonResult(self.number, difference)
        try:
            before, after = (summary_of(context, text, cancelled) for text in (self.before, self.after))
        except (BundleError, LexiconError, ReaderError) as error:
            return ComparisonResult(self.number, difference, message=str(error))
        return ComparisonResult(self.number, difference, before, after)

    def failed(self, error: Exception, message: str) -> ComparisonResult:
        text = message or tr("The versions could not be compared ({error}). The text itself is safe.").format(
            error=type(error).__name__
        )
        return ComparisonResult(self.number, message=text)


def summary_of(context: WorkerContext, snapshot: Snapshot, cancelled: Callable[[], bool]) -> Summary:
    """Analyse a text in the analysis thread at the reader's own threshold, so that the summaries of two texts can be
    compared. Raises what the reader raises.
    """
    from core.documents import parse

    report = context.reader.analyse(
        snapshot.document(parse),
        path=snapshot.path,
        include_quotes=snapshot.include_quotes,
        threshold=None,
        cancelled=cancelled,
    )
    return report.summary


class ComparisonController(QObject):
    """Holds the window that compares two versions."""

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        analysis: AnalysisController,
        snapshot: Callable[[int], Snapshot],
    ) -> None:
        super().__init__(editor)
        self._editor = editor
        self._documents = documents
        self._analysis = analysis
        self._snapshot = snapshot
        self._window: CompareWindow | None = None
        self._cancel = Event()
        self._number = 0
        self._sides: tuple[ComparedVersion, ComparedVersion | None] | None = None
        analysis.task_done.connect(self._arrived)

    def open(self) -> None:
        """Compare the present text with the text that was opened."""
        self._sides = None
        window = self._get_window()
        window.offer(saved=self._documents.session.text != self._documents.opened_text)
        self._show(window)

    def compare_texts(self, before: ComparedVersion, after: ComparedVersion | None = None) -> None:
        """Compare two versions; without ``after``, with the present text."""
        self._sides = (before, after)
        window = self._get_window()
        window.name(before.name, after.name if after else tr("Now"))
        self._show(window)

    def close(self) -> None:
        """Close the window if it is open."""
        if self._window is not None:
            self._window.reject()

    def _get_window(self) -> CompareWindow:
        from app.comparison.compare_window import CompareWindow

        if self._window is None:
            self._window = CompareWindow(self._editor.window())
            self._window.comparison_requested.connect(self._compare)
            self._window.finished.connect(self._closed)
        return self._window

    def _show(self, window: CompareWindow) -> None:
        window.show()
        window.raise_()
        window.activateWindow()
        self._compare()

    def _compare(self) -> None:
        if self._window is None:
            return
        self._cancel.set()
        self._number += 1
        before, after = self._snapshots(self._window)
        self._window.wait()
        self._cancel = self._analysis.submit(_CompareTask(self._number, before, after))

    def _snapshots(self, window: CompareWindow) -> tuple[Snapshot, Snapshot]:
        now = self._snapshot(-1)
        if self._sides is None:
            saved = window.with_saved
            return replace(
                now, text=self._documents.session.text if saved else self._documents.opened_text
            ), now
        before, after = self._sides
        one, other = (
            now if side is None else replace(now, text=side.text, format=side.format)
            for side in (before, after)
        )
        return one, other

    def _arrived(self, result: object) -> None:
        if (
            isinstance(result, ComparisonResult)
            and result.number == self._number
            and self._window is not None
        ):
            if result.difference is None:
                self._window.show_failure(result.message)
            else:
                self._window.show_difference(
                    result.difference, before=result.before, after=result.after, message=result.message
                )

    def _closed(self) -> None:
        self._cancel.set()
        if self._window is not None:
            self._window.deleteLater()
            self._window = None
