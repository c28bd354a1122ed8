"""The findings panel: the number of findings, filters by kind and confidence, and the list."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QMenu,
    QSizePolicy,
    QSlider,
    QStackedLayout,
    QToolButton,
    QWidget,
)

from app.analysis.finding_counts import FindingCounts, count_findings
from app.editor.biased_sentences import BiasedSentence
from app.review.findings_list import FindingsDelegate, FindingsModel
from app.review.suggestion_rows import scope_text, scopes_for
from app.settings.settings import SETTINGS_BY_NAME
from app.widgets.icons import kind_icon
from app.widgets.kinds import kind_style
from app.widgets.labels import ElidedLabel, WrapLabel, format_percent, make_placeholder, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.list_rows import RowListView
from app.widgets.plain_text import PlainLabel, plain_text
from app.widgets.theme import is_dark
from core.documents import Format
from core.documents.unread import explain_unread, unread_note
from core.i18n import ntr, tr
from core.types import ALL_KINDS, KINDS, Finding, Kind, Report

_ABOUT = tr(
    "Findings that are ignored or always allowed are left out. The bias of a sentence does not change: it is computed "
    "from the words, not from the findings."
)
_ABOUT_SENTENCES = tr(
    "Sentences that read as biased although no word in them is marked are also listed, and "
    "counted separately."
)
_ABOUT_COUNTS = tr(
    "The counts are those of the default sensitivity, as in the versions. Findings that only a "
    "higher sensitivity marks are counted as less certain."
)

_SIDE, _GAP = 10, 5
_BUTTON_PADDING = 20
_WIDEST_COUNT = "000"
"""Room for this is kept beside each name, so that the buttons stay where they are while findings come and go."""


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Which findings are shown: their kinds, and the least confidence of the reader in [0, 1].

    Sentences without marked words have no kind: they are shown with all kinds of bias, by their bias.
    """

    kinds: frozenset[Kind] = frozenset(ALL_KINDS)
    min_confidence: float = 0.0

    def accepts(self, finding: Finding) -> bool:
        """Whether a finding is shown: a place that a rule flags too is shown as one of either."""
        if isinstance(finding, BiasedSentence):
            return self.kinds.issuperset(KINDS) and finding.confidence >= self.min_confidence
        by_rule = finding.style is not None and Kind.STYLE in self.kinds
        return by_rule or (finding.kind in self.kinds and finding.confidence >= self.min_confidence)


