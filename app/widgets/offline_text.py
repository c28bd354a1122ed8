"""Rich text that opens no file and no address, whatever its HTML or Markdown names."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import QByteArray, QObject, QRect, QRectF, QSizeF, Qt, QUrl
from PySide6.QtGui import QImage, QPainter, QPyTextObject, QTextDocument, QTextFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from app.widgets.links import open_web_address

_PICTURE = re.compile(r"pictures/([\w-]+\.png)")


class _Pictures(QPyTextObject):
    """Draws the pictures that lie in ``folder``, no wider than the page; every other takes no room.

    Qt's own handler looks for any file on the disk.
    """

    def __init__(self, folder: Path | None, parent: QObject) -> None:
        super().__init__(parent)
        self._folder = folder
        self._known: dict[str, QImage] = {}
        self._scaled: dict[str, QImage] = {}

    def intrinsicSize(self, document: QTextDocument, _place: int, text_format: QTextFormat) -> QSizeF:
        """The size of the picture, or no room."""
        image = self._image(text_format)
        if image.isNull():
            return QSizeF(0, 0)
        room = document.pageSize().width() - 2 * document.documentMargin()
        width = min(image.width(), room) if room > 0 else image.width()
        return QSizeF(width, width * image.height() / image.width())

    def drawObject(
        self,
        painter: QPainter,
        box: QRectF | QRect,
        _document: QTextDocument,
        _place: int,
        text_format: QTextFormat,
    ) -> None:
        """Draw the picture, if there is one."""
        image = self._image(text_format)
        if image.isNull():
            return
        name, scale = text_format.toImageFormat().name(), painter.device().devicePixelRatioF()
        size = QSizeF(box.width() * scale, box.height() * scale).toSize()
        shown = self._scaled.get(name)
        if shown is None or shown.size() != size:
            shown = image.scaled(
                size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
            )
            self._scaled[name] = shown
        painter.drawImage(QRectF(box), shown, QRectF(shown.rect()))

    def _image(self, text_format: QTextFormat) -> QImage:
        """The picture that a format names; a null one if it is none of the folder."""
        name = text_format.toImageFormat().name()
        found = _PICTURE.fullmatch(name)
        if self._folder is None or found is None:
            return QImage()
        if name not in self._known:
            self._known[name] = QImage(str(self._folder / found[1]))
        return self._known[name]


class OfflineDocument(QTextDocument):
    """A document whose style sheets and other resources are empty, and its pictures too, but for those in a folder.

    ``pictures``: the folder of which ``pictures/NAME.png`` is shown, for a text of Evenhand's own. An empty resource
    has to be given: without an answer Qt opens the file itself.
    """

    def __init__(self, parent: QObject | None = None, *, pictures: Path | None = None) -> None:
        super().__init__(parent)
        handler = _Pictures(pictures, self)
        self.documentLayout().registerHandler(QTextFormat.ObjectTypes.ImageObject.value, handler)

    def loadResource(self, _kind: int, _address: QUrl | str) -> QByteArray:
        """An empty resource."""
        return QByteArray()


class OfflineBrowser(QTextBrowser):
    """A page that loads nothing but ``pictures``, as `OfflineDocument`.

    A link opens in the browser of the system when it is clicked, if it is HTTPS.
    """

    def __init__(self, parent: QWidget | None = None, *, pictures: Path | None = None) -> None:
        super().__init__(parent)
        self.setDocument(OfflineDocument(self, pictures=pictures))
        self.setOpenLinks(False)
        self.anchorClicked.connect(open_web_address)

    def loadResource(self, _kind: int, _address: QUrl | str) -> QByteArray:
        """An empty resource."""
        return QByteArray()
