"""Parts of a marked-up text that an editor can fold: templates, tables, references, comments, code, front matter.

Whole lines are folded where a part has several. The first line of a fold stays visible; the last one stays too if
anything follows the markup on it, so that no prose is ever hidden with a template. References and templates inside a
line are found apart: all of one can be hidden, and a label stands for it. Markup that is never closed is not folded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.documents.types import normalize_line_ends
from core.highlighting import markdown
from core.highlighting.types import Fold, FoldKind
from core.highlighting.wikitext import VERBATIM

_Region = tuple[int, int, FoldKind]

# The first character is told apart from the rest: regular expressions find a set of characters quickly.
_TOKEN = re.compile(
    rf"""
    [<{{}}\n] (?:
        (?P<on_one_line> (?<=\{{) \{{ [^{{}}<\n]*+ \}}\}} (?!\}})
        | (?<=<) ref (?:\s[^<>]*+)?+ (?<!/) > (?: [^{{}}<\n]++ | \{{\{{ [^{{}}<\n]*+ \}}\}} )*+ </ref> )
      | (?<=<) (?P<comment> !-- )
      | (?<=<) (?P<reference> ref(?:erences)? ) (?P<attributes> (?:\s[^<>]*+)?+ ) >
      | (?<=<) / (?P<unreference> ref(?:erences)? ) \s*+ >
      | (?<=<) (?P<verbatim> {"|".join(VERBATIM)} ) (?:\s[^<>]*+)?+ (?<!/) >
      | (?<=\{{) (?P<open> \{{++ )
      | (?<=\}}) (?P<close> \}}++ )
      | (?<=\n) [ \t:]*+ (?P<table> \{{\| (?!\}}) )
      | (?<=\n) [ \t]*+ (?P<untable> \|\}} (?!\}}) )
      | (?<=\n) (?P<heading> =[^\n]*+ )
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_VERBATIM_ENDS = {name: re.compile(rf"</{name}\s*+>", re.IGNORECASE) for name in VERBATIM}
_INLINE_NOTE = re.compile(r"<ref(?:\s[^<>]*+)?+>", re.IGNORECASE)
_NOTE_NAME = re.compile(r"""\bname\s*+=\s*+(?:"([^"<>]*+)"|'([^'<>]*+)'|([^\s"'<>/]++))""", re.IGNORECASE)
_TEMPLATE_NAME = re.compile(r"\{\{++\s*+([^{}|<\n]*+)")
_NOTE_TEMPLATE = re.compile(r"(?:sfn\w*|efn(?:-\w+)?|refn|#tag:ref|note ?tag|rp?)\s*+\Z", re.IGNORECASE)
"""The names of templates that are notes, as ``<ref>`` is."""
_LONGEST_LABEL = 24
_REST_IS_EMPTY = re.compile(r"[^\S\n]*+(?:\n|\Z)")
_FENCES = ("```", "~~~")


def find_wikitext_folds(source: str) -> list[Fold]:
    """The templates, tables, references, comments and code of wikitext; a heading ends markup that is still open."""
    text = normalize_line_ends(source)
    regions = _wikitext_regions(f"\n{text}")
    return _whole_lines(source, text, ((start - 1, end - 1, kind) for start, end, kind in regions))


def find_wikitext_inline_folds(source: str) -> list[Fold]:
    """The references of wikitext, and the templates inside lines, also those that go on in later lines.

    Templates that begin a line and have several are folded by their lines.
    """
    text = normalize_line_ends(source)
    found = []
    for start, end, kind in _wikitext_regions(f"\n{text}", single_lines=True):
        fold = _inline_fold(text, start - 1, end - 1, kind)
        if fold is not None:
            found.append(fold)
    return sorted(found, key=lambda fold: (fold.start, -fold.end))


def find_markdown_folds(source: str) -> list[Fold]:
    """The front matter, fenced code and comments of Markdown."""
    text = normalize_line_ends(source)
    return _whole_lines(source, text, _markdown_regions(text))


@dataclass(slots=True)
class _Open:
    """An opening mark without its end yet. ``braces``: how many of them still wait for closing ones."""

    name: str
    start: int
    braces: int = 0


_KINDS = {
    "{{": FoldKind.TEMPLATE,
    "{|": FoldKind.TABLE,
    "ref": FoldKind.REFERENCE,
    "references": FoldKind.REFERENCE,
}


class _Stack:
    """The marks that are open. Closing one drops those inside it, which were never closed."""

    def __init__(self) -> None:
        self._marks: list[_Open] = []
        self._waiting = dict.fromkeys(_KINDS, 0)

    def push(self, name: str, start: int, *, braces: int = 0) -> None:
        self._marks.append(_Open(name, start, braces))
        self._waiting[name] += 1

    def clear(self) -> None:
        self._marks.clear()
        self._waiting = dict.fromkeys(_KINDS, 0)

    def close(self, name: str, end: int) -> Iterator[_Region]:
        """The region that is closed by a mark that ends at ``end``; none if no such mark is open."""
        if self._reach(name):
            yield self._pop().start, end, _KINDS[name]

    def close_braces(self, start: int, end: int) -> Iterator[_Region]:
        """The regions that are closed by the braces from ``start`` to ``end``, the innermost first."""
        while end - start >= 2 and self._reach("{{"):
            mark = self._marks[-1]
            used = min(mark.braces, end - start)
            start += used
            mark.braces -= used
            yield mark.start + mark.braces, start, FoldKind.TEMPLATE
            if mark.braces < 2:
                self._pop()

    def _reach(self, name: str) -> bool:
        """Drop what is open inside the innermost mark of this name; returns whether there is one."""
        while self._waiting[name] and self._marks[-1].name != name:
            self._pop()
        return self._waiting[name] > 0

    def _pop(self) -> _Open:
        mark = self._marks.pop()
        self._waiting[mark.name] -= 1
        return mark