class FindingsPanel(QWidget):
    """All findings of the document. A click or Enter activates a row; arrows only move through the rows.

    ``finding_activated``: a ``Finding`` to go to. ``filter_changed``: the ``FindingFilter``. ``ignore_requested``: a
    ``Finding`` and one of ``suggestion_rows.IGNORE_SCOPES``. ``term_dependent_last_changed``: whether term-dependent
    findings come after all others.
    """

    finding_activated = Signal(object)
    filter_changed = Signal(object)
    ignore_requested = Signal(object, str)
    term_dependent_last_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: Report | None = None
        self._source = ""
        self._message = ""
        self._filter = FindingFilter()
        self._sentences: Sequence[BiasedSentence] = ()
        self._term_dependent: Collection[Finding] = frozenset()
        self._term_dependent_last = True
        self._counted: Sequence[Finding] = ()
        self._counts = FindingCounts()

        self._title = ElidedLabel()
        self._title.setForegroundRole(QPalette.ColorRole.WindowText)
        self._title.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._title.setFont(scaled_font(self.font(), 1.15, bold=True))
        self._state = ElidedLabel()
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._kinds = {kind: self._kind_button(kind) for kind in ALL_KINDS}
        self._places: dict[Kind, tuple[int, int]] = {}
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(0, 100)
        self._slider.setPageStep(10)
        self._slider.setMinimumWidth(40)
        self._slider.setAccessibleName(tr("Minimum confidence"))
        self._threshold = PlainLabel()
        self._threshold.setMinimumWidth(self.fontMetrics().horizontalAdvance("≥ 100%"))
        self._threshold.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

        self._model = FindingsModel(self)
        self._list = RowListView()
        self._list.setModel(self._model)
        self._list.setItemDelegate(FindingsDelegate(self._list))
        self._placeholder = make_placeholder()

        self._unread = WrapLabel(muted=True)
        self._unread.hide()

        self._lay_out()
        self._show_filter()
        self._paint_kinds()
        self._slider.valueChanged.connect(self._controls_changed)
        for button in self._kinds.values():
            button.toggled.connect(self._controls_changed)
        self._list.clicked.connect(lambda index: self._activate(index.row()))
        self._list.enter_pressed.connect(self._activate)
        self._list.menu_requested.connect(self._show_menu)
        self.clear()

    @property
    def filter(self) -> FindingFilter:
        """The present filter; setting it updates the controls and emits ``filter_changed``."""
        return self._filter

    @filter.setter
    def filter(self, wanted: FindingFilter) -> None:
        if wanted == self._filter:
            return
        self._filter = wanted
        self._show_filter()
        self._fill()
        self.filter_changed.emit(wanted)

    def set_answers(self, answers: Mapping[str, Sequence[str]]) -> None:
        """Show with the findings of these fingerprints what was answered to them, in sentences."""
        self._model.set_answers(answers)

    @property
    def focused_finding(self) -> Finding | None:
        """The finding of the current row while the list has the focus; else None."""
        index = self._list.currentIndex()
        return self._model.finding(index.row()) if self._list.hasFocus() and index.isValid() else None

    @property
    def term_dependent_last(self) -> bool:
        """Whether term-dependent findings come last; setting it emits ``term_dependent_last_changed``."""
        return self._term_dependent_last

    @term_dependent_last.setter
    def term_dependent_last(self, wanted: bool) -> None:
        self._set_term_dependent_last(wanted)

    def _set_term_dependent_last(self, wanted: bool) -> None:
        if wanted != self._term_dependent_last:
            self._term_dependent_last = wanted
            self._fill()
            self.term_dependent_last_changed.emit(wanted)

    def show_report(
        self,
        report: Report,
        source: str,
        term_dependent: Collection[Finding] = frozenset(),
        sentences: Sequence[BiasedSentence] = (),
        *,
        counted: Sequence[Finding] | None = None,
    ) -> None:
        """List the findings of ``report`` on ``source``, and the ``sentences`` that read as biased without one.

        ``counted`` are those of the default sensitivity, by default the same. Selection and scroll stay on their
        findings.
        """
        for _ in self.steps(report, source, term_dependent, sentences, counted=counted):
            pass

    def steps(
        self,
        report: Report,
        source: str,
        term_dependent: Collection[Finding] = frozenset(),
        sentences: Sequence[BiasedSentence] = (),
        *,
        counted: Sequence[Finding] | None = None,
    ) -> Iterator[None]:
        """As ``show_report``, step by step."""
        self._report, self._source, self._message = report, source, ""
        self._term_dependent, self._sentences = term_dependent, sentences
        self._counted = [*report.findings, *sentences] if counted is None else counted
        yield from self._fill_steps()

    def clear(self) -> None:
        """Remove all rows, counts and messages."""
        self._report, self._source, self._message = None, "", ""
        self._term_dependent, self._sentences, self._counted = frozenset(), (), ()
        self._fill()

    def set_message(self, text: str) -> None:
        """Show a message beside the title, or in place of the rows if there are none."""
        self._message = text
        self._show_state()

    def set_current(self, finding: Finding | None) -> None:
        """Select the row of ``finding`` without activating it; clear the selection if it is None or not listed."""
        row = None if finding is None else self._model.row_of(finding)
        self._select(row)
        if row is not None:
            self._list.scrollTo(self._model.index(row))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._paint_kinds()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the kind buttons so that their names fit."""
        super().resizeEvent(event)
        self._label_kinds()

    def _kind_button(self, kind: Kind) -> QToolButton:
        button = QToolButton()
        button.setCheckable(True)
        button.setProperty("filter", True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        side = button.fontMetrics().height()
        button.setIconSize(QSize(side, side))
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setObjectName(f"kind_{kind.value}")
        return button

    def _lay_out(self) -> None:
        head = make_row(self._title, (self._state, 1))
        toggles = QWidget()
        self._toggles = QGridLayout(toggles)
        self._toggles.setContentsMargins(0, 0, 0, 0)
        self._toggles.setSpacing(_GAP)
        for number, button in enumerate(self._kinds.values()):
            self._toggles.addWidget(button, 0, number)
        confidence = make_row(PlainLabel(tr("Confidence")), (self._slider, 1), self._threshold)
        top = make_column(head, toggles, confidence, self._unread, spacing=8, margins=(_SIDE, 10, _SIDE, 8))

        self._rows = QFrame()
        self._rows.setAutoFillBackground(True)
        self._rows.setBackgroundRole(QPalette.ColorRole.Base)
        self._pages = QStackedLayout(self._rows)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._placeholder)
        make_column(top, (self._rows, 1), parent=self, spacing=0)

    def _controls_changed(self) -> None:
        kinds = frozenset(kind for kind, button in self._kinds.items() if button.isChecked())
        self.filter = FindingFilter(kinds, self._slider.value() / 100)

    def _show_filter(self) -> None:
        """Set the controls without emitting signals."""
        least = self._filter.min_confidence
        controls = [self._slider, *self._kinds.values()]
        was = [control.blockSignals(True) for control in controls]
        self._slider.setValue(round(100 * least))
        for kind, button in self._kinds.items():
            button.setChecked(kind in self._filter.kinds)
        for control, blocked in zip(controls, was, strict=True):
            control.blockSignals(blocked)
        self._threshold.setText(f"≥ {format_percent(least)}" if least else tr("all"))
        some = tr("Shows findings with a confidence of {least} or more").format(least=format_percent(least))
        shown = some if least else tr("Shows all findings")
        self._slider.setToolTip(plain_text(shown))
        self._slider.setAccessibleDescription(shown)

    def _fill(self) -> None:
        for _ in self._fill_steps():
            pass

    def _fill_steps(self) -> Iterator[None]:
        """Update the rows step by step; the selection and the top row are kept."""
        report, wanted = self._report, self._filter
        findings = report.findings if report else ()
        listed = (
            sorted([*findings, *self._sentences], key=lambda one: one.start) if self._sentences else findings
        )
        shown = [finding for finding in listed if wanted.accepts(finding)]
        yield
        counts = count_findings(self._counted, shown)
        yield
        if report is not self._report or wanted != self._filter:
            return
        sentences = report.sentences if report else ()
        kept = self._model.key(self._list.currentIndex().row())
        top, shift = self._list.top_row()
        on_top = self._model.key(top) if top or shift else None
        self._model.show(
            shown,
            self._source,
            sentences,
            form=Format(report.format) if report else Format.PLAIN,
            term_dependent=self._term_dependent,
            term_dependent_last=self._term_dependent_last,
        )
        self._select(self._model.row_of_key(kept))
        row = self._model.row_of_key(on_top)
        self._list.set_top_row((top if row is None else row) if on_top else 0, shift)
        self._counts = counts
        self._show_state()
        self._label_kinds()

    def _show_state(self) -> None:
        found, shown, more = self._counts.found, self._counts.shown, self._counts.less_certain
        rows = self._model.rowCount()
        accepts = self._filter.accepts
        sentences = sum(isinstance(one, BiasedSentence) and accepts(one) for one in self._counted)
        title = tr("Findings")
        if self._report is not None:
            counted = tr("Findings {shown:,}") if shown == found else tr("Findings {shown:,} of {found:,}")
            title = counted.format(shown=shown, found=found)
            if more:
                title += " · " + ntr("{n} less certain", "{n} less certain", more).format(n=f"{more:,}")
            if sentences:
                counted = ntr("{n} sentence", "{n} sentences", sentences)
                title += " · " + counted.format(n=f"{sentences:,}")
        self._title.setText(title)
        self._title.setToolTip(plain_text(f"{title}\n{_ABOUT} {_ABOUT_SENTENCES}\n{_ABOUT_COUNTS}"))
        self._state.setText(self._message if rows else "")
        self._show_unread(self._report)
        if self._message or self._report is None:
            self._placeholder.setText(self._message)
        elif found and not self._report.findings:
            self._placeholder.setText(tr("No finding is certain enough for this sensitivity. Raise it."))
        elif found:
            hidden = ntr("The finding is filtered out.", "The {found:,} findings are filtered out.", found)
            do = tr("Switch a kind on, or lower the minimum confidence.")
            self._placeholder.setText(f"{hidden.format(found=found)}\n{do}")
        else:
            self._placeholder.setText(tr("No findings"))
        self._pages.setCurrentWidget(self._list if rows else self._placeholder)

    def _show_unread(self, report: Report | None) -> None:
        """Say which parts of the file were not read, and why in the tip."""
        unread = report.unread if report else ()
        self._unread.show_text(unread_note(report) if report else "")
        tip = "\n".join(dict.fromkeys(explain_unread(part.kind) for part in unread))
        self._unread.setToolTip(plain_text(tip))

    def _label_kinds(self) -> None:
        """Label the kind buttons with their names and counts, which no filter changes.

        The buttons stand in one row, in two columns or in one, whichever their names fit in first.
        """
        counts = self._counts
        labels = {kind: kind_style(kind, dark=False).label for kind in ALL_KINDS}
        rules = self._kinds[Kind.STYLE]
        rules.setVisible(bool(counts.of(Kind.STYLE)) or not rules.isChecked())
        shown = [kind for kind, button in self._kinds.items() if not button.isHidden()]
        widest = max(
            self.fontMetrics().horizontalAdvance(f"{labels[kind]} {_WIDEST_COUNT}") for kind in shown
        )
        needed = widest + rules.iconSize().width() + _BUTTON_PADDING
        room = self.width() - 2 * _SIDE
        fitting = (columns for columns in (len(shown), 2) if (room + _GAP) // columns - _GAP >= needed)
        self._arrange_kinds(shown, next(fitting, 1))
        for kind, button in self._kinds.items():
            count = f"{counts.of(kind):,}" if self._report else ""
            button.setText(f"{labels[kind]} {count}".strip())
            tip = tr("Show or hide findings of this kind: {kind}").format(kind=labels[kind])
            button.setToolTip(plain_text(tip))
            button.setAccessibleName(f"{labels[kind]} {counts.of(kind):,}")

    def _arrange_kinds(self, shown: Sequence[Kind], columns: int) -> None:
        places = {kind: divmod(number, columns) for number, kind in enumerate(shown)}
        if places == self._places:
            return
        self._places = places
        for number in range(len(ALL_KINDS)):
            self._toggles.setColumnStretch(number, 1 if number < columns else 0)
        for kind, place in places.items():
            self._toggles.addWidget(self._kinds[kind], *place)

    def _paint_kinds(self) -> None:
        dark = is_dark(self.palette())
        for kind, button in self._kinds.items():
            button.setIcon(kind_icon(kind, dark=dark))

    def _select(self, row: int | None) -> None:
        if row is None:
            self._list.clearSelection()
            self._list.setCurrentIndex(self._model.index(-1))
        elif row != self._list.currentIndex().row() or not self._list.selectedIndexes():
            self._list.setCurrentIndex(self._model.index(row))

    def _show_menu(self, row: int, place: QPoint) -> None:
        """Show the commands for one finding."""
        finding = self._model.finding(row)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Show in draft"), lambda: self.finding_activated.emit(finding))
        menu.addSeparator()
        for scope, (_, _, description) in scopes_for(finding).items():
            action = menu.addAction("\t".join(scope_text(scope, self)))
            action.setToolTip(plain_text(description))
            action.triggered.connect(lambda _=False, scope=scope: self.ignore_requested.emit(finding, scope))
        menu.addSeparator()
        setting = SETTINGS_BY_NAME["sink_on_word"]
        switch = menu.addAction(setting.label)
        switch.setCheckable(True)
        switch.setChecked(self._term_dependent_last)
        switch.setToolTip(plain_text(setting.help))
        switch.triggered.connect(self._set_term_dependent_last)
        menu.setToolTipsVisible(True)
        menu.popup(place)

    def _activate(self, row: int) -> None:
        self.finding_activated.emit(self._model.finding(row))
