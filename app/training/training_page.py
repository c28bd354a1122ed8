"""The training room on the settings page "models": four sections as tabs, each made when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from app.models.app_context import Desk, Outside
from app.widgets.message_bars import MessageBar
from core.i18n import tr

if TYPE_CHECKING:
    from app.models.models_section import ModelsSection
    from app.runs.run_history import History
    from app.training.corrections_section import CorrectionsSection
    from app.training.training_section import Retrain

_MARGINS = (4, 12, 4, 4)


class TrainingRoom(QWidget):
    """Models, retraining, runs and corrections. Nothing of it is imported or asked before it is seen."""

    def __init__(self, outside: Outside, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = Desk(outside, self)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setAccessibleName(tr("Models and training"))
        self._bar = MessageBar()
        self._makers: dict[str, tuple[str, Callable[[], QWidget]]] = {
            "models": (tr("&Models"), self._made_models),
            "retrain": (tr("&Retrain"), self._made_retrain),
            "runs": (tr("R&uns"), self._made_history),
            "corrections": (tr("&Corrections"), self._made_corrections),
        }
        self._sections: dict[str, QWidget] = {}
        self._areas = {name: self._area(title) for name, (title, _) in self._makers.items()}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._bar)
        column.addWidget(self.tabs, 1)
        self.tabs.currentChanged.connect(self._shown)
        self.desk.told.connect(self._bar.show_message)

    def section(self, name: str) -> QWidget:
        """The section of this name: models, retrain, runs or corrections. It is made if it is not there yet."""
        if name not in self._sections:
            made = self._sections[name] = self._makers[name][1]()
            content = QWidget()
            column = QVBoxLayout(content)
            column.setContentsMargins(*_MARGINS)
            column.addWidget(made)
            self._areas[name].setWidget(content)
        return self._sections[name]

    def go(self, name: str) -> Any:
        """Show a section."""
        made = self.section(name)
        self.tabs.setCurrentWidget(self._areas[name])
        return made

    def showEvent(self, event: QShowEvent) -> None:
        """Make the section that stands in front."""
        super().showEvent(event)
        self._shown()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close all sections: what they wait for is waited for no more."""
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

    def _shown(self) -> None:
        if self.isVisible():
            self.section(list(self._makers)[self.tabs.currentIndex()])

    # The sections, and what one asks of another

    def _made_models(self) -> ModelsSection:
        from app.models.models_section import ModelsSection

        return ModelsSection(self.desk)

    def _made_retrain(self) -> Retrain:
        from app.training.training_section import Retrain

        made = Retrain(self.desk)
        made.use_asked.connect(self._use)
        made.show_asked.connect(self._show_run)
        return made

    def _made_history(self) -> History:
        from app.runs.run_history import History

        made = History(self.desk)
        made.use_asked.connect(self._use)
        made.resume_asked.connect(self._resume)
        return made

    def _made_corrections(self) -> CorrectionsSection:
        from app.training.corrections_section import CorrectionsSection

        return CorrectionsSection(self.desk)

    def _use(self, run_id: str) -> None:
        self.go("models").use_run(run_id)

    def _resume(self, run_id: str) -> None:
        self.go("retrain").resume(run_id)

    def _show_run(self, run_id: str) -> None:
        self.go("runs").show_run(run_id)
