"""Puts an edited text back into the source of its page: words change inside text, tags do not.

White space collapses as in a browser, so spaces at the ends of a line and runs of them are not written. A line that
becomes empty gets a ``<br>``, and a paragraph is split by closing its ``<p>`` and opening one like it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html import escape

from core.formats.edits import BlockedError, EditRules, find_allowed_edits
from core.formats.html_layout import Line, PageText, resolve_reference
from core.formats.types import ContainerError
from core.i18n import tr
from core.text.diff import TextEdit, apply_edits
from core.text.html_scan import remove_id

_SPACES = re.compile(r"[ \t\r\f]+")
_HALF_REFERENCE = re.compile(r"&(?:#[0-9]{0,40}|#[xX][0-9a-fA-F]{0,40}|[a-zA-Z0-9]{0,40})$")
_LOOK_BACK = 44


def cannot_join_reason() -> str:
    """Why two lines cannot become one."""
    return tr("These lines of the web page cannot be joined, because there are tags between them.")


def cannot_split_reason() -> str:
    """Why a line cannot become two."""
    return tr(
        "Only a plain paragraph of a web page can be split. Undo the line break, or insert it in the source of "
        "the page."
    )


def preformatted_reason() -> str:
    """Why a line cannot change."""
    return tr("This text is preformatted in the source of the page, so it is read-only here.")


def normalize_lines(page: PageText, text: str, rules: EditRules) -> list[list[str]]:
    """For each line of a page its new lines in ``text``, with white space as in a browser.

    Raises ContainerError where a line was removed, or split where it cannot be.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = page.lines or (Line(0, 0, page.first),)
    new = text.split("\n")
    if len(new) == len(lines):
        found = [[line] for line in new]
    else:
        found = _lines_from_edits(page, lines, _allowed_edits(page.text, text, rules))
    return [
        new if new == [old] else [_SPACES.sub(" ", line).strip(" ") for line in new]
        for old, new in zip((page.text[line.start : line.end] for line in lines), found, strict=True)
    ]


def _allowed_edits(old: str, new: str, rules: EditRules) -> list[TextEdit]:
    try:
        return find_allowed_edits(old, new, rules)
    except BlockedError:
        joined = new.count("\n") < old.count("\n")
        raise ContainerError(cannot_join_reason() if joined else cannot_split_reason()) from None


def _lines_from_edits(page: PageText, lines: Sequence[Line], edits: Sequence[TextEdit]) -> list[list[str]]:
    """For each line of a page its new lines, where each edit is inside a line."""
    found: list[list[str]] = []
    number = 0
    for line in lines:
        first = number
        while number < len(edits) and edits[number].start <= line.end:
            number += 1
        old = page.text[line.start : line.end]
        found.append(apply_edits(old, edits[first:number], offset=line.start).split("\n"))
    return found


def apply_line_edits(source: str, page: PageText, lines: Sequence[Sequence[str]]) -> str:
    """The source of a page with ``lines`` (from `normalize_lines`) in place of its own. Raises ContainerError."""
    edits: list[TextEdit] = []
    line_end = "\r\n" if "\r\n" in source else "\n"
    for line, new in zip(page.lines or (Line(0, 0, page.first, broken=True),), lines, strict=True):
        old = page.text[line.start : line.end]
        if list(new) == [old]:
            continue
        if line.locked:
            raise ContainerError(preformatted_reason())
        edits += _line_edits(page, line, new, line_end=line_end)
    return _applied(source, [*_complete_markup(source, edits), *edits])


def _line_edits(page: PageText, line: Line, new: Sequence[str], *, line_end: str) -> Iterator[TextEdit]:
    """The edits that make one line into one or more."""
    joint = f"</p>{line_end}<p{remove_id(line.rest).rstrip('/')}>"
    rules = EditRules((), [(start - line.start, end - line.start) for start, end in line.breaks])
    changes = _allowed_edits(page.text[line.start : line.end], "\n".join(new), rules)
    number = 0
    marked: set[int] = set()
    for change in _widen_to_references(page, line, changes):
        parts = []
        for count, part in enumerate(change.text.split("\n"), number):
            lost = _is_lost(line, new, count) and count not in marked
            marked.add(count)
            parts.append(escape(part, quote=False) + "<br>" * lost)
        number += len(parts) - 1
        spans = _source_spans(page, change.start, change.end)
        if not spans or len(parts) > 1:
            place = _place(page, line, change.start, splits=len(parts) > 1)
            spans = [(place, place), *spans]
        yield TextEdit(*spans[0], joint.join(parts))
        yield from (TextEdit(start, end, "") for start, end in spans[1:])


