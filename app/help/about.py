"""What this program is, and the cards of its models as they lie beside them. Nothing is loaded from anywhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTabWidget, QTextBrowser, QVBoxLayout, QWidget

from core.language import tr
from core.paths import data_folder


@dataclass(frozen=True, slots=True)
class Card:
    """One model: what it is called and its card in Markdown."""

    title: str
    markdown: str


class Page(QTextBrowser):
    """A page of Markdown that loads no picture and no sheet, and opens links in the browser only when clicked."""

    def __init__(self, name: str, markdown: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.anchorClicked.connect(QDesktopServices.openUrl)
        self.setAccessibleName(name)
        self.setMarkdown(markdown)

    def loadResource(self, *_what: object) -> None:
        """Nothing: a card is its text."""


def cards() -> list[Card]:
    """The cards of the models in use that are there."""
    from core.bundle_files import CARD
    from core.shelf.active import active_folder

    places = ((tr("Reader"), active_folder("reader")), (tr("Rewriter"), active_folder("rewriter")))
    return [Card(name, _read(folder / CARD)) for name, folder in places if (folder / CARD).is_file()]


def about_dialog(parent: QWidget, *, version: str, reader: str, found: Sequence[Card]) -> QDialog:
    """The dialog, a page for the program and one for each card; the caller shows it."""
    dialog = QDialog(parent)
    dialog.setWindowTitle(tr("About Evenhand"))
    pages = QTabWidget()
    pages.setAccessibleName(tr("About Evenhand"))
    pages.addTab(Page(tr("Evenhand"), _program(version, reader)), tr("Evenhand"))
    for card in found:
        pages.addTab(Page(card.title, card.markdown), card.title)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
    buttons.rejected.connect(dialog.reject)
    column = QVBoxLayout(dialog)
    column.addWidget(pages)
    column.addWidget(buttons)
    dialog.resize(720, 560)
    return dialog


def _program(version: str, reader: str) -> str:
    said = (
        f"## Evenhand {version}",
        tr("Marks wording that is not neutral, says why, and offers other wordings."),
        tr(
            "Every word stays on this computer. The network is touched only when you ask: to open a Wikipedia article, "
            "or to get models, a corpus or what training needs."
        ),
        tr("What is kept of your drafts lies in {folder}.").format(folder=f"`{data_folder()}`"),
        tr("Reader: {reader}").format(reader=reader or tr("not loaded")),
        tr(
            "A mark is a hint for your judgement, not a verdict: the models can be wrong. Their cards say how often."
        ),
        tr("Licence: Apache 2.0."),
    )
    return "\n\n".join(said)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return tr("The card cannot be read. Install Evenhand again to have it back.")
