"""Markdown (CommonMark with tables and strikethrough): which parts of the source are prose.

markdown-it-py parses the blocks. Their inline text is found again in the source line by line. Inline tokens have no
offsets, so each rule that can produce markup is wrapped to record the range it consumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from core.documents.characters import find_raised_marks, reference_span
from core.documents.front_matter import read_fields
from core.documents.html_blocks import quotation_tags, read_html, tag_markup
from core.documents.languages import foreign_passages
from core.documents.markdown_extensions import (
    LINE_SIGNS,
    add_formula_blocks,
    find_container_and_import_lines,
    match_extension,
)
from core.documents.plain_text import split_paragraphs
from core.documents.suppression import MARKER_START
from core.documents.types import (
    FormatParser,
    Layout,
    NonProseSpan,
    Span,
    find_addresses,
    merge_non_prose,
    merge_spans,
    normalize_line_ends,
)
from core.text.english import is_foreign
from core.text.html_elements import declares_foreign_language, find_elements, tags_in
from core.types import Unread, UnreadKind

_Rule = Callable[[StateInline, bool], bool]
_Note = tuple[int, int, bool]
# Deeper blocks than `_TOO_DEEP` allows would make the parser drop the rest of the document. Inline marks nested deeper
# than fits on the call stack are text.
_BLOCK_DEPTH, _INLINE_DEPTH = 250, 40
_MARK_UP = re.compile(r"[\\`*_~<&\[\]${}=+]")
_NOTES, _MARKS = "evenhand_notes", "evenhand_marks"
_SET_APART, _FOREIGN = "evenhand_set_apart", "evenhand_foreign"


def block_tokens(text: str) -> tuple[list[Token], dict[str, Any]]:
    r"""The block tokens of a text whose lines end in ``\n``, and the environment (link references) for inline text."""
    tokens: list[Token] = []
    environment: dict[str, Any] = {}
    parser = _block_parser()
    parser.block.parse(text, parser, environment, tokens)
    return tokens, environment


def inline_markup(content: str, environment: dict[str, Any]) -> list[_Note]:
    """(start, end, gap) of the markup in an inline text, unsorted; labels of links and images are no markup."""
    notes: list[_Note] = []
    environment[_SET_APART], environment[_FOREIGN] = [], []
    if not _MARK_UP.search(content):
        return notes
    environment[_NOTES], environment[_MARKS] = notes, {}
    parser = _inline_parser()
    parser.inline.parse(content, parser, environment, [])
    tags = [(start, end, content[start:end]) for start, end, _ in sorted(notes) if content[start] == "<"]
    for element in find_elements(tags):
        if element.is_struck_out:
            notes.append((element.start, element.end, True))
        if element.is_set_apart:
            environment[_SET_APART].append((element.first, element.last))
        if element.is_foreign:
            environment[_FOREIGN].append((element.first, element.last))
    for (first, last), foreign in list(_bracketed_spans(content, notes)):
        notes += [(first - 1, first, False), (last, last + 1, False)]
        environment[_FOREIGN] += [(first, last)] * foreign
    return notes


def _bracketed_spans(content: str, notes: Sequence[_Note]) -> Iterator[tuple[Span, bool]]:
    """The texts in brackets before attributes, as Pandoc has them, and whether those name another language."""
    for start, end, _ in notes:
        if start and content[start] == "{" and content[start - 1] == "]":
            opening = content.rfind("[", 0, start)
            if opening >= 0:
                yield (opening + 1, start - 1), declares_foreign_language(content[start + 1 : end - 1])


@cache
def _block_parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _BLOCK_DEPTH}).enable("table")
    return _taking_any_link(add_formula_blocks(parser))


def _taking_any_link(parser: MarkdownIt) -> MarkdownIt:
    parser.normalizeLink = str  # type: ignore[assignment, method-assign]
    parser.normalizeLinkText = str  # type: ignore[assignment, method-assign]
    parser.validateLink = bool  # type: ignore[assignment, method-assign]
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    parser = _taking_any_link(MarkdownIt("commonmark", {"maxNesting": _INLINE_DEPTH}).enable("strikethrough"))
    wrappers = {
        "backticks": _wrap_code,
        "escape": _wrap_escape,
        "link": _wrap_link,
        "image": _wrap_image,
        "autolink": _wrap_gap,
        "html_inline": _wrap_html,
        "entity": _wrap_gap,
        "emphasis": _wrap_marks,
        "strikethrough": _wrap_marks,
    }
    rules = dict(zip(parser.inline.ruler.get_active_rules(), parser.inline.ruler.getRules(""), strict=True))
    for name, wrap in wrappers.items():
        parser.inline.ruler.at(name, wrap(rules[name]))
    parser.inline.ruler.before("escape", "extension", _take_extension)
    parser.inline.ruler2.before("fragments_join", "evenhand", _note_pairs)
    return parser


def _take_extension(state: StateInline, silent: bool) -> bool:
    found = match_extension(state.src, state.pos)
    if found is None or found.end() > state.posMax:
        return False
    if not silent:
        state.env[_NOTES].append((*found.span(), found["sign"] is None and found["attributes"] is None))
    state.pos = found.end()
    return True


def _wrap_rule(rule: _Rule, note: Callable[[StateInline, int], None]) -> _Rule:
    def noted(state: StateInline, silent: bool) -> bool:
        start = state.pos
        matched = rule(state, silent)
        if matched and not silent:
            note(state, start)
        return matched

    return noted


def _wrap_code(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        if not state.pending:
            state.env[_NOTES].append((start, state.pos, True))

    return _wrap_rule(rule, note)


def _wrap_gap(rule: _Rule) -> _Rule:
    return _wrap_rule(rule, lambda state, start: state.env[_NOTES].append((start, state.pos, True)))


def _wrap_escape(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        if state.tokens[-1].type == "hardbreak" or len(state.tokens[-1].content) == 1:
            state.env[_NOTES].append((start, start + 1, False))

    return _wrap_rule(rule, note)


def _wrap_html(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        state.env[_NOTES] += tag_markup(state.src[start : state.pos], start)

    return _wrap_rule(rule, note)


def _wrap_link(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        label_end = state.md.helpers.parseLinkLabel(state, start, True)
        state.env[_NOTES] += [(start, start + 1, False), (label_end, state.pos, False)]
        state.env[_SET_APART].append((start + 1, label_end))

    return _wrap_rule(rule, note)


def _wrap_image(rule: _Rule) -> _Rule:
    """The alternative text is parsed with its own offsets, so its notes are collected separately and moved."""

    def noted(state: StateInline, silent: bool) -> bool:
        start = state.pos
        notes, marks = state.env[_NOTES], state.env[_MARKS]
        state.env[_NOTES], state.env[_MARKS] = [], {}
        matched = rule(state, silent)
        inner = state.env[_NOTES]
        state.env[_NOTES], state.env[_MARKS] = notes, marks
        if matched and not silent:
            label = start + 2
            label_end = label + len(state.tokens[-1].content)
            notes += [(label + begin, label + end, gap) for begin, end, gap in inner]
            notes += [(start, label, False), (label_end, state.pos, False)]
        return matched

    return noted


def _wrap_marks(rule: _Rule) -> _Rule:
    """Runs of ``*``, ``_`` and ``~`` become tokens first; which of them are markup is known only later."""

    def note(state: StateInline, start: int) -> None:
        end = state.pos
        for token in reversed(state.tokens):
            if end <= start:
                break
            state.env[_MARKS][id(token)] = (end - len(token.content), end)
            end -= len(token.content)

    return _wrap_rule(rule, note)


def _note_pairs(state: StateInline) -> None:
    """After pairing, a mark whose token is no longer text, or is empty, is markup; what is struck out is not read."""
    marks = state.env[_MARKS]
    struck: list[int] = []
    italic: list[int] = []
    for token in state.tokens:
        span = marks.get(id(token)) if marks else None
        if span is None:
            continue
        if token.type != "text" or not token.content:
            state.env[_NOTES].append((*span, False))
        if token.type == "em_open":
            italic.append(span[1])
        elif token.type == "em_close" and italic:
            state.env[_SET_APART].append((italic.pop(), span[0]))
        elif token.type == "s_open":
            struck.append(span[0])
        elif token.type == "s_close" and struck:
            state.env[_NOTES].append((struck.pop(), span[1], True))


_LANGUAGE_FIELD = re.compile(r"""^lang(?:uage)?[ \t]*[:=][ \t]*["']?([\w-]+)""", re.MULTILINE)
_FRONT_MATTER = re.compile(
    r"---[ \t]*\n(?:[^\n]*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)|\+\+\+[ \t]*\n(?:[^\n]*\n)*?\+\+\+[ \t]*(?:\n|\Z)"
)
_FRONT_KEY = re.compile(
    r"---[ \t]*\n\s*(?:[\w\"'-]+[ \t]*:|#|---|\.\.\.)|\+\+\+[ \t]*\n\s*(?:[\w\"'.-]+[ \t]*=|#|\[|\+\+\+)"
)
_TOO_DEEP = re.compile(
    r"^([ \t]{40})[ \t]|^((?:[ \t]*+(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]))){20})([ \t]*+)[-*+>\d]", re.MULTILINE
)
_NOT_LINE_END = re.compile(r"[^\n]")
_NOT_SPACE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_MARKERS = re.compile(r"[\s>#*+=_\-0-9.)]*")
# "[!NOTE]" begins an alert, in the author's own voice; "[!quote]" begins a quotation.
_CALLOUT = re.compile(r"\[!([\w /-]{1,40})(?:\|[^\]\n]{0,40})?\][-+]?(?=\s|$)")
_QUOTING = ("quote", "cite", "blockquote")
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,64}\]:?")
_HARD_BREAK = re.compile(r"\\(?=\r\n)")
_NO_COMMENTS = ("<script", "<style", "<textarea")
# The first line of a block of MkDocs whose paragraphs are indented as code is, and a paragraph of it.
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?) *(?:[\w-]+|[\"'])")
_PARAGRAPH = re.compile(r"\S(?:[^\n]|\n(?![ \t]*(?:\n|\Z)))*")
_ROW_START = re.compile(r"(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t])*\|")
_CHECKBOX = re.compile(r"\[[ xX]\][ \t]")


@dataclass(slots=True)
class _InlineText:
    """The inline text of a block, and its lines: (offset in the content, offset in the source, length)."""

    content: str
    lines: list[tuple[int, int, int]] = field(default_factory=list)

    def source_span(self, start: int, end: int) -> Span:
        """The source span of ``content[start:end]``, limited to what was found in the source."""
        return self._offset(start), max(self._offset(start), self._offset(end - 1) + 1)

    def part(self, start: int, end: int) -> _InlineText:
        """``content[start:end]`` with its places."""
        lines = [
            (
                max(begin - start, 0),
                origin + max(0, start - begin),
                min(begin + length, end) - max(begin, start),
            )
            for begin, origin, length in self.lines
            if begin < end and begin + length > start
        ]
        return _InlineText(self.content[start:end], lines)

    def _offset(self, index: int) -> int:
        low, high = 0, len(self.lines)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.lines[middle][0] <= index else (low, middle)
        begin, origin, length = self.lines[low]
        return origin + max(0, min(index - begin, length))


def lay_out(source: str) -> Layout:
    """The layout of a Markdown document; a block is a paragraph, a heading or the text of a list item."""
    text = normalize_line_ends(source)
    lines = _line_spans(text)
    fields = front_matter(text)
    body = _NOT_LINE_END.sub(" ", text[: fields[1]]) + text[fields[1] :]
    tokens, environment = block_tokens(_TOO_DEEP.sub(r"\1\2\3x", _without_bare_lines(body)))
    front = read_fields(text, *fields)
    found_texts = _Texts(text, lines)
    found_texts.read(tokens)
    texts, quotes = [*map(partial(_field_text, text), front.texts), *found_texts.texts], found_texts.quotes
    non_prose = [*front.non_prose, *found_texts.non_prose, *find_addresses(text), *find_raised_marks(text)]
    blocks: list[Span] = []
    unread: list[Unread] = []
    set_apart: list[Span] = []
    foreign = [*found_texts.foreign, *_foreign_divisions(text)]
    comments = _comments_of_blocks(tokens, text, lines)
    for number, found in enumerate(texts):
        block = found.source_span(0, len(found.content))
        blocks.append(block)
        marks = inline_markup(found.content, environment)
        set_apart += [found.source_span(*span) for span in environment[_SET_APART] if span[0] < span[1]]
        foreign += [found.source_span(*span) for span in environment[_FOREIGN] if span[0] < span[1]]
        for start, end, gap in marks:
            non_prose.append(_non_prose_span(found, start, end, gap=gap))
            if kind := _unread_kind(found.content, start, end):
                unread.append(Unread(kind, *found.source_span(start, end)))
            if number >= len(front.texts) and MARKER_START.match(found.content, start):
                comments.append(found.source_span(start, end))
        quoted, _, _ = quotation_tags(found.content, {start for start, _, _ in marks})
        quotes += [found.source_span(start, end) for start, end in quoted if start < end]
        box = _CHECKBOX.match(text, block[0])
        if box:
            non_prose.append(NonProseSpan(*box.span(), True))
    non_prose += [NonProseSpan(*escape.span(), False) for escape in _HARD_BREAK.finditer(source)]
    if "[^" in text:
        non_prose += [NonProseSpan(*note.span(), True) for note in _FOOTNOTE.finditer(text)]
    if _names_foreign(text[slice(*fields)]):
        foreign += blocks
    unread += foreign_passages(text, sorted(foreign))
    return Layout(
        merge_non_prose([*non_prose, *_uncovered(text, texts)]),
        tuple(blocks),
        merge_spans(quotes),
        tuple(sorted(comments)),
        tuple(sorted([*front.unread, *found_texts.unread, *unread], key=lambda part: part.start)),
        tuple(sorted(set_apart)),
    )


def _names_foreign(fields: str) -> bool:
    """Whether front matter names a language that is not English."""
    found = _LANGUAGE_FIELD.search(fields)
    return found is not None and is_foreign(found[1])


def _foreign_divisions(text: str) -> Iterator[Span]:
    """The contents of Pandoc's divisions (``:::``) whose attributes name another language."""
    opened: list[tuple[int, bool]] = []
    for found in find_container_and_import_lines(text):
        said = found.group().strip()
        if said.strip(":") and said.startswith(":::"):
            opened.append((found.end(), declares_foreign_language(said.strip(":{} "))))
        elif opened and said.startswith(":::"):
            start, foreign = opened.pop()
            if foreign:
                yield start, found.start()


def _non_prose_span(found: _InlineText, start: int, end: int, *, gap: bool) -> NonProseSpan:
    """The non-prose span of some markup of an inline text."""
    if gap and found.content[start] == "&":
        return reference_span(*found.source_span(start, end), found.content[start:end])
    return NonProseSpan(*found.source_span(start, end), gap)


def _unread_kind(content: str, start: int, end: int) -> UnreadKind | None:
    """The kind of a passage that is struck out, or of a comment on the text; None for any other markup."""
    if end - start < len("~~x~~"):
        return None
    if content.startswith("{>>", start):
        return UnreadKind.COMMENT
    struck = content.startswith(("{--", "{~~", "~~"), start) or (
        content[start] == "<" and content[start:end].count("<") > 1
    )
    return UnreadKind.DELETION if struck and not content.startswith("<!", start) else None


def _line_spans(text: str) -> list[Span]:
    spans, position = [], 0
    for line in text.split("\n"):
        spans.append((position, position + len(line)))
        position += len(line) + 1
    return spans


def front_matter(text: str) -> Span:
    """Where the fields of the front matter, YAML or TOML, begin, and where it ends; (0, 0) without one."""
    found = _FRONT_MATTER.match(text) if _FRONT_KEY.match(text) else None
    return (text.index("\n") + 1, found.end()) if found else (0, 0)


def _field_text(text: str, lines: list[Span]) -> _InlineText:
    """The inline text of a field of the front matter."""
    found = _InlineText("\n".join(text[start:end] for start, end in lines))
    at = 0
    for start, end in lines:
        found.lines.append((at, start, end - start))
        at += end - start + 1
    return found


class _Texts:
    """The inline texts of a document in order, the spans of its block quotes, and what is in HTML blocks besides."""

    def __init__(self, text: str, lines: list[Span]) -> None:
        self.texts: list[_InlineText] = []
        self.quotes: list[Span] = []
        self.non_prose: list[NonProseSpan] = []
        self.unread: list[Unread] = []
        self.foreign: list[Span] = []
        self._text = text
        self._lines = lines
        self._row = self._place = -1
        self._opened: list[Span] = []

    def read(self, tokens: Sequence[Token]) -> None:
        """Collect the texts of the tokens of a document."""
        table_depth = 0
        above = ""
        # For each open block quote the number of texts before it; -1 for an alert.
        nested: list[int] = []
        for number, token in enumerate(tokens):
            if token.type in ("table_open", "table_close"):
                table_depth += token.nesting
            elif token.type == "blockquote_open":
                callout = _CALLOUT.match(tokens[number + 2].content) if number + 2 < len(tokens) else None
                alert = callout is not None and callout[1].strip().lower() not in _QUOTING
                nested.append(-1 if alert else len(self.texts))
            elif token.type == "blockquote_close":
                begun = nested.pop()
                if begun >= 0 and max(nested, default=-1) < 0 and begun < len(self.texts):
                    first, last = self.texts[begun].lines[0], self.texts[-1].lines[-1]
                    self.quotes.append((first[1], last[1] + last[2]))
            elif token.type == "inline" and nested and _CALLOUT.match(token.content):
                self._callout(_locate_lines(token, self._text, self._lines))
            elif token.type == "code_block" and token.map and _ADMONITION.match(above):
                block = _locate_lines(token, self._text, self._lines)
                paragraphs = [block.part(*one.span()) for one in _PARAGRAPH.finditer(block.content)]
                self.texts += [found for found in paragraphs if found.lines]
            elif token.type == "html_block" and token.map:
                self._html(_locate_lines(token, self._text, self._lines))
            elif token.type == "inline" and token.map:
                found = self._cell(token) if table_depth else _locate_lines(token, self._text, self._lines)
                if found.lines:
                    self.texts.append(found)
            if token.content and token.type != "code_block":
                above = token.content
        self.quotes += self._opened

    def _callout(self, found: _InlineText) -> None:
        """The title of a callout, without its sign, and the text below it."""
        sign = _CALLOUT.match(found.content)
        assert sign is not None
        self.non_prose.append(NonProseSpan(*found.source_span(*sign.span()), True))
        title_end = found.content.find("\n") + 1 or len(found.content)
        for start, end in ((sign.end(), title_end), (title_end, len(found.content))):
            start += len(found.content[start:end]) - len(found.content[start:end].lstrip())
            if start < end:
                self.texts.append(found.part(start, len(found.content[:end].rstrip())))

    def _cell(self, token: Token) -> _InlineText:
        """The place of a cell, in which a backslash before a pipe is not part of the content."""
        assert token.map is not None
        found = _InlineText(token.content)
        start, end = self._lines[token.map[0]]
        if token.map[0] != self._row:
            self._row = token.map[0]
            border = _ROW_START.match(self._text, start, end)
            self._place = border.end() if border else start
        written = token.content.replace("|", "\\|")
        at = self._text.find(written, self._place, end) if written else -1
        if at < 0:
            return found
        self._place = at + len(written)
        begin = 0
        for part in token.content.split("|"):
            if begin:
                self.non_prose.append(NonProseSpan(at, at + 1, False))
                at, begin = at + 1, begin - 1
                part = "|" + part
            if part:
                found.lines.append((begin, at, len(part)))
            begin, at = begin + len(part) + 1, at + len(part)
        return found

    def _html(self, block: _InlineText) -> None:
        """The paragraphs of an HTML block."""
        if not block.lines:
            return
        html = read_html(block.content)
        self.foreign += [
            block.source_span(element.first, element.last)
            for element in find_elements(tags_in(block.content))
            if element.is_foreign and element.first < element.last
        ]
        self.non_prose += [
            NonProseSpan(*block.source_span(start, end), gap) for start, end, gap in html.markup
        ]
        self.unread += [Unread(one.kind, *block.source_span(one.start, one.end)) for one in html.unread]
        self.quotes += [block.source_span(start, end) for start, end in html.quotes if start < end]
        for place in html.closed:
            if self._opened:
                self.quotes.append((self._opened.pop()[0], block.source_span(place, place + 1)[0]))
        whole = block.source_span(0, len(block.content))
        self._opened += [(block.source_span(place - 1, place)[1], whole[1]) for place in html.opened]
        for start, end in html.paragraphs:
            found = block.part(start, end)
            if found.lines:
                self.texts.append(found)


def _without_bare_lines(text: str) -> str:
    """The text with lines that are no prose, and no Markdown either, replaced by spaces."""
    for found in find_container_and_import_lines(text):
        start, end = found.span()
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


def _comments_of_blocks(tokens: Sequence[Token], text: str, lines: list[Span]) -> list[Span]:
    """The comments in HTML blocks that may be markers; a script has none."""
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
        while (opening := MARKER_START.search(text, position, end)) is not None:
            position = text.find("-->", opening.end(), end) + 3
            if position < 3:
                break
            found.append((opening.start(), position))
    return found


def _locate_lines(token: Token, text: str, lines: list[Span]) -> _InlineText:
    """The places of an inline token's lines: each is at the end of its source line, except in headings."""
    found = _InlineText(token.content)
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


def _uncovered(text: str, texts: list[_InlineText]) -> list[NonProseSpan]:
    """Everything but white space that is in no inline text; markers are no gaps, the rest are."""
    non_prose = []
    position = 0
    covered = [(origin, origin + length) for found in texts for _, origin, length in found.lines]
    for start, end in [*sorted(covered), (len(text), len(text))]:
        found = _NOT_SPACE.search(text, position, start) if position < start else None
        if found:
            non_prose.append(NonProseSpan(*found.span(), _MARKERS.fullmatch(text, *found.span()) is None))
        position = max(position, end)
    return non_prose


_FRONT_MATTER_END = re.compile(r"\n(?:---|\.\.\.|\+\+\+)[ \t]*(?=\n|\Z)")
_SENTINEL = "evenhand"


def _split(source: str) -> list[str]:
    """The text cut after blank lines before what cannot belong to the block above; front matter is one part."""
    together = ("---", "+++", *LINE_SIGNS)
    parts = split_paragraphs(source, lambda text: not text[0].isspace() and not text.startswith(together))
    if not source.startswith(("---", "+++")):
        return parts
    end = _FRONT_MATTER_END.search(source)
    length, number = 0, 0
    while number < len(parts) and (end is None or length < end.end()):
        length += len(parts[number])
        number += 1
    return ["".join(parts[:number]), *parts[number:]]


def _is_closed(part: str) -> bool:
    """Whether a paragraph after ``part``, which ends with a blank line, would be a paragraph of its own."""
    part = _without_bare_lines(part)
    if "<" not in part and "```" not in part and "~~~" not in part:
        return True
    if quotation_tags(part)[1]:
        return False
    last = block_tokens(f"{part}{_SENTINEL}\n")[0][-2:]
    return [token.level for token in last] == [1, 0] and last[0].content == _SENTINEL


def _needs_whole(source: str) -> bool:
    start, end = front_matter(source)
    divided = ":::" in source and "lang=" in source
    return "]:" in source or "$$" in source or divided or _names_foreign(source[start:end])


PARSER = FormatParser(
    lay_out,
    split=_split,
    is_closed=_is_closed,
    needs_whole=_needs_whole,
    joins_markup=True,
)
