"""What the forms of the audit window share: an introduction, and the generators that runs have left behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.audit_strings import run_line
from app.audit.requests import Known
from app.runs.request_form import AskingForm
from app.settings.settings import Settings
from app.widgets.form_fields import Choice, Field
from app.widgets.labels import WrapLabel
from core.i18n import tr


class RunForm(AskingForm):
    """Subclasses call ``build`` when all controls are there; ``own_field`` is among the fields that they add."""

    own_field: Field

    def __init__(
        self, settings: Settings, *, scales: Mapping[str, str], trying: str, parent: QWidget | None = None
    ) -> None:
        start = (tr("Start"), tr("Starts the audit on this computer"))
        super().__init__(settings, start, scales=scales, trying=trying, parent=parent)
        self.own = Choice()

    def offer_own(self, found: Known) -> None:
        """Offer what was trained here and this form can take."""
        self.own.clear()
        self.own.addItem(tr("None chosen"), "")
        own = self.own_models(found)
        for words, folder in own:
            self.own.addItem(words, str(folder))
        self.own_field.setVisible(bool(own))

    def own_models(self, found: Known) -> list[tuple[str, Path]]:
        """Of what was trained here, in a line each: the generators."""
        return [(run_line(run), folder) for run, folder in found.generators]

    def build(
        self, intro: str, own: Callable[[QVBoxLayout], None], *, data_told: str, seed_told: str
    ) -> None:
        """Lay all out below ``intro``: what ``own`` adds first, then what all forms have."""
        words = WrapLabel()
        words.setText(intro)
        self.data_field.tell(data_told)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(14)
        column.addWidget(words)
        own(column)
        column.addWidget(self.data_field)
        self.add_pair(column, self.scale_field, self.device_field)
        self.add_pair(column, Field(tr("Seed"), self.seed, told=seed_told), QWidget())
        self.add_end(column)
        self.fill()
