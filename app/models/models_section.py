"""The section of installed models: a list per role, commands for the selected model, and its card."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.help.dialogs import Page
from app.models.app_context import AppContext
from app.models.model_commands import ModelCommands, RoleModels
from app.models.model_list import ROLES, ModelListWidget
from app.widgets.dialogs import button_row, fit_to_screen, show_dialog
from app.widgets.flow_layout import FlowRow
from app.widgets.form_fields import make_button
from app.widgets.labels import WrapLabel, scaled_font
from app.widgets.layouts import make_column, make_row
from app.widgets.plain_text import PlainLabel, plain_text
from core.i18n import tr
from core.models.types import InstalledModel

_MAX_CHARACTERS = 200_000
_STEPS = 100


class ModelsSection(QWidget):
    """The models of each role. Commands run in the background, one at a time."""

    def __init__(self, context: AppContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self.commands = ModelCommands(context, self)
        self.roles = {role: RoleSection(role) for role in ROLES}
        self.import_button = make_button(
            tr("Import a folder…"),
            self._import_folder,
            tip=tr("Add a model that was trained or packed elsewhere"),
        )
        self.download_button = make_button(
            tr("Download models…"),
            context.services.missing_models.open_download_dialog,
            tip=tr("Download models from an address, or import them from an archive"),
        )
        self.progress = _Progress()
        foot = make_row(self.import_button, self.download_button, None)
        make_column(*self.roles.values(), foot, self.progress, None, parent=self, spacing=16)
        self._connect()

    def use_run(self, run_id: str) -> None:
        """Show what the model of a finished run would change, and promote it if the person agrees."""
        self.commands.use_run(run_id)

    def refresh(self) -> None:
        """Load the models again."""
        self.commands.load_models(self._show_models)

    def showEvent(self, event: QShowEvent) -> None:
        """The models may have changed, also by the command line."""
        super().showEvent(event)
        self.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel the running command."""
        self.commands.stop()
        super().closeEvent(event)

    def _connect(self) -> None:
        for box in self.roles.values():
            box.use_requested.connect(self.commands.use)
            box.rollback_requested.connect(self.commands.roll_back)
            box.card_requested.connect(self.show_card)
            box.removal_requested.connect(self._confirm_removal)
        self._context.services.missing_models.models_added.connect(self._context.models_changed)
        self.progress.stop.clicked.connect(self.commands.stop)
        self.commands.started.connect(self._started)
        self.commands.progressed.connect(self.progress.set_share)
        self.commands.finished.connect(self._finished)
        self._context.models_changed.connect(self.refresh)
        self._context.services.store_access.unavailable.connect(self.refresh)

    def _show_models(self, models: dict[str, RoleModels]) -> None:
        for role, box in self.roles.items():
            box.show_models(models[role])

    def _started(self, message: str) -> None:
        self.progress.start(message)
        self._set_enabled(enabled=False)

    def _finished(self) -> None:
        self.progress.hide()
        self._set_enabled(enabled=True)

    def _set_enabled(self, *, enabled: bool) -> None:
        self.import_button.setEnabled(enabled)
        self.download_button.setEnabled(enabled)
        for box in self.roles.values():
            box.set_enabled(enabled)

    def _import_folder(self) -> None:
        folder_name = QFileDialog.getExistingDirectory(self, tr("Folder of a model"))
        if folder_name:
            self.commands.import_folder(Path(folder_name))

    def _confirm_removal(self, model: InstalledModel) -> None:
        question = tr("Remove {title} permanently? Its run, if it still exists, keeps its own copy.")
        answer = QMessageBox.question(
            self, tr("Remove a model"), plain_text(question.format(title=model.title))
        )
        if answer == QMessageBox.StandardButton.Yes:
            self.commands.remove(model)

    def show_card(self, model: InstalledModel) -> None:
        """Show the card of a model in a dialog."""
        dialog = QDialog(self.window())
        dialog.setWindowTitle(tr("Model card of {title}").format(title=model.title))
        page = Page(tr("Model card of {title}").format(title=model.title), "")
        page.document().setDefaultStyleSheet("th, td { padding: 2px 14px 2px 0; } th { text-align: left; }")
        page.setHtml(_card_html(model))
        make_column(page, button_row(dialog), parent=dialog, margins=None)
        fit_to_screen(dialog, 680, 540)
        show_dialog(dialog)


