"""The dialogs of the Help menu: about with the model cards, what is new, licences, problem report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QPlainTextEdit,
    QSplitter,
    QTabWidget,
    QWidget,
)

import resources
from app.help.problems import Problems, report
from app.widgets.dialogs import button_row, fit_to_screen
from app.widgets.form_fields import make_text_view
from app.widgets.labels import WrapLabel
from app.widgets.layouts import make_column
from app.widgets.offline_text import OfflineBrowser
from core.i18n import tr
from core.packaging.licences import Part
from core.paths import data_folder


@dataclass(frozen=True, slots=True)
class Card:
    """The title of a model and its card in Markdown."""

    title: str
    markdown: str


class Page(OfflineBrowser):
    """A page of Markdown."""

    def __init__(self, name: str, markdown: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setMarkdown(markdown)


def load_cards() -> list[Card]:
    """The cards of the models in use."""
    from core.bundles.manifest import CARD
    from core.models.active import active_folder

    folders = ((tr("Reader"), active_folder("reader")), (tr("Rewriter"), active_folder("rewriter")))
    return [Card(name, _read_card(folder / CARD)) for name, folder in folders if (folder / CARD).is_file()]


def about_dialog(parent: QWidget, *, version: str, reader: str, cards: Sequence[Card]) -> QDialog:
    """The About dialog with a tab for the program and one per card; the caller shows it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(tr("About Evenhand"))
    pages = QTabWidget()
    pages.setAccessibleName(tr("About Evenhand"))
    pages.addTab(Page(tr("Evenhand"), _about_text(version, reader)), tr("Evenhand"))
    for card in cards:
        pages.addTab(Page(card.title, card.markdown), card.title)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    make_column(pages, buttons, parent=dialog, margins=None)
    dialog.resize(720, 560)
    return dialog


def _about_text(version: str, reader: str) -> str:
    text = (
        f"## Evenhand {version}",
        tr("Marks biased wording, explains why, and suggests neutral words."),
        tr(
            "Your text never leaves this computer. The network is used only when you ask for it: to open a "
            "Wikipedia article, or to download models, a corpus or the training environment."
        ),
        tr("The history of your drafts is stored in {folder}.").format(folder=f"`{data_folder()}`"),
        tr("Reader: {reader}").format(reader=reader or tr("not loaded")),
        tr("A finding is a hint, not a verdict: the models can be wrong. Their model cards say how often."),
        tr("Licence: Apache 2.0."),
    )
    return "\n\n".join(text)


def _read_card(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return tr("The model card cannot be read. Reinstall Evenhand to restore it.")


CHANGELOG = resources.ROOT.parent / "CHANGELOG.md"
"""Next to the packages, in the source and in an installed program."""


def load_changelog(path: Path = CHANGELOG) -> str:
    """The change log in Markdown, newest first; empty if it is missing."""
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def news_dialog(parent: QWidget, *, markdown: str) -> QDialog:
    """The dialog with the change log; the caller shows it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(tr("What is new"))
    text = markdown or tr("This copy of Evenhand has no change log.")
    make_column(Page(tr("What is new"), text), button_row(dialog), parent=dialog, margins=None)
    fit_to_screen(dialog, 720, 560)
    return dialog


class LicencesDialog(QDialog):
    """A list of components, and the licence text of the selected one."""

    def __init__(self, parts: Sequence[Part], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Licences"))
        self._parts = parts
        text = WrapLabel(
            tr(
                "Evenhand is licensed under the Apache License 2.0. Its components have licences of their own:"
            ),
            muted=True,
        )
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Components"))
        self.list.addItems([part.name for part in parts])
        self.terms = WrapLabel()
        self.text = make_text_view(tr("Text of the licence"))
        right = QWidget()
        make_column(self.terms, (self.text, 1), parent=right)
        splitter = QSplitter()
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.list)
        splitter.addWidget(right)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([200, 560])
        make_column(text, (splitter, 1), button_row(self), parent=self, margins=None)
        self.list.currentRowChanged.connect(self._show)
        self.list.setCurrentRow(0)
        fit_to_screen(self, 820, 600)

    def _show(self, row: int) -> None:
        part = self._parts[row]
        self.terms.setText(" · ".join(text for text in (f"{part.name} {part.version}", part.licence) if text))
        self.text.setPlainText(part.text or tr("This component has no licence text."))


class ProblemsDialog(QDialog):
    """Shows the problem report as it will be copied. ``models`` and ``draft`` are called when they are needed."""

    def __init__(
        self,
        problems: Problems,
        *,
        models: Callable[[], list[str]],
        draft: Callable[[], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Problems"))
        self._problems, self._models, self._draft = problems, models, draft
        text = WrapLabel(
            tr(
                "This is everything in the report: versions, models, and where in the program something went wrong. "
                "It leaves this computer only if you copy and send it."
            ),
            muted=True,
        )
        self.text = make_text_view(tr("Report"), fixed_font=True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.with_draft = QCheckBox(tr("&Add the text of the draft"))
        self.with_draft.setToolTip(tr("Only if the recipient of the report may read the draft."))
        self.with_draft.toggled.connect(self._update_report)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy_button = buttons.addButton(tr("&Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        self.copy_button.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.text.toPlainText()))
        buttons.rejected.connect(self.reject)
        make_column(text, self.text, self.with_draft, buttons, parent=self, margins=None)
        problems.added.connect(self._update_report)
        self.resize(680, 460)
        self._update_report()

    def _update_report(self) -> None:
        draft = self._draft() if self.with_draft.isChecked() else None
        self.text.setPlainText(report(self._problems.recent, models=self._models(), draft=draft))
