"""What the tests of the registry share: a store, and bundles to put there."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_bundles import Bundled

from core.models.registry import ModelRegistry
from core.storage.store import Store
from tests.tiny import describe


@pytest.fixture(autouse=True)
def _tiny(tiny_bundle: Path, tiny_rewriter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bundled models are the tiny ones."""
    monkeypatch.setattr("core.engine.engine.bundled_reader", lambda: tiny_bundle)
    for module in ("core.rewriting.rewriter", "core.bundles.rewriter"):
        monkeypatch.setattr(f"{module}.bundled_rewriter", lambda: tiny_rewriter)


@pytest.fixture
def store() -> Iterator[Store]:
    """The person's own store."""
    one = Store.open()
    yield one
    one.close()


@pytest.fixture
def registry(store: Store) -> ModelRegistry:
    """The person's own registry."""
    return ModelRegistry(store)


@pytest.fixture
def bundle(tiny_bundle: Path, tmp_path: Path) -> Bundled:
    """Makes a reader of a name and version in a folder of its own."""

    def make(version: str = "0.2", *, name: str = "reader tiny", folder: str = "", **changes: object) -> Path:
        made = Path(shutil.copytree(tiny_bundle, tmp_path / (folder or f"made-{version}")))
        describe(made, version=version, name=name, **changes)
        return made

    return make
