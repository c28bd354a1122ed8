"""A store in the test's own folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.storage.store import Store


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "data" / "evenhand.sqlite3"


@pytest.fixture
def store(place: Path) -> Iterator[Store]:
    opened = Store.open(place)
    yield opened
    opened.close()
