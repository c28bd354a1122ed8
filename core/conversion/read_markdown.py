"""Markdown as blocks: CommonMark with tables, strikethrough and footnotes, parsed by markdown-it-py."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.footnote import footnote_plugin

from core.conversion.markup import FORMATTING_TAGS, count_tag, tag_name, text_of_html
from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Loss,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    ThematicBreak,
    merged,
    stripped,
    with_formatting,
)
from core.documents.markdown import front_matter
from core.documents.markdown_extensions import (
    add_formula_blocks,
    find_container_and_import_lines,
    match_extension,
)
from core.i18n import tr
from core.storage.files import FileError

_DEEPEST = 100
"""Blocks nested deeper are dropped by the parser."""
_EXTENSION = "evenhand_extension"
_FORMATTING_TOKENS = {"strong": "bold", "em": "italic", "s": "struck"}
_LOST_EXTENSIONS = {
    "deletion": Loss.CHANGE,
    "sign": Loss.CHANGE,
    "comment": Loss.COMMENT,
    "template": Loss.TEMPLATE,
    "attributes": Loss.OTHER,
}


def read_markdown(source: str) -> Content:
    r"""The content of a Markdown draft whose lines end in ``\n``. Raises FileError where it is nested too deeply."""
    losses: Counter[Loss] = Counter()
    end = front_matter(source)[1]
    losses[Loss.FRONT_MATTER] += bool(end)
    body = source[end:]
    # The parser takes no null character; no file can hold one either.
    tokens = _parser().parse(body.replace("\0", "\ufffd"))
    if any(token.level >= _DEEPEST - 1 for token in tokens):
        raise FileError(
            tr(
                "The lists or quotations of this draft are nested too deeply to be converted. Flatten them first."
            )
        )
    reader = _Reader(body, losses)
    reader.define_notes(tokens)
    blocks = [*reader.blocks(tokens), *reader.unused_notes()]
    return Content(tuple(blocks), losses)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.inline.ruler.before("escape", _EXTENSION, _take_extension)
    return add_formula_blocks(parser)


def _take_extension(state: StateInline, silent: bool) -> bool:
    found = match_extension(state.src, state.pos)
    if found is None or found.end() > state.posMax:
        return False
    if not silent:
        token = state.push(_EXTENSION, "", 0)
        token.content, token.info = found.group(), found.lastgroup or ""
    state.pos = found.end()
    return True


class _Reader:
    def __init__(self, source: str, losses: Counter[Loss]) -> None:
        self._lines = source.split("\n")
        self._losses = losses
        self._bare = {found.group() for found in find_container_and_import_lines(source)}
        self._notes: dict[str, Sequence[Token]] = {}
        self._read: dict[str, tuple[Block, ...]] = {}
        self._in_note = False

    def define_notes(self, tokens: Sequence[Token]) -> None:
        """Remember the tokens of each footnote by its label."""
        for number, token in enumerate(tokens):
            if token.type == "footnote_reference_open":
                self._notes[token.meta["label"]] = tokens[number + 1 : _closing(tokens, number)]

    def unused_notes(self) -> Iterator[Block]:
        """The footnotes that the text does not refer to, so that they are not lost."""
        for label in [label for label in self._notes if label not in self._read]:
            yield from self._note(label)

    def _note(self, label: str) -> tuple[Block, ...]:
        if label not in self._read:
            before, self._in_note = self._in_note, True
            self._read[label] = tuple(self.blocks(self._notes[label]))
            self._in_note = before
        return self._read[label]

    def blocks(self, tokens: Sequence[Token]) -> Iterator[Block]:
        """The blocks of some tokens, which are balanced."""
        at = 0
        while at < len(tokens):
            token = tokens[at]
            end = _closing(tokens, at) if token.nesting == 1 else at
            inner = tokens[at + 1 : end]
            at = end + 1
            match token.type:
                case "paragraph_open":
                    yield from self._paragraph(inner)
                case "heading_open":
                    if runs := self._runs(inner):
                        yield Heading(int(token.tag[1]), runs)
                case "blockquote_open":
                    yield Quote(tuple(self.blocks(inner)))
                case "bullet_list_open" | "ordered_list_open":
                    numbered = token.type == "ordered_list_open"
                    yield ItemList(self._items(inner), numbered, int(token.attrs.get("start", 1)))
                case "table_open":
                    yield Table(self._rows(inner))
                case "fence" | "code_block" | "formula":
                    yield CodeBlock(self._code(token))
                case "html_block":
                    for text in text_of_html(token.content, self._losses):
                        yield Paragraph((Run(text),))
                case "hr":
                    yield ThematicBreak()

    def _code(self, token: Token) -> str:
        if token.type == "formula" and token.map:
            return "\n".join(self._lines[slice(*token.map)])
        return token.content.removesuffix("\n")

    def _items(self, tokens: Sequence[Token]) -> tuple[tuple[Block, ...], ...]:
        found = []
        at = 0
        while at < len(tokens):
            end = _closing(tokens, at)
            found.append(tuple(self.blocks(tokens[at + 1 : end])))
            at = end + 1
        return tuple(found)

    def _rows(self, tokens: Sequence[Token]) -> tuple[tuple[Runs, ...], ...]:
        rows: list[list[Runs]] = []
        for token in tokens:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(self._runs([token]))
        return tuple(map(tuple, rows))

    def _paragraph(self, tokens: Sequence[Token]) -> Iterator[Block]:
        lines = tokens[0].content.split("\n") if tokens else []
        if self._bare and any(line in self._bare for line in lines):
            self._losses[Loss.OTHER] += sum(line in self._bare for line in lines)
            kept = "\n".join(line for line in lines if line not in self._bare)
            tokens = _parser().parseInline(kept) if kept.strip() else []
        if runs := self._runs(tokens):
            yield Paragraph(runs)

    def _runs(self, tokens: Sequence[Token]) -> Runs:
        return stripped(run for token in tokens for run in self._inline(token.children or []))

    def _inline(self, tokens: Sequence[Token]) -> Iterator[Run]:
        formatting = Run("")
        for token in tokens:
            name, _, what = token.type.rpartition("_")
            if what in ("open", "close") and name in _FORMATTING_TOKENS:
                formatting = with_formatting(formatting, _FORMATTING_TOKENS[name], what == "open")
            elif token.type == "link_open":
                formatting = replace(formatting, link=str(token.attrs.get("href", "")))
            elif token.type == "link_close":
                formatting = replace(formatting, link="")
            elif token.type == "text":
                yield replace(formatting, text=token.content)
            elif token.type == "code_inline":
                yield replace(formatting, text=token.content, code=True)
            elif token.type in ("softbreak", "hardbreak"):
                yield replace(formatting, text=" " if token.type == "softbreak" else "\n")
            elif token.type == "image":
                self._losses[Loss.IMAGE] += 1
                for run in merged(self._inline(token.children or [])):
                    yield replace(formatting, text=run.text)
            elif token.type == "html_inline":
                formatting = self._tag(token.content, formatting)
                if tag_name(token.content)[0] == "br":
                    yield replace(formatting, text="\n")
            elif token.type == "footnote_ref":
                label = token.meta["label"]
                if self._in_note:
                    yield replace(formatting, text=f"[^{label}]")
                else:
                    yield Run("", note=self._note(label))
            elif token.type == _EXTENSION:
                yield from self._extension(token, formatting)

    def _tag(self, tag: str, formatting: Run) -> Run:
        name, opens = tag_name(tag)
        if name in FORMATTING_TAGS:
            return with_formatting(formatting, FORMATTING_TAGS[name], opens)
        count_tag(tag, self._losses)
        return formatting

    def _extension(self, token: Token, formatting: Run) -> Iterator[Run]:
        lost = _LOST_EXTENSIONS.get(token.info)
        if lost is not None:
            self._losses[lost] += 1
        else:
            yield replace(formatting, text=token.content, code=token.info == "formula")


def _closing(tokens: Sequence[Token], at: int) -> int:
    """The place of the token that closes the one at a place."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += tokens[place].nesting
        if depth == 0:
            return place
    return len(tokens)
