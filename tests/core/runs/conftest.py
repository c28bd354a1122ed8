"""A store in the test's own folder, and the runs in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.runs.run_store import RunStore
from core.storage.store import Store


@pytest.fixture
def store() -> Iterator[Store]:
    opened = Store.open()
    yield opened
    opened.close()


@pytest.fixture
def runs(store: Store) -> RunStore:
    return RunStore(store)
