"""The status bar: length, state and format of the draft, the reader in use and the time of the analysis."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QStatusBar, QToolButton, QWidget

from app.main_window.selection_counts import SelectedCounts
from app.widgets.labels import ElidedLabel
from app.widgets.plain_text import PlainLabel
from core.documents.format_specs import FORMATS
from core.documents.types import Format
from core.i18n import ntr, tr

_SEPARATOR = " · "


def document_facts(
    *,
    words: int | None,
    sentences: int | None,
    saved: str,
    encoding: str,
    selected: SelectedCounts | None = None,
) -> str:
    """The draft in one line; with a selection its counts stand for those of the draft.

    Words and sentences are None before the draft is read. The encoding is named only if it is not UTF-8.
    """
    parts = _draft_counts(words, sentences) if selected is None else _selection_counts(selected, words)
    parts.append(saved)
    if not encoding.startswith("utf-8"):
        parts.append(encoding[:6].upper() if encoding.startswith("utf-16") else encoding.capitalize())
    return _SEPARATOR.join(parts)


def _draft_counts(words: int | None, sentences: int | None) -> list[str]:
    parts = []
    if words is not None:
        parts.append(ntr("{n} word", "{n} words", words).format(n=f"{words:,}"))
    if sentences is not None:
        parts.append(ntr("{n} sentence", "{n} sentences", sentences).format(n=f"{sentences:,}"))
    return parts


def _selection_counts(selected: SelectedCounts, words: int | None) -> list[str]:
    counts = {"n": f"{selected.words:,}", "all": f"{words or 0:,}"}
    if words is None:
        return [ntr("{n} word selected", "{n} words selected", selected.words).format(**counts)]
    if selected.sentences is None:
        return [ntr("{n} of {all} word selected", "{n} of {all} words selected", words).format(**counts)]
    sentences = ntr("{n} sentence selected", "{n} sentences selected", selected.sentences)
    return [
        ntr("{n} of {all} word", "{n} of {all} words", words).format(**counts),
        sentences.format(n=f"{selected.sentences:,}"),
    ]


def analysis_facts(reader: str, seconds: float) -> str:
    """The name of the reader and the time of the analysis."""
    if seconds < 0.01:
        duration = tr("analysed in under 0.01 s")
    else:
        shown = f"{seconds:.2f}" if seconds < 0.1 else f"{seconds:,.1f}"
        duration = tr("analysed in {seconds} s").format(seconds=shown)
    return _SEPARATOR.join(part for part in (reader, duration) if part)


class StatusBar(QStatusBar):
    """The draft on the left; analysis, format and ``local only`` on the right. Messages cover the left part."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self._facts = ElidedLabel()
        self._facts.setAccessibleName(tr("Draft"))
        self._facts.setContentsMargins(8, 0, 0, 0)
        self._analysis = ElidedLabel()
        self._analysis.setAccessibleName(tr("Analysis"))
        self._analysis.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._format = QToolButton()
        self._format.setAutoRaise(True)
        self._format.setStyleSheet("QToolButton::menu-indicator { image: none; }")
        self._format.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        local = PlainLabel(tr("local only"))
        local.setToolTip(tr("Everything is analysed on this computer. No text is sent anywhere."))
        local.setContentsMargins(6, 0, 10, 0)
        self.addWidget(self._facts, 3)
        self.addPermanentWidget(self._analysis, 2)
        self.addPermanentWidget(self._format)
        self.addPermanentWidget(local)
        self.messageChanged.connect(self._message_changed)

    def set_format_menu(self, menu: QMenu) -> None:
        """Set the menu of formats."""
        self._format.setMenu(menu)

    def show_format(self, chosen: Format) -> None:
        """Show the format of the draft."""
        self._format.setText(f"{FORMATS[chosen].name} ▾")
        self._format.setToolTip(tr("The format of the draft. Its markup is not analysed."))
        self._format.setAccessibleName(tr("Format: {name}").format(name=FORMATS[chosen].name))

    def show_document(self, text: str) -> None:
        """Show the facts about the draft."""
        self._facts.setText(text)

    def show_analysis(self, text: str) -> None:
        """Show the facts about the last analysis, or its progress."""
        self._analysis.setText(text)

    def _message_changed(self, message: str) -> None:
        """Hide the analysis while a message is shown: Qt would leave the message no room."""
        self._analysis.setVisible(not message)

    @property
    def document_text(self) -> str:
        """What is shown about the draft."""
        return self._facts.text()

    @property
    def analysis_text(self) -> str:
        """What is shown about the analysis."""
        return self._analysis.text()
