"""HTML inside a text of another format: what of it is prose, and where its paragraphs end."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass, field
from itertools import pairwise
from string import ascii_lowercase, ascii_uppercase

from core.documents.types import Span
from core.documents.unread import holds_prose
from core.text import html_scan as names
from core.text.html_scan import Token, is_hidden, scan
from core.types import Unread, UnreadKind

_ALTERNATIVE = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_TAG = re.compile(r"<[^<>]*+>")
_QUOTATION_TAG = re.compile(rf"<(/?)(?:{'|'.join(sorted(names.QUOTATIONS))})(?:\s[^<>]*+)?>", re.IGNORECASE)
_BLANK_TO_LINE_END = re.compile(r"[ \t]*(?:\n|\Z)")
_NOT_READ = names.HIDDEN | names.PREFORMATTED | names.CODE


@dataclass(slots=True)
class HtmlBlock:
    """The paragraphs in some HTML, markup (start, end, gap), contents of quotations, and what is not read.

    ``opened`` are the places after the tags of quotations that are still open at the end, ``closed`` those of the end
    tags of quotations that were opened before.
    """

    paragraphs: list[Span] = field(default_factory=list)
    markup: list[tuple[int, int, bool]] = field(default_factory=list)
    quotes: list[Span] = field(default_factory=list)
    opened: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)


def quotation_tags(text: str, tags: Set[int] | None = None) -> tuple[list[Span], list[int], list[int]]:
    """The contents of quotation elements in a text, and the places of tags without their counterpart (see above).

    ``tags`` are the places where tags begin, if not every tag is one.
    """
    found: list[Span] = []
    opened: list[int] = []
    closed: list[int] = []
    for tag in _QUOTATION_TAG.finditer(text):
        if tags is not None and tag.start() not in tags:
            continue
        if not tag[1]:
            opened.append(tag.end())
        elif opened:
            found.append((opened.pop(), tag.start()))
        else:
            closed.append(tag.start())
    return found, opened, closed


def tag_markup(tag: str, start: int) -> list[tuple[int, int, bool]]:
    """The markup (start, end, gap) of a tag at ``start``: all of it, but for the alternative text of an image."""
    name = tag[1:4].lower()
    found = _ALTERNATIVE.search(tag) if name == "img" else None
    group = (1 if found[1] else 2) if found and (found[1] or found[2]) else 0
    if found is None or not group:
        return [(start, start + len(tag), name[:2] == "br")]
    return [
        (start, start + found.start(group), False),
        (start + found.end(group), start + len(tag), False),
    ]


def read_html(text: str) -> HtmlBlock:
    r"""The prose of some HTML whose lines end in ``\n``."""
    return _Reader(text).run()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lower = text.translate(_LOWER)
        self._last: dict[str, int] = {}
        self._found = HtmlBlock()
        self._words: Span | None = None
        self._hiding: list[Token] = []

    def run(self) -> HtmlBlock:
        for token in scan(self._text):
            if self._hiding:
                self._hide(token)
            elif token.kind == "text":
                self._show(token.start, token.end)
            elif token.kind in ("open", "close"):
                self._tag(token)
            else:
                self._found.markup.append((token.start, token.end, False))
        if self._hiding:
            self._skip(self._hiding[0], len(self._text))
        self._end_paragraph()
        return self._found

    def _show(self, start: int, end: int) -> None:
        piece = self._text[start:end]
        if piece.strip():
            first = start + len(piece) - len(piece.lstrip())
            begun = first if self._words is None else self._words[0]
            self._words = (begun, start + len(piece.rstrip()))

    def _end_paragraph(self) -> None:
        if self._words is not None:
            self._found.paragraphs.append(self._words)
        self._words = None

    def _tag(self, token: Token) -> None:
        if token.name in names.BLOCKS or self._is_alone(token):
            self._end_paragraph()
        marks = tag_markup(self._text[token.start : token.end], token.start)
        self._found.markup += marks
        for (_, start, _), (end, _, _) in pairwise(marks):
            self._show(start, end)
        if token.kind == "close" or token.name in names.VOID or token.rest.endswith("/"):
            if token.name in names.QUOTATIONS and token.kind == "close":
                if self._found.opened:
                    self._found.quotes.append((self._found.opened.pop(), token.start))
                else:
                    self._found.closed.append(token.start)
            return
        if token.name in names.QUOTATIONS:
            self._found.opened.append(token.end)
        if (token.name in _NOT_READ or is_hidden(token.rest)) and self._closes(token):
            self._hiding.append(token)

    def _is_alone(self, token: Token) -> bool:
        """Whether a tag has its line for itself, as tags of components have that hold paragraphs."""
        line = self._text.rfind("\n", 0, token.start) + 1
        ends = _BLANK_TO_LINE_END.match(self._text, token.end) is not None
        return ends and not self._text[line : token.start].strip()

    def _closes(self, token: Token) -> bool:
        if token.name not in self._last:
            self._last[token.name] = self._lower.rfind(f"</{token.name}")
        return self._last[token.name] >= token.end

    def _hide(self, token: Token) -> None:
        """Skip what is inside an element that is not read; say where that is prose."""
        outer = self._hiding[0]
        if token.name == self._hiding[-1].name and token.kind == "open" and not token.rest.endswith("/"):
            self._hiding.append(token)
        elif token.name == self._hiding[-1].name and token.kind == "close":
            self._hiding.pop()
            if not self._hiding:
                self._skip(outer, token.end)

    def _skip(self, outer: Token, end: int) -> None:
        self._found.markup.append((outer.start, end, True))
        shown = outer.name in names.EMBEDDED and not is_hidden(outer.rest)
        if shown and holds_prose(_TAG.sub("", self._text[outer.end : end])):
            self._found.unread.append(Unread(UnreadKind.EMBEDDED, outer.start, end))
