"""Highlighting of Markdown, line by line. Unlike the parser it must be quick at every key, and may be wrong in rare
cases: emphasis and links over several lines are not seen.
"""

from __future__ import annotations

import re

from core.highlighting.types import LONGEST_LINE, MarkupRole, MarkupSpan

START, BODY, YAML, TOML, COMMENT, _FENCES = 0, 1, 2, 3, 4, 8
"""The states at the start, in the text, in front matter and in a comment; from `_FENCES` on, those in fenced code."""

_FRONT = {"---": YAML, "+++": TOML}

_QUOTE = re.compile(r"(?:\s{0,3}>\s?)+")
_HEADING = re.compile(r"\s{0,3}#{1,6}(?=\s|$)\s*")
_RULE = re.compile(r"\s{0,3}(?:=+|(?:-[ \t]*){2,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})\s*$")
_ITEM = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_DEFINITION = re.compile(r"\s{0,3}\[[^\[\]]+\]:\s*(?=\S)")
_DELIMITERS = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)+\|?\s*$")
_TOKEN = re.compile(
    r"""
    (?P<escape> \\[!-/:-@\[-`{-~] )
  | (?P<code> (?P<ticks> (?<!`) `{1,32}+ (?!`) ) .+? (?<!`) (?P=ticks) (?!`) )
  | (?P<comment> <!-- )
  | (?P<address> < (?:https?|mailto): [^<>\s]*+ > | https?://[^\s<>()\[\]"]++ )
  | (?P<tag> </?[a-zA-Z][^<>]*+> )
  | (?P<note> \[\^[^\]\s]++\] :?+ )
  | (?P<opening> !?\[ ) (?P<label> [^\[\]]*+ (?: \[[^\[\]]*+\] [^\[\]]*+ )*+ )
    (?P<closing> \] (?: \( [^()\n]*+ (?: \([^()\n]*+\) [^()\n]*+ )*+ \) | \[ [^\[\]]*+ \] ) )
  | (?P<run> \*{1,3} | _{1,3} | ~~ )
  | (?P<entity> &\#?\w{1,31}; )
    """,
    re.VERBOSE,
)
_ROLES = {
    1: (MarkupRole.EMPHASIS,),
    2: (MarkupRole.STRONG,),
    3: (MarkupRole.STRONG, MarkupRole.EMPHASIS),
}


def highlight_line(line: str, state: int) -> tuple[list[MarkupSpan], int]:
    """The spans of a line of Markdown and the state at its end; see `core.highlighting.types.LineHighlighter`."""
    spans: list[MarkupSpan] = []
    bare = line.strip()
    if len(line) > LONGEST_LINE:
        return spans, state or BODY
    if state == START and line.rstrip() in _FRONT:
        _add(spans, 0, len(line), MarkupRole.METADATA)
        return spans, _FRONT[line.rstrip()]
    if state in (YAML, TOML):
        _add(spans, 0, len(line), MarkupRole.METADATA)
        ends = ("+++",) if state == TOML else ("---", "...")
        return spans, BODY if line.rstrip() in ends else state
    if state >= _FENCES:
        _add(spans, 0, len(line), MarkupRole.CODE)
        sign, width = "`~"[state & 1], (state - _FENCES) >> 1
        closed = bare.strip(sign) == "" and len(bare) >= width
        return spans, BODY if closed else state
    position = 0
    if state == COMMENT:
        position = _comment(line, 0, spans)
        if position < 0:
            return spans, COMMENT
    elif fence := _FENCE.match(line):
        _add(spans, 0, len(line), MarkupRole.CODE)
        return spans, _FENCES + 2 * min(len(fence[1]), 500) + (fence[1][0] == "~")
    else:
        position = _start(line, spans)
    return spans, _inline(line, (position, len(line)), spans)


def _start(line: str, spans: list[MarkupSpan]) -> int:
    """Read the marks that begin a line; returns where its words begin."""
    position = 0
    if quote := _QUOTE.match(line):
        position = quote.end()
        _add(spans, 0, position, MarkupRole.MARK)
    if (_RULE.match(line, position) and line.strip()) or _DELIMITERS.match(line, position):
        _add(spans, position, len(line), MarkupRole.MARK)
        return len(line)
    if heading := _HEADING.match(line, position):
        _add(spans, position, len(line), MarkupRole.HEADING)
        _add(spans, *heading.span(), MarkupRole.MARK)
        return heading.end()
    if definition := _DEFINITION.match(line, position):
        _add(spans, *definition.span(), MarkupRole.MARK)
        if line[position:].lstrip()[1] == "^":
            return definition.end()
        _add(spans, definition.end(), len(line), MarkupRole.TARGET)
        return len(line)
    if item := _ITEM.match(line, position):
        _add(spans, *item.span(), MarkupRole.MARK)
        return item.end()
    if line.lstrip().startswith("|"):
        for place in re.finditer(r"(?<!\\)\|", line):
            _add(spans, *place.span(), MarkupRole.MARK)
    return position


def _inline(line: str, part: tuple[int, int], spans: list[MarkupSpan]) -> int:
    """Read ``line[slice(*part)]``; returns the state at its end."""
    position, last = part
    opened: list[tuple[str, int]] = []
    while (token := _TOKEN.search(line, position, last)) is not None:
        start, position = token.span()
        if token["comment"]:
            position = _comment(line, start, spans)
            if position < 0:
                return COMMENT
        elif token["opening"]:
            first, stop = token.span("label")
            _add(spans, first, stop, MarkupRole.LABEL)
            _add(spans, start, first, MarkupRole.MARK)
            _add(spans, *token.span("closing"), MarkupRole.TARGET)
            _inline(line, (first, stop), spans)
        elif token["run"]:
            _run(line, token, opened, spans)
        elif token["code"]:
            _add(spans, start, position, MarkupRole.CODE)
        elif token["escape"]:
            _add(spans, start, start + 1, MarkupRole.MARK)
        else:
            role = MarkupRole.TARGET if token["address"] else MarkupRole.MARK
            _add(spans, start, position, role)
    return BODY


def _run(line: str, token: re.Match[str], opened: list[tuple[str, int]], spans: list[MarkupSpan]) -> None:
    """A run of asterisks and the like closes an equal one before it, or may be closed by one behind it."""
    run, (start, end) = token.group(), token.span()
    before, after = line[start - 1 : start], line[end : end + 1]
    inside_word = run[0] == "_" and before.isalnum() and after.isalnum()
    if inside_word:
        return
    closes = bool(before) and not before.isspace()
    place = next((number for number, (sign, _) in enumerate(opened) if sign == run), -1)
    if closes and place >= 0:
        first = opened[place][1]
        del opened[place:]
        for role in (MarkupRole.STRUCK,) if run == "~~" else _ROLES[len(run)]:
            _add(spans, first, start, role)
        _add(spans, first - len(run), first, MarkupRole.MARK)
        _add(spans, start, end, MarkupRole.MARK)
    elif after and not after.isspace():
        opened.append((run, end))


def _comment(line: str, start: int, spans: list[MarkupSpan]) -> int:
    """Read a comment that is open at ``start``; returns its end, -1 if it goes on in the next line."""
    found = line.find("-->", start)
    _add(spans, start, len(line) if found < 0 else found + 3, MarkupRole.COMMENT)
    return -1 if found < 0 else found + 3


def _add(spans: list[MarkupSpan], start: int, end: int, role: MarkupRole) -> None:
    if start < end:
        spans.append(MarkupSpan(start, end, role))
