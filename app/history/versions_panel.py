"""The versions panel: timeline, list, and the commands for the selected versions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QGridLayout,
    QListView,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QWidget,
)

from app.history.timeline_chart import TimelineChart
from app.history.version_list import VersionsDelegate, VersionsModel
from app.widgets.labels import make_placeholder
from app.widgets.layouts import make_column
from app.widgets.list_rows import WholeRowsView
from app.widgets.plain_text import plain_text
from core.i18n import tr
from core.storage.types import Version

EMPTY = tr(
    "No versions yet. One is kept when you open a file, when you save, after ten minutes of writing, "
    "and whenever you press Keep."
)
_COMPARE_ONE, _COMPARE_TWO = tr("Compare"), tr("Compare both")
_LOW = 360
"""Below this height in pixels the timeline is hidden."""


class VersionsPanel(QWidget):
    """Shows the versions of a draft.

    ``compare_requested``: one or two versions. ``restore_requested`` and ``rename_requested``: one. ``keep_requested``
    and ``forget_requested``.
    """

    compare_requested = Signal(list)
    restore_requested = Signal(object)
    rename_requested = Signal(object)
    keep_requested = Signal()
    forget_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editable = True
        self._model = VersionsModel(self)
        self.timeline = TimelineChart()
        self._placeholder = make_placeholder(EMPTY)
        self.list = self._create_list()
        self._compare = self._button(
            _COMPARE_ONE,
            tr("Compare the selected version with the current text, or two versions with each other"),
        )
        self._restore = self._button(
            tr("Restore"), tr("Replace the text with the selected version; the current text is kept")
        )
        self._keep = self._button(tr("Keep…"), tr("Keep the current text as a version"))
        self._rename = self._button(tr("Rename…"), tr("Give the selected version a name, or another one"))
        self._forget = self._button(tr("Forget…"), tr("Remove all versions of this draft"))
        self._compare.clicked.connect(self._ask_compare)
        self._restore.clicked.connect(self._ask_restore)
        self._rename.clicked.connect(self._ask_rename)
        self._keep.clicked.connect(lambda: self.keep_requested.emit())
        self._forget.clicked.connect(lambda: self.forget_requested.emit())
        self._lay_out()
        self.setFocusProxy(self.list)
        self._enable()

    def sizeHint(self) -> QSize:
        """Room for the timeline and a few versions."""
        return QSize(300, 420)

    @property
    def chosen(self) -> list[Version]:
        """The selected versions, the newest first."""
        rows = sorted(index.row() for index in self.list.selectionModel().selectedIndexes())
        return [self._model.version(row) for row in rows]

    def show_versions(self, versions: Sequence[Version]) -> None:
        """Show versions, given from the oldest to the newest; the selection stays."""
        chosen = {version.id for version in self.chosen}
        current = self.list.currentIndex()
        here = self._model.version(current.row()).id if current.isValid() else 0
        self._model.show(versions)
        self.timeline.show_versions(versions)
        self._choose(chosen, here)
        self._pages.setCurrentIndex(1 if versions else 0)
        self._enable()

    def set_editable(self, editable: bool) -> None:
        """Set whether a version may be restored."""
        self._editable = editable
        self._enable()

    def set_unavailable(self) -> None:
        """Show that no versions can be kept."""
        self._placeholder.setText(tr("Versions cannot be kept now. The message above the text says why."))
        self._keep.setEnabled(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return compares, Ctrl+Return restores, F2 renames."""
        if watched is not self.list or event.type() != QEvent.Type.KeyPress:
            return False
        assert isinstance(event, QKeyEvent)
        if event.key() == Qt.Key.Key_F2:
            self._ask_rename()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._ask_restore()
        else:
            self._ask_compare()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide the timeline if there is little room."""
        super().resizeEvent(event)
        self._above.setVisible(self.height() >= _LOW)

    def _create_list(self) -> QListView:
        view = WholeRowsView()
        view.setModel(self._model)
        view.setItemDelegate(VersionsDelegate(view))
        view.setAccessibleName(tr("Versions"))
        view.setAccessibleDescription(
            tr(
                "Newest first. Enter compares a version with the current text, or two versions "
                "with each other; Ctrl+Enter restores, F2 renames."
            )
        )
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setMouseTracking(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.selectionModel().selectionChanged.connect(lambda *_: self._enable())
        view.doubleClicked.connect(lambda _: self._ask_compare())
        view.installEventFilter(self)
        return view

    def _button(self, text: str, tip: str) -> QPushButton:
        view = QPushButton(text)
        view.setToolTip(plain_text(tip))
        view.setAccessibleDescription(tip)
        view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        view.setAutoDefault(False)
        return view

    def _lay_out(self) -> None:
        versions = QWidget()
        self._above = QWidget()
        make_column(self.timeline, parent=self._above, margins=(10, 10, 6, 6))
        make_column(self._above, (self.list, 1), parent=versions, spacing=0)
        pages = QWidget()
        self._pages = QStackedLayout(pages)
        self._pages.addWidget(self._placeholder)
        self._pages.addWidget(versions)
        buttons = QGridLayout()
        buttons.setContentsMargins(10, 8, 10, 10)
        buttons.setSpacing(6)
        for place, button in enumerate((self._compare, self._restore, self._keep, self._rename)):
            buttons.addWidget(button, place // 2, place % 2)
        buttons.addWidget(self._forget, 2, 0, 1, 2)
        make_column((pages, 1), buttons, parent=self, spacing=0)

    def _choose(self, chosen: set[int], here: int) -> None:
        model = self.list.selectionModel()
        for row in range(self._model.rowCount()):
            index, number = self._model.index(row), self._model.version(row).id
            if number == here:
                model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
            if number in chosen and not model.isSelected(index):
                model.select(index, QItemSelectionModel.SelectionFlag.Select)

    def _ask_compare(self) -> None:
        if self._compare.isEnabled():
            self.compare_requested.emit(self.chosen)

    def _ask_restore(self) -> None:
        if self._restore.isEnabled():
            self.restore_requested.emit(self.chosen[0])

    def _ask_rename(self) -> None:
        if self._rename.isEnabled():
            self.rename_requested.emit(self.chosen[0])

    def _enable(self) -> None:
        chosen = self.chosen
        self._compare.setText(_COMPARE_TWO if len(chosen) == 2 else _COMPARE_ONE)
        self._compare.setEnabled(len(chosen) in (1, 2))
        self._restore.setEnabled(len(chosen) == 1 and self._editable)
        self._rename.setEnabled(len(chosen) == 1)
        self._forget.setEnabled(self._model.rowCount() > 0)
        self.timeline.choose(frozenset(version.id for version in chosen))
