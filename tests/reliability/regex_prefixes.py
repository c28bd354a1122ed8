"""Regular expressions in source files: where they are searched for, and whether a search may take quadratic time.

A pattern that begins with a repetition without an end (``\\w*n't``) is tried at every character of a long word, and
each time reads the word to its end. A search is safe where the pattern begins with something else, where an anchor or a
look-behind lets it begin once in a run, or where nothing after the repetition can fail.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SEARCHING = ("search", "finditer", "findall", "sub", "subn", "split")
REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)


def begins_without_end(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether the pattern can begin with a repetition without an end, followed by something that may fail."""
    return _begins(list(parser.parse(pattern, flags)), more=False)


def _begins(items: Sequence[Any], *, more: bool) -> bool:
    """The same for the items of a pattern; ``more``: something that may fail follows them."""
    for at, (kind, value) in enumerate(items):
        rest = items[at + 1 :]
        follows = more or any(_may_fail(*item) for item in rest)
        if kind is ops.AT or (kind in (ops.ASSERT, ops.ASSERT_NOT) and value[0] < 0):
            return False
        if kind in (ops.ASSERT, ops.ASSERT_NOT):
            continue
        if kind in REPEATS:
            least, most, inner = value
            if most is ops.MAXREPEAT and follows:
                return True
            if _begins(list(inner), more=follows or most > 1):
                return True
            if least == 0:
                continue
            return False
        if kind is ops.SUBPATTERN:
            inner = list(value[-1])
            if _begins(inner, more=follows):
                return True
            if value[-1].getwidth()[0] == 0:
                continue
            return False
        if kind is ops.ATOMIC_GROUP:
            return _begins(list(value), more=follows)
        if kind is ops.BRANCH:
            return any(_begins([*branch, *rest], more=more) for branch in value[1])
        return False
    return False


def _may_fail(kind: Any, value: Any) -> bool:
    """Whether an item of a pattern can fail at some place of a text."""
    if kind in REPEATS:
        return bool(value[0] > 0)
    if kind is ops.SUBPATTERN:
        return any(_may_fail(*item) for item in value[-1])
    return True


def searched_literals(file: Path) -> Iterator[tuple[int, str | bytes, int]]:
    """(line, pattern, flags) of each call like ``re.search("…", …)`` in a file; names in its pattern are not known."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and ast.unparse(node.func.value) == "re"
            and node.func.attr in SEARCHING
            and node.args
            and isinstance(node.args[0], ast.Constant)
        ):
            flags = re.VERBOSE if "VERBOSE" in ast.unparse(node) else 0
            yield node.lineno, node.args[0].value, flags
