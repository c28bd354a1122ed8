"""The settings, a page of rows for each part; what is changed counts at once, and a changed row can be put back."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.settings.controls import control_for
from app.settings.schema import Setting, Value, WordList
from app.settings.settings import PAGE_NOTES, PAGES, TABLE, Settings
from app.widgets.dialogs import button_row, fit
from app.widgets.labels import WrapLabel, scaled
from core.i18n import tr

_PAGE = Qt.ItemDataRole.UserRole
_NARROW = 560
_WIDE, _HIGH = 980, 680
_ANY = 16777215


class SettingRow(QWidget):
    """A setting's name, its control, what it does, and a way back to its default."""

    def __init__(self, row: Setting, settings: Settings, kept: WordList | None) -> None:
        super().__init__()
        self.row = row
        self._settings = settings
        self.control = control_for(row, kept)
        self.control.chosen.connect(self._chosen)
        self.back = QToolButton()
        self.back.setText(tr("Reset"))
        self.back.setProperty("outlined", "true")
        self.back.setAccessibleName(tr("Reset: {name}").format(name=row.label))
        self.back.setToolTip(tr("Back to the default"))
        keeps = self.back.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.back.setSizePolicy(keeps)
        self.back.clicked.connect(self._back)
        told = WrapLabel(muted=True)
        later = tr("It takes effect at the next start.")
        told.setText(f"{row.help} {later}" if row.restart else row.help)
        line = QHBoxLayout()
        line.addWidget(self.control, 1)
        line.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 14)
        column.setSpacing(4)
        if row.form != "bool":
            name = QLabel(row.label)
            name.setFont(scaled(self.font(), 1.0, bold=True))
            column.addWidget(name)
        column.addLayout(line)
        column.addWidget(told)
        self.refresh()

    def refresh(self) -> None:
        """Show the value as it is now."""
        if self.row.provided:
            self.back.hide()
        else:
            self.control.show_value(self._settings.value(self.row.name))
            self.back.setVisible(not self._settings.is_default(self.row.name))

    def matches(self, wanted: str) -> bool:
        """Whether all the words that are sought stand in what the row says."""
        choices = " ".join(label for _, label in self.row.choices)
        said = f"{self.row.label} {self.row.help} {choices}".casefold()
        return all(word in said for word in wanted.casefold().split())

    def _chosen(self, value: Value) -> None:
        self._settings.set(self.row.name, value)

    def _back(self) -> None:
        if self.control.first is not None:
            self.control.first.setFocus()
        self._settings.reset(self.row.name)


