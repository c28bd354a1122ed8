"""The window and what stands in its rooms: every part is made here, and given what it needs of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.analysis.analysis_worker import Analyst, Reading, Snapshot
from app.analysis.suggestion_prefetch import Suggesting
from app.analysis.worker_context import Reader, Rewriter
from app.audit.audit_controller import Audits
from app.background.jobs import Background
from app.background.store import Storing
from app.documents.document_controller import Drafts
from app.documents.edit_locks import Locks
from app.documents.file_watch import FileWatch
from app.documents.journal_writer import Journalling
from app.documents.recovery import Recovery
from app.export.report_export import Exporting
from app.history.comparison_controller import Comparing
from app.history.version_controller import Versioning
from app.history.version_scores import VersionScores
from app.main_window.dashboard_controller import DashboardHost
from app.main_window.docks import Panels
from app.main_window.help_controller import Helping
from app.main_window.layout import Shell
from app.main_window.wikipedia_articles import Articles
from app.models.app_context import Outside
from app.models.missing_models import Incoming
from app.review.announcements import Announcing
from app.review.card_controller import CardHost
from app.review.correction_recorder import Keeping
from app.review.guided_review import Reviewing
from app.review.ignore_commands import Dictionary, Ignoring
from app.review.review_controller import Review
from app.review.rewrite_commands import Rewording
from app.settings.settings import Settings
from app.training.training_page import TrainingRoom
from app.words.words_controller import Words

if TYPE_CHECKING:
    from core.storage.store import Store


class Rooms(Shell):
    """The parts of one window. ``last`` is the last reading of the draft, None before the first.

    ``load`` and ``load_rewriter`` give the models, by default those in use.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        load: Callable[[], Reader] | None = None,
        load_rewriter: Callable[[Any], Rewriter] | None = None,
    ) -> None:
        super().__init__(settings)
        self.last: Reading | None = None
        self.drafts = Drafts(self, self.pane, self.settings)
        self.analyst = Analyst(self.snapshot_of, load=load, load_rewriter=load_rewriter, parent=self)
        self.suggesting = Suggesting(self.analyst, self.pane)
        self.cards = CardHost(self.pane, self.middle, self.suggesting)
        self.review = Review(self.pane, self.strip, self.cards, self.suggesting)
        self.announcing = Announcing(self.pane, self.review, lambda: self.settings.value("announce"))
        self.ignoring = Ignoring(
            self.pane,
            cards=self.cards,
            review=self.review,
            session=lambda: self.drafts.session,
            store=lambda: self.storing.store,
            submit=lambda *work: self.background.submit(*work),
        )
        self.preferences.lists["allowed"] = Dictionary(self.ignoring)
        self.preferences.room = lambda: TrainingRoom(self.outside)
        self.rewording = Rewording(
            self.pane, self.analyst, cards=self.cards, review=self.review, suggesting=self.suggesting
        )
        self.reviewing = Reviewing(
            self.pane,
            self.review_bar,
            cards=self.cards,
            review=self.review,
            rewording=self.rewording,
            ignoring=self.ignoring,
            suggesting=self.suggesting,
        )
        self.comparing = Comparing(self.pane, self.drafts, self.analyst, self.snapshot_of)
        self.exporting = Exporting(self, self.pane, self.drafts, review=self.review)
        self.dashboards = DashboardHost(self, self.pane, review=self.review, exporting=self.exporting)
        self.audits = Audits(self, lambda: self.outside)
        self.words = Words(self.pane, self.analyst, self.exporting)
        self.background = Background(self)
        self.storing = Storing(self.background, self)
        self.versioning = Versioning(
            self.pane,
            self.drafts,
            storing=self.storing,
            comparing=self.comparing,
            scoring=VersionScores(self.analyst, self.snapshot_of, self),
        )
        self.keeping = Keeping(
            self.pane,
            self.drafts,
            self.settings,
            storing=self.storing,
            review=self.review,
            rewording=self.rewording,
            ignoring=self.ignoring,
        )
        self.journalling = Journalling(self.pane, self.drafts)
        self.recovery = Recovery(self, self.drafts, self.journalling)
        self.locks = Locks(self.pane, self.drafts)
        self.watch = FileWatch(self, self.pane, drafts=self.drafts, bar=self.choice_bar)
        self.articles = Articles(self, self.drafts)
        self.incoming = Incoming(
            self,
            self.models_bar,
            settings=self.settings,
            storing=self.storing,
            use=self.use_other_models,
        )
        self.outside = Outside(
            settings=self.settings,
            background=self.background,
            storing=self.storing,
            analyst=self.analyst,
            ignored=self.review.ignored,
            keeping=self.keeping,
            incoming=self.incoming,
            snapshot=lambda: self.snapshot_of(-1),
            use_other_models=self.use_other_models,
            resume_audit=self.audits.resume,
        )
        self.panels = Panels(
            self,
            review=self.review,
            ignoring=self.ignoring,
            dashboards=self.dashboards,
            words=self.words,
            versioning=self.versioning,
            storing=self.storing,
        )
        self.helping = Helping(self, reader=lambda: self.last.reader if self.last else "")

    @property
    def store(self) -> Store | None:
        """The store, once it is open."""
        return self.storing.store

    def close_parts(self) -> None:
        """Close what is open beside the window, remember how it stood, and join every worker."""
        self.cards.hide()
        for window in (self.comparing, self.dashboards, self.exporting, self.audits):
            window.close()
        self.preferences.close()
        self.remember()
        for part in (
            self.helping,
            self.articles,
            self.incoming,
            self.recovery,
            self.watch,
            self.locks,
            self.journalling,
            self.drafts,
        ):
            part.close()
        self.storing.close()
        self.background.close()
        self.analyst.close()

    def snapshot_of(self, revision: int) -> Snapshot:
        """The text as it stands, to be read; ``revision`` is the editor's, -1 to be read beside the window."""
        session = self.drafts.session
        return Snapshot(
            revision,
            self.pane.text(),
            session.format,
            str(session.path or "-"),
            include_quotes=self.commands["quotes"].isChecked(),
            sensitivity=self.settings.value("sensitivity"),
            container=session.container,
        )

    def read_at_once(self) -> None:
        """Have the text read now; before the window is seen there is nobody to read for."""
        if self.seen:
            self.analyst.changed(at_once=True)

    def analyse(self) -> None:
        """Read everything again, also what was known; a model that was missing may be there now."""
        self.incoming.look_again()
        self.suggesting.clear()
        self.read_at_once()

    def use_other_models(self) -> None:
        """Other models are in use from now on: they read everything again."""
        self.analyst.forget_models()
        self.words.forget()
        self.analyse()
