"""Links to the web: they open with HTTPS alone, and follow the colours of the theme."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel


def open_web_address(address: QUrl | str) -> bool:
    """Open an HTTPS address in the browser; returns whether it was one.

    A model card can name anything: a file, a network drive, or a program that is registered for a scheme.
    """
    url = QUrl(address)
    return url.scheme() == "https" and bool(url.host()) and QDesktopServices.openUrl(url)


class LinkLabel(QLabel):
    """A row of links that can be reached with Tab."""

    def __init__(self) -> None:
        super().__init__()
        self._links: Sequence[tuple[str, str]] = ()
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setWordWrap(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        )
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def show_links(self, links: Sequence[tuple[str, str]]) -> None:
        """Show links, each a name and an address."""
        self._links = links
        self._write()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme: Qt writes the colour of the links into the text when that is set."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._links:
            self._write()

    def _write(self) -> None:
        colour = self.palette().link().color().name()
        self.setText(
            " &nbsp; ".join(
                f'<a href="{escape(address)}" style="color: {colour}">{escape(name)}</a>'
                for name, address in self._links
            )
        )
