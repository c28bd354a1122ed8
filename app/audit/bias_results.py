"""The results of a bias audit: bars before and after debiasing, generated texts side by side, the table."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.audit.audit_strings import (
    CAUTION,
    KINDS,
    MEANINGS,
    TELLING,
    attribute_title,
    caveats,
    costs,
    judged_by,
    option_title,
    score,
    system_title,
    trigger_title,
)
from app.audit.bar_chart import Legend
from app.audit.bias_chart import BiasBars, groups_of, longest
from app.audit.requests import texts
from app.audit.run_view import RunView
from app.audit.tables import FIGURES, HEAD, NOTE, rows_of
from app.models.app_context import Desk
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import Choice, button, heading, labelled, note
from app.widgets.labels import WrapLabel, scaled, showable
from app.widgets.read_only_table import PlainTable
from core.i18n import tr
from core.runs.generator_audit import AUDIT, Audit, Sampled, Text, read_audit
from core.runs.types import Run

# What was written after one prompt, before and after calibration side by side, and what the judge made of it.


_LEAST_WIDTH = 155
"""What a text beside others needs."""
_LINES = 7


class SamplesView(QWidget):
    """Choose option, keyword and prompt; each system has its text beside the others."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Sampled] = []
        self.option, self.keyword, self.prompt, self.number = Choice(), Choice(), Choice(), Choice()
        self._samples = _field(tr("Sample"), self.number)
        row = FlowRow(spacing=12)
        row.add([_field(tr("Option"), self.option), _field(tr("Keyword"), self.keyword), self._samples])
        self._choosers = QWidget()
        choosers = QVBoxLayout(self._choosers)
        choosers.setContentsMargins(0, 0, 0, 0)
        choosers.addWidget(row)
        choosers.addWidget(_field(tr("Prompt"), self.prompt))
        self._said = WrapLabel()
        self._cards: dict[str, _Card] = {}
        self._beside = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._beside.setSpacing(14)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self._choosers)
        column.addWidget(self._said)
        column.addLayout(self._beside)
        boxes = (self.option, self.keyword, self.prompt, self.number)
        for at, box in enumerate(boxes):
            box.currentIndexChanged.connect(lambda _, at=at: self._narrow(at + 1))
        self.show_rows((), ())

    @property
    def said(self) -> str:
        """The prompt as the generator was given it, or why there is none."""
        return self._said.accessibleName()

    def shown(self) -> dict[str, tuple[str, str]]:
        """The text of each system and what the judge made of it, as they stand there."""
        return {system: card.shown for system, card in self._cards.items() if not card.isHidden()}

    def show_rows(self, rows: Sequence[Sampled], systems: Sequence[str]) -> None:
        """Show these texts in the place of those before; what is chosen stays chosen where it is there."""
        self._rows = list(rows)
        for system in systems:
            if system not in self._cards:
                self._cards[system] = _Card(system_title(system))
                self._beside.addWidget(self._cards[system], 1)
        for system, card in self._cards.items():
            card.setVisible(system in systems and bool(rows))
        self._choosers.setVisible(bool(rows))
        self._arrange()
        self._narrow(0)

    def choose_option(self, option: str) -> None:
        """Show texts of this option, if there are any."""
        at = self.option.findData(option)
        if at >= 0:
            self.option.setCurrentIndex(at)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, the texts stand below each other."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        ways = QBoxLayout.Direction
        shown = sum(not card.isHidden() for card in self._cards.values())
        beside = self.width() >= shown * _LEAST_WIDTH
        self._beside.setDirection(ways.LeftToRight if beside else ways.TopToBottom)

    def _narrow(self, first: int) -> None:
        """Offer what there is in the choosers from ``first`` on, by what those before say."""
        rows = [row for row in self._rows if first < 1 or row.option == self.option.currentData()]
        if first < 1:
            _fill(self.option, ((row.option, option_title(row.option)) for row in rows))
            rows = [row for row in rows if row.option == self.option.currentData()]
        if first < 2:
            _fill(self.keyword, ((row.keyword, row.keyword) for row in rows))
        rows = [row for row in rows if row.keyword == self.keyword.currentData()]
        if first < 3:
            _fill(
                self.prompt,
                ((row.prompt, f"{row.prompt} … ({trigger_title(row.trigger)})") for row in rows),
                keep_place=True,
            )
        rows = [row for row in rows if row.prompt == self.prompt.currentData()]
        if first < 4:
            _fill(self.number, ((row.number, f"{row.number + 1}") for row in rows))
            self._samples.setVisible(self.number.count() > 1)
        self._show(next((row for row in rows if row.number == self.number.currentData()), None))

    def _show(self, row: Sampled | None) -> None:
        if row is None:
            self._said.setText(tr("Texts are shown when the first part of the audit is done."))
            return
        said = tr("After “{prompt}”, which {what}, the generator wrote:")
        self._said.setText(said.format(prompt=row.prompt, what=trigger_title(row.trigger)))
        for system, card in self._cards.items():
            card.show_text(row.texts.get(system))


