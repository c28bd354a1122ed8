"""A report as PDF: real text on numbered pages, charts as vectors, laid out in small steps."""

from __future__ import annotations

import re
import uuid
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QPageLayout,
    QPageSize,
    QPainter,
    QPdfWriter,
    QPyTextObject,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
)
from PySide6.QtSvg import QSvgRenderer

from app.background.incremental_tasks import Steps
from core.i18n import tr
from resources import ROOT

# A report's page cut into parts that are laid out one by one: a long text laid out whole would stop the window.
#
# Rich text knows a part of HTML only: the style sheet goes, charts become objects, tables get the widths of columns.


LINES, ROWS = 16, 12
"""Lines of a draft and rows of a table in one part."""

EMPTY = "<p></p>\n"

# Percents of the page for the columns of each table.
_COLUMNS = {
    "figures": (38, 62),
    "findings": (5, 15, 15, 8, 6, 51),
    "findings suggested": (5, 13, 15, 8, 6, 30, 23),
    "changes": (50, 50),
}
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
_TABLE = re.compile(r'<table class="([a-z ]+)">(.*?</tr>)', re.DOTALL)
_CELL = re.compile(r"<t[hd]\b")


def parts(pieces: Iterable[str]) -> Iterator[str]:
    """HTML that can stand alone, in the order of the page, from the ``pieces`` of ``core.reports.html_report``."""
    opening, closing, most = "", "", 0
    held: list[str] = []
    for piece in pieces:
        if piece.startswith("<table") and piece.endswith("<tbody>\n"):
            opening, closing, most = _with_widths(piece), "</tbody></table>", ROWS
        elif piece.startswith("</tbody>") or (closing and piece.startswith("</div>")):
            if held:
                yield opening + "".join(held) + closing
            opening, closing, most, held = "", "", 0, []
        elif closing:
            # An empty line is seen by the space between paragraphs.
            held += [] if piece == EMPTY else [piece]
            if len(held) == most:
                yield opening + "".join(held) + closing
                held = []
        elif piece.startswith('<div class="draft"'):
            opening, closing, most = piece, "</div>", LINES
        else:
            yield _with_widths(_STYLE.sub("", piece))


def _with_widths(html: str) -> str:
    return _TABLE.sub(_widened, html)


def _widened(match: re.Match[str]) -> str:
    widths = iter(_COLUMNS.get(match[1], ()))
    row = _CELL.sub(lambda cell: f'{cell.group()} width="{next(widths, 10)}%"', match[2])
    return f'<table class="{match[1]}" width="100%">{row}'


# A report as PDF: real text on numbered pages, charts as vectors, made in steps of a part or a page.


_DPI = 96
_MARGIN_MM = 18
_FOOT = 26.0
_LEAST = 24.0
_GAP = 5.0  # below a paragraph, as in print.css
_CHART = QTextFormat.ObjectTypes.UserObject + 1
_NUMBER = QTextFormat.Property.UserProperty + 1
_SVG = re.compile(r"<svg .*?</svg>", re.DOTALL)


class _Charts(QPyTextObject):
    """Draws the charts in the text."""

    def __init__(self, charts: list[QSvgRenderer], width: float) -> None:
        super().__init__()
        self._charts = charts
        self._width = width

    def intrinsicSize(self, _document: QTextDocument, _place: int, form: QTextFormat) -> QSizeF:
        """As wide as the page allows."""
        size = self._charts[form.intProperty(_NUMBER)].defaultSize()
        scale = min(1.0, self._width / size.width())
        return QSizeF(size.width() * scale, size.height() * scale)

    def drawObject(
        self, painter: QPainter, box: QRectF, _document: QTextDocument, _place: int, form: QTextFormat
    ) -> None:
        """Draw the chart as vectors."""
        self._charts[form.intProperty(_NUMBER)].render(painter, box)


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the text, laid out to begin on ``page`` (from 0) below what stands there already."""

    document: QTextDocument
    page: int


def pdf(pieces: Iterable[str], *, title: str) -> Steps:
    """The ``pieces`` of ``core.reports.html_report`` as a PDF on A4, step by step."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _writer(buffer, title)
    size = QSizeF(writer.width(), writer.height() - _FOOT)
    texts = []
    for text in parts(pieces):
        texts.append(text)
        yield 0.0
    laid = yield from _laid_out(texts, writer, size)
    pages = max((part.page + part.document.pageCount() for part in laid), default=1)
    painter = QPainter(writer)
    try:
        waiting = 0
        for number in range(pages):
            if number:
                writer.newPage()
            while waiting < len(laid) and laid[waiting].page + laid[waiting].document.pageCount() <= number:
                waiting += 1
            for part in laid[waiting:]:
                if part.page > number:
                    break
                _draw(painter, part.document, number - part.page, size)
            _draw_foot(
                painter, size, title, tr("Page {number} of {count}").format(number=number + 1, count=pages)
            )
            yield 0.5 + 0.5 * (number + 1) / pages
    finally:
        painter.end()
    return bytes(buffer.data().data())


