"""What the properties of text in a word processor say about it: its language, italics, and what is struck or raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.documents.characters import is_footnote_mark
from core.documents.languages import foreign_passages
from core.documents.types import NonProseSpan, Span
from core.formats.styles import PLAIN, Style, TextProperties
from core.formats.text_layout import (
    PLAIN_PARAGRAPH,
    Aside,
    Line,
    TextLayout,
    marked_ranges,
    note_references,
)
from core.text.appearance import Appearance, merge_runs
from core.text.english import is_foreign
from core.types import Unread, UnreadKind

_FOREIGN, _ITALIC, _STRUCK, _RAISED, _BOLD, _UNDERLINED, _LINKED = (
    f"property {name}" for name in ("foreign", "italic", "struck", "raised", "bold", "underlined", "linked")
)
_SHOWN = (_ITALIC, _STRUCK, _RAISED, _BOLD, _UNDERLINED, _LINKED)
_DEEPEST = 20


def resolve(styles: Mapping[str, Style], names: Iterable[str]) -> TextProperties:
    """The properties by styles, the innermost first, by those they are based on, and by default."""
    found = PLAIN
    for name in (*filter(None, names), ""):
        for _ in range(_DEEPEST):
            style = styles.get(name)
            if style is None:
                break
            found = combine(found, style.properties)
            name = style.base
            if not name:
                break
    return found


def combine(inner: TextProperties, outer: TextProperties) -> TextProperties:
    """The properties of text; what it does not set is taken from what is around it."""
    return TextProperties(
        outer.language if inner.language is None else inner.language,
        outer.italic if inner.italic is None else inner.italic,
        outer.struck if inner.struck is None else inner.struck,
        outer.raised if inner.raised is None else inner.raised,
        outer.bold if inner.bold is None else inner.bold,
        outer.underlined if inner.underlined is None else inner.underlined,
    )


def mark_properties(line: Line, start: int, properties: TextProperties) -> None:
    """What was added to a line from ``start`` on has these properties."""
    marks = (
        (_FOREIGN, is_foreign(properties.language or "")),
        (_ITALIC, properties.italic),
        (_STRUCK, properties.struck),
        (_RAISED, properties.raised),
        (_BOLD, properties.bold),
        (_UNDERLINED, properties.underlined),
    )
    for mark, holds in marks:
        if holds and start < line.length:
            line.marks += [(start, "start", mark), (line.length, "end", mark)]


def mark_link(line: Line, start: int) -> None:
    """What was added to a line from ``start`` on is a link."""
    if start < line.length:
        line.marks += [(start, "start", _LINKED), (line.length, "end", _LINKED)]


def read_appearance(layout: TextLayout, asides: Iterable[Aside]) -> Appearance:
    """How the text with these ``asides`` looks."""
    spans = (
        (mark.removeprefix("property "), span) for mark in _SHOWN for span in marked_ranges(layout, {mark})
    )
    paragraphs = (
        (start, start + line.length, line.style)
        for line, start in zip(layout.lines, layout.starts, strict=True)
        if line.style != PLAIN_PARAGRAPH or "\n" in layout.text[start : start + line.length]
    )
    return Appearance(merge_runs(spans), tuple(paragraphs), note_references(layout, asides))


def read_non_prose(layout: TextLayout) -> tuple[NonProseSpan, ...]:
    """Text that is struck out and marks of footnotes that were typed by hand."""
    text = layout.text
    gone = [NonProseSpan(start, end, True) for start, end in marked_ranges(layout, {_STRUCK})]
    raised = [
        NonProseSpan(start, end, False)
        for start, end in marked_ranges(layout, {_RAISED})
        if is_footnote_mark(text[start:end], text[max(0, start - 20) : start])
    ]
    return tuple(sorted([*gone, *raised], key=lambda span: span.start))


def read_italics(layout: TextLayout) -> tuple[Span, ...]:
    """The stretches in italics."""
    return marked_ranges(layout, {_ITALIC})


def read_unread(layout: TextLayout, non_prose: Sequence[NonProseSpan]) -> tuple[Unread, ...]:
    """The passages in another language, and those that are struck out."""
    struck = (Unread(UnreadKind.DELETION, span.start, span.end) for span in non_prose if span.gap)
    return (*struck, *foreign_passages(layout.text, marked_ranges(layout, {_FOREIGN})))
