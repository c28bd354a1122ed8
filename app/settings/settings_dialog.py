"""The settings dialog: pages of settings with a search. Changes take effect at once and can be reset one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QScrollArea,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.settings.controls import (
    CheckBoxControl,
    CheckBoxListControl,
    ChoiceControl,
    Control,
    SliderControl,
    TextControl,
    WordListControl,
)
from app.settings.dictionaries import DictionaryControl
from app.settings.schema import Setting, Value, WordList
from app.settings.settings import PAGE_NOTES, PAGES, SETTINGS, Settings
from app.settings.style_packs import PackListControl
from app.widgets.dialogs import button_row, fit_to_screen
from app.widgets.form_fields import make_button, make_search_field
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.i18n import tr

_PAGE_ROLE = Qt.ItemDataRole.UserRole
_NARROW_WIDTH = 560
_QWIDGETSIZE_MAX = 16777215


def make_control(setting: Setting, word_list: WordList | None) -> Control:
    """The control for the type of a setting."""
    match setting.control_type:
        case "choice":
            return ChoiceControl(setting)
        case "bool":
            return CheckBoxControl(setting)
        case "int":
            return SliderControl(setting)
        case "flags":
            return CheckBoxListControl(setting)
        case "list":
            return WordListControl(setting, word_list)
        case "packs":
            return PackListControl(setting)
        case "text":
            return TextControl(setting)
        case "dictionary":
            return DictionaryControl(setting)


class SettingRow(QWidget):
    """The label, control and help of a setting, with a button that resets it."""

    def __init__(self, setting: Setting, settings: Settings, word_list: WordList | None) -> None:
        super().__init__()
        self.setting = setting
        self._settings = settings
        self.control = make_control(setting, word_list)
        self.control.value_chosen.connect(self._value_chosen)
        self.reset_button = QToolButton()
        self.reset_button.setText(tr("Reset"))
        self.reset_button.setProperty("outlined", "true")
        self.reset_button.setAccessibleName(tr("Reset: {name}").format(name=setting.label))
        self.reset_button.setToolTip(tr("Reset to the default"))
        keeps = self.reset_button.sizePolicy()
        keeps.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(keeps)
        self.reset_button.clicked.connect(self._reset)
        restart_note = tr("Takes effect at the next start.")
        help_text = f"{setting.help} {restart_note}" if setting.needs_restart else setting.help
        line = make_row((self.control, 1), (self.reset_button, Qt.AlignmentFlag.AlignTop))
        column = make_column(
            line, WrapLabel(help_text, muted=True), parent=self, spacing=4, margins=(0, 0, 0, 14)
        )
        if setting.control_type != "bool":
            name = PlainLabel(setting.label)
            name.setFont(scaled_font(self.font(), 1.0, bold=True))
            column.insertWidget(0, name)
        self.refresh()

    def refresh(self) -> None:
        """Show the current value."""
        if self.setting.stored_elsewhere:
            self.reset_button.hide()
        else:
            self.control.show_value(self._settings.value(self.setting.name))
            self.reset_button.setVisible(not self._settings.is_default(self.setting.name))

    def matches(self, query: str) -> bool:
        """Whether label, help and choices contain all words of the query."""
        choices = " ".join(label for _, label in self.setting.choices)
        searchable = f"{self.setting.label} {self.setting.help} {choices}".casefold()
        return all(word in searchable for word in query.casefold().split())

    def _value_chosen(self, value: Value) -> None:
        self._settings.set(self.setting.name, value)

    def _reset(self) -> None:
        if self.control.focus_widget is not None:
            self.control.focus_widget.setFocus()
        self._settings.reset(self.setting.name)


class SettingsDialog(QDialog):
    """Pages on the left, settings on the right, a search field above.

    ``models_page`` creates the content of the page "models".
    """

    def __init__(
        self,
        settings: Settings,
        lists: Mapping[str, WordList],
        parent: QWidget | None = None,
        *,
        models_page: Callable[[], QWidget] | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings"))
        self._settings = settings
        self.setting_rows: dict[str, SettingRow] = {}
        self._has_models_page = models_page is not None
        self._make_models_page = models_page
        self._models_page_layout = QVBoxLayout()
        self.search = make_search_field(tr("Search settings"))
        self.pages = QListWidget()
        self.pages.setObjectName("settings_pages")
        self.pages.setAccessibleName(tr("Pages"))
        self._stack = QStackedWidget()
        self._no_match = WrapLabel(tr("No setting matches."), muted=True)
        self._no_match.setAlignment(Qt.AlignmentFlag.AlignCenter)
        for page, title in PAGES.items():
            item = QListWidgetItem(title)
            item.setData(_PAGE_ROLE, page)
            self.pages.addItem(item)
            self._stack.addWidget(self._make_page(page, title, lists))
        self._stack.addWidget(self._no_match)
        self.reset_page_button = make_button(tr("Reset this &page"), lambda: settings.reset_page(self._page))
        self.reset_all_button = make_button(tr("Reset &everything"), self._reset_all)
        self._lay_out()
        self.search.textChanged.connect(self._filter)
        self.pages.currentRowChanged.connect(self._show_page)
        settings.changed.connect(self._changed)
        self._filter("")
        self.pages.setCurrentRow(0)
        self.pages.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow dialog the pages are above the settings instead of beside them."""
        super().resizeEvent(event)
        self.pages.ensurePolished()
        narrow = self.width() < _NARROW_WIDTH
        line = self.pages.sizeHintForRow(0)
        wide, high = self.pages.sizeHintForColumn(0) + 28, 2 * line + 6
        self._content_layout.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        self.pages.setMaximumSize(_QWIDGETSIZE_MAX if narrow else wide, high if narrow else _QWIDGETSIZE_MAX)
        self.pages.setMinimumSize(0 if narrow else wide, high if narrow else 0)
        self.pages.scheduleDelayedItemsLayout()

    def _show_page(self, number: int) -> None:
        if self._page == "models" and self._make_models_page is not None:
            make, self._make_models_page = self._make_models_page, None
            page = make()
            self._models_page_layout.addWidget(page)
            self.finished.connect(page.close)
        self._stack.setCurrentIndex(number)

    def _make_page(self, page: str, title: str, lists: Mapping[str, WordList]) -> QWidget:
        content = QWidget()
        head = PlainLabel(title)
        head.setFont(scaled_font(self.font(), 1.25, bold=True))
        column = make_column(head, 12, parent=content, spacing=0, margins=(18, 14, 18, 8))
        if page in PAGE_NOTES:
            column.addWidget(WrapLabel(PAGE_NOTES[page]))
            column.addSpacing(14)
        for setting in SETTINGS:
            if setting.page == page:
                self.setting_rows[setting.name] = SettingRow(setting, self._settings, lists.get(setting.name))
                column.addWidget(self.setting_rows[setting.name])
        if page == "models" and self._has_models_page:
            column.insertLayout(1, self._models_page_layout, 1)
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
        self._content_layout = make_row(self.pages, (self._stack, 1))
        make_column(
            self.search,
            (self._content_layout, 1),
            button_row(self, self.reset_page_button, self.reset_all_button),
            parent=self,
            margins=None,
        )
        fit_to_screen(self, 720, 560)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab reaches the buttons at the bottom last, even though the models page was created after them."""
        box = self.findChild(QDialogButtonBox)
        buttons = (self.reset_page_button, self.reset_all_button, *(box.buttons() if box else []))
        last = self.previousInFocusChain()
        while last is not None and last.focusPolicy() == Qt.FocusPolicy.NoFocus:
            last = last.previousInFocusChain()
        if last is not None and last not in buttons:
            for widget in buttons:
                QWidget.setTabOrder(last, widget)
                last = widget
        return super().focusNextPrevChild(forward)

    @property
    def _page(self) -> str:
        item = self.pages.currentItem()
        return str(item.data(_PAGE_ROLE)) if item else ""

    def _filter(self, query: str) -> None:
        found: dict[str, bool] = dict.fromkeys(PAGES, not query.strip())
        for setting in self.setting_rows.values():
            match = setting.matches(query)
            # The models page shows these settings itself; as rows they appear only in a search.
            setting.setVisible(
                match
                and not (self._has_models_page and setting.setting.page == "models" and not query.strip())
            )
            found[setting.setting.page] = found[setting.setting.page] or match
        shown = []
        for number, page in enumerate(PAGES):
            self.pages.item(number).setHidden(not found[page])
            shown += [number] if found[page] else []
        if not shown:
            self._stack.setCurrentWidget(self._no_match)
        elif self.pages.currentRow() in shown:
            self._stack.setCurrentIndex(self.pages.currentRow())
        else:
            self.pages.setCurrentRow(shown[0])

    def _changed(self, name: str) -> None:
        if name in self.setting_rows:
            self.setting_rows[name].refresh()

    def _reset_all(self) -> None:
        question = tr(
            "Reset all settings to their defaults? Your allowed words, drafts and shortcuts are kept."
        )
        answer = QMessageBox.question(self, tr("Reset everything"), plain_text(question))
        if answer == QMessageBox.StandardButton.Yes:
            self._settings.reset_all()
