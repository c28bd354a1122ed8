"""A person's corrections, looked through before anything is learnt from them: chosen, saved as a corpus, or removed."""

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
    QLabel,
    QMessageBox,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.background.jobs import said
from app.models.app_context import Desk
from app.review.correction_recorder import SETTING
from app.settings.controls import control_for
from app.settings.settings import ROWS
from app.training.correction_list import VERDICTS, CorrectionRows, CorrectionsModel, Wanted, counted, in_use
from app.widgets.flow_layout import FlowLayout
from app.widgets.form_fields import Choice
from app.widgets.kinds import look
from app.widgets.labels import WrapLabel
from core.corrections import Kept, chosen_corpus, corpus
from core.corrections.corpus import FILE, LayoutError
from core.i18n import ntr, tr
from core.storage.files import FileError
from core.types import KINDS

if TYPE_CHECKING:
    from core.corrections.correction_store import Corrections
    from core.storage.store import Store

_EMPTY = tr(
    "No corrections are kept yet.\n\nWhile the switch above is on, a wording that you use counts as accepted, and a "
    "finding that you ignore as rejected. What you undo or have marked again does not count."
)
_CLOSED = tr("The corrections cannot be opened now: the history of your drafts is not open.")
_ABOUT = tr(
    "The file holds these sentences and what became of them, no names of drafts and no dates. A model that learns from "
    "them can give away something of them to whoever gets the model. Corrections stay until you delete them here or "
    "forget their draft."
)
_Button = QMessageBox.StandardButton


@dataclass(frozen=True, slots=True)
class _Found:
    """What the store holds, and the numbers of what is chosen; ``used`` are in the next retraining, if any are."""

    corrections: list[Kept]
    chosen: frozenset[int]
    used: int


