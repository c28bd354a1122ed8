"""What the properties of text in a word processor say about it: its language, italics, and what is struck or raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from core.documents.characters import is_footnote_mark
from core.documents.languages import foreign_passages
from core.documents.types import Mask, Span
from core.formats.quotation_styles import PLAIN, Style, TextProperties
from core.formats.text_layout import Line, TextLayout, marked_ranges
from core.text.english import is_foreign
from core.types import Unread, UnreadKind

_FOREIGN, _ITALIC, _STRUCK, _RAISED = (
    f"property {name}" for name in ("foreign", "italic", "struck", "raised")
)
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
    """The properties of text with those of what is around it."""
    return TextProperties(
        outer.language if inner.language is None else inner.language,
        outer.italic if inner.italic is None else inner.italic,
        outer.struck if inner.struck is None else inner.struck,
        outer.raised if inner.raised is None else inner.raised,
    )


def mark_properties(line: Line, start: int, properties: TextProperties) -> None:
    """What was added to a line from ``start`` on has these properties."""
    marks = (
        (_FOREIGN, is_foreign(properties.language or "")),
        (_ITALIC, properties.italic),
        (_STRUCK, properties.struck),
        (_RAISED, properties.raised),
    )
    for mark, holds in marks:
        if holds and start < line.length:
            line.marks += [(start, "start", mark), (line.length, "end", mark)]


def read_masks(layout: TextLayout) -> tuple[Mask, ...]:
    """Masks over text that is struck out and over the marks of footnotes that were typed by hand."""
    text = layout.text
    gone = [Mask(start, end, True) for start, end in marked_ranges(layout, {_STRUCK})]
    raised = [
        Mask(start, end, False)
        for start, end in marked_ranges(layout, {_RAISED})
        if is_footnote_mark(text[start:end], text[max(0, start - 20) : start])
    ]
    return tuple(sorted([*gone, *raised], key=lambda mask: mask.start))


def read_italics(layout: TextLayout) -> tuple[Span, ...]:
    """The stretches in italics."""
    return marked_ranges(layout, {_ITALIC})


def read_unread(layout: TextLayout, masks: Sequence[Mask]) -> tuple[Unread, ...]:
    """The passages in another language, and those that are struck out."""
    struck = (Unread(UnreadKind.DELETION, mask.start, mask.end) for mask in masks if mask.gap)
    return (*struck, *foreign_passages(layout.text, marked_ranges(layout, {_FOREIGN})))
