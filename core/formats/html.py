"""Web pages: decoded by their charset, their text as a browser shows it, edited only inside the text of the source."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from core.documents import parse
from core.documents.suppression import find_suppressed
from core.documents.types import Format, NonProseSpan, Span, SuppressedRange
from core.formats.edits import EditRules
from core.formats.html_edit import apply_line_edits, cannot_join_reason, normalize_lines, preformatted_reason
from core.formats.html_layout import PageText, page_text
from core.formats.text_layout import join_touching
from core.formats.types import ContainerError, LockedSpan
from core.i18n import tr
from core.storage.files import TextFile, decode
from core.text.appearance import Appearance
from core.types import Unread

# The charset that a page declares in its first bytes, in a <meta> or in the XML declaration.
_LOOKED_AT = 2048
_SAID = re.compile(
    rb"""
    <meta[^>]{0,400}? \bcharset \s*=\s* ["']? \s* ([\w.:-]{1,40})
  | <\?xml[^>]{0,200}? \bencoding \s*=\s* ["'] ([\w.:-]{1,40})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# As in browsers: declared Latin-1 or ASCII is Windows-1252.
_SAME_AS = {
    "iso8859-1": "cp1252",
    "ascii": "cp1252",
    "gb2312": "gbk",
    "cp949": "euc_kr",
    "iso8859-9": "cp1254",
}
_KNOWN = frozenset(
    """
    cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874 iso8859-2 iso8859-3 iso8859-4 iso8859-5
    iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman
    gbk gb18030 big5 euc_jp shift_jis euc_kr
    """.split()
)


def read_page(data: bytes, *, name: str) -> TextFile:
    """The source of a page, in its declared encoding if its bytes are valid in it; raises FileError."""
    codec = "" if data.startswith(_BOMS) else _said(data[:_LOOKED_AT])
    if codec and b"\0" not in data:
        try:
            source = data.decode(codec)
        except UnicodeDecodeError:
            return decode(data, name=name)
        if source.encode(codec, errors="replace") == data:
            return TextFile(source, codec, True, "")
    return decode(data, name=name)


def _said(beginning: bytes) -> str:
    found = _SAID.search(beginning)
    if found is None:
        return ""
    try:
        codec = codecs.lookup((found[1] or found[2]).decode("ascii")).name
    except LookupError:
        return ""
    codec = _SAME_AS.get(codec, codec)
    return codec if codec in _KNOWN else ""


def page_bytes(source: str, encoding: str) -> bytes:
    """The bytes of a page; a character that its encoding does not have becomes a character reference."""
    mark = {"utf-8-sig": codecs.BOM_UTF8, "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
    codec = "utf-8" if encoding == "utf-8-sig" else encoding
    return mark.get(encoding, b"") + source.encode(codec, errors="xmlcharrefreplace")


MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class HtmlContainer:
    """A page that was opened, as `core.formats.types.Container` has it.

    ``suppressed`` may be for single kinds; ``quotes`` are the contents of ``<q>`` and ``<blockquote>``. The text has no
    line ends but those that its tags make.
    """

    data: bytes
    source: str
    encoding: str
    editable: bool
    page: PageText
    locked: tuple[LockedSpan, ...]
    breaks: tuple[Span, ...]
    suppressed: tuple[SuppressedRange, ...]
    notes: tuple[str, ...]

    @property
    def format(self) -> Format:
        """HTML."""
        return Format.HTML

    @property
    def text(self) -> str:
        """The text that the page shows."""
        return self.page.text

    @property
    def unread(self) -> tuple[Unread, ...]:
        """What a reader of the page can see and the text does not have."""
        return self.page.unread

    @property
    def non_prose(self) -> tuple[NonProseSpan, ...]:
        """What is struck out, comments of an editor, and the marks of footnotes."""
        return self.page.non_prose

    @property
    def set_apart(self) -> tuple[Span, ...]:
        """What is in italics or linked."""
        return self.page.set_apart

    @property
    def appearance(self) -> Appearance:
        """How a browser shows the text."""
        return self.page.appearance

    @property
    def quotes(self) -> tuple[Span, ...]:
        """The contents of quotation elements; they may overlap."""
        return self.page.quotes

    def source_span(self, start: int, end: int) -> Span:
        """See `core.formats.types.Container.source_span`."""
        return self.page.source_map.source_start(start), self.page.source_map.source_end(end - 1)

    def save(self, text: str) -> bytes:
        """The page with ``text`` in place of its own; runs of spaces become one, as in a browser.

        With the text unchanged, the bytes it was opened from. Raises ContainerError where an edit touches what is
        locked, joins lines, splits one that cannot be split, or has characters that HTML cannot hold.
        """
        if text == self.text:
            return self.data
        if not self.editable:
            raise ContainerError(self.locked[0].reason)
        lines = normalize_lines(self.page, text, EditRules(self.locked, self.breaks))
        expected = "\n".join(line for one in lines for line in one)
        if expected == self.text:
            return self.data
        try:
            data = page_bytes(apply_line_edits(self.source, self.page, lines), self.encoding)
            read_back = page_text(read_page(data, name="").text).text
        except UnicodeEncodeError:
            read_back = None
        if read_back != expected:
            raise ContainerError(
                tr(
                    "The page was not saved: this edit cannot be written as HTML. Undo the edit and try other words."
                )
            )
        return data


def open_html(data: bytes, *, name: str) -> HtmlContainer:
    """Open a page; ``name`` is what messages call it. Raises ContainerError and FileError."""
    if len(data) > MOST_BYTES:
        raise ContainerError(
            tr("{name} is larger than {size} MB. Split it and open the parts.").format(
                name=name, size=MOST_BYTES // 1_000_000
            )
        )
    file = read_page(data, name=name)
    page = page_text(file.text)
    editable = file.editable and _is_fillable(file.text, page)
    notes = ((file.note,) if file.note else ()) + page.notes
    return HtmlContainer(
        data,
        file.text,
        file.encoding,
        editable,
        page,
        _locked(page) if editable else (LockedSpan(0, len(page.text), file.note or preformatted_reason()),),
        breaks=join_touching(stretch for line in page.lines for stretch in line.breaks) if editable else (),
        suppressed=_suppressed_ranges(page),
        notes=notes,
    )


def _is_fillable(source: str, page: PageText) -> bool:
    """Whether words can be put into a page that shows no text."""
    return bool(page.lines) or page_text(f"{source[: page.first]}x{source[page.first :]}").text == "x"


def _suppressed_ranges(page: PageText) -> tuple[SuppressedRange, ...]:
    waits = any(marker.action == "ignore-next" for marker in page.markers)
    sentences = parse(page.text, Format.HTML, quotes=page.quotes).sentences if waits else ()
    return find_suppressed(page.markers, sentences, length=len(page.text), also=page.code)


def _locked(page: PageText) -> tuple[LockedSpan, ...]:
    """Locks over the line ends, and over preformatted lines with the line ends around them."""
    found: list[LockedSpan] = []
    for number, line in enumerate(page.lines):
        if line.locked:
            if not number:
                found.append(LockedSpan(0, 0, preformatted_reason()))
            _lock(found, LockedSpan(line.start, line.end, preformatted_reason()), joins=number > 0)
        if number + 1 < len(page.lines):
            _lock(found, LockedSpan(line.end, line.end + 1, cannot_join_reason()), joins=line.locked)
        elif line.locked:
            found.append(LockedSpan(line.end, line.end, preformatted_reason()))
    return tuple(found)


def _lock(found: list[LockedSpan], lock: LockedSpan, *, joins: bool) -> None:
    """Add a lock; ``joins``: nothing can be typed between it and the previous one."""
    if joins and found and found[-1].end == lock.start:
        found[-1] = LockedSpan(found[-1].start, lock.end, preformatted_reason())
    else:
        found.append(lock)
