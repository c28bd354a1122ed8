"""The small dictionary, read."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.spelling.dictionary import SpellingDictionary
from tests.small_dictionary import write_dictionary


@pytest.fixture(scope="session")
def dictionary(tmp_path_factory: pytest.TempPathFactory) -> SpellingDictionary:
    folder: Path = tmp_path_factory.mktemp("dictionaries")
    return SpellingDictionary(write_dictionary(folder))
