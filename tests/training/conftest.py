"""Corpora and a base encoder that exist only in tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.tiny_corpora import make_base, make_corpora, make_required_corpora


@pytest.fixture(scope="session")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every corpus in its published layout."""
    return make_corpora(tmp_path_factory.mktemp("corpora") / "data")


@pytest.fixture(scope="session")
def required_corpora(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with those corpora alone without which no reader is trained."""
    return make_required_corpora(tmp_path_factory.mktemp("corpora") / "data")


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A local base encoder that trains in a moment."""
    return make_base(tmp_path_factory.mktemp("base") / "bert")
