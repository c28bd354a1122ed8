"""Where a docx is read: inside fields, controls and whatever else makes that the text there cannot be edited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_LOCKS = ("contentLocked", "sdtContentLocked")


@dataclass(slots=True)
class _Field:
    """A field: its code as far as it was read, and whether its result has begun."""

    code: str = ""
    shown: bool = False


class Guard:
    """What is open now of fields (each text box has its own), of controls, and of elements that are locked."""

    def __init__(self, reasons: Mapping[str, str]) -> None:
        self._reasons = reasons
        self._stories: list[list[_Field]] = [[]]
        self._locks: list[tuple[int, str]] = []
        self._controls: list[str] = []

    def reason(self) -> str:
        """Why what is read now cannot be edited, or nothing."""
        if self._locks:
            return self._locks[-1][1]
        shut = any(not is_link(field.code) for field in self._stories[-1])
        return self._reasons["field"] if shut else ""

    def lock(self, depth: int, reason: str) -> None:
        """Lock the element at a depth, to its end; with no reason, do nothing."""
        if reason:
            self._locks.append((depth, reason))

    def leave(self, depth: int) -> None:
        """The element at a depth ends."""
        if self._locks and self._locks[-1][0] == depth:
            self._locks.pop()

    def in_field(self) -> bool:
        return bool(self._stories[-1])

    def in_code(self) -> bool:
        """Whether what is read is the code of a field, which is not shown."""
        return any(not field.shown for field in self._stories[-1])

    def add_code(self, text: str) -> None:
        self._stories[-1][-1].code += text

    def field_character(self, kind: str | None) -> None:
        """A field begins, its code ends, or it ends."""
        story = self._stories[-1]
        if kind == "begin":
            story.append(_Field())
        elif kind == "separate" and story:
            story[-1].shown = True
        elif kind == "end" and story:
            story.pop()

    def start_story(self) -> None:
        self._stories.append([])

    def end_story(self) -> None:
        if len(self._stories) > 1:
            self._stories.pop()

    def start_control(self) -> None:
        self._controls.append("")

    def end_control(self) -> None:
        if self._controls:
            self._controls.pop()

    def shut_control(self, lock: str | None = None) -> None:
        """The control is one that is filled in, or has a lock of this kind."""
        if self._controls and (lock is None or lock in _LOCKS):
            self._controls[-1] = self._reasons["control"]

    def control(self) -> str:
        """Why the content of the control cannot be edited, or nothing."""
        return self._controls[-1] if self._controls else ""


def is_link(code: str) -> bool:
    """Whether a field is a link, whose text a person wrote."""
    return code.lstrip().upper().startswith("HYPERLINK")
