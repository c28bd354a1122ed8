"""Markdown (CommonMark with tables and strikethrough): what of the source is prose.

markdown-it-py says what each block is; its inline text is found again in the source line by line, and
``markdown_inline`` says which of its characters are mark-up. What no inline text covers is not prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from markdown_it.token import Token

from core.documents.markdown_inline import block_tokens, inline_masks
from core.documents.markers import OPENING
from core.documents.masks import Layout, Span, addresses, even_lines, merge, union
from core.documents.model import Mask

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FRONT_KEY = re.compile(r"---[ \t]*\n\s*(?:[\w\"'-]+[ \t]*:|#|---|\.\.\.)")
_TOO_DEEP = re.compile(
    r"^([ \t]{40})[ \t]|^((?:[ \t]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){20})([ \t]*+)[-*+>\d]", re.MULTILINE
)
_NOT_LINE_END = re.compile(r"[^\n]")
_NOT_SPACE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_MARKERS = re.compile(r"[\s>#*+=_\-0-9.)]*")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,64}\]:?")
_HARD_BREAK = re.compile(r"\\(?=\r\n)")
_NO_COMMENTS = ("<script", "<style", "<textarea")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]")


@dataclass(slots=True)
class _Text:
    """The inline text of a block, and where its lines stand: (offset in the content, offset in the source, length)."""

    content: str
    lines: list[tuple[int, int, int]] = field(default_factory=list)

    def source_span(self, start: int, end: int) -> Span:
        """The source span of ``content[start:end]``, cut to what was found in the source."""
        return self._offset(start), max(self._offset(start), self._offset(end - 1) + 1)

    def _offset(self, index: int) -> int:
        low, high = 0, len(self.lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.lines[middle][0] <= index else (low, middle)
        begin, origin, length = self.lines[low]
        return origin + max(0, min(index - begin, length))


def lay_out(source: str) -> Layout:
    """Masks and blocks of a Markdown document; a block is a paragraph, a heading or the text of a list item."""
    text = even_lines(source)
    lines = _line_spans(text)
    tokens, environment = block_tokens(_TOO_DEEP.sub(r"\1\2\3x", _without_front_matter(text)))
    texts, quotes = _texts(tokens, text, lines)
    masks = addresses(text)
    blocks: list[Span] = []
    comments = _comments_of_blocks(tokens, text, lines)
    for found in texts:
        block = found.source_span(0, len(found.content))
        blocks.append(block)
        for start, end, gap in inline_masks(found.content, environment):
            masks.append(Mask(*found.source_span(start, end), gap))
            if OPENING.match(found.content, start):
                comments.append(found.source_span(start, end))
        box = _CHECKBOX.match(text, block[0])
        if box:
            masks.append(Mask(*box.span(), True))
    masks += [Mask(*escape.span(), False) for escape in _HARD_BREAK.finditer(source)]
    if "[^" in text:
        masks += [Mask(*note.span(), True) for note in _FOOTNOTE.finditer(text)]
    return Layout(
        merge([*masks, *_uncovered(text, texts)]), tuple(blocks), union(quotes), tuple(sorted(comments))
    )


def _line_spans(text: str) -> list[Span]:
    spans, position = [], 0
    for line in text.split("\n"):
        spans.append((position, position + len(line)))
        position += len(line) + 1
    return spans


def _without_front_matter(text: str) -> str:
    """The text with its YAML front matter blanked out, lines kept."""
    found = _FRONT_MATTER.match(text) if _FRONT_KEY.match(text) else None
    return _NOT_LINE_END.sub(" ", found.group()) + text[found.end() :] if found else text


def _texts(tokens: Sequence[Token], text: str, lines: list[Span]) -> tuple[list[_Text], list[Span]]:
    """The inline texts outside tables, and the spans of the block quotes."""
    texts: list[_Text] = []
    quotes: list[Span] = []
    quoted_from = table_depth = quote_depth = 0
    for token in tokens:
        if token.type in ("table_open", "table_close"):
            table_depth += token.nesting
        elif token.type == "blockquote_open":
            quoted_from = quoted_from if quote_depth else len(texts)
            quote_depth += 1
        elif token.type == "blockquote_close":
            quote_depth -= 1
            if not quote_depth and quoted_from < len(texts):
                first, last = texts[quoted_from].lines[0], texts[-1].lines[-1]
                quotes.append((first[1], last[1] + last[2]))
        elif token.type == "inline" and token.map and not table_depth:
            found = _find(token, text, lines)
            if found.lines:
                texts.append(found)
    return texts, quotes


def _comments_of_blocks(tokens: Sequence[Token], text: str, lines: list[Span]) -> list[Span]:
    """The comments in blocks of HTML that may be markers; a script holds none."""
    found = []
    for token in tokens:
        if (
            token.type != "html_block"
            or not token.map
            or token.content.lstrip().lower().startswith(_NO_COMMENTS)
        ):
            continue
        end = lines[min(token.map[1], len(lines)) - 1][1]
        position = lines[token.map[0]][0]
        while (opening := OPENING.search(text, position, end)) is not None:
            position = text.find("-->", opening.end(), end) + 3
            if position < 3:
                break
            found.append((opening.start(), position))
    return found


def _find(token: Token, text: str, lines: list[Span]) -> _Text:
    """Where each line of an inline token stands in the source: it ends its source line, but for a heading's marks."""
    found = _Text(token.content)
    assert token.map is not None
    number, last = token.map[0], min(token.map[1], len(lines))
    begin = 0
    for line in token.content.split("\n"):
        bare = line.strip()
        while bare and number < last:
            start, end = lines[number]
            number += 1
            whole = text[start:end].rstrip()
            if whole.endswith(bare):
                at = start + len(whole) - len(bare)
            else:
                at = text.find(bare, text.find("#", start, end) + 1 or start, end)
            if at >= 0:
                found.lines.append((begin + len(line) - len(line.lstrip()), at, len(bare)))
                break
        begin += len(line) + 1
    return found


def _uncovered(text: str, texts: list[_Text]) -> list[Mask]:
    """Masks over everything but white space that is in no inline text: markers are zero-width, the rest gaps."""
    masks = []
    position = 0
    covered = [(origin, origin + length) for found in texts for _, origin, length in found.lines]
    for start, end in [*sorted(covered), (len(text), len(text))]:
        found = _NOT_SPACE.search(text, position, start) if position < start else None
        if found:
            masks.append(Mask(*found.span(), _MARKERS.fullmatch(text, *found.span()) is None))
        position = max(position, end)
    return masks
