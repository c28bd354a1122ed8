"""Remembers why each suggestion was used, for the comments on tracked changes."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.analysis.explanations import lexicon
from app.analysis.suggestion_prefetch import SentenceLocation
from app.documents.document_controller import DocumentController
from app.review.rewrite_commands import RewriteCommands
from app.settings.settings import Settings
from core.reports.finding_comments import comment_on
from core.revisions.rewords import Reword
from core.text.diff import apply_edits
from core.types import Finding, Suggestion


class RewordRecorder(QObject):
    """Tells ``documents`` of each suggestion that is applied to a docx or odt, with the reason if that is wanted."""

    def __init__(
        self, documents: DocumentController, settings: Settings, *, rewrite: RewriteCommands
    ) -> None:
        super().__init__(documents)
        self._documents = documents
        self._settings = settings
        rewrite.suggestion_applied.connect(self._suggestion_applied)

    def _suggestion_applied(self, finding: Finding, place: SentenceLocation, chosen: Suggestion) -> None:
        if self._documents.session.can_track:
            sentence = place.key.sentence
            why = comment_on(finding, lexicon()) if self._settings.value("explain_changes") else ""
            self._documents.add_reword(Reword(sentence, apply_edits(sentence, chosen.edits), why))
