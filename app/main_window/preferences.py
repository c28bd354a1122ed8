"""Applies the settings of one window as they change, and opens the dialogs in which they are chosen."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.commands import shortcuts
from app.main_window.layout import WindowLayout
from app.settings.schema import WordList
from app.settings.settings import Settings
from app.widgets.dialogs import OpenDialogs
from app.widgets.theme import apply_theme


class Preferences(QObject):
    """Follows the settings of one window.

    ``word_lists``: the lists that a setting shows but that are stored elsewhere, by the name of the setting.
    ``models_page`` creates the settings page of models and training.
    """

    def __init__(self, window: QMainWindow, ui: WindowLayout, settings: Settings) -> None:
        super().__init__(window)
        self.word_lists: dict[str, WordList] = {}
        self.models_page: Callable[[], QWidget] | None = None
        self._window, self._ui, self._settings = window, ui, settings
        self._dialogs = OpenDialogs()
        settings.changed.connect(self._changed)

    def apply(self) -> None:
        """Apply all settings; called before the window is shown."""
        self._ui.editor.set_zoom(self._settings.value("text_size"))
        shortcuts.apply(self._ui.actions, self._settings)
        self._apply_drawing()
        self._apply_theme()

    def zoom(self, step: int) -> None:
        """Choose a text size; steps beyond the limits count as the limit."""
        self._ui.editor.set_zoom(step)
        self.save_zoom()

    def save_zoom(self) -> None:
        """Store the text size, which the mouse wheel may have changed."""
        self._settings.set("text_size", self._ui.editor.zoom)

    def show_settings(self) -> None:
        """Open the settings."""
        from app.settings.settings_dialog import SettingsDialog

        self.save_zoom()

        def create() -> SettingsDialog:
            return SettingsDialog(self._settings, self.word_lists, self._window, models_page=self.models_page)

        self._dialogs.show("settings", create)

    def show_shortcuts(self) -> None:
        """Open the keyboard shortcuts of all commands."""
        from app.commands.shortcuts_dialog import ShortcutsDialog

        self._dialogs.show("shortcuts", lambda: ShortcutsDialog(self._settings, self._window))

    def show_palette(self) -> None:
        """Open the command palette."""
        from app.commands.palette import Palette

        self._dialogs.show("palette", lambda: Palette(self._window, self._settings))

    def close(self) -> None:
        """Close the dialogs that are open."""
        self._dialogs.close()

    def _changed(self, name: str) -> None:
        match name:
            case "theme" | "high_contrast":
                self._apply_theme()
            case "text_size":
                self._ui.editor.set_zoom(self._settings.value("text_size"))
            case "underline_weight" | "reduced_motion":
                self._apply_drawing()
            case "shortcuts":
                shortcuts.apply(self._ui.actions, self._settings)

    def _apply_drawing(self) -> None:
        animated = not self._settings.value("reduced_motion")
        self._window.setAnimated(animated)
        self._ui.editor.set_drawing(weight=self._settings.value("underline_weight"), fades=animated)

    def _apply_theme(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, self._settings.value("theme"), self._settings.value("high_contrast"))
        self._ui.update_icons()
