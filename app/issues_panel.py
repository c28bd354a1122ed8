"""The issues panel: how many findings there are, which kinds and how sure, and the list to walk through."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QSizePolicy,
    QSlider,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.icons import kind_icon
from app.issues_list import IssuesDelegate, IssuesModel
from app.kinds import look
from app.labels import ElidedLabel, WrapLabel, scaled
from app.theme import is_dark
from core.findings import KINDS, Finding, Kind
from core.report import Report, count_kinds


@dataclass(frozen=True, slots=True)
class Filter:
    """Which findings are shown: their kinds, and the least confidence, in [0, 1]."""

    kinds: frozenset[Kind] = frozenset(KINDS)
    min_confidence: float = 0.0

    def admits(self, finding: Finding) -> bool:
        """True for a finding that is shown."""
        return finding.kind in self.kinds and finding.confidence >= self.min_confidence


class IssuesPanel(QWidget):
    """All findings of the document. Rows are activated by a click or Enter; arrows only move through them."""

    finding_activated = Signal(object)
    filter_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report: Report | None = None
        self._source = ""
        self._message = ""
        self._filter = Filter()
        self._counts = dict.fromkeys(KINDS, 0)

        self._title = QLabel("Issues")
        self._title.setFont(scaled(self.font(), 1.15, bold=True))
        self._state = ElidedLabel()
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._kinds = {kind: self._kind_button(kind) for kind in KINDS}
        self._slider = QSlider(Qt.Orientation.Horizontal)
        self._slider.setRange(0, 100)
        self._slider.setPageStep(10)
        self._slider.setMinimumWidth(40)
        self._slider.setAccessibleName("Sensitivity")
        self._threshold = QLabel()
        self._threshold.setMinimumWidth(self.fontMetrics().horizontalAdvance("≥ 100%"))
        self._threshold.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

        self._model = IssuesModel(self)
        self._list = _List()
        self._list.setModel(self._model)
        self._list.setItemDelegate(IssuesDelegate(self._list))
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setContentsMargins(16, 16, 16, 16)

        self._lay_out()
        self._show_filter()
        self._paint_kinds()
        self._slider.valueChanged.connect(self._filter_touched)
        for button in self._kinds.values():
            button.toggled.connect(self._filter_touched)
        self._list.clicked.connect(lambda index: self._activate(index.row()))
        self._list.entered_by_key.connect(self._activate)
        self.clear()

    @property
    def filter(self) -> Filter:
        """What is shown now; setting it moves the buttons and the slider, and tells ``filter_changed``."""
        return self._filter

    @filter.setter
    def filter(self, wanted: Filter) -> None:
        if wanted == self._filter:
            return
        self._filter = wanted
        self._show_filter()
        self._fill()
        self.filter_changed.emit(wanted)

    @property
    def focused(self) -> Finding | None:
        """The finding of the present row while the keyboard is in the list; else None."""
        index = self._list.currentIndex()
        return self._model.finding(index.row()) if self._list.hasFocus() and index.isValid() else None

    def show_report(self, report: Report, source: str) -> None:
        """List the findings of ``report`` on ``source``. Selection and scroll stay on their findings."""
        self._report, self._source, self._message = report, source, ""
        self._fill()

    def clear(self) -> None:
        """No document: no rows, no counts, no message."""
        self._report, self._source, self._message = None, "", ""
        self._fill()

    def set_message(self, text: str) -> None:
        """Say a state: beside the title while there are rows, in their place where there are none."""
        self._message = text
        self._show_state()

    def set_current(self, finding: Finding | None) -> None:
        """Select the row of ``finding`` without activating it; none where it is None or filtered out."""
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
        """Name the kinds on their buttons where there is room for all the names."""
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
        head = QHBoxLayout()
        head.addWidget(self._title)
        head.addWidget(self._state, 1)
        toggles = QHBoxLayout()
        toggles.setSpacing(5)
        for button in self._kinds.values():
            toggles.addWidget(button, 1)
        sensitivity = QHBoxLayout()
        sensitivity.addWidget(QLabel("Sensitivity"))
        sensitivity.addWidget(self._slider, 1)
        sensitivity.addWidget(self._threshold)
        top = QVBoxLayout()
        top.setContentsMargins(10, 10, 10, 8)
        top.setSpacing(8)
        for line in (head, toggles, sensitivity):
            top.addLayout(line)

        self._rows = QFrame()
        self._rows.setAutoFillBackground(True)
        self._rows.setBackgroundRole(QPalette.ColorRole.Base)
        self._pages = QStackedLayout(self._rows)
        self._pages.addWidget(self._list)
        self._pages.addWidget(self._placeholder)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addLayout(top)
        whole.addWidget(self._rows, 1)

    def _filter_touched(self) -> None:
        kinds = frozenset(kind for kind, button in self._kinds.items() if button.isChecked())
        self.filter = Filter(kinds, round(1 - self._slider.value() / 100, 2))

    def _show_filter(self) -> None:
        """Bring the controls to the filter, silently."""
        least = self._filter.min_confidence
        controls = [self._slider, *self._kinds.values()]
        was = [control.blockSignals(True) for control in controls]
        self._slider.setValue(round(100 * (1 - least)))
        for kind, button in self._kinds.items():
            button.setChecked(kind in self._filter.kinds)
        for control, blocked in zip(controls, was, strict=True):
            control.blockSignals(blocked)
        self._threshold.setText(f"≥ {round(100 * least)}%" if least else "all")
        shown = (
            f"Shows findings with a confidence of {round(100 * least)}% or more"
            if least
            else "Shows all findings"
        )
        self._slider.setToolTip(shown)
        self._slider.setAccessibleDescription(shown)

    def _fill(self) -> None:
        """Bring the rows to the report and the filter; what was selected and on top stays so."""
        findings = self._report.findings if self._report else ()
        shown = [finding for finding in findings if self._filter.admits(finding)]
        keys = self._model.keys()
        current = self._list.currentIndex().row()
        kept = keys[current] if 0 <= current < len(keys) else None
        top, shift = self._list.top_row()
        on_top = keys[top] if top < len(keys) and (top or shift) else None

        self._model.show(shown, self._source, self._report.sentences if self._report else ())

        rows = {key: row for row, key in enumerate(self._model.keys())}
        self._select(None if kept is None else rows.get(kept))
        self._list.set_top_row(rows.get(on_top, top) if on_top else 0, shift)
        sure = tuple(finding for finding in findings if finding.confidence >= self._filter.min_confidence)
        self._counts = count_kinds(sure)
        self._show_state()
        self._label_kinds()

    def _show_state(self) -> None:
        found = len(self._report.findings) if self._report else 0
        shown = self._model.rowCount()
        if self._report is None:
            self._title.setText("Issues")
        else:
            self._title.setText(f"Issues {shown:,}" if shown == found else f"Issues {shown:,} of {found:,}")
        self._state.setText(self._message if shown else "")
        if self._message or self._report is None:
            self._placeholder.setText(self._message)
        elif found:
            hidden = "finding is" if found == 1 else f"{found:,} findings are"
            self._placeholder.setText(f"The {hidden} filtered out.\nTurn a kind on or raise the sensitivity.")
        else:
            self._placeholder.setText("No findings")
        self._pages.setCurrentWidget(self._list if shown else self._placeholder)

    def _label_kinds(self) -> None:
        """Counts at the present sensitivity, so that they add up to the rows; names where all of them fit."""
        counts = self._counts
        names = {kind: f"{look(kind, dark=False).label} {counts[kind]:,}" for kind in KINDS}
        widest = max(self.fontMetrics().horizontalAdvance(name) for name in names.values())
        fits = all(
            button.width() >= widest + button.iconSize().width() + 20 for button in self._kinds.values()
        )
        for kind, button in self._kinds.items():
            count = f"{counts[kind]:,}" if self._report else ""
            button.setText(names[kind] if fits and self._report else count)
            button.setToolTip(f"Show or hide {kind.value} findings")
            button.setAccessibleName(names[kind])

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

    def _activate(self, row: int) -> None:
        self.finding_activated.emit(self._model.finding(row))


class _List(QListView):
    """A list of rows of one height that knows which row is on top."""

    entered_by_key = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("issues")
        self.setAccessibleName("Findings")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter activates the row; the arrows are the list's own."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.entered_by_key.emit(self.currentIndex().row())
            event.accept()
        else:
            super().keyPressEvent(event)

    def top_row(self) -> tuple[int, int]:
        """The first row in sight, and how many pixels of it are scrolled away."""
        return divmod(self.verticalScrollBar().value(), max(1, self.sizeHintForRow(0)))

    def set_top_row(self, row: int, shift: int) -> None:
        """Scroll so that ``row`` is the first in sight, ``shift`` pixels of it away."""
        self.executeDelayedItemsLayout()
        self.verticalScrollBar().setValue(row * self.sizeHintForRow(0) + shift)
