"""What a person chose, put into effect at once, and the dialogs in which it is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from app.commands import shortcuts
from app.editor.editor import TextPane
from app.settings.schema import WordList
from app.settings.settings import Settings
from app.widgets import dialogs
from app.widgets.theme import apply_theme


class Preferences(QObject):
    """Follows the settings of one window.

    ``lists`` are the word lists that a setting shows but that are kept elsewhere, by the setting's name; ``room`` makes
    the training room.
    """

    def __init__(
        self,
        window: QMainWindow,
        settings: Settings,
        pane: TextPane,
        *,
        commands: Mapping[str, QAction],
        dress: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self.lists: dict[str, WordList] = {}
        self.room: Callable[[], QWidget] | None = None
        self._window, self._settings, self._pane = window, settings, pane
        self._commands, self._dress_window = commands, dress
        self._open = dialogs.Opened()
        self._settings.changed.connect(self._changed)

    def apply(self) -> None:
        """Put everything into effect: before the window is seen."""
        self._pane.set_zoom(self._settings.value("text_size"))
        shortcuts.apply(self._commands, self._settings)
        self._draw()
        self._dress()

    def zoom(self, step: int) -> None:
        """Choose a text size, as far as there are such."""
        self._pane.set_zoom(step)
        self.keep_zoom()

    def keep_zoom(self) -> None:
        """Remember the text size that the wheel chose."""
        self._settings.set("text_size", self._pane.zoom)

    def settings(self) -> None:
        """Open the settings."""
        from app.settings.settings_dialog import SettingsDialog

        self.keep_zoom()

        def made() -> SettingsDialog:
            return SettingsDialog(self._settings, self.lists, self._window, room=self.room)

        self._open.show("settings", made)

    def shortcuts(self) -> None:
        """Open the keys of all commands."""
        from app.commands.shortcuts_dialog import ShortcutsDialog

        self._open.show("shortcuts", lambda: ShortcutsDialog(self._settings, self._window))

    def palette(self) -> None:
        """Open the command palette."""
        from app.commands.palette import Palette

        self._open.show("palette", lambda: Palette(self._window, self._settings))

    def close(self) -> None:
        """Close what is open."""
        self._open.close()

    def _changed(self, name: str) -> None:
        match name:
            case "theme" | "high_contrast":
                self._dress()
            case "text_size":
                self._pane.set_zoom(self._settings.value("text_size"))
            case "underline_weight" | "reduced_motion":
                self._draw()
            case "shortcuts":
                shortcuts.apply(self._commands, self._settings)

    def _draw(self) -> None:
        fades = not self._settings.value("reduced_motion")
        self._window.setAnimated(fades)
        self._pane.set_drawing(weight=self._settings.value("underline_weight"), fades=fades)

    def _dress(self) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, self._settings.value("theme"), self._settings.value("high_contrast"))
        self._dress_window()
