"""What is marked at all, in view at the right of the toolbar: kinds, quotations, and how sure a mark must be."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QWidget

from core.language import tr

_SPACE = 4


class FilterBar(QWidget):
    """A button with the menu of kinds, a switch for quotations, and room for more (``add``).

    The switch and ``quotes``, the command of the menu, are one: either moves the other.
    """

    def __init__(self, kinds: QMenu, quotes: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("What is marked"))
        self.kinds = _button()
        self.kinds.setText(tr("Kinds ▾"))
        self.kinds.setAccessibleName(tr("Kinds of bias that are marked"))
        self.kinds.setToolTip(tr("Which kinds of bias are marked"))
        self.kinds.setProperty("popup", "true")
        self.kinds.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.kinds.setMenu(kinds)
        self.quotes = _button()
        self.quotes.setCheckable(True)
        self.quotes.clicked.connect(quotes.trigger)
        self._quotes = quotes
        quotes.toggled.connect(self._show_quotes)
        quotes.changed.connect(self._show_quotes)
        self._parts: list[QWidget] = []
        self._row = QHBoxLayout(self)
        self._row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(_SPACE)
        self._row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._show_quotes()
        self.add(self.kinds)
        self.add(self.quotes)

    def add(self, widget: QWidget) -> None:
        """Put another filter at the right end. Where there is no room for all, the last ones are hidden first."""
        # A filter may hide itself too: what hides it for want of room is what holds it.
        holder = QWidget()
        inside = QHBoxLayout(holder)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(widget)
        self._parts.append(holder)
        self._row.addWidget(holder)
        self._fit()

    def sizeHint(self) -> QSize:
        """Room for all parts."""
        return QSize(sum(self._widths()), max(part.sizeHint().height() for part in self._parts))

    def minimumSizeHint(self) -> QSize:
        """None: every filter is in a menu or in the settings too."""
        return QSize(0, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what fits."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """A filter that wants more or less room than before may need another to go."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
            self._fit()
        return super().event(event)

    def _widths(self) -> list[int]:
        return [part.sizeHint().width() + _SPACE for part in self._parts]

    def _fit(self) -> None:
        used = 0
        for part, width in zip(self._parts, self._widths(), strict=True):
            used += width
            part.setVisible(used <= self.width())

    def _show_quotes(self) -> None:
        on = self._quotes.isChecked()
        text = tr("Quotations: marked") if on else tr("Quotations: exempt")
        self.quotes.setChecked(on)
        self.quotes.setText(text)
        self.quotes.setAccessibleName(text)
        self.quotes.setToolTip(self._quotes.toolTip())


def _button() -> QToolButton:
    button = QToolButton()
    button.setAutoRaise(True)
    button.setFocusPolicy(button.focusPolicy().TabFocus)
    return button
