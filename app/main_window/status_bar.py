"""The status bar: how long the draft is, whether it is saved, what it is, who read it and how fast."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMenu, QStatusBar, QToolButton, QWidget

from app.widgets.labels import ElidedLabel
from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.i18n import ntr, tr

_SEPARATOR = " · "


def draft_facts(*, words: int, sentences: int | None, saved: str, encoding: str) -> str:
    """The draft in one line. The encoding is named only where it is not UTF-8."""
    parts = [ntr("{n} word", "{n} words", words).format(n=f"{words:,}")]
    if sentences is not None:
        parts.append(ntr("{n} sentence", "{n} sentences", sentences).format(n=f"{sentences:,}"))
    parts.append(saved)
    if not encoding.startswith("utf-8"):
        parts.append(encoding[:6].upper() if encoding.startswith("utf-16") else encoding.capitalize())
    return _SEPARATOR.join(parts)


def reading_facts(reader: str, seconds: float) -> str:
    """Who read the draft and how long it took."""
    if seconds < 0.01:
        took = tr("analysed in under 0.01 s")
    else:
        shown = f"{seconds:.2f}" if seconds < 0.1 else f"{seconds:,.1f}"
        took = tr("analysed in {seconds} s").format(seconds=shown)
    return _SEPARATOR.join(part for part in (reader, took) if part)


class StatusBar(QStatusBar):
    """Facts on the left, format, reader and ``local only`` on the right. Passing messages lie over the facts."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._facts = ElidedLabel()
        self._facts.setAccessibleName(tr("Draft"))
        self._facts.setContentsMargins(8, 0, 0, 0)
        self._reading = ElidedLabel()
        self._reading.setAccessibleName(tr("Analysis"))
        self._reading.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._format = QToolButton()
        self._format.setAutoRaise(True)
        self._format.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self._format.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        local = QLabel(tr("local only"))
        local.setToolTip(tr("Everything is read on this computer. No text is sent anywhere."))
        local.setContentsMargins(6, 0, 10, 0)
        self.addWidget(self._facts, 3)
        self.addPermanentWidget(self._reading, 2)
        self.addPermanentWidget(self._format)
        self.addPermanentWidget(local)
        self.messageChanged.connect(self._make_room)

    def set_format_menu(self, menu: QMenu) -> None:
        """The formats to choose from."""
        self._format.setMenu(menu)

    def show_format(self, chosen: Format) -> None:
        """Name the draft's format."""
        self._format.setText(f"{FORMATS[chosen].name} ▾")
        self._format.setToolTip(tr("What the draft is read as. Marks of the format are not read as words."))
        self._format.setAccessibleName(tr("Format: {name}").format(name=FORMATS[chosen].name))

    def show_draft(self, text: str) -> None:
        """The facts about the draft."""
        self._facts.setText(text)

    def show_reading(self, text: str) -> None:
        """The facts about the last reading, or what is being done."""
        self._reading.setText(text)

    def _make_room(self, message: str) -> None:
        """A message gets the room of the analysis too: Qt would leave it none beside what stretches."""
        self._reading.setVisible(not message)

    @property
    def draft_text(self) -> str:
        """The facts about the draft as they stand."""
        return self._facts.text()

    @property
    def reading_text(self) -> str:
        """The facts about the reading as they stand."""
        return self._reading.text()
