"""HTML elements inside a text of another format: where each begins and ends, and what it says of its content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.text.english import is_foreign
from core.text.html_scan import SET_APART, STRUCK_OUT, VOID, attributes

_TAG = re.compile(r"<(/?)([a-zA-Z][\w-]*+)([^<>]*+)>")


@dataclass(frozen=True, slots=True)
class Element:
    """An element at ``start:end`` whose content is at ``first:last``; ``rest`` has its attributes."""

    name: str
    rest: str
    start: int
    first: int
    last: int
    end: int

    @property
    def is_struck_out(self) -> bool:
        """Whether its content was deleted."""
        return self.name in STRUCK_OUT

    @property
    def is_set_apart(self) -> bool:
        """Whether its content is in italics or linked."""
        return self.name in SET_APART

    @property
    def is_foreign(self) -> bool:
        """Whether its content is in another language."""
        return declares_foreign_language(self.rest)


def declares_foreign_language(rest: str) -> bool:
    """Whether the attributes of a tag name a language that is not English."""
    if "lang" not in rest.lower():
        return False
    said = attributes(rest)
    return is_foreign(said.get("lang", said.get("xml:lang", "")))


def find_elements(tags: Iterable[tuple[int, int, str]]) -> Iterator[Element]:
    """The elements of some tags (start, end, tag) in order, each when it ends; tags without a partner are none."""
    opened: list[tuple[str, str, int, int]] = []
    counts: dict[str, int] = {}
    for start, end, tag in tags:
        found = _TAG.fullmatch(tag)
        if found is None:
            continue
        name, rest = found[2].lower(), found[3]
        if not found[1]:
            if name not in VOID and not rest.endswith("/"):
                opened.append((name, rest, start, end))
                counts[name] = counts.get(name, 0) + 1
        elif counts.get(name):
            while True:
                one = opened.pop()
                counts[one[0]] -= 1
                if one[0] == name:
                    yield Element(name, one[1], one[2], one[3], start, end)
                    break


def tags_in(text: str) -> Iterator[tuple[int, int, str]]:
    """The tags of a text."""
    return ((found.start(), found.end(), found.group()) for found in _TAG.finditer(text))
