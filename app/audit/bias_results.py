"""The results of a bias audit: bars before and after debiasing, generated texts side by side, table of metrics."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QWidget

from app.audit.audit_strings import (
    BIAS_MEANINGS,
    CAUTION,
    KINDS,
    PROGRESS_STRINGS,
    attribute_title,
    classifier_note,
    describe_caveats,
    describe_costs,
    option_title,
    score_text,
    system_title,
    trigger_title,
)
from app.audit.bar_chart import Legend
from app.audit.bias_chart import BiasChart, collect_biases, greatest_value
from app.audit.run_queries import read_audit_texts
from app.audit.run_view import AuditRunView
from app.audit.tables import HEADER, NOTE, NUMBER_COLUMNS, bias_rows
from app.models.app_context import AppContext
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import (
    ComboBox,
    make_button,
    make_heading,
    make_hint_label,
    make_text_view,
    with_label,
)
from app.widgets.labels import WrapLabel, to_single_line
from app.widgets.layouts import make_column
from app.widgets.read_only_table import ReadOnlyTable
from core.i18n import tr
from core.runs.generator_audit import AUDIT_FILE, Audit, AuditedText, SampledPrompt, read_audit
from core.runs.types import Run

_MIN_TEXT_WIDTH = 155
"""Minimum width of a text in pixels."""
_VISIBLE_LINES = 7


class SamplesView(QWidget):
    """Generated texts by option, keyword and prompt, those of all methods side by side."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[SampledPrompt] = []
        self.option, self.keyword, self.prompt, self.number = ComboBox(), ComboBox(), ComboBox(), ComboBox()
        self._samples = with_label(tr("Sample"), self.number, above=True)
        row = FlowRow(
            with_label(tr("Option"), self.option, above=True),
            with_label(tr("Keyword"), self.keyword, above=True),
            self._samples,
            spacing=12,
        )
        self._choosers = QWidget()
        make_column(row, with_label(tr("Prompt"), self.prompt, above=True), parent=self._choosers)
        self._prompt_label = WrapLabel()
        self._cards: dict[str, _Card] = {}
        self._cards_layout = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._cards_layout.setSpacing(14)
        make_column(self._choosers, self._prompt_label, self._cards_layout, parent=self, spacing=8)
        boxes = (self.option, self.keyword, self.prompt, self.number)
        for at, box in enumerate(boxes):
            box.currentIndexChanged.connect(lambda _, at=at: self._update_choices(at + 1))
        self.show_rows((), ())

    @property
    def prompt_label(self) -> str:
        """The prompt, or why there is none."""
        return self._prompt_label.accessibleName()

    def shown(self) -> dict[str, tuple[str, str]]:
        """The visible texts and their scores by method."""
        return {system: card.shown for system, card in self._cards.items() if not card.isHidden()}

    def show_rows(self, rows: Sequence[SampledPrompt], systems: Sequence[str]) -> None:
        """Show other texts; choices stay if they are still there."""
        self._rows = list(rows)
        for system in systems:
            if system not in self._cards:
                self._cards[system] = _Card(system_title(system))
                self._cards_layout.addWidget(self._cards[system], 1)
        for system, card in self._cards.items():
            card.setVisible(system in systems and bool(rows))
        self._choosers.setVisible(bool(rows))
        self._arrange_cards()
        self._update_choices(0)

    def choose_option(self, option: str) -> None:
        """Show texts of this option, if there are any."""
        at = self.option.findData(option)
        if at >= 0:
            self.option.setCurrentIndex(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow view the texts are below each other."""
        super().resizeEvent(event)
        self._arrange_cards()

    def _arrange_cards(self) -> None:
        ways = QBoxLayout.Direction
        shown = sum(not card.isHidden() for card in self._cards.values())
        side_by_side = self.width() >= shown * _MIN_TEXT_WIDTH
        self._cards_layout.setDirection(ways.LeftToRight if side_by_side else ways.TopToBottom)

    def _update_choices(self, first: int) -> None:
        """Fill the combo boxes from number ``first`` on, depending on those before."""
        rows = [row for row in self._rows if first < 1 or row.option == self.option.currentData()]
        if first < 1:
            self.option.set_choices((row.option, option_title(row.option)) for row in rows)
            rows = [row for row in rows if row.option == self.option.currentData()]
        if first < 2:
            self.keyword.set_choices((row.keyword, row.keyword) for row in rows)
        rows = [row for row in rows if row.keyword == self.keyword.currentData()]
        if first < 3:
            self.prompt.set_choices(
                ((row.prompt, f"{row.prompt} … ({trigger_title(row.trigger)})") for row in rows),
                fallback=max(0, self.prompt.currentIndex()),
            )
        rows = [row for row in rows if row.prompt == self.prompt.currentData()]
        if first < 4:
            self.number.set_choices((row.number, f"{row.number + 1}") for row in rows)
            self._samples.setVisible(self.number.count() > 1)
        self._show(next((row for row in rows if row.number == self.number.currentData()), None))

    def _show(self, row: SampledPrompt | None) -> None:
        if row is None:
            self._prompt_label.setText(tr("Texts are shown as soon as the first part of the audit is done."))
            return
        prompt_label = tr("Prompt “{prompt}” ({what}). The generator wrote:")
        self._prompt_label.setText(prompt_label.format(prompt=row.prompt, what=trigger_title(row.trigger)))
        for system, card in self._cards.items():
            card.show_text(row.texts.get(system))


class _Card(QWidget):
    """The text of one method."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        name = WrapLabel(title, bold=True)
        name.setAlignment(Qt.AlignmentFlag.AlignBottom)
        self._text = make_text_view(tr("Text: {system}").format(system=title))
        self._text.setFixedHeight(_VISIBLE_LINES * self._text.fontMetrics().lineSpacing() + 14)
        self._score = WrapLabel(muted=True)
        make_column((name, 1), self._text, self._score, parent=self, spacing=4)

    @property
    def shown(self) -> tuple[str, str]:
        """The text and its score."""
        return self._text.toPlainText(), self._score.accessibleName()

    def show_text(self, text: AuditedText | None) -> None:
        """Show a text, or that it is not written yet."""
        lines = tr("Not written yet.") if text is None else text.text.strip()
        self._text.setPlainText("\n".join(to_single_line(line) for line in lines.split("\n")))
        self._score.setText("" if text is None else score_text(text.liberal))
        self._text.setAccessibleDescription(self._score.accessibleName())


_NARROW = 700
_WIDE = 24


class BiasResults(QWidget):
    """``texts_requested`` carries the attribute whose texts are to be loaded. ``picture_requested`` and
    ``table_requested``: exports.
    """

    texts_requested = Signal(str)
    picture_requested = Signal()
    table_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._audit: Audit | None = None
        self._columns = 0
        self.attribute = ComboBox(tr("Attribute"))
        self.attribute.setMinimumContentsLength(_WIDE)
        self.attribute.currentIndexChanged.connect(self._attribute_chosen)
        self.charts = {kind: BiasChart(kind) for kind in KINDS}
        self.legend = Legend()
        self.samples = SamplesView()
        self.table = ReadOnlyTable(tr("Metrics of the audit"))
        self._classifier_label, self._costs_label, self._caveats_label = WrapLabel(), WrapLabel(), WrapLabel()
        self.buttons = {
            "picture": make_button(tr("Save a chart as a picture…"), self.picture_requested.emit),
            "table": make_button(tr("Save the table as CSV…"), self.table_requested.emit),
        }
        for chart in self.charts.values():
            chart.activated.connect(
                lambda number, chart=chart: self.samples.choose_option(chart.option_of(number))
            )
        self._lay_out()

    @property
    def audit(self) -> Audit | None:
        """The audit that is shown."""
        return self._audit

    @property
    def shown(self) -> str:
        """The attribute that is shown."""
        return str(self.attribute.currentData() or "")

    @property
    def notes(self) -> str:
        """The notes on classifier, costs and missing parts, as shown."""
        return "\n".join(
            label.accessibleName()
            for label in (self._caveats_label, self._classifier_label, self._costs_label)
            if not label.isHidden()
        )

    def show_audit(self, audit: Audit) -> None:
        """Show an audit; the attribute stays. Requests its texts."""
        self._audit = audit
        measured = [name for name in audit.options if any(part.attribute == name for part in audit.parts)]
        self.attribute.set_choices((name, attribute_title(name)) for name in measured or audit.options)
        self._update_charts(audit)
        self.texts_requested.emit(self.shown)

    def show_texts(self, attribute: str, rows: list[SampledPrompt]) -> None:
        """Show the texts of an attribute, if it is still selected."""
        if self._audit is not None and attribute == self.shown:
            self.samples.show_rows(rows, self._audit.systems)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow view the charts are below each other."""
        super().resizeEvent(event)
        self._arrange_cards(1 if self.width() < _NARROW else 2)

    def _lay_out(self) -> None:
        head = FlowRow(with_label(tr("Show"), self.attribute), *self.buttons.values(), spacing=10)
        self._grid = QGridLayout()
        self._grid.setVerticalSpacing(4)
        self._parts = [
            (make_heading(KINDS[kind]), make_hint_label(BIAS_MEANINGS[kind]), chart)
            for kind, chart in self.charts.items()
        ]
        caution = WrapLabel(CAUTION)
        column = make_column(
            self._caveats_label,
            head,
            self._classifier_label,
            self._grid,
            self.legend,
            parent=self,
            spacing=10,
        )
        for title, widgets in (
            (tr("Generated texts"), (self.samples,)),
            (tr("Metrics"), (self.table, make_hint_label(NOTE), self._costs_label)),
            (tr("Limitations of an audit"), (caution,)),
        ):
            column.addSpacing(8)
            column.addWidget(make_heading(title))
            for widget in widgets:
                column.addWidget(widget)

    def _arrange_cards(self, columns: int) -> None:
        """Place the charts side by side, aligned at the top, or below each other."""
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

    def _attribute_chosen(self) -> None:
        if self._audit is not None:
            self._update_charts(self._audit)
            self.texts_requested.emit(self.shown)

    def _update_charts(self, audit: Audit) -> None:
        maximum, name = greatest_value(audit), self.shown
        for kind, chart in self.charts.items():
            chart.show_biases(collect_biases(audit, name, kind), maximum)
        self.legend.show_systems(audit.systems)
        self.table.show_rows(HEADER, bias_rows(audit, name), right=NUMBER_COLUMNS)
        self._classifier_label.setText(classifier_note(audit))
        message = [line for system in audit.systems if (line := describe_costs(audit, system, name))]
        self._costs_label.setText("\n".join(message))
        self._costs_label.setVisible(bool(message))
        caveat_text = describe_caveats(audit)
        self._caveats_label.show_text(caveat_text)
        for button in self.buttons.values():
            button.setEnabled(bool(audit.parts))


class BiasView(AuditRunView[Audit]):
    """One bias audit. Texts are loaded when they are requested."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        self.results = BiasResults()
        super().__init__(
            context,
            PROGRESS_STRINGS,
            self.results,
            file_name=AUDIT_FILE,
            read=read_audit,
            has_results=lambda audit: bool(audit.parts),
            show_results=self.results.show_audit,
            parent=parent,
        )
        self.results.texts_requested.connect(self._read_texts)

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this audit without the texts of another."""
        if self.run is None or self.run.id != run.id:
            self.results.samples.show_rows((), ())
        super().show_run(run, process)

    def _read_texts(self, attribute: str) -> None:
        run, audit = self.run, self.results.audit
        if run is not None and audit is not None:
            self._context.submit(
                lambda: read_audit_texts(run, audit, attribute),
                lambda read: self._texts_read(run, read),
                lambda error: self._context.message.emit(str(error)),
            )

    def _texts_read(self, run: Run, read: tuple[str, list[SampledPrompt]]) -> None:
        if self.run is not None and self.run.id == run.id:
            self.results.show_texts(*read)