def _writer(buffer: QBuffer, title: str) -> QPdfWriter:
    writer = QPdfWriter(buffer)
    writer.setResolution(_DPI)
    writer.setTitle(title)
    writer.setCreator("Evenhand")
    writer.setPageLayout(
        QPageLayout(
            QPageSize(QPageSize.PageSizeId.A4),
            QPageLayout.Orientation.Portrait,
            QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM),
            QPageLayout.Unit.Millimeter,
        )
    )
    return writer


def _laid_out(
    texts: Sequence[str],
    writer: QPdfWriter,
    size: QSizeF,
) -> Generator[float, None, list[_Part]]:
    laid: list[_Part] = []
    sheet = (ROOT / "report" / "print.css").read_text(encoding="utf-8")
    page, below = 0, 0.0
    for number, text in enumerate(texts):
        if below > size.height() - _LEAST:
            page, below = page + 1, 0.0
        document = _document(text, writer, size, sheet=sheet, below=below)
        laid.append(_Part(document, page))
        end = document.size().height()
        page += int(end // size.height())
        below = end % size.height() + (_GAP if text.endswith("</div>") else 0)
        yield 0.5 * (number + 1) / len(texts)
    return laid


def _document(html: str, writer: QPdfWriter, size: QSizeF, *, sheet: str, below: float) -> QTextDocument:
    """The text laid out in pages, the first of which is taken as far as ``below`` pixels."""
    document = QTextDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(_font(10))
    document.setDocumentMargin(0)
    document.setUseDesignMetrics(True)
    document.documentLayout().setPaintDevice(writer)
    document.setDefaultStyleSheet(sheet)
    token = f"chart{uuid.uuid4().hex}n"
    drawn = _SVG.findall(html)
    numbers = count()
    document.setHtml("<p>\u200b</p>" + _SVG.sub(lambda _: f"{token}{next(numbers)};", html))
    space = QTextBlockFormat()
    space.setLineHeight(below, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    QTextCursor(document.firstBlock()).setBlockFormat(space)
    if drawn:
        handler = _Charts([QSvgRenderer(QByteArray(text.encode())) for text in drawn], size.width())
        handler.setParent(document)
        document.documentLayout().registerHandler(_CHART, handler)
        for number in range(len(drawn)):
            form = QTextCharFormat()
            form.setObjectType(_CHART)
            form.setProperty(_NUMBER, number)
            document.find(f"{token}{number};").insertText("\ufffc", form)
    document.setPageSize(size)
    return document


def _draw(painter: QPainter, document: QTextDocument, page: int, size: QSizeF) -> None:
    painter.save()
    painter.translate(0, -page * size.height())
    document.drawContents(painter, QRectF(0, page * size.height(), size.width(), size.height()))
    painter.restore()


def _draw_foot(painter: QPainter, size: QSizeF, title: str, number: str) -> None:
    painter.setFont(_font(8))
    painter.setPen(QColor("#63686e"))
    foot = QRectF(0, size.height() + _FOOT - 16, size.width(), 16)
    painter.drawText(foot, Qt.AlignmentFlag.AlignRight, number)
    shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideMiddle, int(foot.width() - 120))
    painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, shown)


def _font(points: int) -> QFont:
    font = QFont()
    font.setPointSize(points)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
