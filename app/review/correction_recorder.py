"""Records corrections if the person wants it: suggestions that were applied and findings that were ignored."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.analysis.suggestion_prefetch import SentenceLocation
from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.documents.session import stored_uid
from app.editor.biased_sentences import BiasedSentence
from app.editor.editor import TextEditor
from app.editor.positions import utf16_length
from app.review.ignore_commands import IgnoreCommands
from app.review.review_controller import ReviewController
from app.review.rewrite_commands import RewriteCommands
from app.settings.settings import Settings
from core.corrections import Correction, Verdict
from core.storage.types import Ignore
from core.text.diff import apply_edits
from core.types import Finding, Kind, Report, Suggestion

if TYPE_CHECKING:
    from core.corrections.correction_store import CorrectionStore
    from core.storage.store import Store

SETTING = "keep_corrections"


@dataclass(slots=True)
class _AppliedSuggestion:
    """A suggestion that was applied since the draft was opened.

    ``steps``: the length of the undo history with it. ``start``: the start of its sentence in UTF-16 units.
    """

    correction: Correction
    steps: int
    start: int
    undone: bool = False


class CorrectionRecorder(QObject):
    """Stores corrections while the setting is on, and revokes them when their cause is undone.

    An undone suggestion or a restored finding is no correction. ``changed``: the stored corrections have changed.
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
        self._applied: list[_AppliedSuggestion] = []
        rewrite.suggestion_applied.connect(self._suggestion_applied)
        ignore.ignored.connect(self._finding_ignored)
        ignore.ignored_again.connect(self._finding_ignored)
        ignore.restored.connect(self._restored)
        ignore.disallowed.connect(self._disallowed)
        editor.edited.connect(self._edited)
        documents.opened.connect(self._opened)

    def forget_draft(self) -> None:
        """Remove the corrections of the draft that the store has forgotten."""
        self._applied = []
        self._ask_store(lambda store: _correction_store(store).update_chosen_corpus())

    def _opened(self) -> None:
        self._applied = []

    def _suggestion_applied(self, finding: Finding, place: SentenceLocation, chosen: Suggestion) -> None:
        # A new edit clears the redo history.
        self._applied = [applied for applied in self._applied if not applied.undone]
        if not (self._settings.value(SETTING) and _is_of_reader(finding)):
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
        self._applied.append(
            _AppliedSuggestion(correction, self._editor.document().availableUndoSteps(), place.current_start)
        )
        self._store(correction)

    def _edited(self) -> None:
        """Revoke what was undone, and store again what was redone."""
        if not self._applied:
            return
        steps = self._editor.document().availableUndoSteps()
        for applied in self._applied:
            if not applied.undone and steps < applied.steps:
                applied.undone = True
                self._revoke(applied.correction)
            elif applied.undone and steps >= applied.steps and self._is_in_text(applied):
                applied.undone = False
                if self._settings.value(SETTING):
                    self._store(applied.correction)

    def _is_in_text(self, applied: _AppliedSuggestion) -> bool:
        after = applied.correction.rewritten
        return self._editor.text_between(applied.start, applied.start + utf16_length(after)) == after

    def _finding_ignored(self, finding: Finding) -> None:
        result = self._review.result
        if result is None or result.report is None or not self._settings.value(SETTING):
            return
        if not _is_of_reader(finding):
            return
        correction = rejection(finding, result.report, result.snapshot.text)
        if correction is not None:
            self._store(correction)

    def _restored(self, entry: Ignore) -> None:
        self._with_draft(lambda corrections, uid: corrections.undo_rejection(uid, entry))

    def _disallowed(self, phrase: str) -> None:
        self._ask_store(lambda store: _correction_store(store).undo_allowed(phrase))

    def _store(self, correction: Correction) -> None:
        self._with_draft(lambda corrections, uid: corrections.add(uid, correction))

    def _revoke(self, correction: Correction) -> None:
        self._with_draft(lambda corrections, uid: corrections.discard(uid, correction))

    def _with_draft(self, operation: Callable[[CorrectionStore, str], object]) -> None:
        session = self._documents.session
        self._ask_store(lambda store: operation(_correction_store(store), stored_uid(store, session)))

    def _ask_store(self, job: Callable[[Store], object]) -> None:
        self._store_access.ask(job, lambda _: self.changed.emit())


def _is_of_reader(finding: Finding) -> bool:
    """Whether the reader marked words: from decisions about rules and about whole sentences it learns nothing."""
    return finding.kind is not Kind.STYLE and not isinstance(finding, BiasedSentence)


def rejection(finding: Finding, report: Report, source: str) -> Correction | None:
    """The correction for an ignored finding of ``source``; None if no sentence contains it."""
    at = bisect_right(report.sentences, finding.start, key=lambda sentence: sentence.start) - 1
    if (
        at < 0
        or report.sentences[at].end < finding.end
        or source[finding.start : finding.end] != finding.text
    ):
        return None
    sentence = report.sentences[at]
    start, end = finding.start - sentence.start, finding.end - sentence.start
    return Correction(Verdict.REJECTED, finding.kind, source[sentence.start : sentence.end], start, end)


def _correction_store(store: Store) -> CorrectionStore:
    from core.corrections.correction_store import CorrectionStore

    return CorrectionStore(store)
