"""The section of installed models: for each role a list, what can be done with the chosen one, and its card."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtGui import QCloseEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMessageBox,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.help.dialogs import Page
from app.models.app_context import Desk
from app.models.model_commands import Deeds, Models
from app.models.model_list import ROLES, ModelRows
from app.widgets.dialogs import button_row, fit, show
from app.widgets.flow_layout import FlowLayout
from app.widgets.labels import WrapLabel, scaled
from core.i18n import tr
from core.models.types import Installed

# The section of the installed models: which there are, which are in use, and the ways from one to another.


_MOST_CHARACTERS = 200_000
_STEPS = 100


class ModelsSection(QWidget):
    """The models of each role. What is done to them goes on in the background, one thing at a time."""

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self.deeds = Deeds(desk, self)
        self.roles = {role: RoleBox(role) for role in ROLES}
        self.bring = QPushButton(tr("Import a folder…"))
        self.bring.setAutoDefault(False)
        self.bring.setToolTip(tr("Add a model that was trained or packed elsewhere"))
        self.get = QPushButton(tr("Get the models…"))
        self.get.setAutoDefault(False)
        self.get.setToolTip(tr("Fetch the models from an address, or take them from an archive"))
        self.progress = _Progress()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        for box in self.roles.values():
            column.addWidget(box)
        foot = QHBoxLayout()
        foot.addWidget(self.bring)
        foot.addWidget(self.get)
        foot.addStretch(1)
        column.addLayout(foot)
        column.addWidget(self.progress)
        column.addStretch(1)
        self._connect()

    def use_run(self, run_id: str) -> None:
        """Show what the model of a finished run would change, and use it if the person agrees."""
        self.deeds.use_run(run_id)

    def refresh(self) -> None:
        """Look again which models there are."""
        self.deeds.look(self._show)

    def showEvent(self, event: QShowEvent) -> None:
        """They may have changed meanwhile, from the command line too."""
        super().showEvent(event)
        self.refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Nobody waits any more for what is being done."""
        self.deeds.stop()
        super().closeEvent(event)

    def _connect(self) -> None:
        for box in self.roles.values():
            box.use_asked.connect(self.deeds.use)
            box.back_asked.connect(self.deeds.go_back)
            box.card_asked.connect(self.show_card)
            box.remove_asked.connect(self._remove)
        self.bring.clicked.connect(self._bring)
        self.get.clicked.connect(self._desk.outside.incoming.get)
        self._desk.outside.incoming.brought.connect(self._desk.models_changed)
        self.progress.stop.clicked.connect(self.deeds.stop)
        self.deeds.began.connect(self._began)
        self.deeds.came_on.connect(self.progress.come_on)
        self.deeds.ended.connect(self._ended)
        self._desk.models_changed.connect(self.refresh)
        self._desk.outside.storing.unavailable.connect(self.refresh)

    def _show(self, models: dict[str, Models]) -> None:
        for role, box in self.roles.items():
            box.show_models(models[role])

    def _began(self, saying: str) -> None:
        self.progress.begin(saying)
        self._set_free(free=False)

    def _ended(self) -> None:
        self.progress.hide()
        self._set_free(free=True)

    def _set_free(self, *, free: bool) -> None:
        self.bring.setEnabled(free)
        self.get.setEnabled(free)
        for box in self.roles.values():
            box.set_free(free)

    def _bring(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, tr("The folder of a model"))
        if chosen:
            self.deeds.bring(Path(chosen))

    def _remove(self, model: Installed) -> None:
        asked = tr("Remove {title} for good? Its run, if it is still there, keeps its own copy.")
        answer = QMessageBox.question(self, tr("Remove a model"), asked.format(title=model.title))
        if answer == QMessageBox.StandardButton.Yes:
            self.deeds.remove(model)

    def show_card(self, model: Installed) -> None:
        """Open the card of a model beside the room."""
        dialog = QDialog(self.window())
        dialog.setWindowTitle(tr("Card of {title}").format(title=model.title))
        page = Page(tr("Card of {title}").format(title=model.title), "")
        page.document().setDefaultStyleSheet("th, td { padding: 2px 14px 2px 0; } th { text-align: left; }")
        page.setHtml(_card(model))
        column = QVBoxLayout(dialog)
        column.addWidget(page)
        column.addLayout(button_row(dialog))
        fit(dialog, 680, 540)
        show(dialog)


