"""An XML part as a tree, read with the same care as the text of a file is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from core.formats.office_document import visit_part
from core.formats.xml_scan import Visitor
from core.formats.zip_package import Package


@dataclass(slots=True)
class Node:
    """An element with its attributes, and what is in it: elements and text."""

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: list[Node | str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Node]:
        """The elements directly in this one."""
        return (child for child in self.children if isinstance(child, Node))

    def get(self, name: str) -> str:
        """The value of an attribute, or empty."""
        return self.attributes.get(name, "")

    def child(self, *path: str) -> Node | None:
        """The first element at a path of tags below this one."""
        here: Node | None = self
        for tag in path:
            here = next((one for one in here if one.tag == tag), None) if here else None
        return here

    def walk(self) -> Iterator[Node]:
        """This element and all in it, in their order."""
        waiting = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting.extend(reversed(list(here)))

    @property
    def text(self) -> str:
        """All text in this element."""
        return "".join(child for node in self.walk() for child in node.children if isinstance(child, str))


@dataclass(slots=True)
class _TreeBuilder(Visitor):
    root: Node = field(default_factory=lambda: Node(""))
    open: list[Node] = field(default_factory=list)

    def start(self, tag: str, attributes: Mapping[str, str], _at: int) -> None:
        node = Node(tag, dict(attributes))
        (self.open[-1] if self.open else self.root).children.append(node)
        self.open.append(node)

    def end(self, _tag: str, _at: int) -> None:
        self.open.pop()

    def text(self, text: str, _start: int, _end: int) -> None:
        if self.open:
            self.open[-1].children.append(text)


def read_tree(package: Package, part: str | None, prefixes: Mapping[str, str]) -> Node:
    """The root of a part of a package; one without children if there is no such part. Raises ContainerError."""
    root = visit_part(package, part, _TreeBuilder(), prefixes).root
    return next(iter(root), root)
