"""The corrections section: corrections are reviewed before a model learns from them, saved as a corpus, or deleted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QMessageBox,
    QWidget,
)

from app.background.jobs import describe_error
from app.models.app_context import AppContext
from app.review.correction_recorder import SETTING
from app.settings.controls import CheckBoxControl
from app.settings.settings import SETTINGS_BY_NAME
from app.training.correction_list import (
    VERDICTS,
    CorrectionFilter,
    CorrectionListView,
    CorrectionsModel,
    count_text,
    usage_text,
)
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import ComboBox, make_button
from app.widgets.kinds import kind_style
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from app.widgets.plain_text import PlainLabel, plain_text
from core.corrections import StoredCorrection, chosen_corpus, corpus
from core.corrections.corpus import FILE, CorpusFormatError
from core.i18n import ntr, tr
from core.paths import start_folder
from core.storage.files import FileError
from core.types import KINDS

if TYPE_CHECKING:
    from core.corrections.correction_store import CorrectionStore
    from core.storage.store import Store

_EMPTY = tr(
    "There are no corrections yet.\n\nWhile the setting above is on, a finding counts as accepted when "
    "you use a suggestion, and as rejected when you ignore it. What you undo or mark again does not "
    "count."
)
_CLOSED = tr("Evenhand’s database cannot be opened, so no corrections can be shown.")
_ABOUT = tr(
    "The file contains the sentences and your decisions, but no names of drafts and no dates. A model "
    "that learns from them can reveal parts of them to anyone who gets the model. Corrections are kept "
    "until you delete them here or forget their draft."
)
_Button = QMessageBox.StandardButton


@dataclass(frozen=True, slots=True)
class _StoredCorrections:
    """All corrections, the ids of the checked ones, and how many the next training uses."""

    corrections: list[StoredCorrection]
    checked_ids: frozenset[int]
    used: int


class CorrectionsSection(QWidget):
    """The list with its filters and commands."""

    def __init__(self, context: AppContext) -> None:
        super().__init__()
        self.context = context
        self._settings = context.services.settings
        self._loaded = False
        self.setting_control = CheckBoxControl(SETTINGS_BY_NAME[SETTING])
        self.setting_control.show_value(self._settings.value(SETTING))
        self.setting_control.value_chosen.connect(lambda on: self._settings.set(SETTING, on))
        self._settings.changed.connect(self._setting_changed)
        self.model = CorrectionsModel(self)
        self.list = CorrectionListView(self.model)
        self.list.delete_requested.connect(self.delete)
        self.verdict = ComboBox(
            tr("Accepted or rejected"), [(None, tr("Accepted and rejected")), *VERDICTS.items()]
        )
        kinds = [(kind, kind_style(kind, dark=False).label) for kind in KINDS]
        self.kind = ComboBox(tr("Kind of bias"), [(None, tr("All kinds")), *kinds])
        for box in (self.verdict, self.kind):
            box.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
            box.currentIndexChanged.connect(self._filter)
        self.check_all_button = make_button(tr("Choose &all"), lambda: self.model.check_listed(checked=True))
        self.uncheck_all_button = make_button(
            tr("Choo&se none"), lambda: self.model.check_listed(checked=False)
        )
        for button in (self.check_all_button, self.uncheck_all_button):
            button.setAccessibleDescription(tr("Applies to the listed corrections"))
        self.count_label = PlainLabel()
        self.delete_button = make_button(tr("&Delete permanently…"), self.delete)
        self.save_button = make_button(tr("Save as a c&orpus…"), self.save_as)
        self.use_button = make_button(tr("Use in the &next training run"), self.use_next)
        self.leave_out_button = make_button(tr("Do not use t&hem"), self.remove_chosen)
        self.leave_out_button.setAccessibleDescription(
            tr("The next training run uses no corrections; the file with them is removed.")
        )
        self.usage_label = PlainLabel()
        self.message = WrapLabel(muted=True)
        self._lay_out()
        self.model.checked_changed.connect(self._update_count)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._update_buttons())
        self.model.modelReset.connect(self._update_buttons)
        context.services.correction_recorder.changed.connect(self.refresh)
        self._show_message(tr("Loading the corrections…"))

    def showEvent(self, event: QShowEvent) -> None:
        """There may be new corrections."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Load the corrections again; unchecked ones stay unchecked."""
        if not self.isVisible():
            return
        store = self.context.store
        if store is None:
            self._show_message(_CLOSED)
            return
        unchecked_ids = {entry.id for entry in self.model.all} - self.model.checked_ids
        first = not self._loaded
        self.context.submit(
            lambda: _load_corrections(store, unchecked_ids, first=first), self._show_corrections, self._failed
        )

    def delete(self) -> None:
        """Ask, then delete the selected corrections."""
        rows = self.list.selected_entries()
        if not rows:
            return
        question = ntr(
            "Delete {n} correction permanently? The draft is not changed.",
            "Delete {n} corrections permanently? The drafts are not changed.",
            len(rows),
        ).format(n=f"{len(rows):,}")
        title = tr("Delete corrections")
        answer = QMessageBox.question(
            self, title, plain_text(question), _Button.Yes | _Button.Cancel, _Button.Cancel
        )
        if answer == _Button.Yes:
            numbers = [entry.id for entry in rows]
            self._run_on_store(lambda store: store.remove(numbers))

    def save_as(self) -> None:
        """Ask for a file name and save the checked corrections as a corpus."""
        start = str(start_folder() / FILE)
        form = tr("Corrections (*.jsonl)")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save as a corpus"), start, form)
        if name:
            path = Path(name)
            path = path if path.suffix else path.with_suffix(".jsonl")
            chosen = set(self.model.checked_ids)
            self._run_on_store(
                lambda store: store.export(path, chosen), lambda number: self._report_saved(number, path)
            )

    def use_next(self) -> None:
        """Use the checked corrections in the next training."""
        chosen = set(self.model.checked_ids)
        self._run_on_store(
            lambda store: store.choose(chosen), lambda number: self.context.message.emit(usage_text(number))
        )

    def remove_chosen(self) -> None:
        """Use no corrections in the next retraining."""
        self._run_on_store(lambda _: corpus.remove_chosen(), lambda _: self.use_button.setFocus())

    # Background

    def _run_on_store(
        self, operation: Callable[[CorrectionStore], object], then: Callable[[int], object] = lambda _: None
    ) -> None:
        store = self.context.store
        if store is None:
            self._show_message(_CLOSED)
            return

        def job() -> object:
            from core.corrections.correction_store import CorrectionStore

            return operation(CorrectionStore(store))

        def done(answer: int) -> None:
            then(answer)
            self.refresh()

        self.context.submit(job, done, self._failed)

    def _report_saved(self, number: int, path: Path) -> None:
        template = ntr("Saved {n} correction to {path}.", "Saved {n} corrections to {path}.", number)
        self.context.message.emit(template.format(n=f"{number:,}", path=path))

    def _failed(self, error: Exception) -> None:
        self.context.message.emit(describe_error(error))
        if not self._loaded:
            self._show_message(describe_error(error))

    def _show_corrections(self, stored: _StoredCorrections) -> None:
        row = self.list.currentIndex().row()
        self._loaded = True
        self.model.show(stored.corrections, stored.checked_ids)
        if self.model.listed and row >= 0:
            self.list.setCurrentIndex(self.model.index(min(row, len(self.model.listed) - 1)))
        self.usage_label.setText(
            usage_text(stored.used) if stored.used else tr("The next training run uses no corrections.")
        )
        self.leave_out_button.setVisible(stored.used > 0)
        self._show_message("" if stored.corrections else _EMPTY)

    # Display

    def _setting_changed(self, name: str) -> None:
        if name == SETTING:
            self.setting_control.show_value(self._settings.value(SETTING))

    def _filter(self) -> None:
        self.model.filter(CorrectionFilter(self.verdict.currentData(), self.kind.currentData()))
        self._update_count()

    def _update_count(self) -> None:
        self.count_label.setText(count_text(self.model.all, self.model.checked_ids))
        self._update_buttons()

    def _update_buttons(self) -> None:
        self.delete_button.setEnabled(bool(self.list.selectedIndexes()))
        listed = {entry.id for entry in self.model.listed}
        self.check_all_button.setEnabled(not listed <= self.model.checked_ids)
        self.uncheck_all_button.setEnabled(not listed.isdisjoint(self.model.checked_ids))
        for button in (self.save_button, self.use_button):
            button.setEnabled(bool(self.model.checked_ids))

    def _show_message(self, text: str) -> None:
        self.message.show_text(text)
        self._content.setVisible(not text)

    def _lay_out(self) -> None:
        message = WrapLabel(SETTINGS_BY_NAME[SETTING].help, muted=True)
        about = WrapLabel(_ABOUT, muted=True)
        for label in (self.count_label, self.usage_label):
            label.setMinimumHeight(self.save_button.sizeHint().height())
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setContentsMargins(24, 24, 24, 24)
        self._content = QWidget()
        make_column(
            FlowRow(self.verdict, self.kind, spacing=8),
            (self.list, 1),
            FlowRow(
                self.count_label,
                self.check_all_button,
                self.uncheck_all_button,
                self.delete_button,
                spacing=8,
            ),
            FlowRow(self.save_button, self.use_button, spacing=8),
            FlowRow(self.usage_label, self.leave_out_button, spacing=8),
            about,
            parent=self._content,
            spacing=8,
        )
        make_column(
            self.setting_control, message, 8, (self.message, 1), (self._content, 1), parent=self, spacing=4
        )


def _load_corrections(store: Store, unchecked_ids: set[int], *, first: bool) -> _StoredCorrections:
    """All corrections. Checked are those not in ``unchecked_ids``; at first, those in use and all newer ones."""
    from core.corrections.correction_store import CorrectionStore

    listed = CorrectionStore(store).list_all()
    path_in_use = chosen_corpus()
    used, written = set(), datetime.min.replace(tzinfo=UTC)
    if path_in_use is not None:
        try:
            used = set(corpus.read(path_in_use))
            written = datetime.fromtimestamp(path_in_use.stat().st_mtime, UTC)
        except (CorpusFormatError, FileError, OSError):
            path_in_use = None
    if first and path_in_use is not None:
        unchecked_ids = {
            entry.id for entry in listed if entry.correction not in used and entry.made_at <= written
        }
    return _StoredCorrections(
        listed, frozenset(entry.id for entry in listed if entry.id not in unchecked_ids), len(used)
    )
