"""A report as PDF: real text on numbered pages, charts as vectors.

The HTML is split into parts that are laid out one by one, because laying out a long text at once would block the
window. Qt's rich text supports only a part of HTML: the style sheet is removed, charts become text objects, and tables
get column widths.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRect, QRectF, QSizeF, Qt
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
from app.widgets.offline_text import OfflineDocument
from core.i18n import tr
from resources import ROOT

LINES_PER_PART, ROWS_PER_PART = 16, 12
"""Lines of a draft and rows of a table in one part."""

EMPTY_LINE = "<p></p>\n"

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


def split_into_parts(chunks: Iterable[str]) -> Iterator[str]:
    """Self-contained HTML parts, in order, from the ``chunks`` of ``core.reports.html_report``."""
    start_tag, end_tag, limit = "", "", 0
    buffered: list[str] = []
    for chunk in chunks:
        if chunk.startswith("<table") and chunk.endswith("<tbody>\n"):
            start_tag, end_tag, limit = _with_widths(chunk), "</tbody></table>", ROWS_PER_PART
        elif chunk.startswith("</tbody>") or (end_tag and chunk.startswith("</div>")):
            if buffered:
                yield start_tag + "".join(buffered) + end_tag
            start_tag, end_tag, limit, buffered = "", "", 0, []
        elif end_tag:
            # The space between paragraphs stands for an empty line.
            buffered += [] if chunk == EMPTY_LINE else [chunk]
            if len(buffered) == limit:
                yield start_tag + "".join(buffered) + end_tag
                buffered = []
        elif chunk.startswith('<div class="draft"'):
            start_tag, end_tag, limit = chunk, "</div>", LINES_PER_PART
        else:
            yield _with_widths(_STYLE.sub("", chunk))


def _with_widths(html: str) -> str:
    return _TABLE.sub(_widen, html)


def _widen(match: re.Match[str]) -> str:
    widths = iter(_COLUMNS.get(match[1], ()))
    row = _CELL.sub(lambda cell: f'{cell.group()} width="{next(widths, 10)}%"', match[2])
    return f'<table class="{match[1]}" width="100%">{row}'


_DPI = 96
_MARGIN_MM = 18
_FOOTER_HEIGHT = 26.0
_MIN_HEIGHT = 24.0
_GAP = 5.0  # below a paragraph, as in print.css
_CHART_OBJECT = QTextFormat.ObjectTypes.UserObject + 1
_CHART_NUMBER = QTextFormat.Property.UserProperty + 1
_SVG_ELEMENT = re.compile(r"<svg .*?</svg>", re.DOTALL)


class _ChartObjects(QPyTextObject):
    """Draws the charts in the text."""

    def __init__(self, charts: list[QSvgRenderer], width: float) -> None:
        super().__init__()
        self._charts = charts
        self._width = width

    def intrinsicSize(self, _document: QTextDocument, _place: int, text_format: QTextFormat) -> QSizeF:
        """As wide as the page allows."""
        size = self._charts[text_format.intProperty(_CHART_NUMBER)].defaultSize()
        scale = min(1.0, self._width / size.width())
        return QSizeF(size.width() * scale, size.height() * scale)

    def drawObject(
        self,
        painter: QPainter,
        box: QRectF | QRect,
        _document: QTextDocument,
        _position: int,
        text_format: QTextFormat,
    ) -> None:
        """Draw the chart as vectors."""
        self._charts[text_format.intProperty(_CHART_NUMBER)].render(painter, QRectF(box))


@dataclass(frozen=True, slots=True)
class _Part:
    """A part of the text that begins on ``page`` (from 0), below the previous part."""

    document: QTextDocument
    page: int


def render_pdf(chunks: Iterable[str], *, title: str) -> Steps:
    """The ``chunks`` of ``core.reports.html_report`` as a PDF on A4, in steps."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = _writer(buffer, title)
    size = QSizeF(writer.width(), writer.height() - _FOOTER_HEIGHT)
    texts = []
    for text in split_into_parts(chunks):
        texts.append(text)
        yield 0.0
    laid_out = yield from _lay_out(texts, writer, size)
    pages = max((part.page + part.document.pageCount() for part in laid_out), default=1)
    painter = QPainter(writer)
    try:
        first = 0
        for number in range(pages):
            if number:
                writer.newPage()
            while (
                first < len(laid_out)
                and laid_out[first].page + laid_out[first].document.pageCount() <= number
            ):
                first += 1
            for part in laid_out[first:]:
                if part.page > number:
                    break
                _draw(painter, part.document, number - part.page, size)
            _draw_footer(
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


def _lay_out(
    texts: Sequence[str],
    writer: QPdfWriter,
    size: QSizeF,
) -> Generator[float, None, list[_Part]]:
    laid_out: list[_Part] = []
    sheet = (ROOT / "report" / "print.css").read_text(encoding="utf-8")
    page, below = 0, 0.0
    for number, text in enumerate(texts):
        if below > size.height() - _MIN_HEIGHT:
            page, below = page + 1, 0.0
        document = _document(text, writer, size, sheet=sheet, below=below)
        laid_out.append(_Part(document, page))
        end = document.size().height()
        page += int(end // size.height())
        below = end % size.height() + (_GAP if text.endswith("</div>") else 0)
        yield 0.5 * (number + 1) / len(texts)
    return laid_out


def _document(html: str, writer: QPdfWriter, size: QSizeF, *, sheet: str, below: float) -> QTextDocument:
    """The HTML laid out in pages; the first ``below`` pixels of its first page are left free."""
    document = OfflineDocument()
    document.setUndoRedoEnabled(False)
    document.setDefaultFont(_font(10))
    document.setDocumentMargin(0)
    document.setUseDesignMetrics(True)
    document.documentLayout().setPaintDevice(writer)
    document.setDefaultStyleSheet(sheet)
    token = f"chart{uuid.uuid4().hex}n"
    drawn = _SVG_ELEMENT.findall(html)
    numbers = count()
    document.setHtml("<p>\u200b</p>" + _SVG_ELEMENT.sub(lambda _: f"{token}{next(numbers)};", html))
    space = QTextBlockFormat()
    space.setLineHeight(below, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
    QTextCursor(document.firstBlock()).setBlockFormat(space)
    if drawn:
        handler = _ChartObjects([QSvgRenderer(QByteArray(text.encode())) for text in drawn], size.width())
        handler.setParent(document)
        document.documentLayout().registerHandler(_CHART_OBJECT, handler)
        for number in range(len(drawn)):
            text_format = QTextCharFormat()
            text_format.setObjectType(_CHART_OBJECT)
            text_format.setProperty(_CHART_NUMBER, number)
            document.find(f"{token}{number};").insertText("\ufffc", text_format)
    document.setPageSize(size)
    return document


def _draw(painter: QPainter, document: QTextDocument, page: int, size: QSizeF) -> None:
    painter.save()
    painter.translate(0, -page * size.height())
    document.drawContents(painter, QRectF(0, page * size.height(), size.width(), size.height()))
    painter.restore()


def _draw_footer(painter: QPainter, size: QSizeF, title: str, number: str) -> None:
    painter.setFont(_font(8))
    painter.setPen(QColor("#63686e"))
    footer = QRectF(0, size.height() + _FOOTER_HEIGHT - 16, size.width(), 16)
    painter.drawText(footer, Qt.AlignmentFlag.AlignRight, number)
    shown = painter.fontMetrics().elidedText(title, Qt.TextElideMode.ElideMiddle, int(footer.width() - 120))
    painter.drawText(footer, Qt.AlignmentFlag.AlignLeft, shown)


def _font(points: int) -> QFont:
    font = QFont()
    font.setPointSize(points)
    font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return font