class _Progress(QWidget):
    """What is being done, how far it is, and a way to stop it."""

    def __init__(self) -> None:
        super().__init__()
        self._said = WrapLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.stop = QPushButton(tr("Stop"))
        self.stop.setAutoDefault(False)
        line = QHBoxLayout()
        line.addWidget(self.bar, 1)
        line.addWidget(self.stop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._said)
        column.addLayout(line)
        self.hide()

    @property
    def text(self) -> str:
        """What is being done; empty while nothing is."""
        return self._said.accessibleName() if not self.isHidden() else ""

    def begin(self, saying: str) -> None:
        """Show that something is done, of which it is not known how far it is."""
        self._said.setText(saying)
        self.bar.setAccessibleName(saying)
        self.bar.setRange(0, 0)
        self.show()

    def come_on(self, share: float) -> None:
        """Show how far it is, in [0, 1]."""
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(round(_STEPS * share))


def _card(model: Installed) -> str:
    from core.reports.model_notes import card_html

    try:
        assert model.card is not None
        text = model.card.read_text(encoding="utf-8", errors="replace")[:_MOST_CHARACTERS]
    except OSError:
        text = tr("The card cannot be read any more.")
    return card_html(text, level=1)


# The models of one role: a list, and what can be done to the one that is chosen.


class RoleBox(QWidget):
    """One role. The signals carry the chosen model, ``back_asked`` the role."""

    use_asked = Signal(object)
    card_asked = Signal(object)
    remove_asked = Signal(object)
    back_asked = Signal(str)

    def __init__(self, role: str) -> None:
        super().__init__()
        self._role = role
        self._before: Installed | None = None
        self._free = True
        name, does = ROLES[role]
        head = QLabel(name)
        head.setFont(scaled(self.font(), 1.0, bold=True))
        told = WrapLabel(muted=True)
        told.setText(does)
        self.rows = ModelRows(name)
        self.rows.currentRowChanged.connect(lambda _: self._enable())
        self.rows.itemActivated.connect(lambda _: self._emit(self.card_asked))
        self.use = self._button(tr("Use this model"), lambda: self._emit(self.use_asked))
        self.card = self._button(tr("Show card"), lambda: self._emit(self.card_asked))
        self.back = self._button(tr("Go back"), lambda: self.back_asked.emit(role))
        self.remove = self._button(tr("Remove"), lambda: self._emit(self.remove_asked))
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(head)
        line.addWidget(told, 1)
        buttons = FlowLayout(spacing=6)
        for button in (self.use, self.card, self.back, self.remove):
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(line)
        column.addWidget(self.rows)
        column.addLayout(buttons)
        size = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        size.setHeightForWidth(True)
        self.setSizePolicy(size)
        self._enable()

    def show_models(self, models: Models) -> None:
        """Show these models."""
        self._before = models.before
        self.rows.show_models(models.installed)
        self._enable()

    def set_free(self, free: bool) -> None:
        """Whether something may be done now."""
        self._free = free
        self._enable()

    def _enable(self) -> None:
        model = self.rows.chosen
        self.use.setEnabled(self._free and model is not None and not model.active)
        self.card.setEnabled(model is not None and model.card is not None)
        self.remove.setEnabled(self._free and model is not None and not model.active and model.id is not None)
        self.back.setEnabled(self._free and self._before is not None)
        self.back.setToolTip(
            tr("Use {title} again").format(title=self._before.title)
            if self._before is not None
            else tr("There is no other model to go back to")
        )

    def _emit(self, signal: SignalInstance) -> None:
        if (model := self.rows.chosen) is not None:
            signal.emit(model)

    def _button(self, words: str, does: object) -> QPushButton:
        button = QPushButton(words)
        button.setAutoDefault(False)
        button.setAccessibleName(f"{words}: {ROLES[self._role][0]}")
        button.clicked.connect(does)
        return button
