"""The Help menu: what this program is, what went wrong, and the first tour."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.help.problems import Problems, hook
from app.help.tour import Stop, Tour
from app.widgets import dialogs
from core.i18n import tr
from core.paths import data_folder

if TYPE_CHECKING:
    from app.main_window.layout import Shell


class Helping(QObject):
    """Belongs to one window. ``reader`` gives the name of the reader at work, or nothing."""

    def __init__(self, window: Shell, *, reader: Callable[[], str]) -> None:
        super().__init__(window)
        self._window = window
        self._reader = reader
        self._open = dialogs.Opened()
        self._before: Callable[..., object] | None = None
        self.kept = Problems(self)
        self._tour = Tour(window, self._stops)
        self._tour.ended.connect(lambda: window.settings.set("tour_seen", True))
        self._tour.ended.connect(window.pane.setFocus)

    def listen(self) -> None:
        """Keep from now on what no one caught, and tell of it in a line above the text."""
        self.kept.listen()
        self._before = sys.excepthook
        sys.excepthook = hook(self.kept, self._window.bar.show_message)

    def greet(self, *, tour: bool = True) -> None:
        """Begin the tour if it was never seen, once nothing else asks for the person; after an update, say so once."""
        settings, version = self._window.settings, dialogs.app_version()
        seen, before = settings.value("tour_seen"), settings.version
        settings.version = version
        if not seen and tour:
            QTimer.singleShot(0, self.tour)
        elif before != version and (before or seen) and not self._window.bar.text:
            said = tr("Evenhand was updated to {version}. What changed stands under Help, What is new.")
            self._window.bar.show_message(said.format(version=version))

    def tour(self) -> None:
        """Begin the tour."""
        self._tour.start()

    def about(self) -> None:
        """Say what this is, with the cards of the models."""
        from app.help.dialogs import about_dialog, cards

        version = dialogs.app_version()
        self._open.show(
            "about",
            lambda: about_dialog(self._window, version=version, reader=self._reader(), found=cards()),
        )

    def news(self) -> None:
        """Say what changed from version to version."""
        from app.help.dialogs import changes, news_dialog

        self._open.show("news", lambda: news_dialog(self._window, markdown=changes()))

    def problems(self) -> None:
        """Show what went wrong so far."""
        from app.help.dialogs import ProblemsDialog

        self._open.show(
            "problems",
            lambda: ProblemsDialog(
                self.kept, models=self._models, draft=self._window.pane.text, parent=self._window
            ),
        )

    def licences(self) -> None:
        """Say what this is made of, and on which terms."""
        from app.help.dialogs import LicencesDialog
        from core.packaging.licences import parts

        self._open.show("licences", lambda: LicencesDialog(parts(), self._window))

    def close(self) -> None:
        """Close what is open, and leave the logs and the threads alone again."""
        self._tour.end()
        if self._before is not None:
            self.kept.stop_listening()
            sys.excepthook = self._before
        self._open.close()

    def _models(self) -> list[str]:
        return [self._reader()] if self._reader() else []

    def _stops(self) -> list[Stop]:
        window = self._window
        return [
            Stop(
                tr("Your draft"),
                tr(
                    "Write or open a draft here. Underlines show wording that may not be neutral: a wave for framing, "
                    "dashes for epistemological, dots for demographic. Quotations are left alone unless you ask."
                ),
                lambda: window.pane,
            ),
            Stop(
                tr("Every finding has a reason"),
                tr(
                    "F8 goes to the next finding and shows its card: why it is marked, the guide that says so, and "
                    "other wordings. Alt+1 puts the first one in, Alt+0 ignores the mark, Ctrl+Z takes it back."
                ),
                lambda: window.issues_dock,
            ),
            Stop(
                tr("How strict it is"),
                tr(
                    "Choose kinds, quotations and sensitivity here. The figure beside the slider says how many of the "
                    "marks an editor would have agreed with, as far as that could be measured."
                ),
                lambda: window.toolbar,
            ),
            Stop(
                tr("The whole draft"),
                tr(
                    "Figures and charts of the draft stand here, and under Versions how it has changed. Every "
                    "keystroke is kept, so that a crash loses nothing."
                ),
                lambda: window.document_dock,
            ),
            Stop(
                tr("Nothing leaves this computer"),
                tr(
                    "The models run here, and what is kept of your drafts lies in {folder}. Ctrl+Shift+P finds every "
                    "command by a few letters; this tour is in the Help menu."
                ).format(folder=data_folder()),
                lambda: window.status,
            ),
        ]
