"""What docx and odt share.

The opened document, and edits patched into the bytes of its XML, where only the touched runs are rewritten.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import ClassVar

from core.documents.types import Format, Off, Span
from core.formats.edits import BlockedError, Rules, changes_between
from core.formats.text_layout import Flow, Line, Piece
from core.formats.types import ContainerError, Locked
from core.formats.xml_scan import Part, end_tag, patched, refuse_characters
from core.formats.zip_package import Package
from core.i18n import tr
from core.text.diff import TextEdit

# Changes of the text put into the bytes of a part: only the pieces that a change touches are written anew.


Patch = tuple[int, int, bytes]
Writer = Callable[[Piece, str, "Around"], list[Patch]]
"""Writes other text into a piece."""
Stale = Callable[[Piece, str, bool], bool]
"""Whether a piece whose text is as it was must be written anew: (piece, character before it, whether that is new)."""


@dataclass(frozen=True, slots=True)
class Around:
    """Where a piece is written: the characters around it, "" at the ends of a line; the end tag of its paragraph."""

    before: str
    after: str
    closing: bytes


class Patcher:
    """Gathers changes of one part, then gives the patches of its bytes."""

    def __init__(self, data: bytes, flow: Flow, write: Writer, stale: Stale | None = None) -> None:
        self._data = data
        self._flow = flow
        self._write = write
        self._stale = stale
        self._texts: dict[Piece, list[TextEdit]] = {}
        self._gone: set[Piece] = set()
        self._joined: set[int] = set()
        self._replaced_heads: set[int] = set()
        self._touched: set[int] = set()

    def patches(self, changes: Sequence[TextEdit]) -> list[Patch]:
        """What to put in place of which bytes."""
        for change in changes:
            self._delete(change)
            if change.text:
                self._insert(change)
        found: list[Patch] = []
        done = -1
        for number in sorted(self._touched):
            if number > done:
                while number - 1 in self._joined:
                    number -= 1
                done = number
                while done in self._joined:
                    done += 1
                found += self._chain(number, done)
        return found

    def _line_at(self, place: int) -> int:
        return bisect_right(self._flow.starts, place) - 1

    def _delete(self, change: TextEdit) -> None:
        if change.start == change.end:
            return
        first = self._line_at(change.start)
        for number in range(first, self._line_at(change.end - 1) + 1):
            line, start = self._flow.lines[number], self._flow.starts[number]
            self._touched.add(number)
            for piece, low, high in _placed(line, start):
                cut_low, cut_high = max(low, change.start), min(high, change.end)
                if cut_low >= cut_high:
                    continue
                if piece.spot is None:
                    self._gone.add(piece)
                else:
                    self._texts.setdefault(piece, []).append(TextEdit(cut_low - low, cut_high - low, ""))
            if change.start <= start + line.length < change.end:
                self._joined.add(number)
                self._touched.add(number + 1)
        if not change.text and change.start == self._flow.starts[first] and first in self._joined:
            self._replaced_heads.add(first)

    def _insert(self, change: TextEdit) -> None:
        number = self._line_at(change.start)
        line, start = self._flow.lines[number], self._flow.starts[number]
        self._touched.add(number)
        around = [
            (piece, change.start - low)
            for piece, low, high in _placed(line, start)
            if piece.spot is not None and low <= change.start <= high
        ]
        plain = _target(around, change)
        if "\n" not in change.text:
            self._put(plain, change.text)
            return
        if change.start == change.end and change.start == start + line.length:
            slot = next((pair for pair in reversed(around) if pair[0].slot and pair[0].breakable), None)
            if slot is not None:
                head, _, rest = change.text.partition("\n")
                self._put(plain, head)
                self._put(slot, "\n" + rest)
                return
        if change.start == change.end and change.start == start:
            slot = next((pair for pair in around if pair[0].slot and pair[0].breakable), None)
            if slot is not None:
                head, _, rest = change.text.rpartition("\n")
                self._put(slot, head + "\n")
                self._put(plain, rest)
                return
        self._put(_target([pair for pair in around if pair[0].breakable], change), change.text)

    def _put(self, target: tuple[Piece, int], text: str) -> None:
        if text:
            piece, place = target
            self._texts.setdefault(piece, []).append(TextEdit(place, place, text))

    def _new_text(self, piece: Piece) -> str:
        """The text of a piece with the changes in it. An insertion stands before a deletion from the same place on."""
        parts = []
        at = 0
        for start, end, text in sorted(self._texts.get(piece, ()), key=lambda edit: edit[:2]):
            parts += [piece.text[at:start], text]
            at = max(at, end)
        return "".join([*parts, piece.text[at:]])

    def _chain(self, first: int, last: int) -> Iterator[Patch]:
        """The patches of lines that become one (or of one line)."""
        lines = self._flow.lines[first : last + 1]
        pieces = [piece for line in lines for piece in line.pieces]
        new = ["" if piece in self._gone else self._new_text(piece) for piece in pieces]
        befores = _befores(new)
        once = [before for line in lines for before in _befores([piece.text for piece in line.pieces])]
        model = opened = lines[-1] if first in self._replaced_heads else lines[0]
        homes = [line for line in lines for _ in line.pieces]
        written = fresh = False
        for number, (piece, text) in enumerate(zip(pieces, new, strict=True)):
            fresh = fresh or once[number] != befores[number]
            if piece in self._gone:
                yield piece.start, piece.end, b""
            elif text != piece.text or (
                self._stale is not None and self._stale(piece, befores[number], fresh)
            ):
                written = fresh = True
                after = next((text[0] for text in new[number + 1 :] if text), "")
                yield from self._write(piece, text, Around(befores[number], after, self._closing(opened)))
                opened = homes[number] if "\n" in text else opened
            elif text:
                fresh = False
        if written or last > first:
            yield from self._heads(lines, model, opened)

    def _heads(self, lines: Sequence[Line], model: Line, opened: Line) -> Iterator[Patch]:
        """Heads and tails of lines that become one with the head of one and the tail of another (or the same)."""
        if model is not lines[0] or model.empty_tag:
            yield lines[0].start, lines[0].content, self._head(model)
        for before, after in pairwise(lines):
            yield before.close, before.end, b""
            yield before.end, after.start, b""
            yield after.start, after.content, b""
        if opened is not lines[-1] or opened.empty_tag:
            yield lines[-1].close, lines[-1].end, self._closing(opened)

    def _head(self, line: Line) -> bytes:
        head = self._data[line.start : line.content]
        return head[:-2] + b">" if line.empty_tag else head

    def _closing(self, line: Line) -> bytes:
        return end_tag(self._data, line.start)


def _placed(line: Line, start: int) -> Iterator[tuple[Piece, int, int]]:
    """The pieces of a line with where they begin and end in the text."""
    ends = accumulate((len(piece.text) for piece in line.pieces), initial=start)
    at = next(ends)
    for piece, end in zip(line.pieces, ends, strict=True):
        yield piece, at, end
        at = end


def _target(around: Sequence[tuple[Piece, int]], change: TextEdit) -> tuple[Piece, int]:
    """The piece to put text into: that of the first character replaced, else that on the left, on the right, a slot."""

    def rank(pair: tuple[Piece, int]) -> int:
        piece, place = pair
        if piece.slot:
            return 3
        if change.start < change.end and place < len(piece.text):
            return 0
        return 1 if place else 2

    return min(around, key=rank)


def _befores(texts: Sequence[str]) -> list[str]:
    r"""The character before each of some texts that follow each other, "" at the start and after ``\n``."""
    found = []
    before = ""
    for text in texts:
        found.append(before)
        if text:
            before = "" if text[-1] == "\n" else text[-1]
    return found


# An opened docx or odt: its text, and how an edited text gets into its bytes.


@dataclass(frozen=True, slots=True, eq=False)
class PackedText:
    """A `core.formats.types.Container` whose text lies in one XML part of a zip package."""

    format: Format
    package: Package
    part_name: str
    part: Part
    flow: Flow
    off: tuple[Off, ...]
    notes: tuple[str, ...]
    writer: Writer
    stale: Stale | None
    opener: Callable[..., PackedText]

    quotes: ClassVar[tuple[Span, ...]] = ()
    encoding: ClassVar[str] = "utf-8"
    source: ClassVar[None] = None

    @property
    def text(self) -> str:
        return self.flow.text

    @property
    def editable(self) -> bool:
        """Whether not all of the text is locked at once. Empty paragraphs that cannot be joined are no text."""
        whole = (0, len(self.text))
        return not self.text.strip("\n") or all((one.start, one.end) != whole for one in self.locked)

    @property
    def locked(self) -> tuple[Locked, ...]:
        return self.flow.locked

    @property
    def breaks(self) -> tuple[tuple[int, int], ...]:
        return self.flow.breaks

    def source_span(self, start: int, end: int) -> Span:
        """Never called: there is no ``source``."""
        raise NotImplementedError

    def save(self, text: str) -> bytes:
        """See `core.formats.types.Container.save`."""
        name = self.package.name
        if text == self.text:
            return self.package.data
        refuse_characters(text, name=name)
        try:
            changes = changes_between(self.text, text, Rules(self.flow))
        except BlockedError as blocked:
            raise self._refused(blocked) from None
        patches = Patcher(self.part.data, self.flow, self.writer, self.stale).patches(changes)
        try:
            part = self.part.encoded(patched(self.part.data, patches))
            data = self.package.replaced({self.part_name: part})
            reread = self.opener(data, name=name).text
        except (ContainerError, ValueError) as error:
            raise self._failed() from error
        if reread != text:
            raise self._failed()
        return data

    def _refused(self, blocked: BlockedError) -> ContainerError:
        line = self.text.count("\n", 0, blocked.place) + 1
        lock = blocked.lock
        why = tr("A paragraph cannot be begun or ended there.") if lock is None else lock.reason
        return ContainerError(
            tr("{name} was not saved: line {line} was changed where it cannot be. {why}").format(
                name=self.package.name, line=line, why=why
            )
        )

    def _failed(self) -> ContainerError:
        return ContainerError(
            tr(
                "{name} was not saved: the text could not be put into it exactly; nothing was changed. "
                "Undo the last edits, or save the text as a new file."
            ).format(name=self.package.name)
        )


def plain_notes(flow: Flow, seen: Set[str]) -> tuple[str, ...]:
    """What a person should know of a file: what was ``seen`` in it that is not shown, and why it cannot be edited."""
    names = {
        "margins": tr("headers and footers"),
        "notes": tr("footnotes and endnotes"),
        "comments": tr("comments"),
        "deletions": tr("text deleted under Track Changes"),
    }
    kept = [name for what, name in names.items() if what in seen]
    found = (
        [tr("Kept in the file but not shown here: {things}.").format(things=", ".join(kept))] if kept else []
    )
    if flow.shut:
        found.append(flow.shut)
    elif "tracking" in seen:
        found.append(tr("Track Changes is on in this document; what you edit here is not tracked."))
    return tuple(found)
