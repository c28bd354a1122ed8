"""Protects what was reported as saved from a power cut and from others; and that these tests see every call for it.

The mutation tests leave out one call after the other that flushes or protects, and open one permission after the other.
Some check must fail each time.
"""

from __future__ import annotations

import ast
import inspect
import os
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.storage import data_version, database, disk, file_lock, file_protection, journal, store
from tests.core.storage.durability import CHECKS

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="POSIX permissions, and folders that can be flushed"
)
MODULES = (data_version, database, disk, file_lock, file_protection, journal, store)
PROTECTING = {
    "flush",
    "fsync",
    "sync_folder",
    "chmod",
    "chown",
    "keep_owner",
    "setxattr",
    "removexattr",
    "_copy_attributes",
}
PRIVATE = {0o600: 0o644, 0o700: 0o755}


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize("check", CHECKS)
def test_what_is_reported_as_done_survives_a_power_cut(check: str, tmp_path: Path) -> None:
    CHECKS[check](tmp_path)


@dataclass(frozen=True)
class Mutant:
    """A function of a module with one change in a line."""

    module: types.ModuleType
    line: int
    column: int
    source: str

    def __str__(self) -> str:
        return f"{self.module.__name__.rpartition('.')[2]}: {self.source}"

    def change(self, node: ast.AST) -> ast.AST:
        """The node as it stands in the mutant."""
        if isinstance(node, ast.Constant):
            return ast.Constant(PRIVATE[node.value])
        return ast.Pass()


class _Mutation(ast.NodeTransformer):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def visit(self, node: ast.AST) -> ast.AST:
        here = (getattr(node, "lineno", 0), getattr(node, "col_offset", -1))
        if here == (self._mutant.line, self._mutant.column) and _is_protecting(node):
            return ast.copy_location(self._mutant.change(node), node)
        return self.generic_visit(node)


def _is_protecting(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) is int and node.value in PRIVATE
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        return getattr(called, "attr", getattr(called, "id", "")) in PROTECTING
    return False


def _mutants() -> Iterator[Mutant]:
    for module in MODULES:
        source = inspect.getsource(module)
        for node in ast.walk(ast.parse(source)):
            if _is_protecting(node):
                assert isinstance(node, ast.Expr | ast.Constant)
                text = source.splitlines()[node.lineno - 1].strip()
                yield Mutant(module, node.lineno, node.col_offset, text)


def _functions(code: types.CodeType) -> Iterator[types.CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant
            yield from _functions(constant)


def _find_function(module: types.ModuleType, name: str) -> types.FunctionType | None:
    found: object = module
    for step in name.split("."):
        found = inspect.getattr_static(found, step, None)
        found = getattr(found, "__func__", found)
    found = inspect.unwrap(found) if callable(found) else None
    return found if isinstance(found, types.FunctionType) else None


@contextmanager
def _mutated(mutant: Mutant) -> Iterator[None]:
    """The functions of the module work as in the mutant; its module's constants too."""
    tree = ast.fix_missing_locations(_Mutation(mutant).visit(ast.parse(inspect.getsource(mutant.module))))
    compiled = compile(tree, str(mutant.module.__file__), "exec", dont_inherit=True)
    with pytest.MonkeyPatch.context() as patch:
        for code in _functions(compiled):
            function = _find_function(mutant.module, code.co_qualname)
            if function is not None:
                patch.setattr(function, "__code__", code)
        for node in tree.body:
            if isinstance(node, ast.Assign) and node.lineno == mutant.line:
                assert isinstance(node.targets[0], ast.Name)
                patch.setattr(mutant.module, node.targets[0].id, ast.literal_eval(node.value))
        yield


def _is_noticed(mutant: Mutant, folder: Path) -> bool:
    with _mutated(mutant):
        for number, check in enumerate(CHECKS.values()):
            (folder / str(number)).mkdir()
            try:
                check(folder / str(number))
            except AssertionError:
                return True
    return False


@pytest.mark.parametrize("mutant", [*_mutants()], ids=str)
def test_a_call_that_is_left_out_is_noticed(mutant: Mutant, tmp_path: Path) -> None:
    assert _is_noticed(mutant, tmp_path), f"no check fails without: {mutant.source}"


def test_the_mutants_cover_what_must_be_noticed() -> None:
    """Were a call renamed, its mutant would be missing here."""
    sources = [str(mutant) for mutant in _mutants()]
    for needed in (
        "journal: flush(self._file)",
        "journal: flush(file)",
        "journal: sync_folder(self.path.parent)",
        "disk: flush(descriptor)",
        "disk: sync_folder(target.parent)",
        "disk: sync_folder(one.parent)",
        "disk: fresh.chmod(mode)",
        "file_protection: os.chown(copy, before.st_uid, before.st_gid)",
        "file_protection: copy.chmod(stat.S_IMODE(before.st_mode))",
    ):
        assert needed in sources
