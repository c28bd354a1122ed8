"""Protects who pastes a very long word: no pattern that is searched for begins with a repetition without an end."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import app
import core
from tests.reliability.regex_prefixes import SEARCHING, begins_without_end, searched_literals

FILES = {
    file: file.read_text(encoding="utf-8")
    for package in (core, app)
    for file in sorted(Path(package.__path__[0]).rglob("*.py"))
}
SAFE = {
    # The last alternative takes the whole run, so that the next search begins after it.
    "core.formats.edits._TOKEN",
    # What follows the repetition is there at the end of every line.
    "core.rewriting.lines._LINE",
}


def searched_patterns() -> Iterator[tuple[str, re.Pattern[str] | re.Pattern[bytes]]]:
    """The patterns of all modules that are searched for, each with its name."""
    for package in (core, app):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(found.name)
            own = Path(str(module.__file__))
            for name, value in vars(module).items():
                if not isinstance(value, re.Pattern) or not re.search(
                    rf"^{name}\b", FILES[own], re.MULTILINE
                ):
                    continue
                users = [
                    text
                    for file, text in FILES.items()
                    if file == own or (f"from {found.name} import" in text and name in text)
                ]
                if any(re.search(rf"\b{name}\.(?:{'|'.join(SEARCHING)})\(", text) for text in users):
                    yield f"{found.name}.{name}", value


def test_no_pattern_that_is_searched_for_begins_without_an_end() -> None:
    patterns = dict(searched_patterns())
    assert len(patterns) > 50
    assert patterns.keys() >= SAFE
    long = {name for name, pattern in patterns.items() if begins_without_end(pattern.pattern, pattern.flags)}
    assert long == SAFE


def test_no_literal_that_is_searched_for_begins_without_an_end() -> None:
    found = [(file, *one) for file in FILES for one in searched_literals(file)]
    assert found
    assert [f"{file}:{line}" for file, line, *pattern in found if begins_without_end(*pattern)] == []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\w*n't", True),
        (r"\s+$", True),
        (r"(\w+)\s", True),
        (r"(?:\w+|x)y", True),
        (r"x?\w+y", True),
        (r"\w++y", True),
        (r"(?:ab)+c", True),
        (r"(?=a)\w+y", True),
        (r"\w+", False),
        (r"(\w+)", False),
        (r"\w+\s*", False),
        (r"(?<!\w)\w+y", False),
        (r"^\s*x", False),
        (r"\b\w+ed", False),
        (r"x\w*y", False),
        (r"\w{1,9}y", False),
    ],
)
def test_the_beginning_of_a_pattern_is_judged(pattern: str, expected: bool) -> None:
    assert begins_without_end(pattern) is expected
