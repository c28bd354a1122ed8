"""Highlighting of wikitext, line by line. Unlike the parser it must be quick at every key, and may be wrong in rare
cases: markup that is never closed ends at a blank line or a heading.
"""

from __future__ import annotations

import re

from core.documents.wikitext import CATEGORIES, FILES
from core.highlighting.types import LONGEST_LINE, MarkupRole, MarkupSpan

VERBATIM = ("nowiki", "pre", "syntaxhighlight", "source", "math", "code")
"""Tags whose content is shown as it is written."""

_DEPTH, _COMMENT, _REFERENCE, _VERBATIM_SHIFT = 15, 16, 32, 6

_TOKEN = re.compile(
    rf"""
    (?P<comment> <!-- )
  | (?P<reference> <ref (?:\s[^<>]*+)?+ > ) | (?P<unreference> </ref\s*> )
  | <(?P<verbatim> {"|".join(VERBATIM)} ) (?:\s[^<>]*+)?+ (?<!/) >
  | (?P<tag> </?[a-zA-Z][^<>]*+> )
  | (?P<open> \{{{{2,}}+ ) | (?P<close> \}}{{2,}}+ )
  | \[\[ (?P<target> [^\[\]|{{}}]*+ ) (?P<pipe> \|?+ )
  | (?P<unlink> \]\] )
  | \[ (?P<address> (?:(?:https?|ftps?):)?//[^\s\[\]]++ ) (?P<label> [^\[\]]*+ ) \]
  | (?P<bare> https?://[^\s<>\[\]{{}}|"]++ )
  | (?P<quotes> '{{2,}}+ )
  | (?P<sign> __[A-Z]{{3,30}}__ | ~{{3,5}} | &(?:\#?\w{{1,31}}); )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HEADING = re.compile(r"(={1,6})[^=].*?\1\s*(?:<!--.*)?$")
_ROW = re.compile(r"\s*(?:\{\||\|\}|\|-|----)")
_CELL = re.compile(r"\s*(?:\|\+|\||!)")
_ITEM = re.compile(r"[*#:;]+")
_NEXT_CELL = re.compile(r"\|\||!!")


def highlight_line(line: str, state: int) -> tuple[list[MarkupSpan], int]:
    """The spans of a line of wikitext and the state at its end; see `core.highlighting.types.LineHighlighter`."""
    if len(line) > LONGEST_LINE:
        return [], state
    return _Line(line, state).run()


class _Line:
    def __init__(self, line: str, state: int) -> None:
        self._line = line
        self._spans: list[MarkupSpan] = []
        self._depth = state & _DEPTH
        self._comment = bool(state & _COMMENT)
        self._reference = bool(state & _REFERENCE)
        self._verbatim = state >> _VERBATIM_SHIFT
        self._region_start = 0
        self._labels: list[tuple[int, bool]] = []
        self._strong = self._emphasis = -1

    def run(self) -> tuple[list[MarkupSpan], int]:
        """Scan the line."""
        position = self._start()
        line = self._line
        while position < len(line):
            if self._comment:
                position = self._to_end("-->", MarkupRole.COMMENT, position)
            elif self._verbatim:
                position = self._to_end(f"</{VERBATIM[self._verbatim - 1]}>", MarkupRole.CODE, position)
            else:
                token = _TOKEN.search(line, position)
                if token is None:
                    break
                position = self._token(token)
        self._end_region(len(line))
        self._quote_marks(len(line), len(line), 5)
        state = self._depth | _COMMENT * self._comment | _REFERENCE * self._reference
        return self._spans, state | self._verbatim << _VERBATIM_SHIFT

    def _start(self) -> int:
        """Read the marks that begin a line; returns where to go on."""
        line = self._line
        if self._comment or self._verbatim:
            return 0
        heading = _HEADING.match(line)
        if heading or not line.strip():
            self._depth, self._reference = 0, False
        if heading:
            width = len(heading[1])
            end = line.rindex(heading[1], width) + width
            self._add(0, end, MarkupRole.HEADING)
            self._add(0, width, MarkupRole.MARK)
            self._add(end - width, end, MarkupRole.MARK)
            return width
        if self._depth or self._reference:
            return 0
        if row := _ROW.match(line):
            self._add(0, len(line), MarkupRole.MARK)
            return row.end()
        if cell := _CELL.match(line):
            self._add(0, cell.end(), MarkupRole.MARK)
            for mark in _NEXT_CELL.finditer(line, cell.end()):
                self._add(*mark.span(), MarkupRole.MARK)
            return cell.end()
        if item := _ITEM.match(line):
            self._add(0, item.end(), MarkupRole.MARK)
            return item.end()
        return 0

    def _token(self, token: re.Match[str]) -> int:
        start, end = token.span()
        kind = token.lastgroup
        if kind == "comment":
            self._end_region(start)
            self._comment = True
            return start
        if kind == "open":
            self._start_region(start)
            self._depth = min(self._depth + (end - start) // 2, _DEPTH)
        elif kind == "close":
            if self._depth:
                self._close(end, depth=max(self._depth - (end - start) // 2, 0))
            else:
                self._add(start, end, MarkupRole.MARK)
        elif kind == "reference":
            self._start_region(start)
            if token.group().endswith("/>"):
                self._close(end, reference=self._reference)
            else:
                self._reference = True
        elif kind == "unreference":
            self._close(end, reference=False)
        elif kind == "verbatim":
            self._end_region(start)
            self._verbatim = 1 + VERBATIM.index(token["verbatim"].lower())
            self._add(start, end, MarkupRole.CODE)
        elif not (self._depth or self._reference):
            self._inline(token)
        return end

    def _inline(self, token: re.Match[str]) -> None:
        """What has no further lines."""
        start, end = token.span()
        if token["quotes"]:
            self._quote_marks(start, end, 0)
        elif token["target"] is not None:
            name = token["target"].partition(":")[0].strip().lower().replace(" ", "_")
            apart = ":" in token["target"] and (name in FILES or name in CATEGORIES)
            self._add(start, start + 2, MarkupRole.MARK)
            if token["pipe"] or apart:
                self._add(start + 2, end, MarkupRole.TARGET)
            self._labels.append((end if token["pipe"] else start + 2, apart))
        elif token["unlink"]:
            if self._labels:
                first, apart = self._labels.pop()
                if apart:
                    # What stands before the last pipe says how the file is shown; the caption is prose.
                    self._add(first, self._line.rfind("|", first, start) + 1, MarkupRole.TARGET)
                else:
                    self._add(first, start, MarkupRole.LABEL)
            self._add(start, end, MarkupRole.MARK)
        elif token["address"]:
            self._add(start, token.end("address"), MarkupRole.TARGET)
            self._add(*token.span("label"), MarkupRole.LABEL)
            self._add(end - 1, end, MarkupRole.TARGET)
        else:
            self._add(start, end, MarkupRole.TARGET if token["bare"] else MarkupRole.MARK)

    def _quote_marks(self, start: int, end: int, closing: int) -> None:
        """Apostrophes turn italics and bold; ``closing`` is 5 at the end of a line, which ends both."""
        count = closing or min(end - start, 5)
        count = 3 if count == 4 else count
        if count in (2, 5):
            self._emphasis = self._turn(self._emphasis, start, end, MarkupRole.EMPHASIS, at_end=bool(closing))
        if count in (3, 5):
            self._strong = self._turn(self._strong, start, end, MarkupRole.STRONG, at_end=bool(closing))
        if not closing:
            self._add(end - count, end, MarkupRole.MARK)

    def _turn(self, opened: int, start: int, end: int, role: MarkupRole, *, at_end: bool) -> int:
        if opened >= 0:
            self._add(opened, start, role)
            return -1
        return -1 if at_end else end

    def _start_region(self, at: int) -> None:
        if not (self._depth or self._reference):
            self._region_start = at

    def _close(self, end: int, *, depth: int | None = None, reference: bool | None = None) -> None:
        """A template or a reference ends; what it is part of goes on."""
        role = MarkupRole.REFERENCE if self._reference or reference is not None else MarkupRole.TEMPLATE
        self._add(self._region_start, end, role)
        self._depth = self._depth if depth is None else depth
        self._reference = self._reference if reference is None else reference
        self._region_start = end

    def _end_region(self, at: int) -> None:
        if self._comment or self._verbatim:
            return
        if self._depth or self._reference:
            role = MarkupRole.REFERENCE if self._reference else MarkupRole.TEMPLATE
            self._add(self._region_start, at, role)
            self._region_start = at

    def _to_end(self, closing: str, role: MarkupRole, position: int) -> int:
        found = self._line.lower().find(closing, position)
        end = found + len(closing) if found >= 0 else len(self._line)
        self._add(position, end, role)
        if found >= 0:
            self._comment, self._verbatim = False, 0
            self._region_start = end
        return end

    def _add(self, start: int, end: int, role: MarkupRole) -> None:
        if start < end:
            self._spans.append(MarkupSpan(start, end, role))
