"""Protects the labels of list items: counted by list and level, in the numbers and with the words of their levels."""

from __future__ import annotations

import pytest

from core.text.list_labels import ListCounter, ListLevel, numeral


def test_items_are_counted_by_list_and_level() -> None:
    items = ListCounter()
    levels = {1: ListLevel(), 2: ListLevel("a", text="(%2)"), 3: ListLevel(start=4, text="%1.%2.%3")}
    places = [("a", 1), ("a", 2), ("a", 2), ("a", 3), ("a", 1), ("a", 2), ("b", 3), ("a", 4), ("a", 1)]
    assert [items.next(*place, levels) for place in places] == [
        "1.", "(a)", "(b)", "1.b.4", "2.", "(a)", "1.a.4", "▪", "3.",
    ]  # fmt: skip


def test_an_item_can_have_its_own_number() -> None:
    items = ListCounter()
    levels = {1: ListLevel()}
    assert [items.next("a", 1, levels, number=number) for number in (None, 7, None, 0)] == [
        "1.",
        "7.",
        "8.",
        "0.",
    ]


def test_labels_without_numbers_and_with_odd_text() -> None:
    items = ListCounter()
    labels = [
        ListLevel(""),
        ListLevel("none"),
        ListLevel("none", text="Note:"),
        ListLevel(text="\n%1\u200b) "),
        ListLevel(text=""),
    ]
    assert [items.next("a", 1, {1: level}) for level in labels] == ["•", "", "Note:", "4)", ""]
    assert len(items.next("a", 1, {1: ListLevel(text="%1" * 10_000)})) < 100


@pytest.mark.parametrize(
    ("number", "numbers", "shown"),
    [
        (27, "a", "aa"), (52, "A", "AZ"), (4, "i", "iv"), (1994, "I", "MCMXCIV"), (3, "1", "3"), (5000, "i", "5000"),
        (0, "a", "0"), (-2, "I", "-2"), (3, "disc", "3"), (3, "none", ""),
        (2, "*", "†"), (5, "*", "**"), (21, "*", "21"),
    ],
)  # fmt: skip
def test_numbers_in_letters(number: int, numbers: str, shown: str) -> None:
    assert numeral(number, numbers) == shown