def _wikitext_regions(text: str, *, single_lines: bool = False) -> Iterator[_Region]:
    """The regions of a text that begins with a line end, so that one stands before every line.

    Most of those that end in the line in which they begin are left out, unless ``single_lines``.
    """
    stack, position = _Stack(), 0
    unclosed: set[str] = set()
    while (token := _TOKEN.search(text, position)) is not None:
        start, position = token.span()
        if token["on_one_line"]:
            if single_lines:
                yield start, position, FoldKind.TEMPLATE if text[start] == "{" else FoldKind.REFERENCE
            continue
        start += text[start] == "\n"
        if token["comment"]:
            end = text.find("-->", position)
            if end < 0:
                return
            position = end + 3
            yield start, position, FoldKind.COMMENT
        elif name := token["verbatim"]:
            name = name.lower()
            closing = None if name in unclosed else _VERBATIM_ENDS[name].search(text, position)
            if closing is None:
                unclosed.add(name)
            else:
                position = closing.end()
                yield start, position, FoldKind.CODE
        elif token["heading"]:
            # What the line has besides is read as well.
            position = start + 1
            if token["heading"].rstrip().endswith("=") and token["heading"].strip("= \t"):
                stack.clear()
        elif name := token["reference"]:
            if not token["attributes"].endswith("/"):
                stack.push(name.lower(), start)
            elif single_lines:
                yield start, position, FoldKind.REFERENCE
        elif name := token["unreference"]:
            yield from stack.close(name.lower(), position)
        elif token["table"]:
            stack.push("{|", start)
        elif token["untable"]:
            yield from stack.close("{|", position)
        elif token["open"]:
            stack.push("{{", start, braces=position - start)
        else:
            yield from stack.close_braces(start, position)


def _inline_fold(text: str, start: int, end: int, kind: FoldKind) -> Fold | None:
    """The fold of a region inside lines; None if its lines are folded, or if it is neither a note nor a template."""
    if kind is FoldKind.REFERENCE:
        note = _INLINE_NOTE.match(text, start, end)
        if note is None:
            return None
        name = _NOTE_NAME.search(note.group())
        return Fold(start, end, kind, _label("ref", *(name.groups("") if name else ())))
    named = _TEMPLATE_NAME.match(text, start, end)
    if kind is not FoldKind.TEMPLATE or named is None:
        return None
    if "\n" in text[start:end] and not text[text.rfind("\n", 0, start) + 1 : start].strip():
        return None
    is_note = _NOTE_TEMPLATE.match(named[1]) is not None
    return Fold(start, end, FoldKind.REFERENCE if is_note else kind, _label(named[1] or "{{…}}"))


def _label(*words: str) -> str:
    """A short label of these words."""
    label = " ".join(" ".join(words).split())
    return label if len(label) <= _LONGEST_LABEL else f"{label[: _LONGEST_LABEL - 1].rstrip()}…"


def _markdown_regions(text: str) -> Iterator[_Region]:
    state, opened, kind = markdown.START, 0, FoldKind.CODE
    position, neutral = 0, (markdown.START, markdown.BODY)
    for line in text.split("\n"):
        before = state
        if before != markdown.BODY or "<!--" in line or line.lstrip().startswith(_FENCES):
            _, state = markdown.highlight_line(line, before)
        in_comment = before == markdown.COMMENT
        ends = "-->" in line if in_comment else before not in neutral and state != before
        if ends:
            yield opened, position + (line.index("-->") + 3 if in_comment else len(line)), kind
        if state not in neutral and (ends or state != before):
            opened, kind = position, _markdown_kind(state)
        position += len(line) + 1


def _markdown_kind(state: int) -> FoldKind:
    if state == markdown.COMMENT:
        return FoldKind.COMMENT
    return FoldKind.FRONT_MATTER if state in (markdown.YAML, markdown.TOML) else FoldKind.CODE


def _whole_lines(source: str, text: str, regions: Iterable[_Region]) -> list[Fold]:
    """The folds for regions of ``text``, the largest of those that begin in one line."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    last_lines: dict[int, tuple[int, FoldKind]] = {}
    for start, end, kind in regions:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end) - 1
        if not _REST_IS_EMPTY.match(text, end):
            last -= 1
        # Of equal ones the outer is the later.
        if last > first and last >= last_lines.get(first, (0, kind))[0]:
            last_lines[first] = (last, kind)
    return [
        Fold(starts[first], _line_end(source, starts, last), kind)
        for first, (last, kind) in sorted(last_lines.items())
    ]


def _line_end(source: str, starts: list[int], line: int) -> int:
    if line + 1 == len(starts):
        return len(source)
    end = starts[line + 1] - 1
    return end - 1 if source[end - 1 : end + 1] == "\r\n" else end
