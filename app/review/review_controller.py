"""Shows an analysis everywhere at once: in the editor, the panels, the bias strip and the card."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.analysis.analysis_worker import AnalysisResult
from app.analysis.suggestion_prefetch import SuggestionPrefetch
from app.background.incremental_tasks import IncrementalTask
from app.editor.bias_strip import BiasStrip
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.marks import Mark, Marks
from app.review.card_controller import CardController
from app.review.ignored_findings import IgnoredFindings, without_findings
from core.i18n import tr
from core.types import ALL_KINDS, Finding, Kind, SentenceReading

if TYPE_CHECKING:
    from app.charts.document_panel import DocumentPanel
    from app.review.findings_panel import FindingFilter, FindingsPanel

WRAPPED_TO_FIRST = tr("Back at the first finding.")
WRAPPED_TO_LAST = tr("Back at the last finding.")
_LONG = 400
"""With more sentences than this, the panels are filled step by step."""
NO_FINDINGS = tr("There is no finding to go to.")
FINDING_CHANGED = tr("These words have changed since the analysis.")


def find_step(
    marks: Marks, position: int, visited: Finding | None, *, forward: bool
) -> tuple[Mark | None, str]:
    """The next mark from ``position``, and a message if the search wraps round or there are no findings.

    With ``visited`` at the caret, that mark is left, even if the caret is at its start.
    """
    if not len(marks):
        return None, NO_FINDINGS
    at_caret = marks.at(position)
    if forward:
        left = at_caret is not None and at_caret.finding == visited
        mark = marks.after(at_caret.start if at_caret is not None and left else position - 1)
        return (mark, "") if mark else (marks[0], WRAPPED_TO_FIRST)
    mark = marks.before(at_caret.start if at_caret is not None and at_caret.finding == visited else position)
    return (mark, "") if mark else (marks[len(marks) - 1], WRAPPED_TO_LAST)


class ReviewController(QObject):
    """Keeps the shown analysis, the filter and the current finding the same in all views.

    ``shown``: another analysis is shown. ``kinds_changed``: the kinds that are shown, a ``frozenset[Kind]``.
    ``ignored_updated``: ignored entries with a new fingerprint, as (before, after). ``status_message``: a text for the
    status bar.
    """

    status_message = Signal(str)
    shown = Signal()
    kinds_changed = Signal(object)
    ignored_updated = Signal(list)

    def __init__(
        self, editor: TextEditor, strip: BiasStrip, card: CardController, prefetch: SuggestionPrefetch
    ) -> None:
        super().__init__(editor)
        self._prefetch = prefetch
        self.ignored = IgnoredFindings(editor)
        self._editor = editor
        self._strip = strip
        self._card = card
        self._findings_panel: FindingsPanel | None = None
        self._document_panel: DocumentPanel | None = None
        self._result: AnalysisResult | None = None
        self._message = ""
        self._visible_range = (0, 0)
        self._stepped_to: Finding | None = None
        self._answers: Mapping[str, Sequence[str]] = {}
        self._task = IncrementalTask(self)
        self._strip_sentences: Sequence[SentenceReading] = ()
        editor.finding_at_caret_changed.connect(self._caret_moved)
        editor.visible_range_changed.connect(self._visible_range_changed)
        strip.position_clicked.connect(self._strip_clicked)

    def set_findings_panel(self, panel: FindingsPanel) -> None:
        """Fill this panel from now on."""
        self._findings_panel = panel
        panel.finding_activated.connect(self.go_to)
        panel.filter_changed.connect(self._filter_changed)
        panel.set_answers(self._answers)
        self._refresh()

    def set_document_panel(self, panel: DocumentPanel) -> None:
        """Fill this panel from now on."""
        self._document_panel = panel
        self._refresh()

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds that are shown."""
        return self._findings_panel.filter.kinds if self._findings_panel else frozenset(ALL_KINDS)

    @kinds.setter
    def kinds(self, wanted: frozenset[Kind]) -> None:
        from app.review.findings_panel import FindingFilter

        if self._findings_panel is not None:
            self._findings_panel.filter = FindingFilter(wanted, self._findings_panel.filter.min_confidence)

    def show(self, result: AnalysisResult) -> None:
        """Show the analysis of the present text, without the ignored findings."""
        result, ignored_updated = self.ignored.filter(result)
        self._result, self._message = result, ""
        self._card.term_dependent = result.term_dependent
        if ignored_updated:
            self.ignored_updated.emit(ignored_updated)
        on_card = self._card.shown_finding
        was = self._editor.marks.find(on_card) if on_card else None
        if result.report is not None and result.marks is not None:
            self._editor.set_marks(result.marks)
        self._refresh()
        self._visible_range_changed(*self._visible_range)
        now = self._editor.marks.at(was.start) if was else None
        same = now is not None and was is not None and (now.start, now.end) == (was.start, was.end)
        self._prefetch.show(result, first=now.finding if now and same else None)
        if now is not None and same:
            self._card.show_now(now.finding)
        elif on_card is not None:
            self._card.hide()
        self.shown.emit()

    def show_message(self, message: str) -> None:
        """Show a message in the panels; the findings stay."""
        self._message = message
        for panel in (self._findings_panel, self._document_panel):
            if panel is not None:
                panel.set_message(message)

    @property
    def result(self) -> AnalysisResult | None:
        """The analysis that is shown, without the ignored findings."""
        return self._result

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings that are shown, including those that the filter hides."""
        report = self._result.report if self._result else None
        return report.findings if report is not None else ()

    @property
    def counted(self) -> Sequence[Finding]:
        """The findings and biased sentences at the default sensitivity, in order: counts are of these."""
        result = self._result
        if result is None or result.default_report is None:
            return ()
        if not result.default_sentences:
            return result.default_report.findings
        both = [*result.default_report.findings, *result.default_sentences]
        return sorted(both, key=lambda finding: finding.start)

    @property
    def sentences(self) -> list[BiasedSentence]:
        """The sentences of the shown analysis that read as biased without a finding."""
        marks = self._result.marks if self._result else None
        return [one for one in marks.findings if isinstance(one, BiasedSentence)] if marks else []

    @property
    def source(self) -> str:
        """The text of the shown analysis."""
        return self._result.snapshot.text if self._result else ""

    def set_answers(self, answers: Mapping[str, Sequence[str]]) -> None:
        """Show with the findings of these fingerprints what was answered to them, in sentences."""
        if answers == self._answers:
            return
        self._answers = self._card.answers = answers
        if self._findings_panel is not None:
            self._findings_panel.set_answers(answers)
        if (finding := self._card.shown_finding) is not None:
            self._card.show_now(finding)

    def remove_findings(self, removed: set[Finding]) -> None:
        """Remove these findings from all views. Caret and scroll position stay."""
        if self._result is None:
            return
        self._card.hide()
        for finding in removed:
            self._editor.remove_finding(finding)
        self._result = without_findings(self._result, removed)
        self._refresh()

    def clear(self, message: str = "") -> None:
        """Remove everything from all views; ``message`` says why."""
        self._task.stop()
        self._result = None
        self._card.hide()
        self._editor.set_marks(Marks())
        self._strip_sentences = ()
        self._strip.set_sentences([], 0)
        for panel in (self._findings_panel, self._document_panel):
            if panel is not None:
                panel.clear()
        self.show_message(message)

    def next(self) -> None:
        """Go to the next finding."""
        self._step(forward=True)

    def previous(self) -> None:
        """Go to the previous finding."""
        self._step(forward=False)

    def was_stepped_to(self, finding: Finding) -> bool:
        """Whether *Next finding* or *Previous finding* led to this one, and no other was visited since."""
        return self._stepped_to == finding

    def go_to(self, finding: Finding) -> None:
        """Go to a finding of the list."""
        self._stepped_to = None
        mark = self._editor.marks.find(finding)
        if mark is None:
            self.status_message.emit(FINDING_CHANGED)
        else:
            self.go_to_mark(mark)

    @property
    def selected_finding(self) -> Finding | None:
        """The finding of the current row while the list of findings has the focus; else None."""
        return self._findings_panel.focused_finding if self._findings_panel is not None else None

    def current_finding(self) -> Finding | None:
        """The current finding: selected in the list, at the caret, or visited last."""
        selected_finding = self.selected_finding
        mark = self._editor.marks.at(self._editor.textCursor().position())
        current = self._editor.current
        if (
            selected_finding is None
            and mark is None
            and current is not None
            and self._editor.marks.find(current)
        ):
            return current
        return selected_finding or (mark.finding if mark else None)

    def go_to_mark(self, mark: Mark) -> None:
        """Put the caret on a mark and show its card."""
        self._editor.setFocus()
        self._editor.go_to(mark.start)
        self._editor.set_current(mark.finding)
        self._card.show_now(mark.finding)

    def step_to(self, mark: Mark) -> None:
        """Go to a mark as the next of several: when it is handled, the one after it follows."""
        self.go_to_mark(mark)
        self._stepped_to = mark.finding

    def _step(self, *, forward: bool) -> None:
        position = self._editor.textCursor().selectionStart()
        mark, message = find_step(self._editor.marks, position, self._editor.current, forward=forward)
        if mark is not None:
            self.step_to(mark)
        if message:
            self.status_message.emit(message)

    def _refresh(self) -> None:
        """Update the panels and the strip; for a long draft step by step."""
        self._task.stop()
        report = self._result.report if self._result else None
        if report is not None and len(report.sentences) > _LONG:
            self._task.start(self._refresh_steps())
            return
        for _ in self._refresh_steps():
            pass

    def _refresh_steps(self) -> Iterator[None]:
        report = self._result.report if self._result else None
        if report is not None and self._result is not None:
            if report.sentences is not self._strip_sentences:
                yield from self._strip.steps(report.sentences, report.characters)
                self._strip_sentences = report.sentences
            if self._findings_panel is not None:
                yield from self._findings_panel.steps(
                    report,
                    self._result.snapshot.text,
                    self._result.term_dependent,
                    self.sentences,
                    counted=self.counted,
                )
                self._findings_panel.set_current(self._editor.current)
                yield
            if self._document_panel is not None:
                yield from self._document_panel.steps(self._result.default_report or report)
        if self._message:
            self.show_message(self._message)

    def _filter_changed(self, wanted: FindingFilter) -> None:
        self._card.hide()
        self._editor.set_filter(wanted.accepts)
        self.kinds_changed.emit(wanted.kinds)

    def _caret_moved(self, finding: Finding | None) -> None:
        if finding is not None and finding != self._stepped_to:
            self._stepped_to = None
        self._editor.set_current(finding)
        if self._findings_panel is not None:
            self._findings_panel.set_current(finding)

    def _visible_range_changed(self, start: int, end: int) -> None:
        self._visible_range = (start, end)
        if self._result is not None and self._result.positions is not None:
            positions = self._result.positions
            self._strip.set_visible_range(positions.to_code_point(start), positions.to_code_point(end))

    def _strip_clicked(self, point: int) -> None:
        if self._result is not None and self._result.positions is not None:
            self._editor.go_to(self._result.positions.to_utf16(point))
