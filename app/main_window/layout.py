"""The widgets of the main window: editor, bars, docks, toolbar, menus and status bar, and where they are placed."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QListView,
    QMainWindow,
    QStyle,
    QWidget,
)

from app.commands.actions import fill_menus, fill_toolbar, make_actions, update_icons
from app.editor.bias_strip import BiasStrip
from app.editor.editor import TextEditor
from app.editor.find_bar import FindBar
from app.main_window.status_bar import StatusBar
from app.review.filter_bar import FilterBar, SensitivitySlider
from app.review.review_bar import ReviewBar
from app.settings.settings import Settings
from app.widgets.icons import icon
from app.widgets.layouts import make_column, make_row, make_scroll_area
from app.widgets.message_bars import ChoiceBar, MessageBar
from app.widgets.theme import is_dark, is_high_contrast
from core.i18n import tr

_SIZE = QSize(1180, 780)
_PANEL_WIDTH = 340
# On a screen lower than this, two panels above each other show too little of either: at twice the usual scale a
# common laptop is 384 points high.
_LOW_SCREEN = 560


class PanelDock(QDockWidget):
    """A dock on the left or right whose panel scrolls where it is too high, so that the window can be small."""

    def __init__(self, name: str, title: str) -> None:
        super().__init__(title)
        self.setObjectName(name)
        self.setAllowedAreas(Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea)
        self.setMinimumWidth(220)
        self._panel: QWidget | None = None

    def set_panel(self, panel: QWidget) -> None:
        """Show this panel."""
        self._panel = panel
        self.setWidget(make_scroll_area(panel))

    @property
    def panel(self) -> QWidget | None:
        """The panel without its scroll area; None before it is created."""
        return self._panel


class WindowLayout:
    """Creates the widgets of ``window`` and places them. It knows nothing of drafts, models or settings."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.editor = TextEditor()
        self.bias_strip = BiasStrip()
        self.message_bar = MessageBar()
        self.file_bar = ChoiceBar()
        self.models_bar = ChoiceBar()
        self.review_bar = ReviewBar()
        self.find_bar = FindBar(self.editor)
        self.status_bar = StatusBar()
        self.actions = make_actions(window)
        self.central = QWidget()
        window.setCentralWidget(self.central)
        self._place_editor()
        window.setStatusBar(self.status_bar)
        # The object names are stored with the positions of the docks.
        self.findings_dock = self._add_dock("issues_dock", tr("Findings"))
        self.document_dock = self._add_dock("document_dock", tr("Document"))
        self.versions_dock = self._add_dock("versions_dock", tr("Versions"))
        self.words_dock = self._add_dock("words_dock", tr("Words"))
        window.tabifyDockWidget(self.document_dock, self.words_dock)
        window.tabifyDockWidget(self.words_dock, self.versions_dock)
        self.document_dock.raise_()
        self.toolbar = window.addToolBar(tr("Toolbar"))
        self.toolbar.setObjectName("toolbar")
        self.toolbar.setMovable(False)
        self.toolbar.setIconSize(QSize(20, 20))
        fill_toolbar(self.toolbar, self.actions)
        self.submenus = fill_menus(window, self.actions)
        self.submenus["panels"].addActions([dock.toggleViewAction() for dock in self.docks])
        self.submenus["panels"].addAction(self.toolbar.toggleViewAction())
        self.status_bar.set_format_menu(self.submenus["format"])
        self.filter_bar = FilterBar(self.submenus["kinds"], self.actions["quotes"])
        self.sensitivity = SensitivitySlider()
        self.filter_bar.add(self.sensitivity)
        self.toolbar.addSeparator()
        self.toolbar.addWidget(self.filter_bar)

    @property
    def docks(self) -> list[PanelDock]:
        """All docks, in the order of the menu."""
        return [self.findings_dock, self.document_dock, self.words_dock, self.versions_dock]

    def restore(self, settings: Settings) -> None:
        """Restore the size of the window and the places of its docks, as far as the screen has room for them."""
        window = self._window
        window.resize(_SIZE)
        window.resizeDocks([self.findings_dock], [_PANEL_WIDTH], Qt.Orientation.Horizontal)
        window.resizeDocks([self.findings_dock, self.document_dock], [1, 1], Qt.Orientation.Vertical)
        geometry, state = settings.window
        if not geometry.isEmpty():
            window.restoreGeometry(geometry)
            window.restoreState(state)
        available = window.screen().availableGeometry()
        if available.height() < _LOW_SCREEN:
            self._stack_docks()
        title_bar = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        fitting = window.size().boundedTo(available.size() - QSize(0, title_bar))
        if fitting != window.size() and not window.isMaximized() and not window.isFullScreen():
            window.resize(fitting)

    def save(self, settings: Settings) -> None:
        """Store the size of the window and the places of its docks for the next start."""
        settings.window = (self._window.saveGeometry(), self._window.saveState())

    def focus_next_area(self) -> None:
        """Move the focus to the next part of the window, in reading order and round again."""
        areas = [area for area in self._areas() if area.isVisibleTo(self._window)]
        focus = QApplication.focusWidget()
        focused = [
            number
            for number, area in enumerate(areas)
            if area is focus or area.isAncestorOf(focus or self._window)
        ]
        area = areas[(focused[-1] + 1) % len(areas) if focused else 0]
        enabled = (
            widget
            for widget in [area, *area.findChildren(QWidget)]
            if widget.isVisibleTo(self._window) and widget.isEnabled()
        )
        target = next((widget for widget in enabled if widget.focusPolicy() & Qt.FocusPolicy.TabFocus), area)
        target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_panel(self, dock: PanelDock) -> None:
        """Bring a dock to the front and move the focus to its panel."""
        dock.show()
        dock.raise_()
        if dock.panel is not None:
            dock.panel.setFocus()

    def update_icons(self) -> None:
        """Draw the icons for the present theme."""
        palette = self._window.palette()
        update_icons(self.actions, dark=is_dark(palette), high_contrast=is_high_contrast(palette))
        self._window.setWindowIcon(icon("app", dark=is_dark(palette)))

    def _place_editor(self) -> None:
        row = make_row(self.bias_strip, (self.editor, 1), spacing=0)
        make_column(
            self.message_bar,
            self.models_bar,
            self.file_bar,
            self.review_bar,
            (row, 1),
            self.find_bar,
            parent=self.central,
            spacing=0,
        )

    def _stack_docks(self) -> None:
        """Give all docks of a side one place, with tabs."""
        for side in (Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea):
            docks = [
                dock
                for dock in self.docks
                if not dock.isFloating() and self._window.dockWidgetArea(dock) == side
            ]
            for dock in docks[1:]:
                self._window.tabifyDockWidget(docks[0], dock)
            if docks:
                docks[0].raise_()

    def _add_dock(self, name: str, title: str) -> PanelDock:
        dock = PanelDock(name, title)
        self._window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, dock)
        return dock

    def _areas(self) -> list[QWidget]:
        lists = self.findings_dock.findChildren(QListView)
        panels = [dock.panel for dock in self.docks[1:] if dock.panel is not None]
        return [self.editor, self.bias_strip, *lists[:1], *panels, self.filter_bar]
