"""Blocks as Markdown (CommonMark with tables, strikethrough and footnotes)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from core.conversion.types import (
    Block,
    CodeBlock,
    Content,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    ThematicBreak,
)

_SIGNS = re.compile(r"[\\`*\[\]<{}$]|~~|_|&(?=#?\w+;)|!(?=\[)|\^(?=\[)")
_INSIDE_WORD = re.compile(r"(?<=\w)_(?=\w)")
_LINE_START = re.compile(r"^(?:(#{1,6})(?=[ \t]|$)|([-+=:|>])|(\d{1,9})([.)])(?=[ \t]|$))", re.MULTILINE)
_MARKS = (("struck", "~~"), ("bold", "**"), ("italic", "*"))
"""The fields of a run and their marks, the outermost first."""
_BORDER = "<!-- -->"
_ADDRESS_SIGNS = re.compile(r"[\s<>()\\]")


def write_markdown(content: Content) -> str:
    """The text of a Markdown file with this content; every line ends with a line end."""
    writer = _Writer()
    parts = list(writer.blocks(content.blocks))
    parts += writer.notes()
    return "\n\n".join(parts) + "\n" if parts else ""


class _Writer:
    def __init__(self) -> None:
        self._notes: list[tuple[Block, ...]] = []

    def notes(self) -> Iterator[str]:
        """The definitions of the footnotes that were written."""
        number = 0
        while number < len(self._notes):
            number += 1
            text = "\n\n".join(self.blocks(self._notes[number - 1]))
            yield f"[^{number}]: {_indented(text, 4)}"

    def blocks(self, blocks: Iterable[Block]) -> Iterator[str]:
        """Each block as its lines."""
        before: Block | None = None
        other = False
        for block in blocks:
            match block:
                case Paragraph(runs):
                    text = _at_line_start(self._runs(runs))
                case Heading(level, runs):
                    title = _one_line(self._runs(runs))
                    text = f"{'#' * level} {title}"
                case CodeBlock(code):
                    fence = "`" * max(3, _longest_ticks(code) + 1)
                    text = f"{fence}\n{code}\n{fence}"
                case Quote(inner):
                    lines = "\n\n".join(self.blocks(inner)).split("\n")
                    text = "\n".join(f"> {line}" if line else ">" for line in lines)
                case ItemList():
                    # Two lists of one kind in a row would be one list.
                    follows = isinstance(before, ItemList) and before.numbered == block.numbered
                    other = follows and not other
                    text = self._list(block, other=other)
                case Table(rows):
                    text = self._table(rows)
                case ThematicBreak():
                    text = "* * *"
            before = block
            if text:
                yield text

    def _list(self, block: ItemList, *, other: bool) -> str:
        items = []
        is_loose = any(sum(not isinstance(one, ItemList) for one in item) > 1 for item in block.items)
        for number, item in enumerate(block.items, block.start):
            sign = f"{number}{')' if other else '.'} " if block.numbered else "* " if other else "- "
            parts = list(self.blocks(item))
            text = ("\n\n" if is_loose else "\n").join(parts)
            items.append(sign + _indented(text, len(sign)))
        return ("\n\n" if is_loose else "\n").join(items)

    def _table(self, rows: tuple[tuple[Runs, ...], ...]) -> str:
        width = max(map(len, rows))
        lines = []
        for row in rows:
            cells = [_one_line(self._runs(cell)).replace("|", r"\|") for cell in row]
            lines.append(f"| {' | '.join([*cells, *[''] * (width - len(cells))])} |")
        return "\n".join([lines[0], f"|{' --- |' * width}", *lines[1:]])

    def _runs(self, runs: Runs) -> str:
        parts = []
        for link, group in groupby(runs, key=lambda run: "" if run.note is not None else run.link):
            text = self._formatting_signs(tuple(group))
            parts.append(_link(text, link) if link else text)
        return "".join(parts).strip()

    def _formatting_signs(self, runs: Runs) -> str:
        """Runs with their marks; white space stands outside of them, as the marks do not count beside it."""
        parts: list[str] = []
        opened: list[str] = []
        for run in _with_spaces_apart(runs):
            if run.note is not None:
                self._notes.append(run.note)
                _insert_before_spaces(parts, "".join(reversed(opened)))
                parts.append(f"[^{len(self._notes)}]")
                opened = []
                continue
            if run.text.isspace():
                parts.append("\\\n" if "\n" in run.text else run.text)
                continue
            wanted = [mark for name, mark in _MARKS if getattr(run, name)]
            kept = 0
            while kept < min(len(opened), len(wanted)) and opened[kept] == wanted[kept]:
                kept += 1
            closing = "".join(reversed(opened[kept:]))
            _insert_before_spaces(parts, closing)
            text = _code(run.text) if run.code else _escaped(run.text)
            opening = "".join(wanted[kept:])
            if parts and _need_border(parts, closing, opening, text):
                parts.append(_BORDER)
            parts += [opening, text]
            opened = wanted
        _insert_before_spaces(parts, "".join(reversed(opened)))
        return "".join(parts)


def _with_spaces_apart(runs: Runs) -> Iterator[Run]:
    """The runs, the line breaks and the white space at their ends in runs of their own."""
    for run in runs:
        if run.note is not None or run.code:
            yield Run(
                " ".join(run.text.split("\n")), run.bold, run.italic, run.struck, run.code, "", run.note
            )
            continue
        for piece in _space_apart(run.text):
            yield Run(piece, run.bold, run.italic, run.struck)


def _space_apart(text: str) -> Iterator[str]:
    """The lines of a text and the line breaks between them, white space at both ends of the text by itself."""
    inner = text.strip()
    at = text.index(inner)
    for part in (text[:at], inner, text[at + len(inner) :]):
        yield from filter(None, re.split(r"(\n)", part))


def _need_border(parts: list[str], closing: str, opening: str, text: str) -> bool:
    """Whether marks inside a word need something between them and the word to be read as marks (CommonMark, 6.2)."""
    if closing and parts[-1] == closing:
        simple = len(set(closing)) == 1 and len(parts) > 1 and parts[-2][-1:].isalnum()
        return bool(opening) or (text[0].isalnum() and not simple)
    simple = len(set(opening)) == 1 and text[0].isalnum()
    return bool(opening) and parts[-1][-1:].isalnum() and not simple


def _insert_before_spaces(parts: list[str], closing: str) -> None:
    if not closing:
        return
    at = len(parts)
    while at and (parts[at - 1].isspace() or parts[at - 1] == "\\\n"):
        at -= 1
    parts.insert(at, closing)


def _one_line(text: str) -> str:
    return text.replace("\\\n", " ").replace("\n", " ")


def _escaped(text: str) -> str:
    inside = {found.start() for found in _INSIDE_WORD.finditer(text)}
    return _SIGNS.sub(
        lambda found: found[0] if found.start() in inside else "".join(f"\\{sign}" for sign in found[0]), text
    )


def _at_line_start(text: str) -> str:
    """The text with no line that would begin a block of another kind."""
    return _LINE_START.sub(lambda found: f"{found[3]}\\{found[4]}" if found[3] else f"\\{found[0]}", text)


def _code(text: str) -> str:
    ticks = "`" * (_longest_ticks(text) + 1)
    space = " " if text.startswith(("`", " ")) or text.endswith(("`", " ")) else ""
    return f"{ticks}{space}{text}{space}{ticks}" if text.strip() else text


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _link(text: str, address: str) -> str:
    """A link; white space around its words stands outside."""
    words = text.strip()
    if not words:
        return text
    target = _ADDRESS_SIGNS.sub(lambda found: f"%{ord(found[0]):02X}", address)
    start = text.index(words)
    return f"{text[:start]}[{words}]({target}){text[start + len(words) :]}"


def _indented(text: str, width: int) -> str:
    return re.sub(r"\n(?=[^\n])", "\n" + " " * width, text)
