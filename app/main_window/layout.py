"""The frame of the main window: what stands where, its docks and theme, and what of it is remembered."""

from __future__ import annotations

from PySide6.QtCore import QChildEvent, QEvent, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QListView,
    QMainWindow,
    QScrollArea,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from app.commands.actions import dress_actions, fill_toolbar, make_actions
from app.editor.bias_strip import BiasStrip
from app.editor.editor import TextPane, files_of
from app.editor.find_bar import FindBar
from app.main_window.preferences import Preferences
from app.main_window.status_bar import StatusLine
from app.review.review_bar import ReviewBar
from app.settings.settings import Settings
from app.widgets.icons import icon
from app.widgets.message_bars import ChoiceBar, MessageBar
from app.widgets.theme import Mode, is_dark, is_stark
from core.i18n import tr

# A dock whose panel may be lower than it wants to be: what does not fit is scrolled, and the window stays small.


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


# The window's frame: what stands where, the theme, and what of it is remembered. It knows nothing of drafts.


_SIZE = (1180, 780)
_PANEL_WIDTH = 340
# On a screen lower than this two panels above each other show too little of either.
_LOW = 560


class Shell(QMainWindow):
    """Strip, text, bars, docks, toolbar and status line. ``first_shown`` comes once.

    ``files_dropped``: a list of ``Path``.
    """

    first_shown = Signal()
    files_dropped = Signal(list)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.setAcceptDrops(True)
        self.settings = settings
        self.pane = TextPane()
        self.strip = BiasStrip()
        self.bar = MessageBar()
        self.choice_bar = ChoiceBar()
        self.models_bar = ChoiceBar()
        self.review_bar = ReviewBar()
        self.find_bar = FindBar(self.pane)
        self.status = StatusLine()
        self.commands = make_actions(self)
        self.seen = False
        self._filters: list[QWidget] = []
        self.middle = QWidget()
        self.setCentralWidget(self.middle)
        self._lay_out()
        self.preferences = Preferences(self, settings, self.pane, commands=self.commands, dress=self.dress)

    def set_theme(self, mode: Mode) -> None:
        """Choose a theme, and remember it."""
        self.settings.set("theme", mode)

    def place_filters(self, filters: QWidget) -> None:
        """Show what is marked at all at the right end of the toolbar."""
        self.toolbar.addSeparator()
        self.toolbar.addWidget(filters)
        self._filters.append(filters)

    def restore(self) -> None:
        """Stand as it stood when it was closed last."""
        self.resize(*_SIZE)
        self.resizeDocks([self.issues_dock], [_PANEL_WIDTH], Qt.Orientation.Horizontal)
        self.resizeDocks([self.issues_dock, self.document_dock], [1, 1], Qt.Orientation.Vertical)
        geometry, state = self.settings.window
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
            self.restoreState(state)
        elif self.screen().availableSize().height() < _LOW:
            for dock in self.findChildren(QDockWidget):
                if dock is not self.issues_dock:
                    self.tabifyDockWidget(self.issues_dock, dock)
            self.issues_dock.raise_()
        self.preferences.apply()

    def remember(self) -> None:
        """Keep size, places and zoom for the next start."""
        self.settings.window = (self.saveGeometry(), self.saveState())
        self.preferences.keep_zoom()
        self.settings.save()

    def next_area(self) -> None:
        """Give the focus to the next part of the window, in reading order and round again."""
        areas = [area for area in self._areas() if area.isVisibleTo(self)]
        focus = QApplication.focusWidget()
        here = [
            number for number, area in enumerate(areas) if area is focus or area.isAncestorOf(focus or self)
        ]
        area = areas[(here[-1] + 1) % len(areas) if here else 0]
        takers = (
            one for one in [area, *area.findChildren(QWidget)] if one.isVisibleTo(self) and one.isEnabled()
        )
        taker = next((one for one in takers if one.focusPolicy() & Qt.FocusPolicy.TabFocus), area)
        taker.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def showEvent(self, event: QShowEvent) -> None:
        """Tell, once, that the window is there."""
        super().showEvent(event)
        if not self.seen:
            self.seen = True
            self.first_shown.emit()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take files."""
        if files_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Files that are dropped beside the text count as those that are dropped on it."""
        if files := files_of(event.mimeData()):
            event.acceptProposedAction()
            self.files_dropped.emit(files)

    def childEvent(self, event: QChildEvent) -> None:
        """Name the tabs of panels that lie over each other: Qt makes them when they are needed."""
        super().childEvent(event)
        tabs = event.child()
        if event.polished() and isinstance(tabs, QTabBar):
            tabs.setAccessibleName(tr("Panels"))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.dress()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.strip)
        row.addWidget(self.pane, 1)
        column = QVBoxLayout(self.middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.models_bar)
        column.addWidget(self.choice_bar)
        column.addWidget(self.review_bar)
        column.addLayout(row, 1)
        column.addWidget(self.find_bar)
        self.setStatusBar(self.status)
        self.issues_dock = self._dock("issues_dock", tr("Issues"))
        self.document_dock = self._dock("document_dock", tr("Document"))
        self.versions_dock = self._dock("versions_dock", tr("Versions"))
        self.words_dock = self._dock("words_dock", tr("Words"))
        self.tabifyDockWidget(self.document_dock, self.words_dock)
        self.tabifyDockWidget(self.words_dock, self.versions_dock)
        self.document_dock.raise_()
        self.toolbar = self.addToolBar(tr("Toolbar"))
        self.toolbar.setObjectName("toolbar")
        self.toolbar.setMovable(False)
        self.toolbar.setIconSize(QSize(20, 20))
        fill_toolbar(self.toolbar, self.commands)

    def _dock(self, name: str, title: str) -> PanelDock:
        dock = PanelDock(name, title)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        return dock

    def _areas(self) -> list[QWidget]:
        lists = self.issues_dock.findChildren(QListView)
        panels = [dock.widget() for dock in (self.document_dock, self.words_dock, self.versions_dock)]
        return [self.pane, self.strip, *lists[:1], *(panel for panel in panels if panel), *self._filters]

    def dress(self) -> None:
        """Draw the icons for the present theme."""
        dark, stark = is_dark(self.palette()), is_stark(self.palette())
        dress_actions(self.commands, dark=dark, stark=stark)
        self.setWindowIcon(icon("app", dark=dark))
