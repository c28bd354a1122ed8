"""markdown-it-py with a memory: which characters of an inline text are mark-up.

Its inline tokens do not say where they came from. Each rule that can make mark-up is wrapped so that it notes the
stretch it consumed, in the offsets of the inline text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

_Rule = Callable[[StateInline, bool], bool]
_Note = tuple[int, int, bool]
# Blocks: deeper than any nesting that ``markdown`` lets through, past which the parser would drop the rest of the
# document. Inline text: as deep as fits on the call stack, past which marks are text.
_BLOCK_DEPTH, _INLINE_DEPTH = 250, 40
_MARK_UP = re.compile(r"[\\`*_~<&\[\]]")
_NOTES, _MARKS = "evenhand_notes", "evenhand_marks"


def block_tokens(text: str) -> tuple[list[Token], dict[str, Any]]:
    r"""The blocks of a text whose lines end in ``\n``, and the environment (link references) that inline text needs."""
    tokens: list[Token] = []
    environment: dict[str, Any] = {}
    parser = _block_parser()
    parser.block.parse(text, parser, environment, tokens)
    return tokens, environment


def inline_masks(content: str, environment: dict[str, Any]) -> list[_Note]:
    """(start, end, gap) of the mark-up in an inline text, unsorted; labels of links and images are kept."""
    notes: list[_Note] = []
    if not _MARK_UP.search(content):
        return notes
    environment[_NOTES], environment[_MARKS] = notes, {}
    parser = _inline_parser()
    parser.inline.parse(content, parser, environment, [])
    return notes


@cache
def _block_parser() -> MarkdownIt:
    return _taking_any_link(MarkdownIt("commonmark", {"maxNesting": _BLOCK_DEPTH}).enable("table"))


def _taking_any_link(parser: MarkdownIt) -> MarkdownIt:
    parser.normalizeLink = str  # type: ignore[assignment, method-assign]
    parser.normalizeLinkText = str  # type: ignore[assignment, method-assign]
    parser.validateLink = bool  # type: ignore[assignment, method-assign]
    return parser


@cache
def _inline_parser() -> MarkdownIt:
    parser = _taking_any_link(MarkdownIt("commonmark", {"maxNesting": _INLINE_DEPTH}).enable("strikethrough"))
    noting = {
        "backticks": _noting_code,
        "escape": _noting_escape,
        "link": _noting_link,
        "image": _noting_image,
        "autolink": _noting_gap,
        "html_inline": _noting_html,
        "entity": _noting_gap,
        "emphasis": _noting_marks,
        "strikethrough": _noting_marks,
    }
    rules = dict(zip(parser.inline.ruler.get_active_rules(), parser.inline.ruler.getRules(""), strict=True))
    for name, wrap in noting.items():
        parser.inline.ruler.at(name, wrap(rules[name]))
    parser.inline.ruler2.before("fragments_join", "evenhand", _note_pairs)
    return parser


def _noting(rule: _Rule, note: Callable[[StateInline, int], None]) -> _Rule:
    def noted(state: StateInline, silent: bool) -> bool:
        start = state.pos
        matched = rule(state, silent)
        if matched and not silent:
            note(state, start)
        return matched

    return noted


def _noting_code(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        if not state.pending:
            state.env[_NOTES].append((start, state.pos, True))

    return _noting(rule, note)


def _noting_gap(rule: _Rule) -> _Rule:
    return _noting(rule, lambda state, start: state.env[_NOTES].append((start, state.pos, True)))


def _noting_escape(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        if state.tokens[-1].type == "hardbreak" or len(state.tokens[-1].content) == 1:
            state.env[_NOTES].append((start, start + 1, False))

    return _noting(rule, note)


def _noting_html(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        breaks = state.src[start : start + 3].lower() == "<br"
        state.env[_NOTES].append((start, state.pos, breaks))

    return _noting(rule, note)


def _noting_link(rule: _Rule) -> _Rule:
    def note(state: StateInline, start: int) -> None:
        label_end = state.md.helpers.parseLinkLabel(state, start, True)
        state.env[_NOTES] += [(start, start + 1, False), (label_end, state.pos, False)]

    return _noting(rule, note)


def _noting_image(rule: _Rule) -> _Rule:
    """The alternative text is parsed apart, with offsets of its own: its notes are set aside and moved."""

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


def _noting_marks(rule: _Rule) -> _Rule:
    """Runs of ``*``, ``_`` and ``~`` become tokens first; only later is it known which of them are mark-up."""

    def note(state: StateInline, start: int) -> None:
        end = state.pos
        for token in reversed(state.tokens):
            if end <= start:
                break
            state.env[_MARKS][id(token)] = (end - len(token.content), end)
            end -= len(token.content)

    return _noting(rule, note)


def _note_pairs(state: StateInline) -> None:
    """After pairing: a mark whose token is no longer text, or was emptied, is mark-up."""
    marks = state.env[_MARKS]
    for token in state.tokens:
        span = marks.get(id(token)) if marks else None
        if span is not None and (token.type != "text" or not token.content):
            state.env[_NOTES].append((*span, False))
