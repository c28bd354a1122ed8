"""The chart of the words panel with its title and the way to keep it as a picture."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QPalette
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QVBoxLayout, QWidget

from app.parts.labels import ElidedLabel, scaled
from app.words.words_chart import NOTE, TITLE, WordBars
from core.language import tr


class WordsChartSection(QWidget):
    """``export_wanted``: the chart is to be kept as a picture."""

    export_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.bars = WordBars()
        title = ElidedLabel()
        title.setText(TITLE)
        title.setForegroundRole(QPalette.ColorRole.WindowText)
        title.setToolTip(NOTE)
        title.setFont(scaled(self.font(), 1.0, bold=True))
        more = QToolButton()
        more.setText("⋯")
        more.setAutoRaise(True)
        more.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        more.setAccessibleName(tr("Save the chart: {title}").format(title=TITLE))
        more.setToolTip(tr("Save this chart as a picture"))
        more.clicked.connect(lambda: self.export_wanted.emit())
        head = QHBoxLayout()
        head.setSpacing(4)
        head.addWidget(title, 1)
        head.addWidget(more, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 0, 10, 8)
        column.setSpacing(4)
        column.addLayout(head)
        column.addWidget(self.bars)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the chart, by the pointer or the Menu key."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("&Save as picture…")).triggered.connect(lambda: self.export_wanted.emit())
        menu.popup(event.globalPos())
        event.accept()
