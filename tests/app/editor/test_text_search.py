"""Protects find and replace: what is found and written is what was asked for, and no expression hangs."""

from __future__ import annotations

import pytest

from app.editor.text_search import Search, SearchError
from core.text.diff import apply_edits

TEXT = "One 👍🏽 plan. The plan (a Plan) is *a.b*, planned a-b.\nPlan! Cafe\u0301 cafe"


def found(words: str, **how: bool) -> list[str]:
    return [TEXT[start:end] for start, end in Search(words, **how).spans(TEXT)]


def replaced(words: str, new: str, text: str = TEXT, **how: bool) -> str:
    return apply_edits(text, Search(words, **how).edits(text, new))


def test_words_are_found_as_they_are_written() -> None:
    assert found("plan") == ["plan", "plan", "Plan", "plan", "Plan"]
    assert found("plan", match_case=True) == ["plan", "plan", "plan"]
    assert found("a.b") == ["a.b"], "a dot is a dot"
    assert found("") == []


def test_whole_words_end_where_words_end() -> None:
    assert found("plan", whole_words=True) == ["plan", "plan", "Plan", "Plan"]
    assert found("cafe", whole_words=True) == ["cafe"], "a mark belongs to the letter before it"
    assert found("*a.b*", whole_words=True) == ["*a.b*"]
    assert found("pl.n", whole_words=True, expression=True) == ["plan", "plan", "Plan", "Plan"]


def test_an_expression_reads_lines_and_letters_of_every_script() -> None:
    assert found("^plan|é$", expression=True) == ["Plan"]
    assert found(r"\pL+\W*$", expression=True) == ["b.", "cafe"]
    assert found("x*", expression=True) == [], "an empty match is none"


def test_an_expression_never_hangs() -> None:
    """With backtracking this takes longer than the universe has existed."""
    assert Search("(a+)+$", expression=True).spans("a" * 50_000 + "b") == []


def test_a_replacement_is_written_as_it_stands_for_words() -> None:
    assert replaced("plan", r"\1", "A plan.") == r"A \1."


@pytest.mark.parametrize(
    ("expression", "new", "after"),
    [
        (r"(\w+), (\w+)", r"\2 \1", "Ada Lovelace"),
        (r"(?P<last>\w+), (?P<first>\w+)", r"\g<first> \g<last>", "Ada Lovelace"),
        (r"(x)?Ada", r"\1Eve", "Lovelace, Eve"),
        (r", ", r"\n\t\\", "Lovelace\n\t\\Ada"),
        (r"\w+$", r"<\0>", "Lovelace, <Ada>"),
    ],
)
def test_groups_and_signs_in_a_replacement(expression: str, new: str, after: str) -> None:
    assert replaced(expression, new, "Lovelace, Ada", expression=True) == after


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("(", "“(”"),
        ("a)", "“)”"),
        ("[a", "“[”"),
        ("*a", "“*”"),
        ("a**", "“**”"),
        ("a{2000}", "1,000"),
        (r"\q", r"“\q”"),
        (r"(a)\1", r"“\1”"),
        ("(?=x)", "look ahead"),
        ("[z-a]", "“z-a”"),
        ("\\", "last backslash"),
    ],
)
def test_a_bad_expression_is_explained(expression: str, said: str) -> None:
    with pytest.raises(SearchError) as caught:
        Search(expression, expression=True)
    assert said in str(caught.value)
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    ("new", "said"), [(r"\2", "“2”"), (r"\g<x>", "“x”"), (r"\q", r"“\q”"), ("\\", "“\\”")]
)
def test_a_bad_replacement_is_explained_before_anything_is_replaced(new: str, said: str) -> None:
    with pytest.raises(SearchError) as caught:
        Search("(a)", expression=True).edits("a", new)
    assert said in str(caught.value)
