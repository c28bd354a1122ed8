"""Compare the draft with what it was: both are read and set against each other in the reading thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.compare_diff import Difference, Stopped, compare
from app.desk import Desk
from app.drafts import Drafts
from app.editor import TextPane
from app.worker import Analyst, Snapshot
from core.report import Summary

if TYPE_CHECKING:
    from app.compare import CompareWindow


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
        from core.bundle import BundleError
        from core.guides import LexiconError
        from core.reader import Cancelled, ReaderError

        try:
            difference = compare(self.before.text, self.after.text, stopped=cancelled)
        except Stopped as error:
            raise Cancelled from error
        if not difference.changes:
            return Comparison(self.number, difference)
        try:
            before, after = (_summary(desk, text, cancelled) for text in (self.before, self.after))
        except (BundleError, LexiconError, ReaderError) as error:
            return Comparison(self.number, difference, message=str(error))
        return Comparison(self.number, difference, before, after)

    def failed(self, error: Exception, message: str) -> Comparison:
        said = (
            message
            or f"The versions could not be compared ({type(error).__name__}). The text itself is safe."
        )
        return Comparison(self.number, message=said)


def _summary(desk: Desk, snapshot: Snapshot, cancelled: Callable[[], bool]) -> Summary:
    from core.documents import parse

    document = parse(snapshot.text, snapshot.format)
    report = desk.reader.analyse(
        document, path=snapshot.path, include_quotes=snapshot.include_quotes, cancelled=cancelled
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
        analyst.done.connect(self._arrived)

    def open(self) -> None:
        """Show the window and compare with the draft as it was opened."""
        from app.compare import CompareWindow

        if self._window is None:
            self._window = CompareWindow(self._pane.window())
            self._window.wanted.connect(self._compare)
            self._window.finished.connect(self._closed)
        self._window.offer(saved=self._drafts.session.text != self._drafts.opened_text)
        self._window.show()
        self._window.raise_()
        self._window.activateWindow()
        self._compare()

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.reject()

    def _compare(self) -> None:
        if self._window is None:
            return
        self._cancel.set()
        self._number += 1
        after = self._snapshot(-1)
        saved = self._window.with_saved
        text = self._drafts.session.text if saved else self._drafts.opened_text
        before = Snapshot(-1, text, after.format, after.path, after.include_quotes)
        self._window.wait()
        self._cancel = self._analyst.give(_Compare(self._number, before, after))

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