class SettingsDialog(QDialog):
    """Pages on the left, rows on the right, a search over both. ``room`` makes what else is on the page "models"."""

    def __init__(
        self,
        settings: Settings,
        lists: Mapping[str, WordList],
        parent: QWidget | None = None,
        *,
        room: Callable[[], QWidget] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self._settings = settings
        self.rows: dict[str, SettingRow] = {}
        self._has_room = room is not None
        self._make_room = room
        self._room_place = QVBoxLayout()
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search settings"))
        self.search.setAccessibleName(tr("Search settings"))
        self.search.setClearButtonEnabled(True)
        self.pages = QListWidget()
        self.pages.setObjectName("settings_pages")
        self.pages.setAccessibleName(tr("Pages"))
        self._stack = QStackedWidget()
        self._nothing = WrapLabel(muted=True)
        self._nothing.setText(tr("No setting is called that."))
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for page, title in PAGES.items():
            item = QListWidgetItem(title)
            item.setData(_PAGE, page)
            self.pages.addItem(item)
            self._stack.addWidget(self._made_page(page, title, lists))
        self._stack.addWidget(self._nothing)
        self.page_back = QPushButton(tr("Reset this &page"))
        self.all_back = QPushButton(tr("Reset &everything"))
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.pages.currentRowChanged.connect(self._show_page)
        self.page_back.clicked.connect(lambda: settings.reset_page(self._page))
        self.all_back.clicked.connect(self._reset_all)
        settings.changed.connect(self._changed)
        self._filter("")
        self.pages.setCurrentRow(0)
        self.pages.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little width, the pages stand above the rows instead of beside them."""
        super().resizeEvent(event)
        self.pages.ensurePolished()
        narrow = self.width() < _NARROW
        line = self.pages.sizeHintForRow(0)
        wide, high = self.pages.sizeHintForColumn(0) + 28, 2 * line + 6
        self._across.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        self.pages.setMaximumSize(_ANY if narrow else wide, high if narrow else _ANY)
        self.pages.setMinimumSize(0 if narrow else wide, high if narrow else 0)
        self.pages.scheduleDelayedItemsLayout()

    def _show_page(self, number: int) -> None:
        if self._page == "models" and self._make_room is not None:
            make, self._make_room = self._make_room, None
            room = make()
            self._room_place.addWidget(room)
            self.finished.connect(room.close)
            fit(self, max(self.width(), _WIDE), max(self.height(), _HIGH))
        self._stack.setCurrentIndex(number)

    def _made_page(self, page: str, title: str, lists: Mapping[str, WordList]) -> QWidget:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(18, 14, 18, 8)
        column.setSpacing(0)
        head = QLabel(title)
        head.setFont(scaled(self.font(), 1.25, bold=True))
        column.addWidget(head)
        column.addSpacing(12)
        if page in PAGE_NOTES:
            note = WrapLabel()
            note.setText(PAGE_NOTES[page])
            column.addWidget(note)
            column.addSpacing(14)
        for row in TABLE:
            if row.page == page:
                self.rows[row.name] = SettingRow(row, self._settings, lists.get(row.name))
                column.addWidget(self.rows[row.name])
        if page == "models" and self._has_room:
            column.insertLayout(1, self._room_place, 1)
            return content
        column.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(title)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(content)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        return area

    def _lay_out(self) -> None:
        self._across = QHBoxLayout()
        self._across.addWidget(self.pages)
        self._across.addWidget(self._stack, 1)
        for button in (self.page_back, self.all_back):
            button.setAutoDefault(False)
        column = QVBoxLayout(self)
        column.addWidget(self.search)
        column.addLayout(self._across, 1)
        column.addLayout(button_row(self, self.page_back, self.all_back))
        fit(self, 720, 560)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the buttons below last, also where the room was made after them."""
        below = (self.page_back, self.all_back, *self.findChild(QDialogButtonBox).buttons())
        last = self.previousInFocusChain()
        while last is not None and last.focusPolicy() == Qt.FocusPolicy.NoFocus:
            last = last.previousInFocusChain()
        if last is not None and last not in below:
            for widget in below:
                QWidget.setTabOrder(last, widget)
                last = widget
        return super().focusNextPrevChild(forward)

    @property
    def _page(self) -> str:
        item = self.pages.currentItem()
        return str(item.data(_PAGE)) if item else ""

    def _filter(self, wanted: str) -> None:
        found: dict[str, bool] = dict.fromkeys(PAGES, not wanted.strip())
        for row in self.rows.values():
            match = row.matches(wanted)
            # The room shows its settings itself, where they belong; as rows they are only found.
            row.setVisible(match and not (self._has_room and row.row.page == "models" and not wanted.strip()))
            found[row.row.page] = found[row.row.page] or match
        shown = []
        for number, page in enumerate(PAGES):
            self.pages.item(number).setHidden(not found[page])
            shown += [number] if found[page] else []
        if not shown:
            self._stack.setCurrentWidget(self._nothing)
        elif self.pages.currentRow() in shown:
            self._stack.setCurrentIndex(self.pages.currentRow())
        else:
            self.pages.setCurrentRow(shown[0])

    def _changed(self, name: str) -> None:
        if name in self.rows:
            self.rows[name].refresh()

    def _reset_all(self) -> None:
        asked = tr(
            "Put every setting back to its default? Your words, drafts and shortcuts stay as they are."
        )
        answer = QMessageBox.question(self, tr("Reset everything"), asked)
        if answer == QMessageBox.StandardButton.Yes:
            self._settings.reset_all()
