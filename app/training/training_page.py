"""The settings page "models": four sections as tabs, each created when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QTabWidget, QWidget

from app.models.app_context import AppContext, AppServices
from app.widgets.layouts import make_column
from app.widgets.message_bars import MessageBar
from core.i18n import tr

if TYPE_CHECKING:
    from app.models.models_section import ModelsSection
    from app.runs.run_history import RunHistory
    from app.training.corrections_section import CorrectionsSection
    from app.training.training_section import TrainingSection

_MARGINS = (4, 12, 4, 4)


class TrainingPage(QWidget):
    """Models, training, runs and corrections. Nothing is imported or queried before it is shown."""

    def __init__(self, services: AppServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = AppContext(services, self)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(tr("Models and training"))
        self._message_bar = MessageBar()
        self._factories: dict[str, tuple[str, Callable[[], QWidget]]] = {
            "models": (tr("&Models"), self._make_models),
            "retrain": (tr("&Train"), self._make_retrain),
            "runs": (tr("R&uns"), self._make_history),
            "corrections": (tr("&Corrections"), self._make_corrections),
        }
        self._sections: dict[str, QWidget] = {}
        self._areas = {name: self._area(title) for name, (title, _) in self._factories.items()}
        make_column(self._message_bar, (self.tabs, 1), parent=self, spacing=6)
        self.tabs.currentChanged.connect(self._show_current)
        self.context.message.connect(self._message_bar.show_message)

    def section(self, name: str) -> QWidget:
        """The section models, retrain, runs or corrections, created if necessary."""
        if name not in self._sections:
            section = self._sections[name] = self._factories[name][1]()
            content = QWidget()
            make_column(section, parent=content, margins=_MARGINS)
            self._areas[name].setWidget(content)
        return self._sections[name]

    def show_section(self, name: str) -> Any:
        """Show a section and return it."""
        section = self.section(name)
        self.tabs.setCurrentWidget(self._areas[name])
        return section

    def showEvent(self, event: QShowEvent) -> None:
        """Create the current section."""
        super().showEvent(event)
        self._show_current()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close all sections, so that they stop waiting."""
        for section in self._sections.values():
            section.close()
        super().closeEvent(event)

    def _area(self, title: str) -> QScrollArea:
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setAccessibleName(title.replace("&", ""))
        self.tabs.addTab(area, title)
        return area

    def _show_current(self) -> None:
        if self.isVisible():
            self.section(list(self._factories)[self.tabs.currentIndex()])

    # Sections

    def _make_models(self) -> ModelsSection:
        from app.models.models_section import ModelsSection

        return ModelsSection(self.context)

    def _make_retrain(self) -> TrainingSection:
        from app.training.training_section import TrainingSection

        section = TrainingSection(self.context)
        section.use_requested.connect(self._use_run)
        section.show_requested.connect(self._show_run)
        return section

    def _make_history(self) -> RunHistory:
        from app.runs.run_history import RunHistory

        section = RunHistory(self.context)
        section.use_requested.connect(self._use_run)
        section.resume_requested.connect(self._resume_run)
        return section

    def _make_corrections(self) -> CorrectionsSection:
        from app.training.corrections_section import CorrectionsSection

        return CorrectionsSection(self.context)

    def _use_run(self, run_id: str) -> None:
        self.show_section("models").use_run(run_id)

    def _resume_run(self, run_id: str) -> None:
        self.show_section("retrain").resume(run_id)

    def _show_run(self, run_id: str) -> None:
        self.show_section("runs").show_run(run_id)
