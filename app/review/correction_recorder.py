"""Keeping what a person makes of findings, where they asked for it: another wording used, or a finding passed over."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.analysis.suggestion_prefetch import SentenceLocation
from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.editor.editor import TextEditor
from app.editor.positions import utf16_length
from app.review.ignore_commands import IgnoreCommands
from app.review.review_controller import ReviewController
from app.review.rewrite_commands import RewriteCommands
from app.settings.settings import Settings
from core.corrections import Correction, Verdict
from core.storage.types import Ignore
from core.text.diff import apply_edits
from core.types import Finding, Report, Suggestion

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


class CorrectionRecorder(QObject):
    """Keeps corrections in the store while the setting is on, and takes them back with what made them.

    A wording that is undone, or a finding that is marked again, was no correction. ``changed``: other ones are kept.
    """

    changed = Signal()

    def __init__(
        self,
        editor: TextEditor,
        documents: DocumentController,
        settings: Settings,
        *,
        store_access: StoreAccess,
        review: ReviewController,
        rewrite: RewriteCommands,
        ignore: IgnoreCommands,
    ) -> None:
        super().__init__(editor)
        self._editor, self._documents, self._settings = editor, documents, settings
        self._store_access, self._review = store_access, review
        self._used: list[_Used] = []
        rewrite.used.connect(self._wording_used)
        ignore.ignored.connect(self._passed)
        ignore.restored.connect(self._restored)
        ignore.disallowed.connect(self._disallowed)
        editor.edited.connect(self._edited)
        documents.opened.connect(self._opened)

    def forget_draft(self) -> None:
        """The store has forgotten the draft: what is kept of it goes, too."""
        self._used = []
        self._ask_store(lambda store: _correction_store(store).tidy_corpus())

    def _opened(self) -> None:
        self._used = []

    def _wording_used(self, finding: Finding, place: SentenceLocation, chosen: Suggestion) -> None:
        # A new edit ends what could be redone.
        self._used = [one for one in self._used if not one.undone]
        if not self._settings.value(SETTING):
            return
        sentence, start = place.key.sentence, place.key.offset
        correction = Correction(
            Verdict.ACCEPTED,
            finding.kind,
            sentence,
            start,
            start + len(finding.text),
            apply_edits(sentence, chosen.edits),
        )
        self._used.append(
            _Used(correction, self._editor.document().availableUndoSteps(), place.current_start)
        )
        self._keep(correction)

    def _edited(self) -> None:
        """Take back what was undone, and keep again what was done again."""
        if not self._used:
            return
        steps = self._editor.document().availableUndoSteps()
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
        return self._editor.text_between(one.start, one.start + utf16_length(after)) == after

    def _passed(self, finding: Finding) -> None:
        reading = self._review.result
        if reading is None or reading.report is None or not self._settings.value(SETTING):
            return
        correction = rejection(finding, reading.report, reading.snapshot.text)
        if correction is not None:
            self._keep(correction)

    def _restored(self, entry: Ignore) -> None:
        self._with_draft(lambda kept, uid: kept.marked_again(uid, entry))

    def _disallowed(self, phrase: str) -> None:
        self._ask_store(lambda store: _correction_store(store).allowed_no_more(phrase))

    def _keep(self, correction: Correction) -> None:
        self._with_draft(lambda kept, uid: kept.keep(uid, correction))

    def _take_back(self, correction: Correction) -> None:
        self._with_draft(lambda kept, uid: kept.take_back(uid, correction))

    def _with_draft(self, operation: Callable[[Corrections, str], object]) -> None:
        session = self._documents.session
        self._ask_store(lambda store: operation(_correction_store(store), _uid(store, session)))

    def _ask_store(self, job: Callable[[Store], object]) -> None:
        self._store_access.ask(job, lambda _: self.changed.emit())


def rejection(finding: Finding, report: Report, source: str) -> Correction | None:
    """A finding of ``source`` as one that was passed over; None where no sentence holds it."""
    at = bisect_right(report.sentences, finding.start, key=lambda sentence: sentence.start) - 1
    if at < 0 or report.sentences[at].end < finding.end:
        return None
    sentence = report.sentences[at]
    start, end = finding.start - sentence.start, finding.end - sentence.start
    return Correction(Verdict.REJECTED, finding.kind, source[sentence.start : sentence.end], start, end)


def _correction_store(store: Store) -> Corrections:
    from core.corrections.correction_store import Corrections

    return Corrections(store)


def _uid(store: Store, session: Session) -> str:
    """The name of the draft in the store, which may know its file by an older one."""
    return store.draft(session.uid, name=session.name, path=session.path).uid
