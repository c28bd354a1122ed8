"""Rich text that opens no file and no address, whatever its HTML or Markdown names."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF, QUrl
from PySide6.QtGui import QPainter, QPyTextObject, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.widgets.links import open_web_address


class _NoPicture(QPyTextObject):
    """Takes the place of a picture: no room, and nothing drawn. Qt's own looks for the file on the disk."""

    def intrinsicSize(self, _document: QTextDocument, _place: int, _format: QTextFormat) -> QSizeF:
        """No room."""
        return QSizeF(0, 0)

    def drawObject(
        self,
        _painter: QPainter,
        _box: QRectF | QRect,
        _document: QTextDocument,
        _place: int,
        _format: QTextFormat,
    ) -> None:
        """Draw nothing."""


class OfflineDocument(QTextDocument):
    """A document whose pictures, style sheets and other resources are empty.

    An empty resource has to be given: without an answer Qt opens the file itself.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        picture = _NoPicture(self)
        self.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, picture)

    def loadResource(self, _kind: int, _address: QUrl | str) -> QByteArray:
        """An empty resource."""
        return QByteArray()


class OfflineBrowser(QTextBrowser):
    """A page that loads nothing. A link opens in the browser of the system when it is clicked, if it is HTTPS."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocument(OfflineDocument(self))
        self.setOpenLinks(False)
        self.anchorClicked.connect(open_web_address)

    def loadResource(self, _kind: int, _address: QUrl | str) -> QByteArray:
        """An empty resource."""
        return QByteArray()
