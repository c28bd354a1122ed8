"""The base of the forms of the audit window: an introduction, and the models that were trained here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.audit.audit_strings import run_summary
from app.audit.run_queries import RunInventory
from app.runs.request_form import RequestForm
from app.settings.settings import Settings
from app.widgets.form_fields import ComboBox, FormField
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from core.i18n import tr


class AuditRequestForm(RequestForm):
    """Subclasses create their controls, then call ``lay_out``; ``trained_field`` is among the fields that they add."""

    trained_field: FormField

    def __init__(
        self,
        settings: Settings,
        *,
        scales: Mapping[str, str],
        estimate_tip: str,
        parent: QWidget | None = None,
    ) -> None:
        start = (tr("Start"), tr("Starts an audit on this computer"))
        super().__init__(settings, start, scales=scales, estimate_tip=estimate_tip, parent=parent)
        self.trained_choice = ComboBox()

    def offer_trained(self, inventory: RunInventory) -> None:
        """Offer the models that were trained here and fit."""
        own = [(str(folder), label) for label, folder in self.trained_models(inventory)]
        self.trained_choice.set_choices([("", tr("None")), *own])
        self.trained_choice.setCurrentIndex(0)
        self.trained_field.setVisible(bool(own))

    def trained_models(self, inventory: RunInventory) -> list[tuple[str, Path]]:
        """Titles and folders of the models that fit: the generators."""
        return [(run_summary(run), folder) for run, folder in inventory.generators]

    def lay_out(
        self, intro: str, own: Callable[[QVBoxLayout], None], *, data_help: str, seed_help: str
    ) -> None:
        """Lay out ``intro``, the fields of the subclass, and the shared ones."""
        label = WrapLabel(intro)
        self.data_field.set_help(data_help)
        column = make_column(label, parent=self, spacing=14)
        own(column)
        column.addWidget(self.data_field)
        self.add_row(column, self.scale_field, self.device_field)
        self.seed_field.set_help(seed_help)
        self.add_row(column, self.seed_field, QWidget())
        self.add_footer(column)
        self.fill_choices()
