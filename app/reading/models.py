"""What the window needs of the models: a reader that finds, and a rewriter that offers other wordings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from core.documents.model import Document
from core.findings import Finding
from core.report import Report
from core.sensitivity import Curve
from core.suggestions import Suggestions

if TYPE_CHECKING:
    from core import reader as sentence_reader
    from core.cues import Lexicon


class Reader(Protocol):
    """What the window needs of ``core.engine.Engine``."""

    @property
    def name(self) -> str: ...

    @property
    def sensitivity(self) -> Curve | None: ...

    @property
    def reader(self) -> sentence_reader.Reader: ...

    @property
    def lexicon(self) -> Lexicon: ...

    def analyse(
        self,
        document: Document,
        *,
        path: str,
        include_quotes: bool,
        threshold: float | None,
        cancelled: Callable[[], bool],
        told: Callable[[float], None] = ...,
    ) -> Report: ...


class Rewriter(Protocol):
    """What the window needs of ``core.rewriting.suggester.Suggester``."""

    def suggest(
        self, document: Document, finding: Finding, *, n: int = 3, cancelled: Callable[[], bool] | None = None
    ) -> Suggestions: ...
