"""What was written after one prompt, before and after calibration side by side, and what the judge made of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.audit.words import option_title, score, system_title, trigger_title
from app.parts.labels import WrapLabel, scaled, showable
from app.training.flow_row import FlowRow
from app.training.retrain_fields import Choice
from core.language import tr
from core.runs.audit import Sampled, Text

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
