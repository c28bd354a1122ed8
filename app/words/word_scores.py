"""What the reading thread is asked about words: their scores, and the sentences of one without it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.analysis.analysis_worker import Snapshot
from app.analysis.worker_context import Desk
from core.i18n import tr

if TYPE_CHECKING:
    from core.documents.types import Document
    from core.stereotypes.word_effects import SentenceEffect, WordEffect

SLICE_S = 0.4
"""How long the words keep the reading thread at a time: what a person waits for has its turn in between."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """The words of a snapshot. Without ``rows`` there is more to do, or ``message`` says what went wrong."""

    of: ScoreWords
    rows: Sequence[WordEffect] | None = None
    share: float = 0.0
    message: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreWords:
    """Scores the words of a snapshot for at most ``seconds``. The reader remembers: who asks again goes on there."""

    snapshot: Snapshot
    seconds: float = SLICE_S

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Scored:
        from core.engine.reader import Cancelled
        from core.stereotypes.word_effects import word_effects

        document = document_of(desk, self.snapshot)
        end = time.perf_counter() + self.seconds
        shares = [0.0]
        try:
            rows = word_effects(
                desk.reader.reader,
                document,
                include_quotes=self.snapshot.include_quotes,
                cancelled=lambda: cancelled() or time.perf_counter() > end,
                told=shares.append,
            )
        except Cancelled:
            if cancelled():
                raise
            return Scored(self, share=shares[-1])
        return Scored(self, rows=rows)

    def failed(self, error: Exception, message: str) -> Scored:
        return Scored(self, message=message or _said(error))


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """The sentences of a word without it; none where nothing more general is known, or it went wrong."""

    of: ReadWithout
    effects: Sequence[SentenceEffect] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ReadWithout:
    """Reads the sentences of ``word`` in a snapshot with a more general one in its place."""

    snapshot: Snapshot
    word: str

    def run(self, desk: Desk, cancelled: Callable[[], bool]) -> Effects:
        from core.stereotypes.word_effects import effects_of

        quotes = self.snapshot.include_quotes
        document = document_of(desk, self.snapshot)
        return Effects(
            self,
            effects_of(desk.reader.reader, document, self.word, include_quotes=quotes, cancelled=cancelled),
        )

    def failed(self, _error: Exception, _message: str) -> Effects:
        return Effects(self)


def document_of(desk: Desk, snapshot: Snapshot) -> Document:
    """The document of a snapshot: the one that was read last, if it is that."""
    if desk.document is not None and desk.revision == snapshot.revision:
        return desk.document
    return snapshot.document(desk.parser.parse)


def _said(error: Exception) -> str:
    return tr("The words could not be looked at ({error}). The text itself is safe.").format(
        error=type(error).__name__
    )