class CorrectionsSection(QWidget):
    """The list with its filters, and what can be done with what is chosen in it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self.desk = desk
        self._settings = desk.outside.settings
        self._loaded = False
        self.switch = control_for(ROWS[SETTING], None)
        self.switch.show_value(self._settings.value(SETTING))
        self.switch.chosen.connect(lambda on: self._settings.set(SETTING, on))
        self._settings.changed.connect(self._setting_changed)
        self.model = CorrectionsModel(self)
        self.list = CorrectionRows(self.model)
        self.list.delete_wanted.connect(self.delete)
        self.verdict = _choice(tr("Accepted or rejected"), tr("Accepted and rejected"))
        for verdict, label in VERDICTS.items():
            self.verdict.addItem(label, verdict)
        self.kind = _choice(tr("Kind of bias"), tr("All kinds"))
        for kind in KINDS:
            self.kind.addItem(look(kind, dark=False).label, kind)
        for box in (self.verdict, self.kind):
            box.currentIndexChanged.connect(self._filter)
        self.take_all = _button(tr("Choose &all"), lambda: self.model.choose_shown(chosen=True))
        self.take_none = _button(tr("Choo&se none"), lambda: self.model.choose_shown(chosen=False))
        for button in (self.take_all, self.take_none):
            button.setAccessibleDescription(tr("Of those in the list"))
        self.count = QLabel()
        self.remove = _button(tr("&Delete for good…"), self.delete)
        self.save = _button(tr("Save as a c&orpus…"), self.save_as)
        self.use = _button(tr("Use in the &next retraining"), self.use_next)
        self.leave = _button(tr("&Leave out again"), self.leave_out)
        self.leave.setAccessibleDescription(
            tr("The next retraining uses no corrections; their file is removed.")
        )
        self.used = QLabel()
        self.message = WrapLabel(muted=True)
        self._lay_out()
        self.model.chosen_changed.connect(self._count)
        self.list.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        self.model.modelReset.connect(self._enable)
        desk.outside.keeping.changed.connect(self.refresh)
        self._show_message(tr("Looking for corrections…"))

    def showEvent(self, event: QShowEvent) -> None:
        """What was corrected meanwhile is there too."""
        super().showEvent(event)
        self.refresh()

    def refresh(self) -> None:
        """Read the corrections again; what was taken out stays out."""
        if not self.isVisible():
            return
        store = self.desk.store
        if store is None:
            self._show_message(_CLOSED)
            return
        out = {one.id for one in self.model.all} - self.model.chosen
        first = not self._loaded
        self.desk.submit(lambda: _found(store, out, first=first), self._arrived, self._failed)

    def delete(self) -> None:
        """Ask, then remove the selected corrections for good."""
        rows = self.list.chosen_rows()
        if not rows:
            return
        asked = ntr(
            "Delete {n} correction for good? The draft stays as it is.",
            "Delete {n} corrections for good? The drafts stay as they are.",
            len(rows),
        ).format(n=f"{len(rows):,}")
        title = tr("Delete corrections")
        answer = QMessageBox.question(self, title, asked, _Button.Yes | _Button.Cancel, _Button.Cancel)
        if answer == _Button.Yes:
            numbers = [one.id for one in rows]
            self._do(lambda kept: kept.remove(numbers))

    def save_as(self) -> None:
        """Ask where, and write what is chosen as a corpus."""
        start = str(Path.home() / FILE)
        form = tr("Corrections (*.jsonl)")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save as a corpus"), start, form)
        if name:
            path = Path(name)
            path = path if path.suffix else path.with_suffix(".jsonl")
            chosen = set(self.model.chosen)
            self._do(lambda kept: kept.export(path, chosen), lambda number: self._saved(number, path))

    def use_next(self) -> None:
        """Write what is chosen as the corpus of the next retraining."""
        chosen = set(self.model.chosen)
        self._do(lambda kept: kept.choose(chosen), lambda number: self.desk.told.emit(in_use(number)))

    def leave_out(self) -> None:
        """Use no corrections in the next retraining."""
        self._do(lambda _: corpus.leave_out(), lambda _: self.use.setFocus())

    # What the background answers

    def _do(
        self, deed: Callable[[Corrections], object], then: Callable[[int], object] = lambda _: None
    ) -> None:
        store = self.desk.store
        if store is None:
            self._show_message(_CLOSED)
            return

        def job() -> object:
            from core.corrections.correction_store import Corrections

            return deed(Corrections(store))

        def done(answer: int) -> None:
            then(answer)
            self.refresh()

        self.desk.submit(job, done, self._failed)

    def _saved(self, number: int, path: Path) -> None:
        some = ntr("Saved {n} correction in {path}.", "Saved {n} corrections in {path}.", number)
        self.desk.told.emit(some.format(n=f"{number:,}", path=path))

    def _failed(self, error: Exception) -> None:
        self.desk.told.emit(said(error))
        if not self._loaded:
            self._show_message(said(error))

    def _arrived(self, found: _Found) -> None:
        row = self.list.currentIndex().row()
        self._loaded = True
        self.model.show(found.corrections, found.chosen)
        if self.model.shown and row >= 0:
            self.list.setCurrentIndex(self.model.index(min(row, len(self.model.shown) - 1)))
        self.used.setText(
            in_use(found.used) if found.used else tr("The next retraining uses no corrections.")
        )
        self.leave.setVisible(found.used > 0)
        self._show_message("" if found.corrections else _EMPTY)

    # What is shown

    def _setting_changed(self, name: str) -> None:
        if name == SETTING:
            self.switch.show_value(self._settings.value(SETTING))

    def _filter(self) -> None:
        self.model.filter(Wanted(self.verdict.currentData(), self.kind.currentData()))
        self._count()

    def _count(self) -> None:
        self.count.setText(counted(self.model.all, self.model.chosen))
        self._enable()

    def _enable(self) -> None:
        self.remove.setEnabled(bool(self.list.selectedIndexes()))
        listed = {one.id for one in self.model.shown}
        self.take_all.setEnabled(not listed <= self.model.chosen)
        self.take_none.setEnabled(not listed.isdisjoint(self.model.chosen))
        for button in (self.save, self.use):
            button.setEnabled(bool(self.model.chosen))

    def _show_message(self, text: str) -> None:
        self.message.setText(text)
        self.message.setVisible(bool(text))
        self._with.setVisible(not text)

    def _lay_out(self) -> None:
        told = WrapLabel(muted=True)
        told.setText(ROWS[SETTING].help)
        about = WrapLabel(muted=True)
        about.setText(_ABOUT)
        for label in (self.count, self.used):
            label.setMinimumHeight(self.save.sizeHint().height())
        self.message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.message.setContentsMargins(24, 24, 24, 24)
        self._with = QWidget()
        column = QVBoxLayout(self._with)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(_flow(self.verdict, self.kind))
        column.addWidget(self.list, 1)
        column.addWidget(_flow(self.count, self.take_all, self.take_none, self.remove))
        column.addWidget(_flow(self.save, self.use))
        column.addWidget(_flow(self.used, self.leave))
        column.addWidget(about)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(4)
        whole.addWidget(self.switch)
        whole.addWidget(told)
        whole.addSpacing(8)
        whole.addWidget(self.message, 1)
        whole.addWidget(self._with, 1)


def _found(store: Store, out: set[int], *, first: bool) -> _Found:
    """All corrections. Chosen is what is not ``out``; at first, what the next retraining uses and all that is newer."""
    from core.corrections.correction_store import Corrections

    listed = Corrections(store).listed()
    place = chosen_corpus()
    used, written = set(), datetime.min.replace(tzinfo=UTC)
    if place is not None:
        try:
            used = set(corpus.read(place))
            written = datetime.fromtimestamp(place.stat().st_mtime, UTC)
        except (LayoutError, FileError, OSError):
            place = None
    if first and place is not None:
        out = {one.id for one in listed if one.correction not in used and one.made_at <= written}
    return _Found(listed, frozenset(one.id for one in listed if one.id not in out), len(used))


def _choice(name: str, anything: str) -> Choice:
    box = Choice()
    box.setAccessibleName(name)
    box.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
    box.addItem(anything, None)
    return box


def _button(text: str, does: Callable[[], object]) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(lambda: does())
    return button


def _flow(*parts: QWidget) -> QWidget:
    """Parts side by side, and below each other where there is little width."""
    held = QWidget()
    row = FlowLayout(spacing=8)
    for part in parts:
        row.addWidget(part)
    held.setLayout(row)
    policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    policy.setHeightForWidth(True)
    held.setSizePolicy(policy)
    return held
