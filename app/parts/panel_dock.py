"""A dock whose panel may be lower than it wants to be: what does not fit is scrolled, and the window stays small."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QFrame, QScrollArea, QWidget

# At twice the usual scale a common laptop is 384 points high; menu, toolbar, title and status need 150 of them.
_LOWEST = 200


class PanelDock(QDockWidget):
    """A dock at one of the sides. ``widget`` is the panel, whether it is scrolled or not."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.setMinimumWidth(220)
        self._panel: QWidget | None = None

    def setWidget(self, panel: QWidget) -> None:
        """Show this panel."""
        self._panel = panel
        if panel.minimumSizeHint().height() <= _LOWEST:
            super().setWidget(panel)
            return
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(panel)
        super().setWidget(area)

    def widget(self) -> QWidget | None:
        """The panel; None as long as there is none."""
        return self._panel
