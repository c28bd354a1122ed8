"""What the reader says, shown everywhere at once: under the words, in the panels, on the strip and on the card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.analysis.analysis_worker import Reading
from app.analysis.suggestion_prefetch import Suggesting
from app.background.incremental_tasks import Turns
from app.editor.bias_strip import BiasStrip
from app.editor.editor import TextPane
from app.editor.marks import Mark, Marks
from app.review.card_controller import CardHost
from app.review.ignored_findings import Ignored, left_out
from core.i18n import tr
from core.types import KINDS, Finding, Kind, SentenceReading

if TYPE_CHECKING:
    from app.charts.document_panel import DocumentPanel
    from app.review.findings_panel import Filter, IssuesPanel

FIRST_AGAIN = tr("Back at the first finding.")
LAST_AGAIN = tr("Back at the last finding.")
_LONG = 400
"""With more sentences than this the panels are filled step by step."""
NONE = tr("There is no finding to go to.")
GONE = tr("That wording was changed since it was read.")


def step(
    marks: Marks, position: int, standing_on: Finding | None, *, forward: bool
) -> tuple[Mark | None, str]:
    """The next mark from ``position`` and a message for a person, empty unless there is something to say.

    The mark ``standing_on`` is left, also with the caret at its very start; after the last comes the first.
    """
    if not len(marks):
        return None, NONE
    here = marks.at(position)
    if forward:
        left = here is not None and here.finding == standing_on
        mark = marks.after(here.start if here is not None and left else position - 1)
        return (mark, "") if mark else (marks[0], FIRST_AGAIN)
    mark = marks.before(here.start if here is not None and here.finding == standing_on else position)
    return (mark, "") if mark else (marks[len(marks) - 1], LAST_AGAIN)


class Review(QObject):
    """Keeps the shown reading, the filter and the present finding the same in every place that shows them.

    ``told``: a passing message. ``shown``: another reading is there. ``kinds_changed``: the kinds that are shown, a
    ``frozenset[Kind]``. ``renamed``: entries of what is ignored that are to be kept anew, as they were and as they are.
    """

    told = Signal(str)
    shown = Signal()
    kinds_changed = Signal(object)
    renamed = Signal(list)

    def __init__(self, pane: TextPane, strip: BiasStrip, cards: CardHost, suggesting: Suggesting) -> None:
        super().__init__(pane)
        self._suggesting = suggesting
        self.ignored = Ignored(pane)
        self._pane = pane
        self._strip = strip
        self._cards = cards
        self._issues: IssuesPanel | None = None
        self._document: DocumentPanel | None = None
        self._reading: Reading | None = None
        self._message = ""
        self._view = (0, 0)
        self._turns = Turns(self)
        self._mapped: Sequence[SentenceReading] = ()
        pane.caret_on.connect(self._caret_on)
        pane.view_moved.connect(self._view_moved)
        strip.position_clicked.connect(self._strip_clicked)

    def set_issues(self, panel: IssuesPanel) -> None:
        """Fill this panel from now on."""
        self._issues = panel
        panel.finding_activated.connect(self.go_to)
        panel.filter_changed.connect(self._filtered)
        self._refresh()

    def set_document(self, panel: DocumentPanel) -> None:
        """Fill this panel from now on."""
        self._document = panel
        self._refresh()

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds that are shown."""
        return self._issues.filter.kinds if self._issues else frozenset(KINDS)

    @kinds.setter
    def kinds(self, wanted: frozenset[Kind]) -> None:
        from app.review.findings_panel import Filter

        if self._issues is not None:
            self._issues.filter = Filter(wanted, self._issues.filter.min_confidence)

    def show(self, reading: Reading) -> None:
        """Show a reading of the present text, without the findings that are passed over."""
        reading, renamed = self.ignored.without(reading)
        self._reading, self._message = reading, ""
        self._cards.on_word = reading.on_word
        if renamed:
            self.renamed.emit(renamed)
        on_card = self._cards.shown
        was = self._pane.marks.find(on_card) if on_card else None
        if reading.report is not None and reading.marks is not None:
            self._pane.set_marks(reading.marks)
        self._refresh()
        self._view_moved(*self._view)
        now = self._pane.marks.at(was.start) if was else None
        same = now is not None and was is not None and (now.start, now.end) == (was.start, was.end)
        self._suggesting.show(reading, first=now.finding if now and same else None)
        if now is not None and same:
            self._cards.show_now(now.finding)
        elif on_card is not None:
            self._cards.hide()
        self.shown.emit()

    def say(self, message: str) -> None:
        """Tell a state in the panels; what was shown stays."""
        self._message = message
        for panel in (self._issues, self._document):
            if panel is not None:
                panel.set_message(message)

    @property
    def reading(self) -> Reading | None:
        """The reading that is shown, without what is passed over."""
        return self._reading

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings of the shown reading, also those that the filter hides."""
        report = self._reading.report if self._reading else None
        return report.findings if report is not None else ()

    @property
    def source(self) -> str:
        """The text that the shown reading is of."""
        return self._reading.snapshot.text if self._reading else ""

    def leave_out(self, gone: set[Finding]) -> None:
        """Show these findings of the present reading no more. Caret and scroll stay."""
        if self._reading is None:
            return
        self._cards.hide()
        for finding in gone:
            self._pane.forget(finding)
        self._reading = left_out(self._reading, gone)
        self._refresh()

    def clear(self, message: str = "") -> None:
        """Nothing is known of the text; ``message`` says why."""
        self._turns.stop()
        self._reading = None
        self._cards.hide()
        self._pane.set_marks(Marks())
        self._mapped = ()
        self._strip.set_sentences([], 0)
        for panel in (self._issues, self._document):
            if panel is not None:
                panel.clear()
        self.say(message)

    def next(self) -> None:
        """Go to the next finding."""
        self._step(forward=True)

    def previous(self) -> None:
        """Go to the finding before."""
        self._step(forward=False)

    def go_to(self, finding: Finding) -> None:
        """Go to a finding of the list."""
        mark = self._pane.marks.find(finding)
        if mark is None:
            self.told.emit(GONE)
        else:
            self.visit(mark)

    @property
    def chosen(self) -> Finding | None:
        """The finding of the present row while the keyboard is in the list of findings; else None."""
        return self._issues.focused if self._issues is not None else None

    def here(self) -> Finding | None:
        """The finding that a person is at: chosen in the list of findings, under the caret, or visited last."""
        chosen = self.chosen
        mark = self._pane.marks.at(self._pane.textCursor().position())
        current = self._pane.current
        if chosen is None and mark is None and current is not None and self._pane.marks.find(current):
            return current
        return chosen or (mark.finding if mark else None)

    def visit(self, mark: Mark) -> None:
        """Put the caret on a mark and show its card."""
        self._pane.setFocus()
        self._pane.go_to(mark.start)
        self._pane.set_current(mark.finding)
        self._cards.show_now(mark.finding)

    def _step(self, *, forward: bool) -> None:
        position = self._pane.textCursor().selectionStart()
        mark, message = step(self._pane.marks, position, self._pane.current, forward=forward)
        if mark is not None:
            self.visit(mark)
        if message:
            self.told.emit(message)

    def _refresh(self) -> None:
        """Bring the panels, and the strip, to the reading: at once, or for a long draft step by step."""
        self._turns.stop()
        report = self._reading.report if self._reading else None
        if report is not None and len(report.sentences) > _LONG:
            self._turns.start(self._steps())
            return
        for _ in self._steps():
            pass

    def _steps(self) -> Iterator[None]:
        report = self._reading.report if self._reading else None
        if report is not None and self._reading is not None:
            if report.sentences is not self._mapped:
                yield from self._strip.steps(report.sentences, report.characters)
                self._mapped = report.sentences
            if self._issues is not None:
                yield from self._issues.steps(report, self._reading.snapshot.text, self._reading.on_word)
                self._issues.set_current(self._pane.current)
                yield
            if self._document is not None:
                yield from self._document.steps(report)
        if self._message:
            self.say(self._message)

    def _filtered(self, wanted: Filter) -> None:
        self._cards.hide()
        self._pane.set_wanted(wanted.admits)
        self.kinds_changed.emit(wanted.kinds)

    def _caret_on(self, finding: Finding | None) -> None:
        self._pane.set_current(finding)
        if self._issues is not None:
            self._issues.set_current(finding)

    def _view_moved(self, start: int, end: int) -> None:
        self._view = (start, end)
        if self._reading is not None and self._reading.positions is not None:
            positions = self._reading.positions
            self._strip.set_view(positions.to_code_point(start), positions.to_code_point(end))

    def _strip_clicked(self, point: int) -> None:
        if self._reading is not None and self._reading.positions is not None:
            self._pane.go_to(self._reading.positions.to_utf16(point))
