"""The tracked changes of an odt, read from its text and from its headers and footers."""

from __future__ import annotations

import re
from collections.abc import Mapping

from core.formats.odt_reader import HIDDEN, OBJECT, PARAGRAPHS, SPACES
from core.formats.office_document import OfficeDocument
from core.formats.xml_scan import Part, Visitor, element_end, scan, tag_end, to_utf8
from core.revisions.odt_changes import NAMES, ChangesReader, Region, read_changes
from core.revisions.revision_list import OpenRevision, RevisionList
from core.revisions.types import Revision, RevisionKind, Story

_ANY = re.compile(rb"<(?:[\w.-]+:)?changed-region[\s/>]")
_STORIES = {"content.xml": Story.BODY, "styles.xml": Story.HEADER}
_SHOWN = {"text:s": " ", "text:tab": "\t", "text:line-break": "\n", "text:note": OBJECT, "draw:frame": OBJECT}


def odt_stories(document: OfficeDocument) -> dict[str, Story]:
    """The story of each part that can hold tracked changes, by its name, the main text first."""
    return {name: story for name, story in _STORIES.items() if name in document.package.members}


def odt_has_revisions(document: OfficeDocument) -> bool:
    """See `core.revisions.resolve.has_revisions`."""
    package = document.package
    return any(
        _ANY.search(to_utf8(package.read(name), name=package.name).data) for name in odt_stories(document)
    )


def read_odt_revisions(document: OfficeDocument) -> list[Revision]:
    """See `core.revisions.resolve.read_revisions`."""
    package = document.package
    found: list[Revision] = []
    for name, story in odt_stories(document).items():
        part = to_utf8(package.read(name), name=package.name)
        reader = _Reader(part.data, read_changes(part.data, name=package.name))
        scan(Part(part.data, "utf-8"), reader, NAMES, name=package.name)
        reader.add_unplaced()
        found += reader.list.revisions(name, story, document)
    return found


class _Reader(Visitor):
    """A visitor of a part that fills ``list``; ``changes`` has the regions, which come before the text."""

    def __init__(self, data: bytes, changes: ChangesReader) -> None:
        self.list = RevisionList()
        self._data = data
        self._regions = changes.regions
        self._ranges = {mark.id for mark in changes.marks if mark.tag == "text:change-end"}
        self._seen: set[str] = set()
        self._around: dict[str, OpenRevision] = {}
        self._stack: list[tuple[str, int]] = []
        self._hidden = 0

    def start(self, tag: str, attributes: Mapping[str, str], at: int) -> None:
        self._stack.append((tag, at))
        if self._hidden:
            return
        change = attributes.get("text:change-id", "")
        region = self._regions.get(change)
        if tag in _SHOWN:
            self._words(_SHOWN[tag], at, tag_end(self._data, at))
        if tag in HIDDEN and tag != "text:note":
            self._hidden = len(self._stack)
        elif tag == "text:change" and region is not None:
            revision = self._enter(region, at)
            revision.add(region.text, at, at)
            self.list.keep_open({revision, *self._around.values()})
        elif tag == "text:change-start" and region is not None and change in self._ranges:
            self._around[change] = self._enter(region, at)
        elif tag == "text:change-end":
            self._around.pop(change, None)

    def end(self, tag: str, at: int) -> None:
        start = self._stack[-1][1]
        if self._hidden == len(self._stack):
            self._hidden = 0
        elif not self._hidden and tag in PARAGRAPHS:
            self._words("\n", at, element_end(self._data, start, at))
        self._stack.pop()

    def text(self, text: str, start: int, end: int) -> None:
        if text and not self._hidden and any(tag in PARAGRAPHS for tag, _ in self._stack):
            self._words(SPACES.sub(" ", text), start, end)

    def add_unplaced(self) -> None:
        """Add the changes without a mark in the text, except those in deleted words, which appear once those return."""
        held = {change for region in self._regions.values() for change in region.held}
        for number, region in self._regions.items():
            if number not in self._seen | held:
                self.list.enter(_kind(region), region.author, region.date, number, None).add(
                    region.text, 0, 0
                )

    def _enter(self, region: Region, at: int) -> OpenRevision:
        self._seen.add(region.id)
        revision = self.list.enter(_kind(region), region.author, region.date, region.id, at)
        if any(tag.startswith("style:footer") for tag, _ in self._stack):
            revision.story = Story.FOOTER
        return revision

    def _words(self, text: str, start: int, end: int) -> None:
        for revision in self._around.values():
            revision.add(text, start, end)
        self.list.keep_open(set(self._around.values()))


def _kind(region: Region) -> RevisionKind:
    if region.deletes:
        return RevisionKind.DELETED
    return RevisionKind.INSERTED if region.inserts else RevisionKind.FORMATTED
