"""The document panel: how the whole draft reads."""

from __future__ import annotations

from collections import Counter

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from app.charts import KindBars, LeaningGauge, ShareBar
from app.labels import ElidedLabel, WrapLabel, percent, scaled, showable
from core.findings import Finding
from core.report import Leaning, Report

_NO_LEANING = "Too short, or not political: no leaning shown."
_WORDS = 6


def common_words(findings: tuple[Finding, ...]) -> list[tuple[str, int]]:
    """The flagged wordings and how often each is flagged, the most frequent first, then as in the text."""
    counted = Counter(showable(finding.text).casefold() for finding in findings)
    return counted.most_common(_WORDS)


def leaning_in_words(leaning: Leaning | None) -> str:
    """The three probabilities and the spread, or plainly why there are none."""
    if leaning is None:
        return _NO_LEANING
    names = {"left": leaning.left, "center": leaning.center, "right": leaning.right}
    shares = " · ".join(f"{name}\u00a0{share:.2f}" for name, share in names.items())
    return f"{shares}\nparts of the text differ by\u00a0±{leaning.spread:.2f}" if leaning.spread else shares


class DocumentPanel(QWidget):
    """Figures of the report. They scroll where the panel is too low for them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._message = ""
        self._shown = False
        self._placeholder = WrapLabel(muted=True)
        self._placeholder.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._placeholder.setContentsMargins(16, 16, 16, 16)
        self._figures = _Figures()
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName("Document")
        self._scroll.setWidget(self._figures)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(self._scroll)
        self.clear()

    def sizeHint(self) -> QSize:
        """Room for the figures without scrolling."""
        return QSize(300, 420)

    def show_report(self, report: Report) -> None:
        """Show the figures of ``report``."""
        self._shown = report.summary.sentences > 0
        self._message = "" if self._shown else "There is no sentence to read yet."
        if self._shown:
            self._figures.show_report(report)
        self._show_state()

    def clear(self) -> None:
        """No document: no figures, no message."""
        self._shown, self._message = False, ""
        self._show_state()

    def set_message(self, text: str) -> None:
        """Say a state: above the figures while there are some, in their place where there are none."""
        self._message = text
        self._show_state()

    def _show_state(self) -> None:
        if self._shown:
            self._figures.state.setText(self._message)
            self._pages.setCurrentWidget(self._scroll)
        else:
            self._placeholder.setText(self._message)
            self._pages.setCurrentWidget(self._placeholder)


class _Figures(QWidget):
    """The page with the figures."""

    def __init__(self) -> None:
        super().__init__()
        self.state = ElidedLabel()
        self.state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._share = QLabel()
        self._share.setFont(scaled(self.font(), 2.4, bold=True))
        self._of = WrapLabel(muted=True)
        self._of.setToolTip(
            "Mean bias: over all sentences, the longer ones count more; 0 is neutral, 1 is biased."
        )
        self._share_bar = ShareBar()
        self._kinds = KindBars()
        self._gauge = LeaningGauge()
        self._leaning = WrapLabel(muted=True)
        self._words_title = _title("Flagged words")
        self._words = WrapLabel()
        self._notes_title = _title("Notes")
        self._notes = WrapLabel()
        self._lay_out()

    def show_report(self, report: Report) -> None:
        summary = report.summary
        share = summary.biased_sentences / summary.sentences if summary.sentences else 0.0
        self._share.setText(percent(share))
        noun = "sentence" if summary.sentences == 1 else "sentences"
        of = f"{summary.biased_sentences:,} of {summary.sentences:,} {noun}"
        self._of.setText(f"{of} · mean bias\u00a0{summary.bias:.2f}")
        self._share_bar.show_share(summary.biased_sentences, summary.sentences)
        self._kinds.show_counts(summary.kinds)
        self._gauge.show_leaning(summary.leaning)
        self._gauge.setVisible(summary.leaning is not None)
        self._leaning.setText(leaning_in_words(summary.leaning))
        words = common_words(report.findings)
        self._words.setText(
            " · ".join(f"{text}\u00a0×\u00a0{count}" if count > 1 else text for text, count in words)
        )
        self._notes.setText("\n".join(report.notes))
        for part in (self._words_title, self._words):
            part.setVisible(bool(words))
        for part in (self._notes_title, self._notes):
            part.setVisible(bool(report.notes))

    def _lay_out(self) -> None:
        figure = QHBoxLayout()
        figure.addWidget(self._share)
        figure.addWidget(self.state, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        column.setSpacing(6)
        column.addWidget(_title("Biased sentences", first=True))
        column.addLayout(figure)
        for part in (
            self._share_bar,
            self._of,
            _title("Kinds"),
            self._kinds,
            _title("Leaning"),
            self._gauge,
            self._leaning,
            self._words_title,
            self._words,
            self._notes_title,
            self._notes,
        ):
            column.addWidget(part)
        column.addStretch(1)


def _title(text: str, *, first: bool = False) -> WrapLabel:
    label = WrapLabel()
    label.setText(text)
    label.setFont(scaled(label.font(), 1.0, bold=True))
    label.setContentsMargins(0, 0 if first else 8, 0, 0)
    return label
