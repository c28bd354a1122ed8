"""The Help menu: about the program, licences, news, problems, and the tour."""

from __future__ import annotations

import sys
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QMainWindow

from app.help.problems import Problems, make_excepthook
from app.help.tour import Tour, TourStep
from app.main_window.layout import WindowLayout
from app.settings.settings import Settings
from app.widgets.dialogs import OpenDialogs, app_version
from core.i18n import tr
from core.paths import data_folder


class HelpController(QObject):
    """Opens the help dialogs of one window. ``reader_name`` returns the name of the reader in use, or nothing."""

    def __init__(
        self, window: QMainWindow, ui: WindowLayout, settings: Settings, *, reader_name: Callable[[], str]
    ) -> None:
        super().__init__(window)
        self._window, self._ui, self._settings = window, ui, settings
        self._reader_name = reader_name
        self._dialogs = OpenDialogs()
        self._previous_hook: Callable[..., object] | None = None
        self.recorded = Problems(self)
        self._tour = Tour(window, self._stops)
        self._tour.ended.connect(lambda: settings.set("tour_seen", True))
        self._tour.ended.connect(ui.editor.setFocus)

    def listen(self) -> None:
        """Record uncaught exceptions from now on, and show a line above the text for each."""
        self.recorded.listen()
        self._previous_hook = sys.excepthook
        sys.excepthook = make_excepthook(self.recorded, self._ui.message_bar.show_message)

    def greet(self, *, tour: bool = True) -> None:
        """Start the tour if it was never seen; after an update, say so once."""
        settings, version, bar = self._settings, app_version(), self._ui.message_bar
        seen, before = settings.value("tour_seen"), settings.last_version
        settings.last_version = version
        if not seen and tour:
            QTimer.singleShot(0, self.tour)
        elif before != version and (before or seen) and not bar.text:
            text = tr("Evenhand was updated to {version}. Help ▸ What is new lists the changes.")
            bar.show_message(text.format(version=version))

    def guide(self) -> None:
        """Show the user guide."""
        from app.help.user_guide import UserGuide, load_guide

        self._dialogs.show("guide", lambda: UserGuide(load_guide(), self._window))

    def tour(self) -> None:
        """Start the tour."""
        self._tour.start()

    def about(self) -> None:
        """Show what the program is, with the cards of its models."""
        from app.help.dialogs import about_dialog, load_cards

        self._dialogs.show(
            "about",
            lambda: about_dialog(
                self._window, version=app_version(), reader=self._reader_name(), cards=load_cards()
            ),
        )

    def news(self) -> None:
        """Show what changed from version to version."""
        from app.help.dialogs import load_changelog, news_dialog

        self._dialogs.show("news", lambda: news_dialog(self._window, markdown=load_changelog()))

    def problems(self) -> None:
        """Show the problems that were recorded."""
        from app.help.dialogs import ProblemsDialog

        self._dialogs.show(
            "problems",
            lambda: ProblemsDialog(
                self.recorded, models=self._models, draft=self._ui.editor.text, parent=self._window
            ),
        )

    def licences(self) -> None:
        """Show the parts of the program and their licences."""
        from app.help.dialogs import LicencesDialog
        from core.packaging.licences import load_parts

        self._dialogs.show("licences", lambda: LicencesDialog(load_parts(), self._window))

    def close(self) -> None:
        """Close the dialogs and stop recording."""
        self._tour.end()
        if self._previous_hook is not None:
            self.recorded.stop_listening()
            sys.excepthook = self._previous_hook
        self._dialogs.close()

    def _models(self) -> list[str]:
        return [self._reader_name()] if self._reader_name() else []

    def _stops(self) -> list[TourStep]:
        ui = self._ui
        return [
            TourStep(
                tr("Your draft"),
                tr(
                    "Write or open a draft here. Underlines mark wording that may not be neutral: a wave for framing, "
                    "dashes for epistemological, dots for demographic. Quotations are exempt unless you include them."
                ),
                lambda: ui.editor,
            ),
            TourStep(
                tr("Every finding has a reason"),
                tr(
                    "F8 goes to the next finding and shows its card: why it is a finding, the guide it refers to, and "
                    "suggestions. Alt+1 applies the first one, Alt+0 ignores the finding, Ctrl+Z undoes it."
                ),
                lambda: ui.findings_dock,
            ),
            TourStep(
                tr("How much is marked"),
                tr(
                    "Choose kinds, quotations and sensitivity here. The number next to the "
                    "slider estimates how many findings an editor would agree with."
                ),
                lambda: ui.toolbar,
            ),
            TourStep(
                tr("The whole draft"),
                tr(
                    "Here are numbers and charts for the draft. “Versions” shows how it has "
                    "changed. Every keystroke is stored, so a crash loses nothing."
                ),
                lambda: ui.document_dock,
            ),
            TourStep(
                tr("Nothing leaves this computer"),
                tr(
                    "The models run on this computer, and everything that is stored of your "
                    "drafts is in {folder}. Ctrl+Shift+P finds every command by a few letters; "
                    "this tour is in the Help menu."
                ).format(folder=data_folder()),
                lambda: ui.status_bar,
            ),
        ]
