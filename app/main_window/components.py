"""The controllers of one window: each is created here and given the others that it needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QMainWindow

from app.analysis.analysis_worker import AnalysisController, AnalysisResult, Snapshot
from app.analysis.suggestion_collector import SuggestionCollector
from app.analysis.suggestion_prefetch import SuggestionPrefetch
from app.analysis.worker_context import Reader, Rewriter, StyleChoices
from app.annotations.shown_comments import ShownComments
from app.annotations.shown_notes import ShownNotes
from app.annotations.text_tooltips import TextTooltips
from app.audit.audit_controller import AuditController
from app.background.jobs import JobQueue
from app.background.store import StoreAccess
from app.documents.document_controller import DocumentController
from app.documents.draft_packs import DraftPacks
from app.documents.draft_styles import DraftStyles
from app.documents.edit_locks import EditLocks
from app.documents.file_watch import FileWatcher
from app.documents.formatted_paste import FormattedPaste
from app.documents.journal_writer import JournalWriter
from app.documents.recovery import Recovery
from app.documents.revision_menu import RevisionMenu
from app.documents.revisions_controller import RevisionsController
from app.documents.revisions_dialog import RevisionsDialog
from app.documents.shown_revisions import ShownRevisions
from app.export.answers_controller import AnswersController
from app.export.report_export import ReportExporter
from app.export.reviewed_copy import ReviewedCopyWriter
from app.history.comparison_controller import ComparisonController
from app.history.version_controller import VersionController
from app.history.version_scores import VersionScores
from app.main_window.dashboard_controller import DashboardController
from app.main_window.help_controller import HelpController
from app.main_window.layout import WindowLayout
from app.main_window.panel_loader import PanelLoader
from app.main_window.preferences import Preferences
from app.main_window.selection_counts import SelectionCounts
from app.main_window.wikipedia_articles import WikipediaArticles
from app.models.app_context import AppServices
from app.models.missing_models import MissingModels
from app.review.announcements import Announcer
from app.review.card_controller import CardController
from app.review.correction_recorder import CorrectionRecorder
from app.review.finding_menu import FindingMenu
from app.review.guided_review import GuidedReview
from app.review.house_style import HouseStyle
from app.review.ignore_commands import AllowedWords, IgnoreCommands
from app.review.review_controller import ReviewController
from app.review.reword_recorder import RewordRecorder
from app.review.rewrite_commands import RewriteCommands
from app.review.tag_commands import TagCommands
from app.settings.settings import Settings
from app.settings.style_packs import RULES_OFF, SETTING, RulesOff, read_choices
from app.spelling.spelling_controller import OwnWordList, SpellingController
from app.spelling.spelling_menu import SpellingMenu
from app.training.training_page import TrainingPage
from app.words.words_controller import WordsController


class Components:
    """The controllers of ``window``, over the widgets of ``ui``.

    ``last_result`` is the last analysis of the draft, None before the first. ``load`` and ``load_rewriter`` return the
    models, by default those in use. Nothing is analysed before ``analysis_enabled`` is set.
    """

    def __init__(
        self,
        window: QMainWindow,
        ui: WindowLayout,
        settings: Settings,
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
    ) -> None:
        self._ui, self._settings = ui, settings
        self.analysis_enabled = False
        self.last_result: AnalysisResult | None = None
        editor = ui.editor
        self.background = JobQueue(window)
        self.store_access = StoreAccess(self.background, window)
        self.preferences = Preferences(window, ui, settings)
        self.documents = DocumentController(window, editor, settings)
        self.analysis = AnalysisController(
            self.snapshot, load=load, load_rewriter=load_rewriter, parent=window
        )
        self.prefetch = SuggestionPrefetch(self.analysis, editor)
        self.tags = TagCommands(editor, self.documents)
        self.card = CardController(editor, ui.central, self.prefetch, self.tags)
        self.review = ReviewController(editor, ui.bias_strip, self.card, self.prefetch)
        self.announcer = Announcer(editor, self.review, lambda: settings.value("announce"))
        self.ignore = IgnoreCommands(
            editor,
            self.documents,
            card=self.card,
            review=self.review,
            store_access=self.store_access,
            background=self.background,
        )
        self.rewrite = RewriteCommands(
            editor, self.analysis, card=self.card, review=self.review, prefetch=self.prefetch
        )
        self.house_style = HouseStyle(window, editor, settings, card=self.card)
        self.draft_packs = DraftPacks(
            window, self.documents, settings, store_access=self.store_access, background=self.background
        )
        self.spelling = SpellingController(
            editor,
            self.documents,
            settings,
            snapshot=self.snapshot,
            store_access=self.store_access,
            background=self.background,
        )
        self.revisions = RevisionsController(
            editor, self.documents, partial(RevisionsDialog, parent=window), window
        )
        self.shown_revisions = ShownRevisions(editor, self.documents, settings, self.revisions)
        self.shown_notes = ShownNotes(editor, self.documents)
        self.shown_comments = ShownComments(editor, self.documents)
        self.finding_menu = FindingMenu(
            editor,
            ui.actions,
            prefetch=self.prefetch,
            rewrite=self.rewrite,
            tags=self.tags,
            ignore=self.ignore,
            house_style=self.house_style,
            spelling=SpellingMenu(editor, self.spelling),
            revisions=RevisionMenu(editor, self.shown_revisions),
            notes=self.shown_notes,
            comments=self.shown_comments,
        )
        self.guided_review = GuidedReview(
            editor,
            ui.review_bar,
            card=self.card,
            review=self.review,
            rewrite=self.rewrite,
            ignore=self.ignore,
            tags=self.tags,
            prefetch=self.prefetch,
        )
        self.correction_recorder = CorrectionRecorder(
            editor,
            self.documents,
            settings,
            store_access=self.store_access,
            review=self.review,
            rewrite=self.rewrite,
            ignore=self.ignore,
        )
        self.reword_recorder = RewordRecorder(self.documents, settings, rewrite=self.rewrite)
        self.comparison = ComparisonController(editor, self.documents, self.analysis, self.snapshot)
        self.history = VersionController(
            editor,
            self.documents,
            store_access=self.store_access,
            comparison=self.comparison,
            scorer=VersionScores(self.analysis, self.snapshot, window),
        )
        self.exporter = ReportExporter(
            window,
            editor,
            self.documents,
            review=self.review,
            collector=SuggestionCollector(self.analysis, self.prefetch, window),
            shows_leaning=lambda: bool(self._settings.value("show_leaning")),
        )
        self.reviewed_copy = ReviewedCopyWriter(
            window,
            editor,
            self.documents,
            review=self.review,
            analysis=self.analysis,
            collector=SuggestionCollector(self.analysis, self.prefetch, window),
        )
        self.answers = AnswersController(self.documents, self.review)
        self.answers.left.connect(self.revisions.set_answered)
        self.dashboard = DashboardController(window, editor, review=self.review, exporter=self.exporter)
        self.words = WordsController(editor, self.analysis, self.exporter)
        self.journal_writer = JournalWriter(editor, self.documents)
        self.recovery = Recovery(window, self.documents, self.journal_writer)
        self.edit_locks = EditLocks(editor, self.documents)
        self.text_tooltips = TextTooltips(
            editor,
            [
                editor.hidden_text_at,
                *(part.describe_at for part in (self.shown_notes, self.shown_revisions, self.shown_comments)),
            ],
        )
        self.draft_styles = DraftStyles(editor, self.documents)
        self.formatted_paste = FormattedPaste(editor, self.documents)
        self.selection_counts = SelectionCounts(editor)
        self.file_watcher = FileWatcher(window, editor, documents=self.documents, bar=ui.file_bar)
        self.wikipedia = WikipediaArticles(window, editor, settings, documents=self.documents)
        self.missing_models = MissingModels(
            window,
            ui.models_bar,
            settings=settings,
            store_access=self.store_access,
            reload_models=self.use_other_models,
        )
        self.audits = AuditController(window, lambda: self.services)
        self.services = AppServices(
            settings=settings,
            background=self.background,
            store_access=self.store_access,
            analysis=self.analysis,
            ignored_findings=self.review.ignored,
            correction_recorder=self.correction_recorder,
            missing_models=self.missing_models,
            snapshot=self.snapshot,
            use_other_models=self.use_other_models,
            resume_audit=self.audits.resume,
        )
        self.preferences.word_lists["allowed"] = AllowedWords(self.ignore)
        self.preferences.word_lists[RULES_OFF] = RulesOff(settings)
        self.preferences.word_lists["own_words"] = OwnWordList(self.spelling)
        self.preferences.models_page = lambda: TrainingPage(self.services)
        self.panel_loader = PanelLoader(
            window,
            ui,
            settings,
            review=self.review,
            ignore=self.ignore,
            dashboard=self.dashboard,
            words=self.words,
            history=self.history,
            store_access=self.store_access,
        )
        self.help = HelpController(window, ui, settings, reader_name=self._reader_name)

    def close(self) -> None:
        """Close the dialogs, save the settings, and wait for every worker."""
        self.card.hide()
        for controller in (
            self.comparison,
            self.history,
            self.dashboard,
            self.exporter,
            self.reviewed_copy,
            self.answers,
            self.revisions,
            self.audits,
            self.preferences,
            self.house_style,
            self.draft_packs,
        ):
            controller.close()
        self._ui.save(self._settings)
        self.preferences.save_zoom()
        self._settings.sync()
        for part in (
            self.spelling,
            self.help,
            self.wikipedia,
            self.missing_models,
            self.recovery,
            self.file_watcher,
            self.edit_locks,
            self.shown_revisions,
            self.shown_comments,
            self.text_tooltips,
            self.journal_writer,
            self.documents,
            self.store_access,
            self.background,
            self.analysis,
        ):
            part.close()

    def snapshot(self, revision: int = -1) -> Snapshot:
        """The present text for an analysis; ``revision`` is the editor's, -1 for an analysis of its own."""
        session = self.documents.session
        return Snapshot(
            revision,
            self._ui.editor.text(),
            session.format,
            str(session.path or "-"),
            include_quotes=self._ui.actions["quotes"].isChecked(),
            sensitivity=self._settings.value("sensitivity"),
            container=session.container,
            style=StyleChoices(
                tuple(read_choices(self._settings.value(SETTING)).items()),
                self._settings.value(RULES_OFF),
                tuple(self.draft_packs.choices.items()),
            ),
        )

    def analyse_now(self) -> None:
        """Analyse the text without waiting for a pause in typing."""
        if self.analysis_enabled:
            self.analysis.text_changed(immediately=True)

    def reanalyse(self) -> None:
        """Analyse everything again, also what was known; a model that was missing may be there now."""
        self.missing_models.clear()
        self.prefetch.clear()
        self.analyse_now()

    def use_other_models(self) -> None:
        """Other models are in use now: analyse everything again with them."""
        self.analysis.forget_models()
        self.words.reset()
        self.reanalyse()

    def _reader_name(self) -> str:
        return self.last_result.reader if self.last_result else ""
