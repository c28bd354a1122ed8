"""One run of the compass: how it goes, and where the models stand so far."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.audit.compass_results import CompassResults
from app.audit.compass_words import TELLING
from app.audit.run_view import RunView
from app.training.desk import Desk
from core.runs.compass import COMPASS, Compass, read_compass


class CompassView(RunView[Compass]):
    """Shows a model as soon as it has answered once."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        self.results = CompassResults()
        super().__init__(desk, TELLING, self.results, file=COMPASS, read=read_compass, parent=parent)

    def is_something(self, found: Compass) -> bool:
        """Whether a model has answered, or why it cannot is known."""
        return bool(found.stands or found.problems or found.downstream)

    def show_found(self, found: Compass) -> None:
        """Show where the models stand."""
        self.results.show_compass(found)
