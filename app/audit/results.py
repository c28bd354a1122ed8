"""What an audit found: bars before and after calibration, texts side by side, the table, and how to read them."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.audit.bars import BiasBars, groups_of, longest
from app.audit.looks import Legend
from app.audit.result_parts import heading, labelled, note
from app.audit.samples import SamplesView
from app.audit.table import FIGURES, HEAD, NOTE, rows_of
from app.audit.words import CAUTION, KINDS, MEANINGS, attribute_title, caveats, costs, judged_by
from app.parts.labels import WrapLabel
from app.training.flow_row import FlowRow
from app.training.plain_table import PlainTable
from app.training.retrain_fields import Choice, button
from core.language import tr
from core.runs.audit import Audit, Sampled

_NARROW = 700
_WIDE = 24  # characters


class AuditResults(QWidget):
    """``texts_wanted``: the attribute whose texts are to be shown. ``picture_wanted`` and ``table_wanted``: exports."""

    texts_wanted = Signal(str)
    picture_wanted = Signal()
    table_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._audit: Audit | None = None
        self._columns = 0
        self.attribute = Choice()
        self.attribute.setAccessibleName(tr("What is shown"))
        self.attribute.setMinimumContentsLength(_WIDE)
        self.attribute.currentIndexChanged.connect(self._chosen)
        self.charts = {kind: BiasBars(kind) for kind in KINDS}
        self.legend = Legend()
        self.samples = SamplesView()
        self.table = PlainTable(tr("Figures of the audit"))
        self._judge, self._costs, self._caveats = WrapLabel(), WrapLabel(), WrapLabel()
        self.buttons = {
            "picture": button(tr("Save a chart as picture…"), self.picture_wanted.emit),
            "table": button(tr("Save the table as CSV…"), self.table_wanted.emit),
        }
        for chart in self.charts.values():
            chart.chosen.connect(
                lambda number, chart=chart: self.samples.choose_option(chart.option_at(number))
            )
        self._lay_out()

    @property
    def audit(self) -> Audit | None:
        """What is shown."""
        return self._audit

    @property
    def shown(self) -> str:
        """The attribute that is shown."""
        return str(self.attribute.currentData() or "")

    @property
    def notes(self) -> str:
        """What is said of judge, cost and of what is missing, as shown."""
        return "\n".join(
            label.accessibleName()
            for label in (self._caveats, self._judge, self._costs)
            if not label.isHidden()
        )

    def show_audit(self, audit: Audit) -> None:
        """Show what there is; the attribute that is chosen stays so. Its texts are asked for."""
        self._audit = audit
        measured = [name for name in audit.options if any(part.attribute == name for part in audit.parts)]
        names = measured or list(audit.options)
        if [self.attribute.itemData(at) for at in range(self.attribute.count())] != names:
            chosen = self.shown
            self.attribute.blockSignals(True)
            self.attribute.clear()
            for name in names:
                self.attribute.addItem(attribute_title(name), name)
            self.attribute.setCurrentIndex(max(0, self.attribute.findData(chosen)))
            self.attribute.blockSignals(False)
        self._draw(audit)
        self.texts_wanted.emit(self.shown)

    def show_texts(self, attribute: str, rows: list[Sampled]) -> None:
        """Show the texts of an attribute, if it is still the one that is shown."""
        if self._audit is not None and attribute == self.shown:
            self.samples.show_rows(rows, self._audit.systems)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, the charts stand below each other."""
        super().resizeEvent(event)
        self._arrange(1 if self.width() < _NARROW else 2)

    def _lay_out(self) -> None:
        head = FlowRow(spacing=10)
        head.add([labelled(tr("Show"), self.attribute), *self.buttons.values()])
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(4)
        self._parts = [
            (heading(KINDS[kind]), note(MEANINGS[kind]), chart) for kind, chart in self.charts.items()
        ]
        caution = WrapLabel()
        caution.setText(CAUTION)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self._caveats)
        column.addWidget(head)
        column.addWidget(self._judge)
        column.addLayout(self._grid)
        column.addWidget(self.legend)
        for title, widgets in (
            (tr("What was written"), (self.samples,)),
            (tr("Figures"), (self.table, note(NOTE), self._costs)),
            (tr("What an audit cannot tell"), (caution,)),
        ):
            column.addSpacing(8)
            column.addWidget(heading(title))
            for widget in widgets:
                column.addWidget(widget)

    def _arrange(self, columns: int) -> None:
        """The charts beside or below each other; beside, they begin at one height, however long what is said is."""
        if columns == self._columns:
            return
        self._columns = columns
        for at, part in enumerate(self._parts):
            for line, widget in enumerate(part):
                row, column = (line, at) if columns == 2 else (at * len(part) + line, 0)
                self._grid.addWidget(widget, row, column)
        self._grid.setHorizontalSpacing(28 if columns == 2 else 0)
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < columns else 0)

    def _chosen(self) -> None:
        if self._audit is not None:
            self._draw(self._audit)
            self.texts_wanted.emit(self.shown)

    def _draw(self, audit: Audit) -> None:
        most, name = longest(audit), self.shown
        for kind, chart in self.charts.items():
            chart.show_groups(groups_of(audit, name, kind), most)
        self.legend.show_systems(audit.systems)
        self.table.show_rows(HEAD, rows_of(audit, name), right=FIGURES)
        self._judge.setText(judged_by(audit))
        told = [line for system in audit.systems if (line := costs(audit, system, name))]
        self._costs.setText("\n".join(told))
        self._costs.setVisible(bool(told))
        doubt = caveats(audit)
        self._caveats.setText(doubt)
        self._caveats.setVisible(bool(doubt))
        for one in self.buttons.values():
            one.setEnabled(bool(audit.parts))
