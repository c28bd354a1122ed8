"""The tiny reader and the tiny rewriter, opened, for tests that carry files and texts through all of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from core.engine.cues import Lexicon
from core.engine.engine import Engine
from core.engine.reader import Reader
from core.rewriting.rewriter import Rewriter
from core.rewriting.suggester import Suggester


@dataclass(frozen=True)
class Models:
    """An engine and a suggester; ``fresh`` lets them forget what they read."""

    engine: Engine
    suggester: Suggester

    @classmethod
    def load(cls, reader: Path, rewriter: Path) -> Models:
        engine = Engine(Reader.load(reader, threads=1), Lexicon.load())
        return cls(engine, Suggester(engine, Rewriter.load(rewriter)))

    def fresh(self) -> Engine:
        self.engine._memory.clear()
        self.engine.reader._cache.clear()
        self.suggester.rewriter._cache.clear()  # type: ignore[attr-defined]
        return self.engine
