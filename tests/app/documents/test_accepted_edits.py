"""Protects that a draft can be saved: every edit that the window accepts in a docx, odt or html file can be written."""

from __future__ import annotations

from random import Random

import pytest

from app.documents.locked_ranges import LockedRanges
from app.editor.positions import OffsetMap, utf16_length
from core.documents.format_specs import FORMATS
from core.formats.types import Container, ContainerError
from tests.core.formats.real_pages import FILES

TYPED = ("", "x", "\n", "One. \nTwo", "\n\n", " ", "<b>&amp;", "x\x0by", "\uffff")
REMOVED = (0, 4)
SEQUENCES = 120
ANY_FILE = pytest.mark.parametrize("name", list(FILES))


def opened(name: str) -> Container:
    kind, data = FILES[name]
    return FORMATS[kind].open_container(data, name=name)


class Draft:
    """The text of a file in the window, and the rules of the window for edits of it; offsets are code points."""

    def __init__(self, container: Container, text: str | None = None) -> None:
        self.container = container
        self.text = container.text if text is None else text
        self.ranges = LockedRanges(container, self.text)
        self.edits: list[tuple[int, int, str]] = []

    def accepts(self, start: int, end: int, typed: str) -> bool:
        units = OffsetMap(self.text)
        return not self.ranges.rejection_reason(units.to_utf16(start), units.to_utf16(end), typed)

    def edit(self, start: int, end: int, typed: str) -> None:
        """Make an edit that is accepted, as the window does."""
        unit = OffsetMap(self.text).to_utf16(start)
        self.text = self.text[:start] + typed + self.text[end:]
        units = OffsetMap(self.text)
        assert self.ranges.apply_edit(
            unit,
            unit + utf16_length(typed),
            length=utf16_length(self.text),
            text_between=lambda low, high: self.text[units.to_code_point(low) : units.to_code_point(high)],
        )
        self.edits.append((start, end, typed))

    def problem(self) -> str:
        """Why the text cannot be saved, or nothing."""
        try:
            self.container.save(self.text)
        except ContainerError as error:
            return f"{self.edits}: {self.text!r}: {error}"
        return ""


@ANY_FILE
def test_every_edit_that_is_accepted_can_be_saved(name: str) -> None:
    container = opened(name)
    text = container.text
    draft = Draft(container)
    wrong = []
    for start in range(len(text) + 1):
        for end in {min(start + count, len(text)) for count in REMOVED}:
            for typed in TYPED:
                if typed != text[start:end] and draft.accepts(start, end, typed):
                    draft.text, draft.edits = text[:start] + typed + text[end:], [(start, end, typed)]
                    wrong.append(draft.problem())
                    draft.text = text
    assert wrong or not container.editable
    assert not any(wrong), "\n".join(filter(None, wrong))


@ANY_FILE
def test_edits_that_are_accepted_one_after_the_other_can_be_saved_together(name: str) -> None:
    container = opened(name)
    wrong = []
    for seed in range(SEQUENCES):
        random = Random(seed)
        draft = Draft(container)
        for _ in range(random.randint(2, 7)):
            start = _place(draft, random)
            end = min(start + random.choice((0, 0, 0, 1, 3, 12)), len(draft.text))
            typed = random.choice(TYPED)
            if typed != draft.text[start:end] and draft.accepts(start, end, typed):
                draft.edit(start, end, typed)
            if random.random() < 0.2 and not draft.problem():
                # As after a crash: the text comes back, and the ranges are found in it.
                draft.ranges = LockedRanges(container, draft.text)
        wrong.append(draft.problem())
    assert not any(wrong), "\n".join(filter(None, wrong))


def _place(draft: Draft, random: Random) -> int:
    """Anywhere, but often at the beginning or the end of a line or beside a locked range."""
    if random.random() < 0.4:
        return random.randint(0, len(draft.text))
    line = random.choice(range(draft.text.count("\n") + 1))
    lines = draft.text.split("\n")
    start = sum(len(one) + 1 for one in lines[:line])
    return random.choice((start, start + len(lines[line])))


def test_return_before_a_paragraph_whose_predecessor_ends_in_a_tag() -> None:
    draft = Draft(opened("blog"))
    assert "Same link\nSame link" in draft.text
    place = draft.text.rindex("Same link")
    assert draft.accepts(place, place, "\n")
    draft.edit(place, place, "\n")
    assert not draft.problem()


def test_nothing_is_typed_at_the_border_of_preformatted_text() -> None:
    draft = Draft(opened("data"))
    end = len(draft.text)
    assert draft.text.endswith("\nz")
    assert not draft.accepts(end, end, "x")


@ANY_FILE
def test_a_control_character_is_refused_before_it_is_in_the_text(name: str) -> None:
    draft = Draft(opened(name))
    assert not any(draft.accepts(place, place, "x\x0by") for place in range(len(draft.text) + 1))
