"""Protects the import table of the rooms: what starts in a second on a laptop never pulls in torch."""

from __future__ import annotations

import ast
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
QT = {"PySide6", "shiboken6", "pyqtgraph", "PyQt5", "PyQt6"}
TRAINING = {
    "torch",
    "transformers",
    "safetensors",
    "sklearn",
    "onnx",
    "onnxscript",
    "spacy",
    "nltk",
    "training",
}
FORBIDDEN = {
    "core": TRAINING | QT | {"app", "installer"},
    "app": TRAINING | {"installer"},
    "training": QT | {"app", "installer"},
    "resources": TRAINING | QT | {"app", "core", "installer"},
}
EXEMPT = ROOT / "app" / "entry.py"

BLOCKED = """
import importlib, sys

class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in forbidden:
            raise ImportError(f"{name} is on the other side of the wall")

forbidden, modules = set(sys.argv[1].split(",")), sys.argv[2].split(",")
sys.meta_path.insert(0, Wall())
for module in modules:
    importlib.import_module(module)
print(",".join(sorted({name.partition(".")[0] for name in sys.modules} & forbidden)))
"""


def modules(room: str) -> list[str]:
    """The names of all modules of a room."""
    found = pkgutil.walk_packages([str(ROOT / room)], f"{room}.", onerror=lambda _name: None)
    return [room, *(module.name for module in found)]


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """(line, top-level package) of each import in a file, those inside functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.partition(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}:{node.lineno}: write the import in full"
            yield node.lineno, (node.module or "").partition(".")[0]


def taken(path: Path, known: set[str]) -> set[str]:
    """The modules that a file imports, for the type checker alone too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names if names <= known else {node.module or "", *names}
    return found & known


@pytest.mark.parametrize("room", sorted(FORBIDDEN))
def test_no_file_names_what_its_room_may_not_import(room: str) -> None:
    files = [path for path in (ROOT / room).rglob("*.py") if path != EXEMPT]
    assert files
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in files
        for line, name in imports(path)
        if name in FORBIDDEN[room]
    ]
    assert not wrong, "\n".join(wrong)


def test_no_two_files_need_each_other() -> None:
    """What is imported for types alone counts: a part that names the whole can be read by nobody without the whole."""
    files = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for room in FORBIDDEN
        for path in (ROOT / room).rglob("*.py")
    }
    graph = {name: taken(path, set(files)) - {name} for name, path in files.items()}
    assert sum(map(len, graph.values())) > len(files)
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize("room", ["core", "app"])
def test_every_module_imports_behind_the_wall(room: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, ",".join(FORBIDDEN[room]), ",".join(modules(room))],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == ""


def test_the_entry_is_standard_library_only() -> None:
    top = ast.parse(EXEMPT.read_text(encoding="utf-8")).body
    for node in top:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert all(name.partition(".")[0] in sys.stdlib_module_names for name in names), names
    code = (
        "import sys, app.entry; print(sorted({'numpy', 'PySide6', 'onnxruntime', 'core'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_no_folder_but_the_rooms_is_a_package() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages - {"tests"} == {"core", "training", "app", "resources"}
