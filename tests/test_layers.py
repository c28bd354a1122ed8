"""Protects the layers: imports between the folders of a package go one way, and no folder is a heap.

``python -m tests.test_layers`` prints the table: each folder, how many modules it holds, and which folders it imports.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("core", "training", "app")
MOST_MODULES = 20


def module_paths() -> dict[str, Path]:
    """Every module of the three packages: its dotted name and its file."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
    }


def imported_modules(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of this project that a file imports, inside functions and for the type checker, too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                found.add(name if name in known else node.module or "")
    return found & known.keys()


def folder_of(path: Path) -> str:
    """The folder that holds a module, from the root of the project."""
    return path.parent.relative_to(ROOT).as_posix()


def folder_imports() -> dict[str, dict[str, list[str]]]:
    """For each folder the folders of the same package that it imports, each with the imports in words."""
    known = module_paths()
    table: dict[str, dict[str, list[str]]] = {folder_of(path): {} for path in known.values()}
    for name, path in known.items():
        here = folder_of(path)
        for other in sorted(imported_modules(path, known)):
            there = folder_of(known[other])
            if there != here and there.partition("/")[0] == here.partition("/")[0]:
                table[here].setdefault(there, []).append(f"{name} imports {other}")
    return table


def layers(table: dict[str, dict[str, list[str]]]) -> list[str]:
    """The folders from the lowest layer to the highest. Raises CycleError where folders import each other."""
    return list(TopologicalSorter({folder: sorted(found) for folder, found in table.items()}).static_order())


def module_counts() -> dict[str, int]:
    """How many modules each folder holds directly, without ``__init__.py``."""
    counts: dict[str, int] = defaultdict(int)
    for path in module_paths().values():
        counts[folder_of(path)] += path.name != "__init__.py"
    return counts


def table_in_words() -> str:
    """The table as text: one line a folder, lowest layer first."""
    table, counts = folder_imports(), module_counts()
    return "\n".join(
        f"{folder:45}{counts[folder]:3}  {', '.join(sorted(table[folder])) or '-'}"
        for folder in layers(table)
    )


def test_imports_between_folders_go_one_way() -> None:
    table = folder_imports()
    assert sum(map(len, table.values())) > len(table), "no imports were found: the test reads the wrong place"
    try:
        layers(table)
    except CycleError as error:
        circle = error.args[1]
        pairs = zip(circle[1:], circle, strict=False)
        pytest.fail("\n".join(line for here, there in pairs for line in table[here].get(there, [])))


def test_the_product_imports_no_paper_and_a_paper_imports_no_other() -> None:
    known = module_paths()
    papers = "training.papers."
    wrong = []
    for name, path in known.items():
        paper = name.split(".")[2] if name.startswith(papers) else ""
        for other in imported_modules(path, known):
            if not other.startswith(papers):
                continue
            is_shared = known[other].parent.name == "papers"
            same = other.split(".")[2] == paper
            if not name.startswith("training.papers") or not (same or is_shared):
                wrong.append(f"{name} imports {other}")
    assert not wrong, "\n".join(sorted(wrong))


def test_no_folder_is_a_heap() -> None:
    heaps = {folder: count for folder, count in module_counts().items() if count > MOST_MODULES}
    assert not heaps


if __name__ == "__main__":
    print(table_in_words())
