"""Blocks as wikitext."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from core.conversion.types import (
    Block,
    CodeBlock,
    Heading,
    ItemList,
    Paragraph,
    Quote,
    Run,
    Runs,
    Table,
    ThematicBreak,
    own_runs,
    with_formatting,
)

_SIGNS = re.compile(r"\[\[|\]\]|\{\{|\}\}|''+|~{3,}|__(?=[A-Z])|\[(?=[a-z]+:|//)", re.IGNORECASE)
_LINE_START = re.compile(r"^(?=[*#:;=]|\{\||----)", re.MULTILINE)
_MARKS = (("struck", "<s>", "</s>"), ("bold", "'''", "'''"), ("italic", "''", "''"))
"""The fields of a run and their marks, the outermost first."""
_ADDRESS_SIGNS = re.compile(r"[\s<>\"'\[\]{}|]")
_BREAK = "<br>"
_NOTHING = "<nowiki/>"


def write_wikitext(blocks: Iterable[Block]) -> str:
    """The wikitext of some blocks, without a line end after it.

    A page has its title as its heading of the first level: where a heading is of that level, all are one level lower.
    """
    content = tuple(blocks)
    lowered = any(isinstance(block, Heading) and block.level == 1 for block in content)
    return "\n\n".join(filter(None, (_block(block, lowered=lowered) for block in content)))


def _block(block: Block, *, lowered: bool = False) -> str:
    match block:
        case Paragraph(runs):
            return _LINE_START.sub(_NOTHING, _line(runs))
        case Heading(level, runs):
            signs = "=" * max(2, min(6, level + lowered))
            # The marks of a heading are bold by themselves.
            return f"{signs} {_line(with_formatting(run, 'bold', False) for run in runs)} {signs}"
        case CodeBlock(text):
            return f"<pre>\n{_entities(text)}\n</pre>"
        case Quote(inner):
            return f"<blockquote>\n{write_wikitext(inner)}\n</blockquote>"
        case ItemList():
            return "\n".join(_items(block, ""))
        case Table(rows):
            return _table(rows)
        case ThematicBreak():
            return "----"


def _items(block: ItemList, outer: str) -> Iterator[str]:
    """The lines of a list; all paragraphs of an item stand in its line."""
    path = outer + ("#" if block.numbered else "*")
    for item in block.items:
        lists = [one for one in item if isinstance(one, ItemList)]
        parts = [_line(own_runs([one])) for one in item if not isinstance(one, ItemList)]
        if text := _BREAK.join(filter(None, parts)):
            yield f"{path} {text}"
        for inner in lists:
            yield from _items(inner, path)


def _table(rows: tuple[tuple[Runs, ...], ...]) -> str:
    lines = ['{| class="wikitext"']
    for number, row in enumerate(rows):
        sign = "|" if number else "!"
        cells = [_line(cell).replace("|", "&#124;").replace("!!", "!&#33;") for cell in row]
        lines += ["|-"] if number else []
        lines.append(f"{sign} {f' {sign * 2} '.join(cells)}".rstrip())
    return "\n".join([*lines, "|}"])


def _line(runs: Iterable[Run]) -> str:
    """Runs with their marks, in one line."""
    parts: list[str] = []
    opened: list[tuple[str, str, str]] = []
    link = ""
    for run in runs:
        wanted = [mark for mark in _MARKS if getattr(run, mark[0])]
        kept = 0
        if run.link == link:
            while kept < min(len(opened), len(wanted)) and opened[kept] == wanted[kept]:
                kept += 1
        closing = "".join(mark[2] for mark in reversed(opened[kept:]))
        _join(parts, closing + ("]" if link and run.link != link else ""))
        if run.link and run.link != link:
            _join(parts, f"[{_address(run.link)} ")
        _join(parts, "".join(mark[1] for mark in wanted[kept:]))
        opened, link = wanted, run.link
        if run.note is not None:
            _join(parts, f"<ref>{_line(own_runs(run.note))}</ref>")
        else:
            _join(parts, _text(run))
    _join(parts, "".join(mark[2] for mark in reversed(opened)) + ("]" if link else ""))
    return "".join(parts).strip()


def _join(parts: list[str], part: str) -> None:
    """Add a part; apostrophes of two parts must not be read as one mark."""
    if part:
        if part[0] == "'" and parts and parts[-1][-1] == "'":
            parts.append(_NOTHING)
        parts.append(part)


def _text(run: Run) -> str:
    if run.code:
        return f"<code><nowiki>{_entities(run.text)}</nowiki></code>" if run.text.strip() else run.text
    text = _SIGNS.sub(lambda found: f"<nowiki>{found[0]}</nowiki>", _entities(run.text))
    if run.link:
        text = text.replace("]", "&#93;")
    return text.replace("\n", _BREAK)


def _entities(text: str) -> str:
    """The text without signs that begin a tag or a character reference."""
    return re.sub(r"&(?=#?\w+;)", "&amp;", text).replace("<", "&lt;")


def _address(link: str) -> str:
    return _ADDRESS_SIGNS.sub(lambda found: f"%{ord(found[0]):02X}", link)
