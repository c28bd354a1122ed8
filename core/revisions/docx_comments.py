"""Comments of a docx: the part that holds them is extended, or created with everything it needs."""

from __future__ import annotations

import posixpath
import re

from core.formats.docx import related_parts
from core.formats.office_document import OfficeDocument
from core.formats.xml_scan import Part, escape_text, tag_end, tag_name, to_utf8
from core.revisions.markup import Markup, escape_attribute
from core.revisions.types import Note

_CONTENT_TYPES = "[Content_Types].xml"
_TYPE = b"application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"
_TRANSITIONAL = (
    b"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    b"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
)
_STRICT = (
    b"http://purl.oclc.org/ooxml/wordprocessingml/main",
    b"http://purl.oclc.org/ooxml/officeDocument/relationships",
)
_RELATIONSHIPS = b"http://schemas.openxmlformats.org/package/2006/relationships"
_DECLARATION = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
_ROOT = re.compile(rb"<[A-Za-z_]")
_RELATION_ID = re.compile(rb"""\bId\s*=\s*["']rId(\d{1,9})["']""")


class CommentWriter:
    """Collects new comments of a document. ``data`` is the part of its comments, empty where it has none."""

    def __init__(self, document: OfficeDocument) -> None:
        self._package = document.package
        folder, leaf = posixpath.split(document.part_name)
        self._relations = posixpath.join(folder, "_rels", f"{leaf}.rels")
        known = related_parts(document.package, document.part_name).get("comments")
        self._is_new = known is None
        self._part_name = known or self._free_name(folder)
        self._part = Part(b"", "utf-8") if known is None else self._read(known)
        main = document.part.data
        root = main[(found := _root(main)) : tag_end(main, found)]
        self._namespace, self._kinds = _STRICT if _STRICT[0] in root else _TRANSITIONAL
        self._main_prefix = tag_name(main, found)[: -len(b"document")]
        self._prefix = b"w:" if known is None else tag_name(self.data, _root(self.data))[: -len(b"comments")]
        self._comments: list[bytes] = []

    @property
    def data(self) -> bytes:
        return self._part.data

    def add(self, note: Note, markup: Markup) -> tuple[bytes, bytes]:
        """Add a comment, a paragraph for each line of its text; returns the markup for both ends of its range."""
        number = markup.next_id()
        prefix = self._prefix
        lines = [
            b'<%bp><%br><%bt xml:space="preserve">%b</%bt></%br></%bp>'
            % (prefix, prefix, prefix, escape_text(line), prefix, prefix, prefix)
            for line in note.comment.split("\n")
        ]
        tag = markup.tag(prefix, b"comment", number, note.stamp)
        initials = b' %binitials="%b">' % (prefix, escape_attribute(markup.initials(note.stamp)))
        self._comments.append(tag + initials + b"".join(lines) + b"</%bcomment>" % prefix)
        return markup.range_start(self._main_prefix, number), markup.range_end(self._main_prefix, number)

    def parts(self) -> dict[str, bytes]:
        """The parts that the new comments change or add, by name; none where there are no comments."""
        if not self._comments:
            return {}
        comments = b"".join(self._comments)
        if not self._is_new:
            return {self._part_name: self._part.encoded(_before_end(self.data, comments))}
        root = b'<w:comments xmlns:w="%b">' % self._namespace
        found = {self._part_name: _DECLARATION + root + comments + b"</w:comments>"}
        found[_CONTENT_TYPES] = self._with_type()
        found[self._relations] = self._with_relation()
        return found

    def _free_name(self, folder: str) -> str:
        names = [
            "comments.xml",
            *(f"comments{number}.xml" for number in range(1, len(self._package.members) + 2)),
        ]
        return next(
            name for leaf in names if (name := posixpath.join(folder, leaf)) not in self._package.members
        )

    def _read(self, part: str) -> Part:
        return to_utf8(self._package.read(part), name=self._package.name)

    def _with_type(self) -> bytes:
        part = self._read(_CONTENT_TYPES)
        prefix = tag_name(part.data, _root(part.data))[: -len(b"Types")]
        name = escape_attribute("/" + self._part_name)
        entry = b'<%bOverride PartName="%b" ContentType="%b"/>' % (prefix, name, _TYPE)
        return part.encoded(_before_end(part.data, entry))

    def _with_relation(self) -> bytes:
        if self._relations in self._package.members:
            part = self._read(self._relations)
        else:
            part = Part(_DECLARATION + b'<Relationships xmlns="%b"/>' % _RELATIONSHIPS, "utf-8")
        prefix = tag_name(part.data, _root(part.data))[: -len(b"Relationships")]
        number = max(map(int, _RELATION_ID.findall(part.data)), default=0) + 1
        target = escape_attribute(posixpath.basename(self._part_name))
        place = (prefix, number, self._kinds, target)
        entry = b'<%bRelationship Id="rId%d" Type="%b/comments" Target="%b"/>' % place
        return part.encoded(_before_end(part.data, entry))


def _root(data: bytes) -> int:
    """Where the first element of a part begins."""
    found = _ROOT.search(data)
    return found.start() if found else 0


def _before_end(data: bytes, content: bytes) -> bytes:
    """A part with more content at the end of its first element."""
    start = _root(data)
    end = tag_end(data, start)
    if data[end - 2 : end] == b"/>":
        return data[: end - 2] + b">" + content + b"</%b>" % tag_name(data, start) + data[end:]
    at = data.rindex(b"</")
    return data[:at] + content + data[at:]
