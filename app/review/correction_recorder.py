"""Keeping what a person makes of findings, where they asked for it: another wording used, or a finding passed over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.analysis.suggestion_prefetch import Place
from app.background.store import Storing
from app.documents.document_controller import Drafts
from app.editor.editor import TextPane
from app.editor.positions import utf16_length
from app.review.ignore_commands import Ignoring
from app.review.review_controller import Review
from app.review.rewrite_commands import Rewording
from app.settings.settings import Settings
from core.corrections import Correction, Verdict
from core.storage.types import Ignore
from core.types import Edit, Finding, Report, Suggestion

if TYPE_CHECKING:
    from app.documents.session import Session
    from core.corrections.correction_store import Corrections
    from core.storage.store import Store

SETTING = "keep_corrections"


@dataclass(slots=True)
class _Used:
    """A wording that was used since the draft was opened.

    ``steps`` are those of the undo history with it; ``start`` is where its sentence stands, in UTF-16 units.
    """

    correction: Correction
    steps: int
    start: int
    undone: bool = False


class Keeping(QObject):
    """Keeps corrections in the store while the setting is on, and takes them back with what made them.

    A wording that is undone, or a finding that is marked again, was no correction. ``changed``: other ones are kept.
    """

    changed = Signal()

    def __init__(
        self,
        pane: TextPane,
        drafts: Drafts,
        settings: Settings,
        *,
        storing: Storing,
        review: Review,
        rewording: Rewording,
        ignoring: Ignoring,
    ) -> None:
        super().__init__(pane)
        self._pane, self._drafts, self._settings = pane, drafts, settings
        self._storing, self._review = storing, review
        self._used: list[_Used] = []
        rewording.used.connect(self._wording_used)
        ignoring.passed.connect(self._passed)
        ignoring.restored.connect(self._restored)
        ignoring.disallowed.connect(self._disallowed)
        pane.edited.connect(self._edited)
        drafts.opened.connect(self._opened)

    def forget_draft(self) -> None:
        """The store has forgotten the draft: what is kept of it goes, too."""
        self._used = []
        self._do(lambda store: _kept(store).tidy_corpus())

    def _opened(self) -> None:
        self._used = []

    def _wording_used(self, finding: Finding, place: Place, chosen: Suggestion) -> None:
        # A new edit ends what could be redone.
        self._used = [one for one in self._used if not one.undone]
        if not self._settings.value(SETTING):
            return
        sentence, start = place.key.sentence, place.key.offset
        made = Correction(
            Verdict.ACCEPTED,
            finding.kind,
            sentence,
            start,
            start + len(finding.text),
            rewritten(sentence, chosen.edits),
        )
        self._used.append(_Used(made, self._pane.document().availableUndoSteps(), place.stands_at))
        self._keep(made)

    def _edited(self) -> None:
        """Take back what was undone, and keep again what was done again."""
        if not self._used:
            return
        steps = self._pane.document().availableUndoSteps()
        for one in self._used:
            if not one.undone and steps < one.steps:
                one.undone = True
                self._take_back(one.correction)
            elif one.undone and steps >= one.steps and self._stands(one):
                one.undone = False
                if self._settings.value(SETTING):
                    self._keep(one.correction)

    def _stands(self, one: _Used) -> bool:
        after = one.correction.rewritten
        return self._pane.part(one.start, one.start + utf16_length(after)) == after

    def _passed(self, finding: Finding) -> None:
        reading = self._review.reading
        if reading is None or reading.report is None or not self._settings.value(SETTING):
            return
        made = rejection(finding, reading.report, reading.snapshot.text)
        if made is not None:
            self._keep(made)

    def _restored(self, entry: Ignore) -> None:
        self._with_draft(lambda kept, uid: kept.marked_again(uid, entry))

    def _disallowed(self, phrase: str) -> None:
        self._do(lambda store: _kept(store).allowed_no_more(phrase))

    def _keep(self, made: Correction) -> None:
        self._with_draft(lambda kept, uid: kept.keep(uid, made))

    def _take_back(self, made: Correction) -> None:
        self._with_draft(lambda kept, uid: kept.take_back(uid, made))

    def _with_draft(self, deed: Callable[[Corrections, str], object]) -> None:
        session = self._drafts.session
        self._do(lambda store: deed(_kept(store), _uid(store, session)))

    def _do(self, job: Callable[[Store], object]) -> None:
        self._storing.ask(job, lambda _: self.changed.emit())


def rewritten(sentence: str, edits: Sequence[Edit]) -> str:
    """``sentence`` with edits that count from its start, sorted and disjoint."""
    parts: list[str] = []
    at = 0
    for edit in edits:
        parts += (sentence[at : edit.start], edit.replacement)
        at = edit.end
    return "".join((*parts, sentence[at:]))


def rejection(finding: Finding, report: Report, source: str) -> Correction | None:
    """A finding of ``source`` as one that was passed over; None where no sentence holds it."""
    at = bisect_right(report.sentences, finding.start, key=lambda sentence: sentence.start) - 1
    if at < 0 or report.sentences[at].end < finding.end:
        return None
    sentence = report.sentences[at]
    start, end = finding.start - sentence.start, finding.end - sentence.start
    return Correction(Verdict.REJECTED, finding.kind, source[sentence.start : sentence.end], start, end)


def _kept(store: Store) -> Corrections:
    from core.corrections.correction_store import Corrections

    return Corrections(store)


def _uid(store: Store, session: Session) -> str:
    """The name of the draft in the store, which may know its file by an older one."""
    return store.draft(session.uid, name=session.name, path=session.path).uid
