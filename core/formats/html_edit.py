"""Puts an edited text back into the source of its page: words change inside text, tags do not.

White space collapses as in a browser, so spaces at the ends of a line and runs of them are not written. A line that
becomes empty gets a ``<br>``, and a paragraph is split by closing its ``<p>`` and opening one like it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from html import escape
from itertools import accumulate

from core.formats.html_layout import Line, PageText, resolve_reference
from core.formats.types import ContainerError
from core.i18n import tr
from core.text.diff import TextEdit, common_ends, pair_lines
from core.text.html_scan import remove_id

_SPACES = re.compile(r"[ \t\r\f]+")
_TOKEN = re.compile(r"\w+|[^\S\n]+|[^\w\s]|\n")
_HALF_REFERENCE = re.compile(r"&(?:#[0-9]{0,40}|#[xX][0-9a-fA-F]{0,40}|[a-zA-Z0-9]{0,40})$")
_LOOK_BACK = 44
_MOST_TOKENS = 3_000


def cannot_join_reason() -> str:
    """Why two lines cannot become one."""
    return tr("Lines of a web page cannot be joined here, because its tags stand between them.")


def cannot_split_reason() -> str:
    """Why a line cannot become two."""
    return tr(
        "Only a plain paragraph of a web page can be split. Undo the line break, or make it in the page's source."
    )


def preformatted_reason() -> str:
    """Why a line cannot change."""
    return tr("This text is laid out by hand in the page's source, and is shown for reading only.")


def normalize_lines(page: PageText, text: str) -> list[list[str]]:
    """For each line of a page its new lines in ``text``, with white space as in a browser.

    Raises ContainerError where a line was removed, or split where it cannot be.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = [page.text[line.start : line.end] for line in page.lines] or [""]
    splits = [bool(line.breaks) for line in page.lines] or [False]
    edited = text.split("\n")
    found = pair_lines(lines, edited, splits)
    if found is None:
        raise ContainerError(cannot_join_reason() if len(edited) < len(lines) else cannot_split_reason())
    return [
        list(new) if list(new) == [old] else [_SPACES.sub(" ", line).strip(" ") for line in new]
        for old, new in zip(lines, found, strict=True)
    ]


def apply_line_edits(source: str, page: PageText, lines: Sequence[Sequence[str]]) -> str:
    """The source of a page with ``lines`` (from `normal_lines`) in place of its own. Raises ContainerError."""
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
    number = 0
    changes = list(
        _widen_to_references(page, line, _changes(page.text[line.start : line.end], "\n".join(new)))
    )
    floors = [line.start, *(last for _, last, _ in changes)]
    ceilings = [*(first for first, _, _ in changes[1:]), line.end]
    for change, floor, ceiling in zip(changes, floors, ceilings, strict=False):
        place = -1
        if "\n" in change.text:
            change, place = _place_split(page, line, change, floor=floor, ceiling=ceiling)
        parts = change.text.split("\n")
        written = joint.join(
            escape(part, quote=False) + "<br>" * _is_lost(line, new, number + count)
            for count, part in enumerate(parts)
        )
        number += len(parts) - 1
        spans = _source_spans(page, change[0], change[1])
        if place >= 0 or not spans:
            place = place if place >= 0 else _place(page, line, change[0])
            spans = [(place, place), *spans]
        yield TextEdit(*spans[0], written)
        yield from (TextEdit(start, end, "") for start, end in spans[1:])


def _is_lost(line: Line, new: Sequence[str], number: int) -> bool:
    """Whether a new line needs a ``<br>`` to show: it is empty, and none ends it already."""
    return not new[number] and not (line.broken and number == len(new) - 1)


def _changes(old: str, new: str) -> Iterator[TextEdit]:
    """The edits of words that turn the old text into the new one."""
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    low = high = 0
    most = min(len(before), len(after))
    while low < most and before[low] == after[low]:
        low += 1
    while high < most - low and before[-1 - high] == after[-1 - high]:
        high += 1
    start = sum(map(len, before[:low]))
    before, after = before[low : len(before) - high], after[low : len(after) - high]
    if len(before) + len(after) > _MOST_TOKENS or not before or not after:
        yield _trimmed(start, "".join(before), "".join(after))
        return
    edges = list(accumulate(map(len, before), initial=start))
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _trimmed(edges[i], "".join(before[i:j]), "".join(after[k:m]))


def _trimmed(start: int, old: str, new: str) -> TextEdit:
    """One change without the characters that both sides begin or end with."""
    head, tail = common_ends(old, new)
    return TextEdit(start + head, start + len(old) - tail, new[head : len(new) - tail])


def _widen_to_references(page: PageText, line: Line, changes: Iterator[TextEdit]) -> Iterator[TextEdit]:
    """The edits in offsets of the page's text; one that begins or ends in a character reference covers all of it."""
    source_map = page.source_map
    for start, end, replacement in changes:
        first, last = line.start + start, line.start + end
        if (
            first > line.start
            and not source_map.is_verbatim(at := source_map.segment_at(first - 1))
            and source_map.stops[at] > first
        ):
            replacement = page.text[source_map.starts[at] : first] + replacement
            first = source_map.starts[at]
        if (
            last > first
            and not source_map.is_verbatim(at := source_map.segment_at(last - 1))
            and source_map.stops[at] > last
        ):
            replacement += page.text[last : source_map.stops[at]]
            last = source_map.stops[at]
        yield TextEdit(first, last, replacement)


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


def _place(page: PageText, line: Line, at: int) -> int:
    """Where in the source words inserted at ``at`` go: after the character before it, if the line has one."""
    if line.start == line.end:
        return line.anchor
    return page.source_map.source_end(at - 1) if at > line.start else page.source_map.source_start(at)


def _place_split(
    page: PageText, line: Line, change: TextEdit, *, floor: int, ceiling: int
) -> tuple[TextEdit, int]:
    """An edit with a line break, and where in the source the paragraph is split for it.

    If it is between tags, an equivalent edit may not be: the same words inserted further to the left or right, or with
    the space next to them. It stays between ``floor`` and ``ceiling``. Raises ContainerError.
    """
    text = page.text
    tried = change
    while (place := _break_place(page, line, tried)) < 0:
        first, last, words = tried
        if first > floor and (text[first - 1] == " " or (first == last and words[-1] == text[first - 1])):
            keeps = first == last and words[-1] == text[first - 1]
            tried = TextEdit(
                first - 1,
                last - keeps,
                text[first - 1] + (words[:-1] if keeps else words),
            )
        else:
            break
    if place < 0:
        tried = change
    while place < 0:
        first, last, words = tried
        if last == ceiling or not (text[last] == " " or (first == last and words[0] == text[last])):
            raise ContainerError(cannot_split_reason())
        keeps = first == last and words[0] == text[last]
        tried = TextEdit(first + keeps, last + 1, (words[1:] if keeps else words) + text[last])
        place = _break_place(page, line, tried)
    return tried, place


def _break_place(page: PageText, line: Line, change: TextEdit) -> int:
    """Where in the source the paragraph can be split at the start or end of a change; -1 if it cannot."""
    for at in dict.fromkeys(change[:2]):
        number = bisect_left(line.breaks, at, key=lambda stretch: stretch[1])
        for start, end in line.breaks[number : number + 2]:
            if start <= at <= end:
                return page.source_map.source_end(at - 1) if at > start else page.source_map.source_start(at)
    return -1


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
