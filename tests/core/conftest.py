"""What the tests of the engine share."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader
from core.rewriting.rewriter import Rewriter


@pytest.fixture(scope="session")
def engine(tiny_bundle: Path) -> Engine:
    """The engine on the tiny reader."""
    return Engine(Reader.load(tiny_bundle, threads=1), Lexicon.load())


@pytest.fixture(scope="session")
def rewriter(tiny_rewriter: Path) -> Rewriter:
    """The tiny rewriter, opened."""
    return Rewriter.load(tiny_rewriter)
