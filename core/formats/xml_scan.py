"""An XML part read by expat with the place of each element and text in the bytes, so that bytes can be replaced.

What could be used to attack a reader is refused: document types, entities, endless nesting, endless elements.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from xml.parsers import expat

from core.formats.types import ContainerError
from core.i18n import tr

MAX_DEPTH = 500
MAX_ELEMENTS = 500_000
"""The most elements of a part; a paragraph counts as `_HEAVY` of them, because it takes longer to read."""
_HEAVY = 4
_PARAGRAPHS = ("w:p", "text:p", "text:h")

_TAG = re.compile(rb"""<[^"'>]*(?:"[^"]*"[^"'>]*|'[^']*'[^"'>]*)*>""")
_TAG_NAME = re.compile(rb"[^\s/>]+")
_NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
_UTF16 = (
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)


class Visitor:
    """The handlers that a scan calls; these do nothing.

    Places are byte offsets in the part, plus the ``start`` of the scan; names are short ones (``w:p``) or full ones.
    """

    __slots__ = ()

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        """An element begins."""

    def end(self, tag: str, at: int) -> None:
        """An element ends."""

    def text(self, text: str, start: int, end: int) -> None:
        """All characters between two tags, including CDATA, references, comments and instructions."""


@dataclass(frozen=True, slots=True)
class Part:
    """An XML part as UTF-8 bytes, and how it is encoded in its file."""

    data: bytes
    encoding: str

    def encoded(self, data: bytes) -> bytes:
        """Other UTF-8 bytes in the encoding of the part."""
        return data if self.encoding == "utf-8" else data.decode("utf-8").encode(self.encoding)


class _Names(dict[str, str]):
    """Full names (``uri local``) to short ones, by a table of prefixes."""

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        self._prefixes = prefixes

    def __missing__(self, full: str) -> str:
        uri, space, local = full.rpartition(" ")
        prefix = self._prefixes.get(uri)
        short = f"{prefix}:{local}" if space and prefix else full
        self[full] = short
        return short


class _RefusedError(Exception):
    """Raised in a handler for what is never read."""


def to_utf8(content: bytes, *, name: str) -> Part:
    """A part in UTF-8, whatever it is encoded in; raises ContainerError for what is neither UTF-8 nor UTF-16."""
    encoding = next((encoding for start, encoding in _UTF16 if content.startswith(start)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        raise _unreadable(name) from None
    return Part(content if encoding == "utf-8" else text.encode("utf-8"), encoding)


def scan(part: Part, visitor: Visitor, prefixes: Mapping[str, str], *, name: str, start: int = 0) -> None:
    """Walk through a part and call ``visitor``; raises ContainerError if the part is unsafe or damaged.

    ``prefixes`` maps namespaces to the prefixes of short names; ``name`` is what messages call the file; ``start`` is
    added to each place.
    """
    walk = _Walk(part.data, visitor, prefixes, start)
    try:
        walk.run()
    except _RefusedError as refused:
        raise ContainerError(
            tr(
                "{name} cannot be opened safely: {why}. Open it in the program that wrote it and save it again."
            ).format(name=name, why=refused)
        ) from None
    except (expat.ExpatError, UnicodeError, ValueError) as error:
        raise _unreadable(name) from error


class _Walk:
    def __init__(self, data: bytes, visitor: Visitor, prefixes: Mapping[str, str], base: int) -> None:
        self._data = data
        self._visitor = visitor
        self._base = base
        self._names = _Names(prefixes)
        self._depth = self._elements = 0
        self._chunks: list[str] = []
        self._from = 0
        parser = self._parser = expat.ParserCreate("utf-8", " ")
        parser.buffer_text = False
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        parser.StartDoctypeDeclHandler = self._doctype
        parser.XmlDeclHandler = self._declaration
        parser.CommentHandler = parser.StartCdataSectionHandler = self._mark
        parser.ProcessingInstructionHandler = self._mark

    def run(self) -> None:
        self._parser.Parse(self._data, True)

    def _start(self, full: str, attributes: dict[str, str]) -> None:
        at = self._base + self._parser.CurrentByteIndex
        if self._chunks:
            self._flush(at)
        self._depth += 1
        tag = self._names[full]
        self._elements += _HEAVY if tag in _PARAGRAPHS else 1
        if self._depth > MAX_DEPTH:
            raise _RefusedError(tr("it is nested too deeply"))
        if self._elements > MAX_ELEMENTS:
            raise _RefusedError(tr("it contains too many elements"))
        names = self._names
        short = {names[key]: value for key, value in attributes.items()} if attributes else attributes
        self._visitor.start(tag, short, at)

    def _end(self, full: str) -> None:
        at = self._base + self._parser.CurrentByteIndex
        if self._chunks:
            self._flush(at)
        self._depth -= 1
        self._visitor.end(self._names[full], at)

    def _characters(self, text: str) -> None:
        if not self._chunks:
            self._from = self._base + self._parser.CurrentByteIndex
        self._chunks.append(text)

    def _mark(self, *_what: object) -> None:
        """Note where text begins that starts with a CDATA section, a comment or an instruction."""
        if not self._chunks:
            self._from = self._base + self._parser.CurrentByteIndex
            self._chunks.append("")

    def _flush(self, at: int) -> None:
        text = "".join(self._chunks)
        self._chunks.clear()
        self._visitor.text(text, self._from, at)

    def _doctype(self, *_what: object) -> None:
        raise _RefusedError(tr("it declares a document type or entities"))

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.casefold() not in ("utf-8", "utf8", "utf-16"):
            raise _RefusedError(tr("it is encoded neither as UTF-8 nor as UTF-16"))


def tag_end(data: bytes, at: int) -> int:
    """Where the tag that begins at a place ends."""
    found = _TAG.match(data, at)
    return found.end() if found else at


def element_end(data: bytes, start: int, at: int) -> int:
    """Where an element ends whose start tag is at ``start`` and whose end was met at ``at``."""
    end = tag_end(data, start)
    return end if data[end - 2 : end] == b"/>" else tag_end(data, at)


def tag_name(data: bytes, at: int) -> bytes:
    """The name in the start tag at a place, its prefix as written."""
    found = _TAG_NAME.match(data, at + 1)
    return found[0] if found else b""


def end_tag(data: bytes, at: int) -> bytes:
    """What ends the element whose start tag stands at a place."""
    return b"</" + tag_name(data, at) + b">"


def escape_text(text: str) -> bytes:
    """Characters as they stand in an element."""
    plain = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return plain.encode("utf-8")


def check_characters(text: str, *, name: str) -> None:
    """Raise ContainerError for a character that no XML file can hold."""
    found = _NO_XML.search(text)
    if found is None:
        return
    raise ContainerError(
        tr(
            "{name} was not saved: character {number}, U+{code}, is a control character, which is not allowed "
            "in this kind of file. Remove it and save again."
        ).format(name=name, number=f"{found.start() + 1:,}", code=f"{ord(found[0]):04X}")
    )


def apply_patches(data: bytes, patches: Sequence[tuple[int, int, bytes]]) -> bytes:
    """Bytes with stretches (start, end) replaced. Two patches at one place keep their order."""
    parts = []
    at = 0
    for start, end, content in sorted(patches, key=lambda patch: patch[:2]):
        if start < at:
            raise ValueError("patches overlap")
        parts += [data[at:start], content]
        at = end
    return b"".join([*parts, data[at:]])


def _unreadable(name: str) -> ContainerError:
    return ContainerError(
        tr(
            "{name} is damaged: its text is not well-formed XML. Open it in the program that wrote it and save "
            "it again."
        ).format(name=name)
    )