class _Card(QWidget):
    """The text of one system."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        name = WrapLabel()
        name.setText(title)
        name.setFont(scaled(self.font(), 1.0, bold=True))
        name.setAlignment(Qt.AlignmentFlag.AlignBottom)
        self._text = QPlainTextEdit()
        self._text.setReadOnly(True)
        self._text.setTabChangesFocus(True)
        self._text.setAccessibleName(tr("Text: {system}").format(system=title))
        self._text.setFixedHeight(_LINES * self._text.fontMetrics().lineSpacing() + 14)
        self._score = WrapLabel(muted=True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(name, 1)
        column.addWidget(self._text)
        column.addWidget(self._score)

    @property
    def shown(self) -> tuple[str, str]:
        """The text and what the judge made of it."""
        return self._text.toPlainText(), self._score.accessibleName()

    def show_text(self, text: Text | None) -> None:
        """Show a text; one that is not there yet is said to be so."""
        lines = tr("Not written yet.") if text is None else text.text.strip()
        self._text.setPlainText("\n".join(showable(line) for line in lines.split("\n")))
        self._score.setText("" if text is None else score(text.liberal))
        self._text.setAccessibleDescription(self._score.accessibleName())


def _field(title: str, box: Choice) -> QWidget:
    made = QWidget()
    label = QLabel(title)
    label.setBuddy(box)
    box.setAccessibleName(title)
    row = QVBoxLayout(made)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(2)
    row.addWidget(label)
    row.addWidget(box)
    return made


def _fill(box: Choice, rows: Iterable[tuple[object, str]], *, keep_place: bool = False) -> None:
    """Offer each once. What was chosen stays so where it is there; with ``keep_place`` the one that stands there."""
    chosen, place = box.currentData(), box.currentIndex()
    box.blockSignals(True)
    box.clear()
    for data, words in dict(rows).items():
        box.addItem(showable(words), data)
    at = box.findData(chosen) if chosen is not None else -1
    fallback = min(place, box.count() - 1) if keep_place else 0
    box.setCurrentIndex(at if at >= 0 else max(0, fallback))
    box.blockSignals(False)


# What an audit found: bars before and after calibration, texts side by side, the table, and how to read them.


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


# One audit of a generator: how it goes, its figures and its texts.


class AuditView(RunView[Audit]):
    """Reads the texts of an attribute when they are wanted."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        self.results = AuditResults()
        super().__init__(desk, TELLING, self.results, file=AUDIT, read=read_audit, parent=parent)
        self.results.texts_wanted.connect(self._read_texts)

    def is_something(self, found: Audit) -> bool:
        """Whether a part is measured."""
        return bool(found.parts)

    def show_found(self, found: Audit) -> None:
        """Show the figures."""
        self.results.show_audit(found)

    def show_run(self, run: Run, process: subprocess.Popen[bytes] | None = None) -> None:
        """Show this audit, without the texts of another."""
        if self.run is None or self.run.id != run.id:
            self.results.samples.show_rows((), ())
        super().show_run(run, process)

    def _read_texts(self, attribute: str) -> None:
        run, audit = self.run, self.results.audit
        if run is not None and audit is not None:
            self._desk.submit(
                lambda: texts(run, audit, attribute),
                lambda read: self._texts_read(run, read),
                lambda error: self._desk.told.emit(str(error)),
            )

    def _texts_read(self, run: Run, read: tuple[str, list[Sampled]]) -> None:
        if self.run is not None and self.run.id == run.id:
            self.results.show_texts(*read)
