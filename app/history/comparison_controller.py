"""Compare the draft with what it was: both are read and set against each other in the reading thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.analysis.analysis_worker import Analyst, Snapshot
from app.analysis.worker_context import Desk
from app.documents.document_controller import Drafts
from app.editor.editor import TextPane
from core.bundles.reader import threshold_of
from core.documents.types import Format
from core.i18n import tr
from core.text.diff import Difference, Stopped, compare
from core.types import Summary

if TYPE_CHECKING:
    from app.comparison.compare_window import CompareWindow


@dataclass(frozen=True, slots=True)
class Side:
    """A version of a draft to compare, and what to call it."""

    name: str
    text: str
    format: Format


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions of a draft. The summaries are None where no reader is there; ``message`` then says why."""

    number: int
    difference: Difference | None = None
    before: Summary | None = None
    after: Summary | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class _Compare:
    number: int
    before: Snapshot
    after: Snapshot

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Comparison:
        from core.bundles.reader import BundleError
        from core.engine.cue_classes import LexiconError
        from core.engine.onnx_session import ReaderError
        from core.engine.reader import Cancelled

        try:
            difference = compare(self.before.text, self.after.text, stopped=cancelled)
        except Stopped as error:
            raise Cancelled from error
        if not difference.changes:
            return Comparison(self.number, difference)
        try:
            before, after = (summary_of(desk, text, cancelled) for text in (self.before, self.after))
        except (BundleError, LexiconError, ReaderError) as error:
            return Comparison(self.number, difference, message=str(error))
        return Comparison(self.number, difference, before, after)

    def failed(self, error: Exception, message: str) -> Comparison:
        said = message or tr("The versions could not be compared ({error}). The text itself is safe.").format(
            error=type(error).__name__
        )
        return Comparison(self.number, message=said)


def summary_of(desk: Desk, snapshot: Snapshot, cancelled: Callable[[], bool]) -> Summary:
    """How a text reads; in the reading thread. Raises what the reader raises."""
    from core.documents import parse

    reader = desk.reader
    report = reader.analyse(
        snapshot.document(parse),
        path=snapshot.path,
        include_quotes=snapshot.include_quotes,
        threshold=threshold_of(reader.sensitivity, snapshot.sensitivity),
        cancelled=cancelled,
    )
    return report.summary


class Comparing(QObject):
    """One window with both versions; asked for again it shows the present text."""

    def __init__(
        self,
        pane: TextPane,
        drafts: Drafts,
        analyst: Analyst,
        snapshot: Callable[[int], Snapshot],
    ) -> None:
        super().__init__(pane)
        self._pane = pane
        self._drafts = drafts
        self._analyst = analyst
        self._snapshot = snapshot
        self._window: CompareWindow | None = None
        self._cancel = Event()
        self._number = 0
        self._sides: tuple[Side, Side | None] | None = None
        analyst.done.connect(self._arrived)

    def open(self) -> None:
        """Show the window and compare with the draft as it was opened."""
        self._sides = None
        window = self._made()
        window.offer(saved=self._drafts.session.text != self._drafts.opened_text)
        self._show(window)

    def compare(self, before: Side, after: Side | None = None) -> None:
        """Show the window with two versions; without ``after``, with the text as it is now."""
        self._sides = (before, after)
        window = self._made()
        window.name(before.name, after.name if after else tr("Now"))
        self._show(window)

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.reject()

    def _made(self) -> CompareWindow:
        from app.comparison.compare_window import CompareWindow

        if self._window is None:
            self._window = CompareWindow(self._pane.window())
            self._window.wanted.connect(self._compare)
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
        self._cancel = self._analyst.give(_Compare(self._number, before, after))

    def _snapshots(self, window: CompareWindow) -> tuple[Snapshot, Snapshot]:
        now = self._snapshot(-1)
        if self._sides is None:
            saved = window.with_saved
            return replace(now, text=self._drafts.session.text if saved else self._drafts.opened_text), now
        before, after = self._sides
        one, other = (
            now if side is None else replace(now, text=side.text, format=side.format)
            for side in (before, after)
        )
        return one, other

    def _arrived(self, result: object) -> None:
        if isinstance(result, Comparison) and result.number == self._number and self._window is not None:
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