def _is_lost(line: Line, new: Sequence[str], number: int) -> bool:
    """Whether a new line needs a ``<br>`` to show: it is empty, and none ends it already."""
    return not new[number] and not (line.broken and number == len(new) - 1)


def _widen_to_references(page: PageText, line: Line, changes: Sequence[TextEdit]) -> Iterator[TextEdit]:
    """The edits in offsets of the page's text; one that begins or ends in a character reference covers all of it."""
    waiting: list[TextEdit] = []
    first = last = line.start
    for start, end, text in changes:
        change = TextEdit(line.start + start, line.start + end, text)
        low, high = _widened(page, line, change)
        if waiting and low >= last:
            yield _united(page, waiting, first, last)
            waiting = []
        first = min(first, low) if waiting else low
        last = max(last, high) if waiting else high
        waiting.append(change)
    if waiting:
        yield _united(page, waiting, first, last)


def _widened(page: PageText, line: Line, change: TextEdit) -> tuple[int, int]:
    """The start and the end of an edit, moved out of a character reference that is several characters."""
    source_map = page.source_map
    first, last, _ = change
    if (
        first > line.start
        and not source_map.is_verbatim(at := source_map.segment_at(first - 1))
        and source_map.stops[at] > first
    ):
        first = source_map.starts[at]
    if (
        last > first
        and not source_map.is_verbatim(at := source_map.segment_at(last - 1))
        and source_map.stops[at] > last
    ):
        last = source_map.stops[at]
    return first, last


def _united(page: PageText, changes: Sequence[TextEdit], first: int, last: int) -> TextEdit:
    """One edit of ``text[first:last]`` that does what several do."""
    return TextEdit(first, last, apply_edits(page.text[first:last], changes, offset=first))


def _source_spans(page: PageText, first: int, last: int) -> list[tuple[int, int]]:
    """The places of ``text[first:last]``, part of one line, in the source."""
    source_map = page.source_map
    spans: list[tuple[int, int]] = []
    position = first
    while position < last:
        number = source_map.segment_at(position)
        stop = min(source_map.stops[number], last)
        if source_map.is_verbatim(number):
            spans.append((source_map.source_start(position), source_map.source_end(stop - 1)))
        else:
            spans += source_map.spans(number)
        position = stop
    return spans


def _place(page: PageText, line: Line, at: int, *, splits: bool) -> int:
    """Where in the source words inserted at ``at`` go: after the character before it, if the line has one.

    ``splits``: the paragraph is split there, so the place is outside elements in the paragraph.
    """
    if line.start == line.end:
        return line.anchor
    after = at > line.start
    if splits:
        number = bisect_left(line.breaks, at, key=lambda stretch: stretch[1])
        after = line.breaks[number][0] < at
    return page.source_map.source_end(at - 1) if after else page.source_map.source_start(at)


def _complete_markup(source: str, edits: Sequence[TextEdit]) -> Iterator[TextEdit]:
    """Edits that escape characters which an edit right after them could turn into markup.

    A bare ``&`` or ``<``, and a character reference without its semicolon.
    """
    gone = sorted((start, end) for start, end, _ in edits if start < end)
    done: set[int] = set()
    for position, _, _ in edits:
        half = _unfinished_markup(source, position)
        if half is None or half[0] in done:
            continue
        at = bisect_left(gone, half[0], key=lambda span: span[1] - 1)
        if at == len(gone) or gone[at][0] > half[0]:
            done.add(half[0])
            yield half[1]


def _unfinished_markup(source: str, position: int) -> tuple[int, TextEdit] | None:
    """Unfinished markup just before ``position``: where it begins, and the edit that completes it; else None."""
    if position and source[position - 1] == "<":
        return position - 1, TextEdit(position - 1, position, "&lt;")
    found = _HALF_REFERENCE.search(source, max(0, position - _LOOK_BACK), position)
    if found is None:
        return None
    start = found.start()
    _, end = resolve_reference(found.group(), start)
    return start, TextEdit(start, end, "&amp;") if end == start + 1 else TextEdit(end, end, ";")


def _applied(source: str, edits: Sequence[TextEdit]) -> str:
    parts: list[str] = []
    position = 0
    for start, end, text in sorted(edits, key=lambda edit: (edit[0], edit[1])):
        parts += [source[position:start], text]
        position = max(end, position)
    return "".join([*parts, source[position:]])
