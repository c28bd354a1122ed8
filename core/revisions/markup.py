"""The elements of revisions and comments as bytes: ECMA-376 part 1, sections 17.13.5 (revisions) and 17.13.4."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from xml.parsers import expat

from core.formats.xml_scan import element_end, escape_text, tag_end, tag_name
from core.revisions.types import Stamp

_ID = re.compile(rb"""\bid\s*=\s*["'](\d{1,9})["']""")
_FORMAT_CHANGE = re.compile(rb"""(<[\w.-]+:rPrChange\s(?:[^<>]*?\s)?[\w.-]+:id\s*=\s*["'])\d+""")
_AFTER_RUN_PROPERTIES = (b"sectPr", b"pPrChange")
_MOST_INITIALS = 9
"""ECMA-376 part 1, 17.13.4.2: longer ones are cut."""


class Markup:
    """Makes the tags of revisions and comments, each with an id that is not used in ``parts``."""

    def __init__(self, stamp: Stamp, parts: Iterable[bytes]) -> None:
        used = (int(found) for part in parts for found in _ID.findall(part))
        self._ids = count(max(used, default=0) + 1)
        self._stamp = stamp

    def initials(self, stamp: Stamp | None = None) -> str:
        """The first letters of the author's names."""
        return "".join(name[0] for name in (stamp or self._stamp).author.split())[:_MOST_INITIALS]

    def next_id(self) -> bytes:
        return b"%d" % next(self._ids)

    def tag(self, prefix: bytes, name: bytes, number: bytes, stamp: Stamp | None = None) -> bytes:
        """The start tag of a revision or a comment, without its end; ``stamp``: its own, if it has one."""
        stamp = stamp or self._stamp
        author = escape_attribute(stamp.author)
        time = stamp.time.strftime("%Y-%m-%dT%H:%M:%SZ").encode()
        place = (prefix, name, prefix, number, prefix, author, prefix, time)
        return b'<%b%b %bid="%b" %bauthor="%b" %bdate="%b"' % place

    def revision(self, prefix: bytes, name: bytes) -> bytes:
        """The start tag of a new revision, without its end."""
        return self.tag(prefix, name, self.next_id())

    def range_start(self, prefix: bytes, number: bytes) -> bytes:
        return b'<%bcommentRangeStart %bid="%b"/>' % (prefix, prefix, number)

    def range_end(self, prefix: bytes, number: bytes) -> bytes:
        """The end of the range of a comment, and the run that refers to it."""
        end = b'<%bcommentRangeEnd %bid="%b"/>' % (prefix, prefix, number)
        return end + b'<%br><%bcommentReference %bid="%b"/></%br>' % (prefix, prefix, prefix, number, prefix)

    def renumbered(self, tag: bytes) -> bytes:
        """A copy of the start tag of a revision with an id of its own."""
        return _ID.sub(lambda _: b'id="%b"' % self.next_id(), tag, count=1)

    def copied(self, head: bytes) -> bytes:
        """A copy of the head of a run; a tracked change of its formatting gets an id of its own."""
        return _FORMAT_CHANGE.sub(lambda found: found[1] + self.next_id(), head)


def escape_attribute(text: str) -> bytes:
    """Characters as they stand in an attribute between double quotes."""
    return escape_text(text).replace(b'"', b"&quot;")


@dataclass(frozen=True, slots=True)
class Child:
    """A child of an element: its name without the prefix, and its bytes."""

    name: bytes
    start: int
    end: int


def children(element: bytes) -> list[Child]:
    """The children of an element that is parsed alone, with undeclared prefixes."""
    found: list[Child] = []
    open_tags: list[tuple[str, int]] = []
    parser = expat.ParserCreate("utf-8")

    def start(name: str, _attributes: object) -> None:
        open_tags.append((name, parser.CurrentByteIndex))

    def end(_name: str) -> None:
        name, at = open_tags.pop()
        if len(open_tags) == 1:
            local = name.rpartition(":")[2].encode()
            found.append(Child(local, at, element_end(element, at, parser.CurrentByteIndex)))

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(element, True)
    return found


def mark_paragraph(properties: bytes, prefix: bytes, mark: bytes) -> bytes:
    """The properties of a paragraph (may be empty) with a revision of its end, the empty tag ``mark``, in them.

    An insertion replaces another one; a deletion comes after it.
    """
    marked = b"<%brPr>%b</%brPr>" % (prefix, mark, prefix)
    if not properties or properties.endswith(b"/>"):
        return b"<%bpPr>%b</%bpPr>" % (prefix, marked, prefix)
    at = properties.rindex(b"</")
    for child in children(properties):
        if child.name == b"rPr":
            inside = tag_end(properties, child.start)
            if properties[inside - 2 : inside] == b"/>":
                return properties[: child.start] + marked + properties[child.end :]
            return properties[:inside] + _with_mark(properties, child, inside, mark) + properties[child.end :]
        if child.name in _AFTER_RUN_PROPERTIES:
            at = min(at, child.start)
    return properties[:at] + marked + properties[at:]


def _with_mark(properties: bytes, run_properties: Child, inside: int, mark: bytes) -> bytes:
    """The rest of the properties of the end of a paragraph from ``inside`` on, with a revision in front."""
    found = properties[run_properties.start : run_properties.end]
    inserted = next((child for child in children(found) if child.name == b"ins"), None)
    rest = properties[inside : run_properties.end]
    if inserted is None:
        return mark + rest
    theirs = found[inserted.start : inserted.end]
    rest = rest.replace(theirs, b"", 1)
    return mark + rest if tag_name(mark, 0).endswith(b"ins") else theirs + mark + rest