class _Progress(QWidget):
    """The running command with a progress bar and a button to stop it."""

    def __init__(self) -> None:
        super().__init__()
        self._label = WrapLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.stop = QPushButton(tr("Stop"))
        self.stop.setAutoDefault(False)
        title_row = make_row((self.bar, 1), self.stop)
        make_column(self._label, title_row, parent=self)
        self.hide()

    @property
    def text(self) -> str:
        """What is being done; empty while nothing is."""
        return self._label.accessibleName() if not self.isHidden() else ""

    def start(self, message: str) -> None:
        """Show a command with unknown progress."""
        self._label.setText(message)
        self.bar.setAccessibleName(message)
        self.bar.setRange(0, 0)
        self.show()

    def set_share(self, share: float) -> None:
        """Show the share done, in [0, 1]."""
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(round(_STEPS * share))


def _card_html(model: InstalledModel) -> str:
    from core.reports.model_notes import render_card

    try:
        assert model.card is not None
        text = model.card.read_text(encoding="utf-8", errors="replace")[:_MAX_CHARACTERS]
    except OSError:
        text = tr("The model card cannot be read.")
    return render_card(text, level=1)


class RoleSection(QWidget):
    """The models of one role. The signals carry the selected model, ``rollback_requested`` the role."""

    use_requested = Signal(object)
    card_requested = Signal(object)
    removal_requested = Signal(object)
    rollback_requested = Signal(str)

    def __init__(self, role: str) -> None:
        super().__init__()
        self._previous: InstalledModel | None = None
        self._enabled = True
        name, about = ROLES[role]
        title = PlainLabel(name)
        title.setFont(scaled_font(self.font(), 1.0, bold=True))
        message = WrapLabel(about, muted=True)
        self.list = ModelListWidget(name)
        self.list.currentRowChanged.connect(lambda _: self._update_buttons())
        self.list.itemActivated.connect(lambda _: self._emit_selected(self.card_requested))
        commands: tuple[tuple[str, Callable[[], None]], ...] = (
            (tr("Use this model"), lambda: self._emit_selected(self.use_requested)),
            (tr("Show model card"), lambda: self._emit_selected(self.card_requested)),
            (tr("Use previous model"), lambda: self.rollback_requested.emit(role)),
            (tr("Remove"), lambda: self._emit_selected(self.removal_requested)),
        )
        self.use_button, self.card_button, self.rollback_button, self.remove_button = (
            make_button(text, on_click, name=f"{text}: {name}") for text, on_click in commands
        )
        title_row = make_row(title, (message, 1), spacing=8)
        buttons = FlowRow(self.use_button, self.card_button, self.rollback_button, self.remove_button)
        make_column(title_row, self.list, buttons, parent=self, spacing=6)
        size = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        size.setHeightForWidth(True)
        self.setSizePolicy(size)
        self._update_buttons()

    def show_models(self, models: RoleModels) -> None:
        """Show these models."""
        self._previous = models.previous
        self.list.show_models(models.installed)
        self._update_buttons()

    def set_enabled(self, enabled: bool) -> None:
        """Enable or disable the commands."""
        self._enabled = enabled
        self._update_buttons()

    def _update_buttons(self) -> None:
        model = self.list.selected_model
        self.use_button.setEnabled(self._enabled and model is not None and not model.active)
        self.card_button.setEnabled(model is not None and model.card is not None)
        self.remove_button.setEnabled(
            self._enabled and model is not None and not model.active and model.id is not None
        )
        self.rollback_button.setEnabled(self._enabled and self._previous is not None)
        self.rollback_button.setToolTip(
            plain_text(
                tr("Use {title} again").format(title=self._previous.title)
                if self._previous is not None
                else tr("There is no previous model")
            )
        )

    def _emit_selected(self, signal: SignalInstance) -> None:
        if (model := self.list.selected_model) is not None:
            signal.emit(model)
