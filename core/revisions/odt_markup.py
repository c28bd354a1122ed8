"""The elements of tracked changes and comments of an odt as bytes: OpenDocument 1.3, part 3, sections 5.5 and 14.1."""

from __future__ import annotations

import re
from itertools import count

from core.formats.odt_writer import inline_content
from core.formats.xml_scan import escape_text, tag_end
from core.revisions.odt_changes import URIS, ChangesReader, Region
from core.revisions.types import Note, Stamp

_ROOT = re.compile(rb"<[A-Za-z_]")
_NAMESPACE = re.compile(rb"""\sxmlns:([\w.-]+)\s*=\s*["']([^"']*)["']""")
_NUMBER = re.compile(rb"""["'](?:ct|comment)(\d{1,9})["']""")
_ID = re.compile(rb"""\s(?:[\w.-]+:)?id\s*=\s*(?:"[^"]*"|'[^']*')""")


class OdtMarkup:
    """Makes the tags of changes and comments, each with an id that is not used in ``data``, a whole part."""

    def __init__(self, data: bytes, stamp: Stamp) -> None:
        root = _ROOT.search(data)
        tag = data[root.start() : tag_end(data, root.start())] if root else b""
        declared = {uri.decode(): prefix for prefix, uri in reversed(_NAMESPACE.findall(tag))}
        self._declarations = b""
        self._prefixes: dict[str, bytes] = {}
        for short in ("office", "text", "dc"):
            uri = URIS[short]
            name = declared.get(uri) or b"own-" + short.encode()
            self._prefixes[short] = name + b":"
            if uri not in declared:
                self._declarations += b' xmlns:%b="%b"' % (name, uri.encode())
        self._ids = count(max(map(int, _NUMBER.findall(data)), default=0) + 1)
        self._stamp = stamp
        self.regions: list[bytes] = []

    def insertion(self) -> bytes:
        """Add a region for inserted text; returns its id."""
        return self._region(b"insertion", b"")

    def deletion(self, content: bytes) -> bytes:
        """Add a region for deleted text, with its paragraphs; returns its id."""
        return self._region(b"deletion", content)

    def copied(self, data: bytes, region: Region) -> bytes:
        """Add a copy of a region with an id of its own, which is returned."""
        number = self._next("ct")
        start = tag_end(data, region.start)
        tag = _ID.sub(b"", data[region.start : start])
        self.regions.append(tag[:-1] + self._id(number) + b">" + data[start : region.end])
        return number

    def start(self, number: bytes) -> bytes:
        return self._mark(b"change-start", number)

    def end(self, number: bytes) -> bytes:
        return self._mark(b"change-end", number)

    def point(self, number: bytes) -> bytes:
        """The mark where text was deleted."""
        return self._mark(b"change", number)

    def comment(self, note: Note) -> tuple[bytes, bytes]:
        """The markup for the start and end of the range of a comment, with a paragraph for each line of its text."""
        office, words = self._prefixes["office"], self._prefixes["text"]
        number = self._next("comment")
        lines = b"".join(
            b"<%bp>%b</%bp>" % (words, inline_content(line, "", "", words), words)
            for line in note.comment.split("\n")
        )
        tag = b'<%bannotation %bname="%b"%b>' % (office, office, number, self._declarations)
        end = b'<%bannotation-end %bname="%b"%b/>' % (office, office, number, self._declarations)
        return tag + self._who(note.stamp) + lines + b"</%bannotation>" % office, end

    def block_patches(self, reader: ChangesReader) -> list[tuple[int, int, bytes]]:
        """Patches that add the regions to the document."""
        if not self.regions:
            return []
        words, regions = self._prefixes["text"], b"".join(self.regions)
        block = next((one for one in reader.blocks if one[0] >= reader.body), None)
        if block is None:
            # Without this attribute, the block would switch tracking on in the word processor.
            tag = b'<%btracked-changes %btrack-changes="false"%b>' % (words, words, self._declarations)
            return [(reader.body, reader.body, tag + regions + b"</%btracked-changes>" % words)]
        return [reader.before_end(block, regions)]

    def _region(self, kind: bytes, content: bytes) -> bytes:
        number = self._next("ct")
        office, words = self._prefixes["office"], self._prefixes["text"]
        info = b"<%bchange-info>%b</%bchange-info>" % (office, self._who(), office)
        tag = b"<%bchanged-region%b%b>" % (words, self._id(number), self._declarations)
        inside = b"<%b%b>%b%b</%b%b>" % (words, kind, info, content, words, kind)
        self.regions.append(tag + inside + b"</%bchanged-region>" % words)
        return number

    def _who(self, stamp: Stamp | None = None) -> bytes:
        stamp = stamp or self._stamp
        dc, author = self._prefixes["dc"], escape_text(stamp.author)
        time = stamp.time.strftime("%Y-%m-%dT%H:%M:%S").encode()
        return b"<%bcreator>%b</%bcreator><%bdate>%b</%bdate>" % (dc, author, dc, dc, time, dc)

    def _id(self, number: bytes) -> bytes:
        # Programs from before OpenDocument 1.2 know only the second one.
        return b' xml:id="%b" %bid="%b"' % (number, self._prefixes["text"], number)

    def _next(self, name: str) -> bytes:
        return b"%b%d" % (name.encode(), next(self._ids))

    def _mark(self, name: bytes, number: bytes) -> bytes:
        words = self._prefixes["text"]
        return b'<%b%b %bchange-id="%b"%b/>' % (words, name, words, number, self._declarations)
